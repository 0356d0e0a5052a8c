dist_noinst_SCRIPTS += tests/bench/bench-bound tests/bench/bench-paths tests/bench/bench-weave
EXTRA_DIST += tests/bench/fabrics.sh tests/bench/stock.sh
