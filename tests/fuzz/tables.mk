# Fuzz targets of the table formats.
check_PROGRAMS += \
	tests/fuzz/fuzz_lft \
	tests/fuzz/fuzz_paths \
	tests/fuzz/fuzz_sl \
	tests/fuzz/fuzz_sl2vl \
	tests/fuzz/fuzz_stored
fuzz_tables_util = $(fuzz_main) tests/fuzz/tables_util.c \
	tests/fuzz/tables_util.h
tests_fuzz_fuzz_lft_SOURCES = tests/fuzz/fuzz_lft.c $(fuzz_tables_util)
tests_fuzz_fuzz_lft_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_lft_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_paths_SOURCES = tests/fuzz/fuzz_paths.c $(fuzz_tables_util)
tests_fuzz_fuzz_paths_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_paths_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_sl_SOURCES = tests/fuzz/fuzz_sl.c $(fuzz_tables_util)
tests_fuzz_fuzz_sl_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_sl_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_sl2vl_SOURCES = tests/fuzz/fuzz_sl2vl.c $(fuzz_tables_util)
tests_fuzz_fuzz_sl2vl_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_sl2vl_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_stored_SOURCES = tests/fuzz/fuzz_stored.c \
	tests/unit/stored/stored_util.h $(fuzz_tables_util)
tests_fuzz_fuzz_stored_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_stored_LDFLAGS = $(fuzz_ldflags)
