if HAVE_CUNIT
pgft_tests = tests/unit/test_pgft tests/unit/test_shape tests/unit/test_worst
check_PROGRAMS += $(pgft_tests)
TESTS += $(pgft_tests)
tests_unit_test_pgft_SOURCES = tests/unit/test_pgft.c \
	tests/unit/rebuild.c tests/unit/rebuild.h tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_pgft_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_pgft_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_shape_SOURCES = tests/unit/test_shape.c tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_shape_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_shape_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_worst_SOURCES = tests/unit/test_worst.c tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_worst_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_worst_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
endif
