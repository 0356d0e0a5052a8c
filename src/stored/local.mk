# Tables that stand, in a file.
libweft_core_la_SOURCES += \
	src/stored/stored.c \
	src/stored/stored.h \
	src/stored/stored_bytes.c \
	src/stored/stored_fabric.c \
	src/stored/stored_routes.c \
	src/stored/stored_state.c
