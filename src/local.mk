# libweft, installed: everything, behind a version script.
# Two convenience archives keep the plugins free of libraries they do not use:
#   libweft_core.la  core, engines, layers, worth, standing: needs libc and libm only
#   libweft_more.la  formats, generators, models, statistics
noinst_LTLIBRARIES += libweft_more.la libweft_core.la
libweft_core_la_SOURCES =
libweft_core_la_LIBADD = -lm
libweft_more_la_SOURCES =
libweft_more_la_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS) $(INIH_CFLAGS) \
	$(JANSSON_CFLAGS) $(ZLIB_CFLAGS) $(LZMA_CFLAGS) $(ZSTD_CFLAGS)
libweft_more_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
libweft_more_la_LIBADD = $(GSL_LIBS) $(INIH_LIBS) $(JANSSON_LIBS) \
	$(ZLIB_LIBS) $(LZMA_LIBS) $(ZSTD_LIBS)

lib_LTLIBRARIES += libweft.la
libweft_la_SOURCES =
libweft_la_LIBADD = libweft_core.la libweft_more.la
libweft_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
# What soname a release gets: weft(3), VERSIONS.  CURRENT goes up, and REVISION
# and AGE go back to 0, when anything that programs are compiled against changed.
# It stays in memory when a program that opened it closes it, as Python does at its
# end: threads of OpenMP may be about to sleep in it still.
libweft_la_LDFLAGS = -version-info 0:0:0 -no-undefined -Wl,-z,nodelete \
	-Wl,--version-script=$(top_srcdir)/src/libweft.map
EXTRA_libweft_la_DEPENDENCIES = $(top_srcdir)/src/libweft.map
EXTRA_DIST += src/libweft.map

weftincludedir = $(includedir)/weft
weftinclude_HEADERS = \
	include/weft/against.h \
	include/weft/alias.h \
	include/weft/bound.h \
	include/weft/compare.h \
	include/weft/counters.h \
	include/weft/diag.h \
	include/weft/diff.h \
	include/weft/engine.h \
	include/weft/fabric.h \
	include/weft/faults.h \
	include/weft/gen.h \
	include/weft/gid.h \
	include/weft/io.h \
	include/weft/jobs.h \
	include/weft/layering.h \
	include/weft/layers.h \
	include/weft/kinds.h \
	include/weft/list.h \
	include/weft/lft.h \
	include/weft/machines.h \
	include/weft/mapping.h \
	include/weft/measured.h \
	include/weft/model.h \
	include/weft/multicast.h \
	include/weft/number.h \
	include/weft/options.h \
	include/weft/pattern.h \
	include/weft/place.h \
	include/weft/proof.h \
	include/weft/planes.h \
	include/weft/rails.h \
	include/weft/redundancy.h \
	include/weft/replay.h \
	include/weft/rng.h \
	include/weft/standing.h \
	include/weft/stored.h \
	include/weft/subnets.h \
	include/weft/routes.h \
	include/weft/shape.h \
	include/weft/sim.h \
	include/weft/transition.h \
	include/weft/version.h \
	include/weft/weft.h \
	include/weft/worst.h \
	include/weft/worth.h

# Of the directories that make has, which "make install prefix=..." may change
# after configure.  In terms of the prefix, so that pkg-config can relocate it.
pkgconfig_DATA = weft.pc
EXTRA_DIST += weft.pc.in
CLEANFILES += weft.pc
weft.pc: $(top_srcdir)/weft.pc.in weft-pc-directories
	$(AM_V_GEN)sed -e 's|@prefix[@]|$(prefix)|' \
		-e 's|@exec_prefix[@]|$(exec_prefix)|' \
		-e 's|@libdir[@]|$(libdir)|' \
		-e 's|@includedir[@]|$(includedir)|' \
		-e 's|@PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|' \
		-e 's|@LIBS_PRIVATE[@]|$(weft_pc_private)|; s|  *$$||' \
		-e 's|^exec_prefix=$(prefix)$$|exec_prefix=$${prefix}|' \
		-e 's|^libdir=$(exec_prefix)/|libdir=$${exec_prefix}/|' \
		-e 's|^includedir=$(prefix)/|includedir=$${prefix}/|' \
		$(top_srcdir)/weft.pc.in >$@.tmp
	@if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi
weft-pc-directories:
.PHONY: weft-pc-directories
weft_pc_private = $(GSL_LIBS) $(JANSSON_LIBS) $(INIH_LIBS) \
	$(ZLIB_LIBS) $(LZMA_LIBS) $(ZSTD_LIBS) $(OPENMP_CFLAGS)
TESTS += tests/pkg-config.sh
dist_check_SCRIPTS += tests/pkg-config.sh
