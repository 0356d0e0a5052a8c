libweft_more_la_SOURCES += \
	src/faults/alike.c \
	src/faults/down.c \
	src/faults/flows.c \
	src/faults/flows.h \
	src/faults/loss.c \
	src/faults/loss.h \
	src/faults/plan.c \
	src/faults/reroute.c \
	src/faults/reroute.h \
	src/faults/run.c \
	src/faults/run.h \
	src/faults/sets.c \
	src/faults/single.c \
	src/faults/symmetry.c \
	src/faults/symmetry.h \
	src/faults/through.c
