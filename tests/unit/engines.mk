if HAVE_CUNIT
engine_tests = tests/unit/test_detours tests/unit/test_engines \
	tests/unit/test_fattree tests/unit/test_homes tests/unit/test_narrows \
	tests/unit/test_parts tests/unit/test_psssp tests/unit/test_sides \
	tests/unit/test_symmetric
check_PROGRAMS += $(engine_tests)
TESTS += $(engine_tests)
tests_unit_test_detours_SOURCES = tests/unit/test_detours.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_detours_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_detours_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_engines_SOURCES = tests/unit/test_engines.c \
	tests/unit/rebuild.c tests/unit/rebuild.h tests/unit/suite.h
tests_unit_test_engines_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_engines_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_fattree_SOURCES = tests/unit/test_fattree.c \
	tests/unit/rebuild.c tests/unit/rebuild.h tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_fattree_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_fattree_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_homes_SOURCES = tests/unit/test_homes.c tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_homes_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_homes_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_narrows_SOURCES = tests/unit/test_narrows.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_narrows_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_narrows_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_parts_SOURCES = tests/unit/test_parts.c \
	tests/unit/rebuild.c tests/unit/rebuild.h tests/unit/suite.h
tests_unit_test_parts_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_parts_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_psssp_SOURCES = tests/unit/test_psssp.c tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_psssp_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_psssp_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_symmetric_SOURCES = tests/unit/test_symmetric.c \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_symmetric_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_symmetric_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_sides_SOURCES = tests/unit/test_sides.c \
	tests/unit/rebuild.c tests/unit/rebuild.h tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_sides_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sides_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
endif
