libweft_core_la_SOURCES += \
	src/diff/carry.c \
	src/diff/match.c \
	src/diff/match.h
libweft_more_la_SOURCES += \
	src/diff/diff.c \
	src/diff/moved.c \
	src/diff/needless.c
