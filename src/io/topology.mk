# Topology formats, and what all formats share (source.c).
libweft_more_la_SOURCES += \
	src/io/source.c \
	src/io/source.h
