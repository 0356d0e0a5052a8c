libweft_core_la_SOURCES += \
	src/layers/cdg.c \
	src/layers/cdg.h \
	src/layers/cycle.c \
	src/layers/layers.c
