# Table formats: forwarding tables, SL2VL tables, service levels.
libweft_more_la_SOURCES += \
	src/io/lft_fill.c \
	src/io/lft_fill.h \
	src/io/lfts_read.c \
	src/io/lfts_write.c \
	src/io/lmc_told.c \
	src/io/lmc_told.h \
	src/io/paths_dump.h \
	src/io/paths_read.c \
	src/io/sl2vl_read.c \
	src/io/sl2vl_write.c \
	src/io/sl_dump.h \
	src/io/sl_lanes.c \
	src/io/sl_read.c \
	src/io/switch_index.c \
	src/io/switch_index.h \
	src/io/tables.h \
	src/io/tables_read.c
# What the plugins read and write, too.
libweft_core_la_SOURCES += \
	src/io/list_read.c \
	src/io/list_read.h \
	src/io/matrix_read.c \
	src/io/notice.c \
	src/io/notice.h \
	src/io/objective_read.c \
	src/io/objective_read.h \
	src/io/pair_list.c \
	src/io/pair_list.h \
	src/io/paths_write.c \
	src/io/pattern_read.c \
	src/io/psl_write.c \
	src/io/router_goals.c \
	src/io/router_goals.h \
	src/io/sl_write.c \
	src/io/source.c \
	src/io/source.h \
	src/io/text.c \
	src/io/text.h
