if HAVE_CUNIT
gen_tests = tests/unit/test_gen tests/unit/test_gen_machines \
	tests/unit/test_gen_options tests/unit/test_gen_spec
check_PROGRAMS += $(gen_tests)
TESTS += $(gen_tests)
gen_cppflags = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
gen_ldadd = libweft_more.la libweft_core.la $(CUNIT_LIBS)
gen_headers = tests/unit/gen_suite.h tests/unit/suite.h

tests_unit_test_gen_SOURCES = tests/unit/test_gen.c $(gen_headers)
tests_unit_test_gen_CPPFLAGS = $(gen_cppflags)
tests_unit_test_gen_LDADD = $(gen_ldadd)
tests_unit_test_gen_machines_SOURCES = tests/unit/test_gen_machines.c \
	$(gen_headers)
tests_unit_test_gen_machines_CPPFLAGS = $(gen_cppflags)
tests_unit_test_gen_machines_LDADD = $(gen_ldadd)
tests_unit_test_gen_options_SOURCES = tests/unit/test_gen_options.c \
	$(gen_headers)
tests_unit_test_gen_options_CPPFLAGS = $(gen_cppflags)
tests_unit_test_gen_options_LDADD = $(gen_ldadd)
tests_unit_test_gen_spec_SOURCES = tests/unit/test_gen_spec.c \
	$(gen_headers)
tests_unit_test_gen_spec_CPPFLAGS = $(gen_cppflags)
tests_unit_test_gen_spec_LDADD = $(gen_ldadd)
endif
