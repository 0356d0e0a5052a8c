# Forwarding tables, SL2VL tables, service levels, paths, routers.
libweft_core_la_SOURCES += \
	src/io/tables/mark.h \
	src/io/tables/mark_write.c \
	src/io/tables/matrix_read.c \
	src/io/tables/paths_write.c \
	src/io/tables/psl_write.c \
	src/io/tables/router_goals.c \
	src/io/tables/router_goals.h \
	src/io/tables/sl_write.c
libweft_more_la_SOURCES += \
	src/io/tables/lft_fill.c \
	src/io/tables/lft_fill.h \
	src/io/tables/lfts_read.c \
	src/io/tables/lfts_write.c \
	src/io/tables/lmc_told.c \
	src/io/tables/lmc_told.h \
	src/io/tables/mark_read.c \
	src/io/tables/multicast_read.c \
	src/io/tables/paths_dump.h \
	src/io/tables/paths_read.c \
	src/io/tables/read.c \
	src/io/tables/sl2vl_read.c \
	src/io/tables/sl2vl_write.c \
	src/io/tables/sl_dump.h \
	src/io/tables/sl_lanes.c \
	src/io/tables/sl_read.c \
	src/io/tables/switch_index.c \
	src/io/tables/switch_index.h \
	src/io/tables/tables.h
