include tests/bench/ebb.mk
