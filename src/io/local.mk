include src/io/topology.mk
include src/io/tables.mk
include src/io/model.mk
libweft_more_la_SOURCES +=
