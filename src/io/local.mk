include src/io/topology.mk
include src/io/tables.mk
libweft_more_la_SOURCES +=
