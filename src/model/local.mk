libweft_more_la_SOURCES += \
	src/model/application.c \
	src/model/congestion.c \
	src/model/congestion.h \
	src/model/ebb.c \
	src/model/grid.c \
	src/model/hottest.c \
	src/model/mapping.c \
	src/model/matching.c \
	src/model/matching.h \
	src/model/model.c \
	src/model/paths.c \
	src/model/paths.h \
	src/model/pattern.h \
	src/model/patterns.def \
	src/model/patterns_collective.c \
	src/model/patterns_grid.c \
	src/model/patterns_network.c \
	src/model/patterns_random.c \
	src/model/sample.c \
	src/model/sample.h \
	src/model/statistic.c \
	src/model/statistic.h \
	src/model/traffic.c \
	src/model/worst.c
