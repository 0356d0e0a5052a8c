libweft_core_la_SOURCES += \
	src/graph/bfs.c \
	src/graph/bfs.h \
	src/graph/cdg.c \
	src/graph/cdg.h \
	src/graph/closeness.c \
	src/graph/closeness.h \
	src/graph/depth.c \
	src/graph/depth.h \
	src/graph/distance.c \
	src/graph/distance.h \
	src/graph/entries.c \
	src/graph/entries.h \
	src/graph/heap.c \
	src/graph/heap.h \
	src/graph/knots.c \
	src/graph/order.c \
	src/graph/order.h \
	src/graph/order_by.c \
	src/graph/stay.c \
	src/graph/stay.h \
	src/graph/vls.c \
	src/graph/vls.h
