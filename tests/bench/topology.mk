# Loading topologies.
noinst_PROGRAMS += tests/bench/bench-topology
tests_bench_bench_topology_SOURCES = tests/bench/bench_topology.c \
	tests/bench/bench.h
tests_bench_bench_topology_LDADD = libweft.la
