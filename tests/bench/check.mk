# Proofs of all pairs: seconds and memory.
noinst_PROGRAMS += tests/bench/bench-check
tests_bench_bench_check_SOURCES = tests/bench/bench_check.c \
	tests/bench/bench.h
tests_bench_bench_check_LDADD = libweft.la
