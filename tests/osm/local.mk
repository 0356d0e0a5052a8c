include tests/osm/file.mk
include tests/osm/gen.mk
include tests/osm/plugin.mk
include tests/osm/soak.mk
include tests/osm/topology.mk
include tests/osm/writes.mk
TESTS += tests/osm/compare.sh
EXTRA_DIST += tests/osm/compare.sh
