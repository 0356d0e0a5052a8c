# The speed of the packet simulator.
noinst_PROGRAMS += tests/bench/bench-sim
tests_bench_bench_sim_SOURCES = tests/bench/bench_sim.c tests/bench/bench.h
tests_bench_bench_sim_LDADD = libweft.la
EXTRA_DIST += tests/bench/booksim2.diff
