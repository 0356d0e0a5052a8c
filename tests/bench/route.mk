# What engines take to route, fabric by fabric.
noinst_PROGRAMS += tests/bench/bench-route
tests_bench_bench_route_SOURCES = tests/bench/bench_route.c \
	tests/bench/bench.h
tests_bench_bench_route_LDADD = libweft.la
