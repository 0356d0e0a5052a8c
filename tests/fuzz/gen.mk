# Fuzz target of the descriptions of synthetic fabrics.
check_PROGRAMS += tests/fuzz/fuzz_gen
tests_fuzz_fuzz_gen_SOURCES = tests/fuzz/fuzz_gen.c $(fuzz_main)
tests_fuzz_fuzz_gen_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_gen_LDFLAGS = $(fuzz_ldflags)
