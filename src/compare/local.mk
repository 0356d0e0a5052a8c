libweft_core_la_SOURCES += \
	src/compare/advice.c \
	src/compare/compare.c \
	src/compare/comparison.h \
	src/compare/failures.c \
	src/compare/rank.c
