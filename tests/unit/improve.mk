if HAVE_CUNIT
improve_tests = tests/unit/test_crowds tests/unit/test_expect \
	tests/unit/test_improve tests/unit/test_ways
check_PROGRAMS += $(improve_tests)
TESTS += $(improve_tests)
endif
tests_unit_test_crowds_SOURCES = tests/unit/suite.h tests/unit/test_crowds.c
tests_unit_test_crowds_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_crowds_LDADD = libweft_core.la $(CUNIT_LIBS) -lm
tests_unit_test_expect_SOURCES = \
	tests/unit/job.h \
	tests/unit/route.h \
	tests/unit/suite.h \
	tests/unit/test_expect.c
tests_unit_test_expect_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_expect_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_improve_SOURCES = \
	tests/unit/job.h \
	tests/unit/model_util.c \
	tests/unit/model_util.h \
	tests/unit/rebuild.c \
	tests/unit/rebuild.h \
	tests/unit/route.h \
	tests/unit/suite.h \
	tests/unit/test_improve.c
tests_unit_test_improve_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_improve_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_ways_SOURCES = tests/unit/suite.h tests/unit/test_ways.c
tests_unit_test_ways_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_ways_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
