dist_check_SCRIPTS += tests/unit/headers.sh tests/engine-lists.sh
TESTS += tests/unit/headers.sh tests/engine-lists.sh
if HAVE_CUNIT
core_tests = tests/unit/test_core tests/unit/test_fabric tests/unit/test_number
check_PROGRAMS += $(core_tests)
TESTS += $(core_tests)
tests_unit_test_core_SOURCES = tests/unit/test_core.c tests/unit/suite.h
tests_unit_test_core_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_core_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_fabric_SOURCES = tests/unit/test_fabric.c tests/unit/suite.h
tests_unit_test_fabric_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_fabric_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_number_SOURCES = tests/unit/test_number.c tests/unit/suite.h
tests_unit_test_number_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_number_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
endif
