bin_PROGRAMS += weft
weft_SOURCES = \
	src/tools/commands.def \
	src/tools/config.c \
	src/tools/gen.c \
	src/tools/main.c \
	src/tools/measure.c \
	src/tools/option_list.c \
	src/tools/option_list.h \
	src/tools/report.c \
	src/tools/route.c \
	src/tools/analyze/analyze.c \
	src/tools/analyze/application.c \
	src/tools/analyze/basket.c \
	src/tools/analyze/basket.h \
	src/tools/analyze/columns.c \
	src/tools/analyze/columns.h \
	src/tools/analyze/hot.c \
	src/tools/analyze/hot.h \
	src/tools/analyze/jobs.c \
	src/tools/analyze/jobs.h \
	src/tools/analyze/pattern_files.c \
	src/tools/analyze/pattern_json.c \
	src/tools/analyze/pattern_report.c \
	src/tools/analyze/patterns.c \
	src/tools/analyze/patterns.h \
	src/tools/analyze/per_host.c \
	src/tools/analyze/per_host.h \
	src/tools/analyze/saturation.c \
	src/tools/analyze/saturation.h \
	src/tools/analyze/worst.c \
	src/tools/analyze/worst.h \
	src/tools/bound/bound.c \
	src/tools/bound/bound.h \
	src/tools/bound/report.c \
	src/tools/capture/alias.c \
	src/tools/capture/capture.c \
	src/tools/capture/capture.h \
	src/tools/check/against.c \
	src/tools/check/against.h \
	src/tools/check/check.c \
	src/tools/check/flapping.c \
	src/tools/check/flapping.h \
	src/tools/check/multicast.c \
	src/tools/check/multicast.h \
	src/tools/check/prometheus.c \
	src/tools/check/prometheus.h \
	src/tools/check/rails.c \
	src/tools/check/rails.h \
	src/tools/check/redundancy.c \
	src/tools/check/redundancy.h \
	src/tools/common/args.c \
	src/tools/common/cases.c \
	src/tools/common/color.c \
	src/tools/common/columns.c \
	src/tools/common/columns.h \
	src/tools/common/crew.c \
	src/tools/common/dump.c \
	src/tools/common/engines.c \
	src/tools/common/engines.h \
	src/tools/common/figures.c \
	src/tools/common/figures.h \
	src/tools/common/fold.c \
	src/tools/common/fold.h \
	src/tools/common/interrupt.c \
	src/tools/common/interrupt.h \
	src/tools/common/loops.c \
	src/tools/common/loops.h \
	src/tools/common/output.c \
	src/tools/common/parts.c \
	src/tools/common/parts.h \
	src/tools/common/places.c \
	src/tools/common/places.h \
	src/tools/common/planes.c \
	src/tools/common/record.c \
	src/tools/common/record.h \
	src/tools/common/report.c \
	src/tools/common/settings.c \
	src/tools/common/settings.h \
	src/tools/common/sources.c \
	src/tools/common/tables.c \
	src/tools/common/talk.c \
	src/tools/common/text.c \
	src/tools/common/tool.h \
	src/tools/common/verdict.c \
	src/tools/common/verdict.h \
	src/tools/compare/compare.c \
	src/tools/compare/compare.h \
	src/tools/compare/engines.c \
	src/tools/compare/html.c \
	src/tools/compare/measured.c \
	src/tools/compare/opensm.c \
	src/tools/compare/report.c \
	src/tools/diff/diff.c \
	src/tools/diff/diff.h \
	src/tools/diff/report.c \
	src/tools/diff/sides.c \
	src/tools/export/export.c \
	src/tools/export/export.h \
	src/tools/export/graph.c \
	src/tools/export/htsim.c \
	src/tools/export/omnetpp.c \
	src/tools/export/simgrid.c \
	src/tools/export/simulators.c \
	src/tools/export/slurm.c \
	src/tools/export/slurm_others.c \
	src/tools/export/slurm_write.c \
	src/tools/faults/data.c \
	src/tools/faults/faults.c \
	src/tools/faults/faults.h \
	src/tools/faults/plan.c \
	src/tools/faults/report.c \
	src/tools/layer/layer.c \
	src/tools/layer/sl2vl.c \
	src/tools/layer/sl2vl.h \
	src/tools/design/design.c \
	src/tools/design/design.h \
	src/tools/design/propose.c \
	src/tools/design/report.c \
	src/tools/place/hosts.c \
	src/tools/place/others.c \
	src/tools/place/place.c \
	src/tools/place/place.h \
	src/tools/place/report.c \
	src/tools/plot/charts.c \
	src/tools/plot/charts_sweep.c \
	src/tools/plot/gnuplot.c \
	src/tools/plot/gnuplot.h \
	src/tools/plot/plot.c \
	src/tools/plot/plot.h \
	src/tools/plot/read.c \
	src/tools/show/interactive.c \
	src/tools/show/interactive.h \
	src/tools/show/json.c \
	src/tools/show/machines.c \
	src/tools/show/notes.c \
	src/tools/show/overlay.c \
	src/tools/show/overlay.h \
	src/tools/show/show.c \
	src/tools/show/show.h \
	src/tools/show/text.c \
	src/tools/sim/cables.c \
	src/tools/sim/cables_plan.c \
	src/tools/sim/cables_plan.h \
	src/tools/sim/details.c \
	src/tools/sim/events.c \
	src/tools/sim/groups.c \
	src/tools/sim/jobs.c \
	src/tools/sim/jobs.h \
	src/tools/sim/list.c \
	src/tools/sim/logp.c \
	src/tools/sim/nodes.c \
	src/tools/sim/options.c \
	src/tools/sim/options.h \
	src/tools/sim/outcome.c \
	src/tools/sim/outcome.h \
	src/tools/sim/parts.c \
	src/tools/sim/replay.c \
	src/tools/sim/report.c \
	src/tools/sim/runs.c \
	src/tools/sim/ship.c \
	src/tools/sim/ship.h \
	src/tools/sim/sim.c \
	src/tools/sim/sim.h \
	src/tools/sim/subnets.c \
	src/tools/sim/subnets.h \
	src/tools/sim/sweep.c \
	src/tools/sim/sweep.h \
	src/tools/sim/sweep_fit.c \
	src/tools/sim/sweep_report.c \
	src/tools/sim/trace.c \
	src/tools/sim/values.c \
	src/tools/standing/report.c \
	src/tools/standing/standing.c \
	src/tools/standing/standing.h \
	src/tools/subnets/analyze.c \
	src/tools/subnets/faults.c \
	src/tools/subnets/map.c \
	src/tools/subnets/open.c \
	src/tools/subnets/page.c \
	src/tools/subnets/report.c \
	src/tools/subnets/subnets.c \
	src/tools/subnets/subnets.h \
	src/tools/subnets/write.c \
	src/tools/trace/through.c \
	src/tools/trace/trace.c \
	src/tools/trace/trace.h \
	src/tools/watch/live.c \
	src/tools/watch/view.c \
	src/tools/watch/watch.c \
	src/tools/watch/watch.h
weft_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir)/src \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"' \
	$(INIH_CFLAGS) $(JANSSON_CFLAGS) $(MPI_CFLAGS)
weft_LDADD = libweft_capture.la libweft_report.la libweft_draw.la \
	libweft_page.la libweft_files.la libweft_exact.la libweft.la \
	$(INIH_LIBS) $(JANSSON_LIBS) $(MPI_LIBS) -ldl -lpthread -lm
# Clp's headers are for this file alone.
noinst_LTLIBRARIES += libweft_exact.la
libweft_exact_la_SOURCES = src/tools/bound/exact.c
libweft_exact_la_CPPFLAGS = $(AM_CPPFLAGS) $(CLP_CFLAGS)
if WITH_UMAD
weft_SOURCES += src/tools/capture/live.c
endif

# The script of weft show --interactive, as the text of a string.
BUILT_SOURCES += src/tools/show/view.inc
CLEANFILES += src/tools/show/view.inc
EXTRA_DIST += src/tools/show/view.js
src/tools/show/view.inc: src/tools/show/view.js
	@$(MKDIR_P) src/tools/show
	$(AM_V_GEN)sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' \
		$(top_srcdir)/src/tools/show/view.js >$@.tmp && mv $@.tmp $@
src/tools/show/interactive.$(OBJEXT) src/tools/show/weft-interactive.$(OBJEXT): \
	src/tools/show/view.inc
