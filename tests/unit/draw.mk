if HAVE_CUNIT
check_PROGRAMS += tests/unit/test_draw
TESTS += tests/unit/test_draw
endif
tests_unit_test_draw_SOURCES = tests/unit/test_draw.c tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_draw_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_draw_LDADD = libweft_draw.la libweft_page.la \
	libweft_more.la libweft_core.la $(CUNIT_LIBS) -lm
