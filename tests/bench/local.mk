include tests/bench/check.mk
include tests/bench/ebb.mk
