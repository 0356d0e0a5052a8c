libweft_more_la_SOURCES += \
	src/standing/away.c
libweft_core_la_SOURCES += \
	src/standing/alike.c \
	src/standing/alike.h \
	src/standing/alike_trees.c \
	src/standing/assign.c \
	src/standing/base.c \
	src/standing/base.h \
	src/standing/branches.c \
	src/standing/branches.h \
	src/standing/budget.c \
	src/standing/budget.h \
	src/standing/carried.c \
	src/standing/carried.h \
	src/standing/columns.c \
	src/standing/home.c \
	src/standing/home.h \
	src/standing/mend.c \
	src/standing/mend.h \
	src/standing/mixture.c \
	src/standing/mixture.h \
	src/standing/newcomers.c \
	src/standing/newcomers.h \
	src/standing/parts.c \
	src/standing/parts.h \
	src/standing/proven.c \
	src/standing/proven.h \
	src/standing/relieve.c \
	src/standing/relieve.h \
	src/standing/rest.c \
	src/standing/rest.h \
	src/standing/run.h \
	src/standing/settled.c \
	src/standing/settled.h \
	src/standing/shifted.c \
	src/standing/shifted.h \
	src/standing/spots.c \
	src/standing/spots.h \
	src/standing/standing.c \
	src/standing/step.c \
	src/standing/step.h \
	src/standing/step_entries.c \
	src/standing/step_pairs.c \
	src/standing/survey.c \
	src/standing/survey.h \
	src/standing/twins.c
