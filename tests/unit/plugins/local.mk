# Unit tests of the plugins' shim, with OpenSM's symbols stubbed.  Included by
# plugins/local.mk under HAVE_OPENSM.
shim_tests = \
	tests/unit/plugins/test_shim_adopt \
	tests/unit/plugins/test_shim_anew \
	tests/unit/plugins/test_shim_commit \
	tests/unit/plugins/test_shim_conf \
	tests/unit/plugins/test_shim_engine \
	tests/unit/plugins/test_shim_files \
	tests/unit/plugins/test_shim_flaps \
	tests/unit/plugins/test_shim_later \
	tests/unit/plugins/test_shim_layers \
	tests/unit/plugins/test_shim_multicast \
	tests/unit/plugins/test_shim_options \
	tests/unit/plugins/test_shim_paths \
	tests/unit/plugins/test_shim_sample \
	tests/unit/plugins/test_shim_snapshot \
	tests/unit/plugins/test_shim_stored \
	tests/unit/plugins/test_shim_subnets \
	tests/unit/plugins/test_shim_sweeps \
	tests/unit/plugins/test_shim_writing
check_PROGRAMS += $(shim_tests)
TESTS += $(shim_tests)

check_LTLIBRARIES += libshim_util.la
libshim_util_la_SOURCES = tests/unit/plugins/shim_fixture.h \
	tests/unit/plugins/shim_util.c tests/unit/plugins/shim_util.h
SHIM_TEST_CPPFLAGS = $(PLUGIN_CPPFLAGS) -I$(top_srcdir)
libshim_util_la_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
SHIM_TEST_LIBS = libshim_util.la libunit.la libweft_more.la libweft_shim.la \
	-losmcomp

# For how long a plugin holds the lock.
noinst_PROGRAMS += tests/bench/bench-lock
tests_bench_bench_lock_SOURCES = tests/bench/bench_lock.c tests/bench/bench.h
tests_bench_bench_lock_CPPFLAGS = $(SHIM_TEST_CPPFLAGS) -I$(top_srcdir)/tests
tests_bench_bench_lock_LDADD = libweft_files.la $(SHIM_TEST_LIBS)

tests_unit_plugins_test_shim_adopt_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_adopt_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_anew_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_anew_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_commit_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_commit_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_conf_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_conf_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_engine_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_engine_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_files_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_files_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_flaps_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_flaps_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_later_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_later_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_layers_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_layers_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_multicast_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_multicast_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_options_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_options_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_paths_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_paths_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_sample_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_sample_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_snapshot_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_snapshot_LDADD = $(SHIM_TEST_LIBS) libweft_core.la
tests_unit_plugins_test_shim_stored_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_stored_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_subnets_SOURCES = tests/unit/plugins/test_shim_subnets.c \
	plugins/subnets/subnets.c plugins/subnets/subnets.h plugins/subnets/subnets_map.c
tests_unit_plugins_test_shim_subnets_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_subnets_LDADD = $(SHIM_TEST_LIBS)
tests_unit_plugins_test_shim_sweeps_CPPFLAGS = $(SHIM_TEST_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_plugins_test_shim_sweeps_LDADD = $(SHIM_TEST_LIBS) $(JANSSON_LIBS) -lm
tests_unit_plugins_test_shim_writing_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_plugins_test_shim_writing_LDADD = $(SHIM_TEST_LIBS)
