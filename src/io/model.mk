# Lists of hosts.
libweft_more_la_SOURCES += \
	src/io/groups_read.c \
	src/io/host_index.c \
	src/io/host_index.h \
	src/io/hosts_read.c
