# The OpenSM plugins.  Each is plugin.c, compiled with the name of its engine;
# everything else is in the convenience library libweft_shim.la.
EXTRA_DIST += plugins/plugin.map
if HAVE_OPENSM
noinst_LTLIBRARIES += libweft_shim.la
libweft_shim_la_SOURCES = \
	src/io/ini.c \
	plugins/conf/osm_conf.c \
	plugins/conf/osm_guids.c \
	plugins/conf/osm_options.c \
	plugins/conf/osm_options.h \
	plugins/conf/osm_opts.c \
	plugins/conf/osm_opts.h \
	plugins/conf/osm_sample.c \
	plugins/files/osm_dumps.c \
	plugins/files/osm_files.c \
	plugins/files/osm_files.h \
	plugins/files/osm_writing.c \
	plugins/files/osm_writing.h \
	plugins/lanes/osm_lanes.c \
	plugins/lanes/osm_layers.c \
	plugins/lanes/osm_layers.h \
	plugins/lanes/osm_levels.c \
	plugins/lanes/osm_multicast.c \
	plugins/lanes/osm_paths.c \
	plugins/lanes/osm_qos.c \
	plugins/lanes/osm_sl2vl.c \
	plugins/osm_engine.h \
	plugins/osm_shim.c \
	plugins/osm_shim.h \
	plugins/standing/osm_adopt.c \
	plugins/standing/osm_adopt.h \
	plugins/standing/osm_anew.c \
	plugins/standing/osm_anew.h \
	plugins/standing/osm_anew_run.h \
	plugins/standing/osm_ask.c \
	plugins/standing/osm_better.c \
	plugins/standing/osm_better.h \
	plugins/standing/osm_first.c \
	plugins/standing/osm_flaps.c \
	plugins/standing/osm_flaps.h \
	plugins/standing/osm_known.c \
	plugins/standing/osm_known.h \
	plugins/standing/osm_later.c \
	plugins/standing/osm_later.h \
	plugins/standing/osm_standing.c \
	plugins/standing/osm_standing.h \
	plugins/standing/osm_stored.c \
	plugins/standing/osm_stored.h \
	plugins/sweep/osm_cables.c \
	plugins/sweep/osm_causes.c \
	plugins/sweep/osm_commit.c \
	plugins/sweep/osm_compute.c \
	plugins/sweep/osm_force.c \
	plugins/sweep/osm_messages.c \
	plugins/sweep/osm_rates.c \
	plugins/sweep/osm_snapshot.c \
	plugins/sweep/osm_sweeps.c \
	plugins/sweep/osm_sweeps.h \
	plugins/sweep/osm_told.c \
	plugins/sweep/osm_verify.c \
	plugins/sweep/osm_weights.c
PLUGIN_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(OPENSM_CFLAGS) $(INIH_CFLAGS)
libweft_shim_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
libweft_shim_la_LIBADD = libweft_files.la libweft_core.la $(INIH_LIBS)

# The symbols of OpenSM resolve when opensm loads a plugin: all at once, so that
# one that is missing is an error of loading and not the end of a running SM.
# They stay in memory when OpenSM closes them at its end: a thread may still route.
PLUGIN_LDFLAGS = -module -avoid-version -shared \
	-Wl,-z,now,-z,nodelete -Wl,--version-script=$(top_srcdir)/plugins/plugin.map

lib_LTLIBRARIES += plugins/libweft-all.la
plugins_libweft_all_la_SOURCES = plugins/plugin.c
plugins_libweft_all_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE=NULL
plugins_libweft_all_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_all_la_LIBADD = libweft_shim.la

lib_LTLIBRARIES += plugins/libweft-subnets.la
plugins_libweft_subnets_la_SOURCES = \
	plugins/subnets/subnets.c \
	plugins/subnets/subnets.h \
	plugins/subnets/subnets_answer.c \
	plugins/subnets/subnets_map.c
plugins_libweft_subnets_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_subnets_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_subnets_la_LIBADD = libweft_shim.la

include plugins/engines.mk

# A commented weft.conf among the examples: nothing in /etc is touched.  A weft
# of the machine that builds is no help here, so that there is none when the
# machine that runs it is another one.
noinst_PROGRAMS += plugins/sample
plugins_sample_SOURCES = plugins/sample.c plugins/conf/osm_options.h
plugins_sample_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_sample_LDADD = libweft_shim.la
if !CROSS_COMPILING
examplesdir = $(docdir)/examples
nodist_examples_DATA = plugins/weft.conf
CLEANFILES += plugins/weft.conf
plugins/weft.conf: plugins/sample$(EXEEXT)
	$(AM_V_GEN)plugins/sample$(EXEEXT) >$@.tmp && mv $@.tmp $@
endif
include tests/unit/plugins/local.mk
endif
