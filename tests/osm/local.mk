include tests/osm/file.mk
include tests/osm/gen.mk
include tests/osm/plugin.mk
include tests/osm/topology.mk
