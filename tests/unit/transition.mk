# From one set of tables to another.
if HAVE_CUNIT
check_PROGRAMS += tests/unit/test_transition
TESTS += tests/unit/test_transition
tests_unit_test_transition_SOURCES = tests/unit/test_transition.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_transition_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_transition_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
endif
