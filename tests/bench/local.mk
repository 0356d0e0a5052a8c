include tests/bench/check.mk
include tests/bench/ebb.mk
include tests/bench/layering.mk
include tests/bench/load.mk
include tests/bench/bandwidth.mk
include tests/bench/osm.mk
include tests/bench/topology.mk
include tests/bench/worst.mk
