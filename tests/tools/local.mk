# The weft command: cases, and what the manual says about it.
TEST_EXTENSIONS += .cases
CASES_LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/timeout $(SHELL) \
	$(top_srcdir)/tests/tools/run-cases
tools_cases = \
	tests/tools/usage.cases \
	tests/tools/gen.cases \
	tests/tools/route.cases \
	tests/tools/check.cases \
	tests/tools/analyze.cases \
	tests/tools/bound.cases \
	tests/tools/capture.cases \
	tests/tools/compare.cases \
	tests/tools/diff.cases \
	tests/tools/export.cases \
	tests/tools/faults.cases \
	tests/tools/patterns.cases \
	tests/tools/measure.cases \
	tests/tools/place.cases \
	tests/tools/plot.cases \
	tests/tools/report.cases \
	tests/tools/show.cases \
	tests/tools/sim.cases \
	tests/tools/standing.cases \
	tests/tools/trace.cases \
	tests/tools/layer.cases \
	tests/tools/subnets.cases \
	tests/tools/config.cases \
	tests/tools/design.cases \
	tests/tools/watch.cases \
	tests/tools/output.cases
plain_tests += tests/layout tests/tools/completion.sh tests/tools/manual.sh \
	tests/tools/quiet.sh tests/tools/readme.sh \
	tests/tools/weave.cases tests/tools/words.sh
dist_check_SCRIPTS += tests/layout
TESTS += $(tools_cases) tests/tools/anonymise.sh \
	tests/tools/forms.sh tests/tools/killed.sh tests/tools/measured.sh \
	tests/tools/mpi.sh tests/tools/names.sh tests/tools/prometheus.sh \
	tests/tools/simgrid.sh tests/tools/values.sh
long_tests += tests/tools/bare.sh tests/tools/leftovers.sh tests/tools/page.sh \
	tests/tools/view.sh
EXTRA_DIST += $(tools_cases) tests/tools/weave.cases \
	tests/tools/bins.awk tests/tools/forms.awk tests/tools/htsim.awk \
	tests/tools/unfold.awk \
	tests/tools/anonymise.sh tests/tools/bare.sh tests/tools/completion.sh \
	tests/tools/forms.sh tests/tools/killed.sh \
	tests/tools/leftovers.sh tests/tools/manual.sh tests/tools/measured.sh \
	tests/tools/mpi.sh \
	tests/tools/names.sh tests/tools/page.sh tests/tools/quiet.sh \
	tests/tools/browser tests/tools/prometheus.sh tests/tools/readme.sh \
	tests/tools/simgrid.sh tests/tools/values.sh \
	tests/tools/view.sh tests/tools/words.sh \
	tests/tools/run-cases
check_PROGRAMS += tests/tools/json_get
tests_tools_json_get_SOURCES = tests/tools/json_get.c
tests_tools_json_get_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_tools_json_get_LDADD = $(JANSSON_LIBS)
# Preloaded by killed.sh.
check_LTLIBRARIES += tests/tools/killer.la
tests_tools_killer_la_SOURCES = tests/tools/killer.c
tests_tools_killer_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_tools_killer_la_LIBADD = -ldl
