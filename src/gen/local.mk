libweft_more_la_SOURCES += \
	src/gen/clos.c \
	src/gen/clos.h \
	src/gen/dragonfly.c \
	src/gen/families.c \
	src/gen/families.h \
	src/gen/faults.c \
	src/gen/finish.c \
	src/gen/gen.c \
	src/gen/grid.c \
	src/gen/hosts.c \
	src/gen/miscable.c \
	src/gen/net.c \
	src/gen/net.h \
	src/gen/options.c \
	src/gen/options.h \
	src/gen/racks.c \
	src/gen/rails.c \
	src/gen/random.c \
	src/gen/scan.c \
	src/gen/slimfly.c \
	src/gen/spec.c \
	src/gen/spec.h \
	src/gen/tree.c \
	src/gen/xpander.c
