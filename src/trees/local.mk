libweft_core_la_SOURCES += \
	src/trees/balance.c \
	src/trees/balance.h \
	src/trees/complete.c \
	src/trees/detours.c \
	src/trees/detours.h \
	src/trees/hops.c \
	src/trees/hops.h \
	src/trees/local_balance.c \
	src/trees/local_balance.h \
	src/trees/loops.c \
	src/trees/loops.h \
	src/trees/maxima.c \
	src/trees/maxima.h \
	src/trees/relief.c \
	src/trees/trees.c \
	src/trees/trees.h \
	src/trees/valley.c \
	src/trees/valley.h \
	src/trees/valley_turns.c \
	src/trees/valley_turns.h \
	src/trees/valleys.c \
	src/trees/ways.c \
	src/trees/ways.h \
	src/trees/ways_search.c \
	src/trees/ways_search.h
