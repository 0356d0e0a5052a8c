include tests/fuzz/common.mk
include tests/fuzz/tables.mk
include tests/fuzz/model.mk
include tests/fuzz/gen.mk
include tests/fuzz/topology.mk
