# Messages from files, for the simulator.
libweft_more_la_SOURCES += \
	src/io/replay/build.c \
	src/io/replay/build.h \
	src/io/replay/goal.c \
	src/io/replay/goal.h \
	src/io/replay/goal_parse.c \
	src/io/replay/read.c \
	src/io/replay/trace.c
