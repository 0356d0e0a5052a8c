libweft_core_la_SOURCES += \
	src/core/arena.c \
	src/core/arena.h \
	src/core/builder.c \
	src/core/builder.h \
	src/core/components.c \
	src/core/components.h \
	src/core/diag.c \
	src/core/divisor.h \
	src/core/fabric.c \
	src/core/fabric_build.c \
	src/core/fabric_build.h \
	src/core/fabric_check.c \
	src/core/layers.c \
	src/core/lft.c \
	src/core/lids.c \
	src/core/list.c \
	src/core/list.h \
	src/core/list_find.c \
	src/core/listed.c \
	src/core/listed.h \
	src/core/options.c \
	src/core/options.h \
	src/core/rng.c \
	src/core/routes.c \
	src/core/split.c \
	src/core/split.h \
	src/core/transpose.h
