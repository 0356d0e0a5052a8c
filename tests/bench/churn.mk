# What standing tables change when parts fail.  bench-flaps needs what tests/osm/soak
# has built for make check.
noinst_PROGRAMS += tests/bench/bench-churn
tests_bench_bench_churn_SOURCES = tests/bench/bench_churn.c \
	tests/bench/bench.h
tests_bench_bench_churn_LDADD = libweft.la
dist_noinst_SCRIPTS += tests/bench/bench-churn-stock
dist_noinst_SCRIPTS += tests/bench/bench-flaps
