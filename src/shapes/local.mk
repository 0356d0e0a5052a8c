libweft_core_la_SOURCES += \
	src/shapes/fattree.c \
	src/shapes/fattree.h \
	src/shapes/fattree_explain.c \
	src/shapes/fattree_levels.c \
	src/shapes/fattree_order.c \
	src/shapes/fattree_roles.c \
	src/shapes/hyperx.c \
	src/shapes/hyperx.h \
	src/shapes/pgft.c \
	src/shapes/pgft.h \
	src/shapes/pgft_parts.h \
	src/shapes/pgft_places.c \
	src/shapes/pgft_torn.c \
	src/shapes/rings.c \
	src/shapes/rings.h \
	src/shapes/rings_cables.c \
	src/shapes/rings_cables.h \
	src/shapes/shape.c \
	src/shapes/shape.h \
	src/shapes/shape_grid.c \
	src/shapes/shape_groups.c \
	src/shapes/shape_hyperx.c \
	src/shapes/shape_names.c \
	src/shapes/shape_notes.c \
	src/shapes/shape_tree.c \
	src/shapes/shape_words.c
