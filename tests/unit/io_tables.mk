# Tests of the table formats.
if HAVE_CMOCKA
io_tables_tests = \
	tests/unit/test_alias \
	tests/unit/test_io_counters \
	tests/unit/test_io_mark \
	tests/unit/test_io_paths \
	tests/unit/test_io_tables_avakas \
	tests/unit/test_io_tables_lft \
	tests/unit/test_io_tables_round \
	tests/unit/test_io_tables_sl
check_PROGRAMS += $(io_tables_tests)
TESTS += $(io_tables_tests)
io_tables_util = \
	tests/unit/io_tables_util.c \
	tests/unit/io_tables_util.h
io_tables_cppflags = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
io_tables_ldadd = libweft_more.la libweft_core.la $(CMOCKA_LIBS)

tests_unit_test_alias_SOURCES = tests/unit/test_alias.c $(io_tables_util)
tests_unit_test_alias_CPPFLAGS = $(io_tables_cppflags)
tests_unit_test_alias_LDADD = $(io_tables_ldadd)
tests_unit_test_io_counters_SOURCES = tests/unit/test_io_counters.c \
	$(io_tables_util)
tests_unit_test_io_counters_CPPFLAGS = $(io_tables_cppflags)
tests_unit_test_io_counters_LDADD = $(io_tables_ldadd)
tests_unit_test_io_mark_SOURCES = tests/unit/test_io_mark.c $(io_tables_util)
tests_unit_test_io_mark_CPPFLAGS = $(io_tables_cppflags)
tests_unit_test_io_mark_LDADD = $(io_tables_ldadd)
tests_unit_test_io_paths_SOURCES = tests/unit/test_io_paths.c $(io_tables_util)
tests_unit_test_io_paths_CPPFLAGS = $(io_tables_cppflags)
tests_unit_test_io_paths_LDADD = $(io_tables_ldadd)
tests_unit_test_io_tables_avakas_SOURCES = \
	tests/unit/test_io_tables_avakas.c $(io_tables_util)
tests_unit_test_io_tables_avakas_CPPFLAGS = $(io_tables_cppflags)
tests_unit_test_io_tables_avakas_LDADD = $(io_tables_ldadd)
tests_unit_test_io_tables_lft_SOURCES = tests/unit/test_io_tables_lft.c \
	$(io_tables_util)
tests_unit_test_io_tables_lft_CPPFLAGS = $(io_tables_cppflags)
tests_unit_test_io_tables_lft_LDADD = $(io_tables_ldadd)
tests_unit_test_io_tables_round_SOURCES = tests/unit/test_io_tables_round.c \
	$(io_tables_util)
tests_unit_test_io_tables_round_CPPFLAGS = $(io_tables_cppflags)
tests_unit_test_io_tables_round_LDADD = $(io_tables_ldadd)
tests_unit_test_io_tables_sl_SOURCES = tests/unit/test_io_tables_sl.c \
	$(io_tables_util)
tests_unit_test_io_tables_sl_CPPFLAGS = $(io_tables_cppflags)
tests_unit_test_io_tables_sl_LDADD = $(io_tables_ldadd)
if WITH_UMAD
check_PROGRAMS += tests/unit/test_journal
TESTS += tests/unit/test_journal
tests_unit_test_journal_SOURCES = tests/unit/test_journal.c $(io_tables_util)
tests_unit_test_journal_CPPFLAGS = $(io_tables_cppflags)
tests_unit_test_journal_LDADD = libweft_capture.la $(io_tables_ldadd)
endif
endif
