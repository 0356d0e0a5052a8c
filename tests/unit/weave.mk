if HAVE_CUNIT
weave_tests = tests/unit/test_rings tests/unit/test_settle \
	tests/unit/test_several tests/unit/test_weave tests/unit/test_weave_lids
weave_worth_tests = tests/unit/test_damaged tests/unit/test_weave_worth
check_PROGRAMS += $(weave_tests) $(weave_worth_tests)
TESTS += $(weave_tests)
plain_tests += $(weave_worth_tests)
weave_util = tests/unit/weave_util.c tests/unit/weave_util.h tests/unit/suite.h
tests_unit_test_damaged_SOURCES = tests/unit/test_damaged.c \
	tests/unit/rebuild.c tests/unit/rebuild.h tests/unit/rings_check.h \
	tests/unit/suite.h
tests_unit_test_damaged_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_damaged_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_rings_SOURCES = tests/unit/test_rings.c \
	tests/unit/model_util.c tests/unit/model_util.h \
	tests/unit/rings_check.h tests/unit/suite.h
tests_unit_test_rings_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_rings_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS) -lm
tests_unit_test_settle_SOURCES = tests/unit/test_settle.c tests/unit/suite.h
tests_unit_test_settle_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_settle_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_several_SOURCES = tests/unit/test_several.c \
	tests/unit/route.h \
	$(weave_util)
tests_unit_test_several_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_several_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_weave_SOURCES = tests/unit/test_weave.c \
	tests/unit/model_util.c tests/unit/model_util.h \
	tests/unit/proof_brute.c tests/unit/proof_brute.h \
	tests/unit/proof_random.c tests/unit/proof_random.h \
	tests/unit/rebuild.c tests/unit/rebuild.h \
	$(weave_util)
tests_unit_test_weave_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_weave_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_weave_worth_SOURCES = tests/unit/test_weave_worth.c \
	tests/unit/model_util.c tests/unit/model_util.h \
	tests/unit/rebuild.c tests/unit/rebuild.h \
	$(weave_util)
tests_unit_test_weave_worth_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_weave_worth_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_weave_lids_SOURCES = tests/unit/test_weave_lids.c \
	tests/unit/route.h \
	$(weave_util)
tests_unit_test_weave_lids_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_weave_lids_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
endif
