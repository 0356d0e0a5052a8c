# Pictures of fabrics.
noinst_LTLIBRARIES += libweft_draw.la
libweft_draw_la_SOURCES = \
	src/draw/draw.h \
	src/draw/filter.c \
	src/draw/filter.h \
	src/draw/fold.c \
	src/draw/fold.h \
	src/draw/force.c \
	src/draw/frames.c \
	src/draw/grid.c \
	src/draw/groups.c \
	src/draw/heat.c \
	src/draw/heat.h \
	src/draw/labels.c \
	src/draw/labels.h \
	src/draw/layout.c \
	src/draw/layout.h \
	src/draw/lines.c \
	src/draw/lines.h \
	src/draw/picture.c \
	src/draw/picture.h \
	src/draw/style.c \
	src/draw/style.h \
	src/draw/svg.c \
	src/draw/svg.h \
	src/draw/svg_legend.c \
	src/draw/svg_lines.c \
	src/draw/text.c \
	src/draw/text.h \
	src/draw/titles.c \
	src/draw/titles.h \
	src/draw/tree.c
libweft_draw_la_CPPFLAGS = $(AM_CPPFLAGS) $(RSVG_CFLAGS)
libweft_draw_la_LIBADD = -lm
