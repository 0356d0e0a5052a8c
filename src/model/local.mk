libweft_more_la_SOURCES += \
	src/model/ebb.c \
	src/model/mapping.c \
	src/model/paths.c \
	src/model/paths.h
