libweft_more_la_SOURCES += \
	src/subnets/approach.c \
	src/subnets/bandwidth.c \
	src/subnets/cut.c \
	src/subnets/gen.c \
	src/subnets/ini.c \
	src/subnets/isfr.c \
	src/subnets/join.c \
	src/subnets/legs.c \
	src/subnets/loops.c \
	src/subnets/loops.h \
	src/subnets/prove.c \
	src/subnets/reach.c \
	src/subnets/reach.h \
	src/subnets/router_map.c \
	src/subnets/router_map.h \
	src/subnets/router_map_read.c \
	src/subnets/router_map_write.c \
	src/subnets/spread.c \
	src/subnets/spread.h \
	src/subnets/symmetric.c \
	src/subnets/walks.c \
	src/subnets/walks.h \
	src/subnets/weave.c \
	src/subnets/weave.h \
	src/subnets/weigh.c \
	src/subnets/whole.c
