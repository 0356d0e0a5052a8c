# Synthetic fabrics in the simulator.
long_tests += tests/osm/generated.sh tests/osm/machines.sh
EXTRA_DIST += tests/osm/generated.sh tests/osm/machines.sh
# weft capture reads what opensm set.
TESTS += tests/osm/capture.sh tests/osm/capture-diags.sh tests/osm/watch.sh
EXTRA_DIST += tests/osm/capture.sh tests/osm/capture-diags.sh tests/osm/watch.sh
