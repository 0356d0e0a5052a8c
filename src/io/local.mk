include src/io/topology.mk
libweft_more_la_SOURCES +=
