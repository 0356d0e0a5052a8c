# The order in which opensm writes tables.
check_PROGRAMS += tests/osm/write_order
tests_osm_write_order_SOURCES = tests/osm/write_order.c
tests_osm_write_order_LDADD = libweft.la
TESTS += tests/osm/writes.sh
EXTRA_DIST += tests/osm/writes.sh
