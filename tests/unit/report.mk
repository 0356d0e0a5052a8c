if HAVE_CUNIT
check_PROGRAMS += tests/unit/test_report
TESTS += tests/unit/test_report
endif
tests_unit_test_report_SOURCES = tests/unit/test_report.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_report_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_report_LDADD = libweft_report.la libweft_page.la \
	libweft_more.la libweft_core.la $(CUNIT_LIBS) -lm
