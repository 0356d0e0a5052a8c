libweft_more_la_SOURCES += \
	src/model/application.c \
	src/model/ebb.c \
	src/model/hottest.c \
	src/model/matching.c \
	src/model/matching.h \
	src/model/model.c \
	src/model/sample.c \
	src/model/sample.h \
	src/model/statistic.c \
	src/model/statistic.h \
	src/model/worst.c
