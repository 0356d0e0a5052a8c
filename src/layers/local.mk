libweft_core_la_SOURCES += \
	src/layers/layers.c
