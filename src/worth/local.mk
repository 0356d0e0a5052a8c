libweft_core_la_SOURCES += \
	src/worth/basket/basket.c \
	src/worth/basket/basket.h \
	src/worth/basket/judge.c \
	src/worth/basket/objective.c \
	src/worth/basket/parts.c \
	src/worth/jobs/jobs.c \
	src/worth/jobs/rounds.c \
	src/worth/jobs/rounds.h \
	src/worth/model/congestion.c \
	src/worth/model/congestion.h \
	src/worth/model/grid.c \
	src/worth/model/mapping.c \
	src/worth/model/mix.c \
	src/worth/model/paths.c \
	src/worth/model/paths.h \
	src/worth/model/pattern.h \
	src/worth/model/patterns.def \
	src/worth/model/patterns_collective.c \
	src/worth/model/patterns_grid.c \
	src/worth/model/patterns_network.c \
	src/worth/model/patterns_random.c \
	src/worth/model/patterns_reduce.c \
	src/worth/model/patterns_training.c \
	src/worth/model/saturation.c \
	src/worth/model/teams.c \
	src/worth/model/teams.h \
	src/worth/model/traffic.c \
	src/worth/model/uniform.c \
	src/worth/model/uniform.h \
	src/worth/rank/advice.c \
	src/worth/rank/compare.c \
	src/worth/rank/comparison.h \
	src/worth/rank/failures.c \
	src/worth/rank/rank.c
libweft_more_la_SOURCES += \
	src/worth/jobs/meet.c \
	src/worth/model/application.c \
	src/worth/model/ebb.c \
	src/worth/model/hottest.c \
	src/worth/model/matching.c \
	src/worth/model/matching.h \
	src/worth/model/model.c \
	src/worth/model/sample.c \
	src/worth/model/sample.h \
	src/worth/model/statistic.c \
	src/worth/model/statistic.h \
	src/worth/model/worst.c
