# Random bisections per second.
noinst_PROGRAMS += tests/bench/bench-ebb
tests_bench_bench_ebb_SOURCES = tests/bench/bench_ebb.c \
	tests/bench/bench.h
tests_bench_bench_ebb_LDADD = libweft.la
