# Unit tests of the plugins' shim, with OpenSM's symbols stubbed.  Included by
# plugins/local.mk under HAVE_OPENSM.
if HAVE_CMOCKA
shim_tests = \
	tests/unit/test_shim_adopt \
	tests/unit/test_shim_anew \
	tests/unit/test_shim_commit \
	tests/unit/test_shim_conf \
	tests/unit/test_shim_engine \
	tests/unit/test_shim_files \
	tests/unit/test_shim_flaps \
	tests/unit/test_shim_later \
	tests/unit/test_shim_layers \
	tests/unit/test_shim_multicast \
	tests/unit/test_shim_options \
	tests/unit/test_shim_paths \
	tests/unit/test_shim_sample \
	tests/unit/test_shim_snapshot \
	tests/unit/test_shim_stored \
	tests/unit/test_shim_subnets \
	tests/unit/test_shim_sweeps
check_PROGRAMS += $(shim_tests)
TESTS += $(shim_tests)

check_LTLIBRARIES += libshim_util.la
libshim_util_la_SOURCES = tests/unit/shim_util.c tests/unit/shim_util.h
SHIM_TEST_CPPFLAGS = $(PLUGIN_CPPFLAGS) -I$(top_srcdir)/plugins \
	-I$(top_srcdir)/tests $(CMOCKA_CFLAGS)
libshim_util_la_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
SHIM_TEST_LIBS = libshim_util.la libweft_shim.la libweft_more.la \
	-losmcomp $(CMOCKA_LIBS)

# For how long a plugin holds the lock.
noinst_PROGRAMS += tests/bench/bench-lock
tests_bench_bench_lock_SOURCES = tests/bench/bench_lock.c tests/bench/bench.h
tests_bench_bench_lock_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_bench_bench_lock_LDADD = libweft_files.la $(SHIM_TEST_LIBS)

tests_unit_test_shim_adopt_SOURCES = tests/unit/shim_fixture.h \
	tests/unit/test_shim_adopt.c
tests_unit_test_shim_adopt_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_adopt_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_anew_SOURCES = tests/unit/shim_fixture.h \
	tests/unit/test_shim_anew.c
tests_unit_test_shim_anew_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_anew_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_commit_SOURCES = tests/unit/test_shim_commit.c
tests_unit_test_shim_commit_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_commit_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_conf_SOURCES = tests/unit/test_shim_conf.c
tests_unit_test_shim_conf_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_conf_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_engine_SOURCES = tests/unit/test_shim_engine.c
tests_unit_test_shim_engine_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_engine_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_files_SOURCES = tests/unit/shim_fixture.h \
	tests/unit/test_shim_files.c
tests_unit_test_shim_files_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_files_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_flaps_SOURCES = tests/unit/test_shim_flaps.c
tests_unit_test_shim_flaps_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_flaps_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_later_SOURCES = tests/unit/shim_fixture.h \
	tests/unit/test_shim_later.c
tests_unit_test_shim_later_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_later_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_layers_SOURCES = tests/unit/shim_fixture.h \
	tests/unit/test_shim_layers.c
tests_unit_test_shim_layers_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_layers_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_multicast_SOURCES = tests/unit/test_shim_multicast.c
tests_unit_test_shim_multicast_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_multicast_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_options_SOURCES = tests/unit/shim_fixture.h \
	tests/unit/test_shim_options.c
tests_unit_test_shim_options_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_options_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_paths_SOURCES = tests/unit/shim_fixture.h \
	tests/unit/test_shim_paths.c
tests_unit_test_shim_paths_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_paths_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_sample_SOURCES = tests/unit/test_shim_sample.c
tests_unit_test_shim_sample_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_sample_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_snapshot_SOURCES = tests/unit/test_shim_snapshot.c
tests_unit_test_shim_snapshot_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_snapshot_LDADD = $(SHIM_TEST_LIBS) libweft_core.la
tests_unit_test_shim_stored_SOURCES = tests/unit/shim_fixture.h \
	tests/unit/test_shim_stored.c
tests_unit_test_shim_stored_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_stored_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_subnets_SOURCES = plugins/subnets.c plugins/subnets.h \
	plugins/subnets_map.c tests/unit/test_shim_subnets.c
tests_unit_test_shim_subnets_CPPFLAGS = $(SHIM_TEST_CPPFLAGS)
tests_unit_test_shim_subnets_LDADD = $(SHIM_TEST_LIBS)
tests_unit_test_shim_sweeps_SOURCES = tests/unit/shim_fixture.h \
	tests/unit/test_shim_sweeps.c
tests_unit_test_shim_sweeps_CPPFLAGS = $(SHIM_TEST_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_shim_sweeps_LDADD = $(SHIM_TEST_LIBS) $(JANSSON_LIBS) -lm
endif
