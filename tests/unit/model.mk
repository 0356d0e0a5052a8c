if HAVE_CUNIT
check_PROGRAMS += tests/unit/test_model
TESTS += tests/unit/test_model
endif
tests_unit_test_model_SOURCES = \
	tests/unit/model_util.c \
	tests/unit/model_util.h \
	tests/unit/suite.h \
	tests/unit/test_model.c
tests_unit_test_model_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS) $(OPENMP_CFLAGS)
tests_unit_test_model_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS) -lm
