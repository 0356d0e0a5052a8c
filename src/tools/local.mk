bin_PROGRAMS += weft
weft_SOURCES = \
	src/tools/against.c \
	src/tools/against.h \
	src/tools/analyze.c \
	src/tools/application.c \
	src/tools/args.c \
	src/tools/basket.c \
	src/tools/basket.h \
	src/tools/capture.c \
	src/tools/capture.h \
	src/tools/capture_alias.c \
	src/tools/cases.c \
	src/tools/check.c \
	src/tools/columns.c \
	src/tools/compare.c \
	src/tools/compare.h \
	src/tools/compare_engines.c \
	src/tools/compare_html.c \
	src/tools/compare_opensm.c \
	src/tools/compare_report.c \
	src/tools/commands.def \
	src/tools/columns.h \
	src/tools/crew.c \
	src/tools/dump.c \
	src/tools/engines.c \
	src/tools/engines.h \
	src/tools/figures.c \
	src/tools/figures.h \
	src/tools/gen.c \
	src/tools/layer.c \
	src/tools/loops.c \
	src/tools/loops.h \
	src/tools/main.c \
	src/tools/output.c \
	src/tools/pattern_files.c \
	src/tools/pattern_json.c \
	src/tools/pattern_report.c \
	src/tools/patterns.c \
	src/tools/patterns.h \
	src/tools/places.c \
	src/tools/places.h \
	src/tools/gnuplot.c \
	src/tools/gnuplot.h \
	src/tools/plot.c \
	src/tools/plot.h \
	src/tools/plot_charts.c \
	src/tools/plot_read.c \
	src/tools/redundancy.c \
	src/tools/redundancy.h \
	src/tools/report.c \
	src/tools/route.c \
	src/tools/overlay.c \
	src/tools/overlay.h \
	src/tools/sim.c \
	src/tools/sim.h \
	src/tools/sim_report.c \
	src/tools/show.c \
	src/tools/show_text.c \
	src/tools/show.h \
	src/tools/sl2vl.c \
	src/tools/sl2vl.h \
	src/tools/sources.c \
	src/tools/subnets.c \
	src/tools/subnets.h \
	src/tools/subnets_analyze.c \
	src/tools/subnets_faults.c \
	src/tools/subnets_map.c \
	src/tools/subnets_page.c \
	src/tools/subnets_report.c \
	src/tools/subnets_write.c \
	src/tools/tables.c \
	src/tools/talk.c \
	src/tools/text.c \
	src/tools/tool.h \
	src/tools/trace.c \
	src/tools/saturation.c \
	src/tools/saturation.h \
	src/tools/worst.c \
	src/tools/worst.h
weft_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBEXECDIR='"$(pkglibexecdir)"' \
	$(JANSSON_CFLAGS) $(MPI_CFLAGS)
weft_LDADD = libweft_capture.la libweft_report.la libweft_draw.la \
	libweft_page.la libweft.la $(JANSSON_LIBS) $(MPI_LIBS) -lpthread -lm
if WITH_UMAD
weft_SOURCES += src/tools/capture_live.c
endif
