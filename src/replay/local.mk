# Messages from files, for the simulator.
libweft_more_la_SOURCES += \
	src/replay/build.c \
	src/replay/build.h \
	src/replay/goal.c \
	src/replay/goal.h \
	src/replay/goal_parse.c \
	src/replay/read.c \
	src/replay/trace.c
