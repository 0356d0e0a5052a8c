# What standing tables change when parts fail.  bench-flaps needs what tests/osm/soak
# has built for make check.
noinst_PROGRAMS += tests/bench/bench-churn
tests_bench_bench_churn_SOURCES = \
	tests/bench/bench.h \
	tests/bench/bench_churn.c \
	tests/bench/churn.h \
	tests/bench/churn_events.c \
	tests/bench/churn_waits.c \
	tests/bench/churn_world.c
tests_bench_bench_churn_LDADD = libweft.la
dist_noinst_SCRIPTS += tests/bench/bench-churn-stock
dist_noinst_SCRIPTS += tests/bench/bench-flaps
