libweft_core_la_SOURCES += \
	src/worth/basket.c \
	src/worth/basket.h \
	src/worth/congestion.c \
	src/worth/congestion.h \
	src/worth/grid.c \
	src/worth/judge.c \
	src/worth/mapping.c \
	src/worth/objective.c \
	src/worth/paths.c \
	src/worth/paths.h \
	src/worth/pattern.h \
	src/worth/patterns.def \
	src/worth/patterns_collective.c \
	src/worth/patterns_grid.c \
	src/worth/patterns_network.c \
	src/worth/patterns_random.c \
	src/worth/saturation.c \
	src/worth/traffic.c \
	src/worth/uniform.c \
	src/worth/uniform.h
