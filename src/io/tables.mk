# Table formats: forwarding tables, SL2VL tables, service levels.
libweft_more_la_SOURCES += \
	src/io/lft_fill.c \
	src/io/lft_fill.h \
	src/io/lfts_read.c \
	src/io/lfts_write.c \
	src/io/notice.c \
	src/io/notice.h
