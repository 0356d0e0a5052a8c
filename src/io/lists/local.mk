# Lists of nodes, hosts, groups, pairs, patterns.
libweft_core_la_SOURCES += \
	src/io/lists/jobs_read.c \
	src/io/lists/kinds_read.c \
	src/io/lists/kinds_read.h \
	src/io/lists/list_read.c \
	src/io/lists/list_read.h \
	src/io/lists/machines_list.c \
	src/io/lists/machines_read.h \
	src/io/lists/objective_read.c \
	src/io/lists/objective_read.h \
	src/io/lists/pair_list.c \
	src/io/lists/pair_list.h \
	src/io/lists/pattern_read.c
libweft_more_la_SOURCES += \
	src/io/lists/groups_read.c \
	src/io/lists/hosts.h \
	src/io/lists/hosts_read.c \
	src/io/lists/machines_read.c \
	src/io/lists/machines_xml.c \
	src/io/lists/measured_read.c
