if HAVE_CUNIT
model_tests = \
	tests/unit/test_congestion \
	tests/unit/test_spread \
	tests/unit/test_model \
	tests/unit/test_patterns \
	tests/unit/test_patterns_random \
	tests/unit/test_sampling \
	tests/unit/test_worth
check_PROGRAMS += $(model_tests)
TESTS += $(model_tests)
endif
tests_unit_test_model_SOURCES = \
	tests/unit/model_util.c \
	tests/unit/model_util.h \
	tests/unit/suite.h \
	tests/unit/test_model.c
tests_unit_test_model_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS) $(OPENMP_CFLAGS)
tests_unit_test_model_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS) -lm
pattern_util = tests/unit/pattern_util.c tests/unit/pattern_util.h \
	tests/unit/suite.h
tests_unit_test_patterns_SOURCES = $(pattern_util) tests/unit/test_patterns.c
tests_unit_test_patterns_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_patterns_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_patterns_random_SOURCES = $(pattern_util) \
	tests/unit/test_patterns_random.c
tests_unit_test_patterns_random_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_patterns_random_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) $(GSL_LIBS) -lm
tests_unit_test_spread_SOURCES = \
	tests/unit/route.h \
	tests/unit/suite.h \
	tests/unit/test_spread.c
tests_unit_test_spread_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_spread_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_congestion_SOURCES = \
	tests/unit/model_util.c \
	tests/unit/model_util.h \
	tests/unit/suite.h \
	tests/unit/test_congestion.c
tests_unit_test_congestion_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_congestion_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_worth_SOURCES = \
	tests/unit/model_util.c \
	tests/unit/model_util.h \
	tests/unit/route.h \
	tests/unit/suite.h \
	tests/unit/test_worth.c
tests_unit_test_worth_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_worth_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sampling_SOURCES = \
	tests/unit/model_util.c \
	tests/unit/model_util.h \
	tests/unit/suite.h \
	tests/unit/test_sampling.c
tests_unit_test_sampling_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sampling_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) $(GSL_LIBS) -lm -lpthread

if HAVE_CMOCKA
io_model_tests = tests/unit/test_io_objective tests/unit/test_io_patterns
check_PROGRAMS += $(io_model_tests)
TESTS += $(io_model_tests)
endif
tests_unit_test_io_objective_SOURCES = tests/unit/test_io_objective.c \
	tests/unit/io_tables_util.c tests/unit/io_tables_util.h
tests_unit_test_io_objective_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_io_objective_LDADD = libweft_more.la libweft_core.la \
	$(CMOCKA_LIBS)
tests_unit_test_io_patterns_SOURCES = tests/unit/test_io_patterns.c \
	tests/unit/io_tables_util.c tests/unit/io_tables_util.h
tests_unit_test_io_patterns_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_io_patterns_LDADD = libweft_more.la libweft_core.la \
	$(CMOCKA_LIBS)
