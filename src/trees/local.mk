libweft_core_la_SOURCES += \
	src/trees/balance.c \
	src/trees/balance.h \
	src/trees/bfs.c \
	src/trees/bfs.h \
	src/trees/choose.c \
	src/trees/closeness.c \
	src/trees/closeness.h \
	src/trees/crowds.c \
	src/trees/crowds.h \
	src/trees/expect.c \
	src/trees/expect.h \
	src/trees/expect_tree.h \
	src/trees/improve.c \
	src/trees/improve.h \
	src/trees/legal.c \
	src/trees/legal.h \
	src/trees/maxima.c \
	src/trees/maxima.h \
	src/trees/trees.c \
	src/trees/trees.h \
	src/trees/turns.c \
	src/trees/turns.h \
	src/trees/valleys.c \
	src/trees/ways.c \
	src/trees/ways.h \
	src/trees/worth.c \
	src/trees/worth.h
