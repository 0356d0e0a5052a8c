libweft_core_la_SOURCES += \
	src/flow/cut.c \
	src/flow/demand.c \
	src/flow/flow.c \
	src/flow/flow.h \
	src/flow/mean.c \
	src/flow/move.c \
	src/flow/net.c \
	src/flow/net.h \
	src/flow/solver.h
