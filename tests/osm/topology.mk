# Topologies that weft writes, and those that the stock tools write.
check_PROGRAMS += tests/osm/topology
tests_osm_topology_SOURCES = tests/osm/topology.c
tests_osm_topology_LDADD = libweft.la
TESTS += tests/osm/topology.sh
EXTRA_DIST += tests/osm/topology.sh
