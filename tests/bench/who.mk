# What kinds of hosts and rails make of tables, ours beside opensm's.
dist_noinst_SCRIPTS += tests/bench/bench-place tests/bench/bench-who
noinst_PROGRAMS += tests/bench/bench-shifts
tests_bench_bench_shifts_SOURCES = tests/bench/bench_shifts.c
tests_bench_bench_shifts_LDADD = libweft.la
