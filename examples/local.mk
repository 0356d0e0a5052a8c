# Programs that use libweft as it is installed: no other include path, no other
# library.
example_programs = examples/engine examples/hottest examples/route
check_PROGRAMS += $(example_programs)
examples_engine_SOURCES = examples/engine.c
examples_engine_CPPFLAGS = -I$(top_srcdir)/include
examples_engine_LDADD = libweft.la
examples_hottest_SOURCES = examples/hottest.c
examples_hottest_CPPFLAGS = -I$(top_srcdir)/include
examples_hottest_LDADD = libweft.la
examples_route_SOURCES = examples/route.c
examples_route_CPPFLAGS = -I$(top_srcdir)/include
examples_route_LDADD = libweft.la

TESTS += examples/run.sh
dist_check_SCRIPTS += examples/run.sh
EXTRA_DIST += examples/README.md

# Built by hand, with MPI; tests/tools/measured.sh does.
EXTRA_DIST += examples/measure.c

# What runs weft check regularly: an example to copy, which nothing enables.
servicedir = $(docdir)/examples
dist_service_DATA = examples/weft-check.service examples/weft-check.timer

# The commands of examples/README.md with what "make install" has installed.
installcheck-local:
	PKG_CONFIG_PATH='$(DESTDIR)$(pkgconfigdir)' \
	PKG_CONFIG_SYSROOT_DIR='$(DESTDIR)' \
	LD_LIBRARY_PATH='$(DESTDIR)$(libdir)' \
	CC='$(CC)' CFLAGS='$(CFLAGS)' $(SHELL) $(top_srcdir)/examples/run.sh \
		--installed $(top_srcdir)/examples
