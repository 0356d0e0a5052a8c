libweft_core_la_SOURCES += \
	src/layers/cdg.c \
	src/layers/cdg.h \
	src/layers/cycle.c \
	src/layers/distance.c \
	src/layers/distance.h \
	src/layers/finding.c \
	src/layers/lanes.c \
	src/layers/lanes.h \
	src/layers/layers.c \
	src/layers/order.c \
	src/layers/order.h \
	src/layers/proof.c \
	src/layers/run.h \
	src/layers/sources.c \
	src/layers/sources.h \
	src/layers/text.c \
	src/layers/tree.c
