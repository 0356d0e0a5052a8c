libweft_more_la_SOURCES += \
	src/sim/change.c \
	src/sim/choose.c \
	src/sim/credits.c \
	src/sim/deadlock.c \
	src/sim/host.c \
	src/sim/invariants.c \
	src/sim/kernel.c \
	src/sim/latency.c \
	src/sim/latency.h \
	src/sim/lids.c \
	src/sim/measure.c \
	src/sim/pace.c \
	src/sim/parts.c \
	src/sim/routers.c \
	src/sim/schedule.c \
	src/sim/schedule.h \
	src/sim/sequence.c \
	src/sim/setup.c \
	src/sim/sim.c \
	src/sim/sim.h \
	src/sim/sizes.c \
	src/sim/spec.c \
	src/sim/steps.c \
	src/sim/trace.c \
	src/sim/vlarb.c \
	src/sim/wheel.c \
	src/sim/wheel.h
