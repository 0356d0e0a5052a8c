libweft_core_la_SOURCES += \
	src/loads/blocks.c \
	src/loads/blocks.h \
	src/loads/column.c \
	src/loads/column.h \
	src/loads/ease.c \
	src/loads/ease.h \
	src/loads/ease_bound.c \
	src/loads/ease_moves.c \
	src/loads/ease_ways.c \
	src/loads/easing.h \
	src/loads/gather.c \
	src/loads/gather.h \
	src/loads/hubs.c \
	src/loads/hubs.h \
	src/loads/lane_map.c \
	src/loads/lane_map.h \
	src/loads/loads.c \
	src/loads/loads.h \
	src/loads/pairs.c \
	src/loads/pairs.h \
	src/loads/shift_moves.c \
	src/loads/shift_moves.h \
	src/loads/shift_rounds.c \
	src/loads/shift_rounds.h \
	src/loads/shifts.c \
	src/loads/shifts.h
