# Patterns and lists of hosts.
libweft_more_la_SOURCES += \
	src/io/host_index.c \
	src/io/host_index.h \
	src/io/hosts_read.c \
	src/io/matrix_read.c \
	src/io/pair_list.c \
	src/io/pair_list.h \
	src/io/pattern_read.c
