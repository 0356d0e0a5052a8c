libweft_more_la_SOURCES += \
	src/transition/buffers.c \
	src/transition/buffers.h \
	src/transition/classes.c \
	src/transition/columns.c \
	src/transition/mixture.c \
	src/transition/mixture.h \
	src/transition/mixture_lanes.c \
	src/transition/opensm.c \
	src/transition/run.h \
	src/transition/safe.c \
	src/transition/transition.c
