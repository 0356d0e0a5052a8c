libweft_core_la_SOURCES += \
	src/lanes/assign.c \
	src/lanes/assign.h \
	src/lanes/counts.c \
	src/lanes/counts.h \
	src/lanes/lane_tree.c \
	src/lanes/lane_tree.h \
	src/lanes/masks.c \
	src/lanes/masks.h \
	src/lanes/orders.c \
	src/lanes/orders.h \
	src/lanes/orders_trees.c \
	src/lanes/regrow.c \
	src/lanes/regrow.h \
	src/lanes/reroute.c \
	src/lanes/reroute.h \
	src/lanes/search.c \
	src/lanes/search.h \
	src/lanes/settle.c \
	src/lanes/settle.h \
	src/lanes/turns.c \
	src/lanes/turns.h
