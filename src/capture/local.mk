# Other names for what a capture tells.
libweft_more_la_SOURCES += \
	src/capture/alias.c \
	src/capture/alias_values.c

# A live fabric, over libibnetdisc, libibmad and libibumad.
noinst_LTLIBRARIES += libweft_capture.la
libweft_capture_la_SOURCES =
libweft_capture_la_CPPFLAGS = $(AM_CPPFLAGS) $(UMAD_CFLAGS)
if WITH_UMAD
libweft_capture_la_SOURCES += \
	src/capture/ask.c \
	src/capture/capture.h \
	src/capture/discover.c \
	src/capture/files.c \
	src/capture/inside.h \
	src/capture/items.c \
	src/capture/journal.c \
	src/capture/journal.h \
	src/capture/mads.c \
	src/capture/mads.h \
	src/capture/run.c \
	src/capture/tables.c \
	src/core/fabric/port_info.c
libweft_capture_la_LIBADD = $(UMAD_LIBS)
endif
