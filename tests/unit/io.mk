include tests/unit/io_tables.mk
include tests/unit/io_topology.mk
