# The plugins in the real opensm, on ibsim.  Exit 77 where these are absent.
osm_tests = \
	tests/osm/adopt.sh \
	tests/osm/cache.sh \
	tests/osm/captures.sh \
	tests/osm/degraded.sh \
	tests/osm/engines.sh \
	tests/osm/fabrics.sh \
	tests/osm/faults.sh \
	tests/osm/files.sh \
	tests/osm/flaps.sh \
	tests/osm/kinds.sh \
	tests/osm/lanes-left.sh \
	tests/osm/layers.sh \
	tests/osm/lmc.sh \
	tests/osm/multicast.sh \
	tests/osm/opt.sh \
	tests/osm/options.sh \
	tests/osm/rebalance.sh \
	tests/osm/routers.sh \
	tests/osm/subnets.sh \
	tests/osm/subnets-records.sh \
	tests/osm/standing.sh \
	tests/osm/standing-file.sh \
	tests/osm/sweeps.sh \
	tests/osm/takeover.sh \
	tests/osm/weave.sh
dist_check_SCRIPTS += $(osm_tests) tests/osm/fattree.sh
EXTRA_DIST += tests/osm/lib.sh tests/osm/preload.sh
long_tests += tests/osm/umad.sh
EXTRA_DIST += tests/osm/umad.sh
if HAVE_OPENSM
TESTS += $(osm_tests)
long_tests += tests/osm/fattree.sh
if HAVE_UMAD
check_PROGRAMS += tests/osm/mcast_join
tests_osm_mcast_join_SOURCES = tests/osm/mcast_join.c
tests_osm_mcast_join_LDADD = -libumad
check_PROGRAMS += tests/osm/path_sls
tests_osm_path_sls_SOURCES = tests/osm/path_sls.c
tests_osm_path_sls_LDADD = -libumad
check_PROGRAMS += tests/osm/gid_paths
tests_osm_gid_paths_SOURCES = tests/osm/gid_paths.c
tests_osm_gid_paths_LDADD = -libumad
check_LTLIBRARIES += tests/osm/kernel.la
tests_osm_kernel_la_SOURCES = tests/osm/kernel.c
tests_osm_kernel_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_osm_kernel_la_LIBADD = -ldl
check_LTLIBRARIES += tests/osm/narrow.la
tests_osm_narrow_la_SOURCES = tests/osm/narrow.c
tests_osm_narrow_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENSM_CFLAGS)
tests_osm_narrow_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_osm_narrow_la_LIBADD = -ldl
endif
if SANITIZERS
# opensm itself is not instrumented: the run-time library has to come first.
AM_TESTS_ENVIRONMENT += \
	WEFT_PRELOAD=`$(CC) -print-file-name=libasan.so`; export WEFT_PRELOAD;
endif
endif
