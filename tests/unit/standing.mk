# Tables that stand while the fabric changes.
if HAVE_CUNIT
check_PROGRAMS += tests/unit/test_standing tests/unit/test_stored
TESTS += tests/unit/test_standing tests/unit/test_stored
tests_unit_test_standing_SOURCES = tests/unit/test_standing.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_standing_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_standing_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_stored_SOURCES = tests/unit/test_stored.c \
	tests/unit/route.h tests/unit/stored_util.h tests/unit/suite.h
tests_unit_test_stored_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_stored_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm

check_PROGRAMS += tests/unit/test_survey
TESTS += tests/unit/test_survey
tests_unit_test_survey_SOURCES = tests/unit/test_survey.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_survey_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_survey_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm

check_PROGRAMS += tests/unit/test_proven
TESTS += tests/unit/test_proven
tests_unit_test_proven_SOURCES = tests/unit/test_proven.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_proven_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_proven_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm

check_PROGRAMS += tests/unit/test_step
TESTS += tests/unit/test_step
tests_unit_test_step_SOURCES = tests/unit/test_step.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_step_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_step_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
endif
