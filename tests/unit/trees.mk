if HAVE_CUNIT
trees_tests = tests/unit/test_lane_orders tests/unit/test_relief \
	tests/unit/test_trees tests/unit/test_ways
check_PROGRAMS += $(trees_tests)
TESTS += $(trees_tests)
endif
tests_unit_test_relief_SOURCES = tests/unit/suite.h tests/unit/test_relief.c
tests_unit_test_relief_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_relief_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_trees_SOURCES = tests/unit/suite.h tests/unit/test_trees.c
tests_unit_test_trees_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_trees_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_ways_SOURCES = tests/unit/suite.h tests/unit/test_ways.c
tests_unit_test_ways_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_ways_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS) -lm
tests_unit_test_lane_orders_SOURCES = tests/unit/suite.h \
	tests/unit/test_lane_orders.c
tests_unit_test_lane_orders_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_lane_orders_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
