dist_noinst_SCRIPTS += tests/bench/bench-diff
