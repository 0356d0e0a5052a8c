# What if a part fails.
if HAVE_CUNIT
check_PROGRAMS += tests/unit/test_faults
TESTS += tests/unit/test_faults
tests_unit_test_faults_SOURCES = tests/unit/test_faults.c tests/unit/route.h \
	tests/unit/sets.h tests/unit/suite.h
tests_unit_test_faults_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_faults_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
check_PROGRAMS += tests/unit/test_faults_single
TESTS += tests/unit/test_faults_single
tests_unit_test_faults_single_SOURCES = tests/unit/test_faults_single.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_faults_single_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_faults_single_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
check_PROGRAMS += tests/unit/test_faults_symmetry
TESTS += tests/unit/test_faults_symmetry
tests_unit_test_faults_symmetry_SOURCES = \
	tests/unit/test_faults_symmetry.c tests/unit/route.h \
	tests/unit/sets.h tests/unit/suite.h
tests_unit_test_faults_symmetry_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_faults_symmetry_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
endif
