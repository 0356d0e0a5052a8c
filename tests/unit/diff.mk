# Two sets of tables side by side.
if HAVE_CUNIT
check_PROGRAMS += tests/unit/test_diff
TESTS += tests/unit/test_diff
tests_unit_test_diff_SOURCES = tests/unit/test_diff.c tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_diff_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_diff_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
endif
