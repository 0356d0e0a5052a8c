# (nothing yet)
include tests/unit/io_tables.mk
