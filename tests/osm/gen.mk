# Synthetic fabrics in the simulator.
TESTS += tests/osm/generated.sh
EXTRA_DIST += tests/osm/generated.sh
