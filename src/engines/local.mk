libweft_core_la_SOURCES += \
	src/engines/common.c \
	src/engines/common.h \
	src/engines/engines.def \
	src/engines/null.c \
	src/engines/registry.c
