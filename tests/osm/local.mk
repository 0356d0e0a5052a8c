include tests/osm/file.mk
include tests/osm/plugin.mk
include tests/osm/topology.mk
