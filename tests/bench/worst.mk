# The time that WORST takes.
noinst_PROGRAMS += tests/bench/bench-worst
tests_bench_bench_worst_SOURCES = tests/bench/bench_worst.c \
	tests/bench/bench.h
tests_bench_bench_worst_LDADD = libweft.la
