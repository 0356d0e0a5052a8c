if HAVE_CUNIT
check_PROGRAMS += tests/unit/test_page
TESTS += tests/unit/test_page
endif
tests_unit_test_page_SOURCES = tests/unit/test_page.c tests/unit/suite.h
tests_unit_test_page_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_page_LDADD = libweft_page.la libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
