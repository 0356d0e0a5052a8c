# Reading and writing forwarding tables.
noinst_PROGRAMS += tests/bench/bench-load
tests_bench_bench_load_SOURCES = tests/bench/bench_load.c \
	tests/bench/bench.h
tests_bench_bench_load_LDADD = libweft.la
