libweft_more_la_SOURCES += \
	src/diff/carry.c \
	src/diff/diff.c \
	src/diff/match.c \
	src/diff/match.h \
	src/diff/moved.c
