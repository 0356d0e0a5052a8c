libweft_more_la_SOURCES += \
	src/io/subnets/ini.c \
	src/io/subnets/ini.h \
	src/io/subnets/router_dump.c \
	src/io/subnets/router_map_read.c \
	src/io/subnets/router_map_write.c
