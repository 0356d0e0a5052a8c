# What ports say of themselves.
libweft_more_la_SOURCES += \
	src/io/counters/read.c \
	src/io/counters/reader.h \
	src/io/counters/tools.c
