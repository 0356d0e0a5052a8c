# Layering: seconds, memory, lanes, and what rerouting costs.
noinst_PROGRAMS += tests/bench/bench-layering
tests_bench_bench_layering_SOURCES = tests/bench/bench_layering.c \
	tests/bench/bench.h
tests_bench_bench_layering_LDADD = libweft.la
