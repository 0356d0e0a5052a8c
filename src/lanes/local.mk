libweft_core_la_SOURCES += \
	src/lanes/assignment.c \
	src/lanes/assignment.h \
	src/lanes/lane_masks.c \
	src/lanes/lane_masks.h \
	src/lanes/lane_tree.c \
	src/lanes/lane_tree.h \
	src/lanes/legal_counts.c \
	src/lanes/legal_counts.h \
	src/lanes/orders.c \
	src/lanes/orders.h \
	src/lanes/orders_trees.c \
	src/lanes/regrow.c \
	src/lanes/regrow.h \
	src/lanes/reroute.c \
	src/lanes/reroute.h \
	src/lanes/settle.c \
	src/lanes/settle.h \
	src/lanes/turns.c \
	src/lanes/turns.h \
	src/lanes/way_search.c \
	src/lanes/way_search.h
