# Routing time of the real opensm on ibsim, ours beside its own engines.
dist_noinst_SCRIPTS += tests/bench/bench-osm tests/bench/bench-capture
if HAVE_OPENSM
# A module that is loaded but not installed: -rpath makes it a shared one.
noinst_LTLIBRARIES += tests/bench/libosm-empty.la
tests_bench_libosm_empty_la_SOURCES = tests/bench/osm_empty.c
tests_bench_libosm_empty_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) \
	-I$(top_srcdir)/plugins
tests_bench_libosm_empty_la_LDFLAGS = $(PLUGIN_LDFLAGS) -rpath /nowhere
endif
