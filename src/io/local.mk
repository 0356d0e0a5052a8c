include src/io/counters/local.mk
include src/io/lists/local.mk
include src/io/replay/local.mk
include src/io/subnets/local.mk
include src/io/tables/local.mk
include src/io/topology/local.mk
include src/io/write/local.mk
# What all formats share, what a file is, and inputs, files or directories.
libweft_core_la_SOURCES += \
	src/io/notice.c \
	src/io/notice.h \
	src/io/source.c \
	src/io/source.h \
	src/io/text.c \
	src/io/text.h
libweft_more_la_SOURCES += \
	src/io/compressed.c \
	src/io/compressed.h \
	src/io/detect.c \
	src/io/formats.def \
	src/io/formats.h \
	src/io/ini.c \
	src/io/ini.h \
	src/io/input.c \
	src/io/input.h \
	src/io/input_dir.c \
	src/io/input_scan.c \
	src/io/input_scan.h \
	src/io/lines.c \
	src/io/port_names.h \
	src/io/rate.c \
	src/io/xml.c \
	src/io/xml.h
