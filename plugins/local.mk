# The OpenSM plugins.  Each is plugin.c, compiled with the name of its engine;
# everything else is in the convenience library libweft_shim.la.
EXTRA_DIST += plugins/plugin.map
if HAVE_OPENSM
noinst_LTLIBRARIES += libweft_shim.la
libweft_shim_la_SOURCES = \
	src/io/ini.c \
	plugins/osm_adopt.c \
	plugins/osm_adopt.h \
	plugins/osm_anew.c \
	plugins/osm_anew.h \
	plugins/osm_ask.c \
	plugins/osm_better.c \
	plugins/osm_better.h \
	plugins/osm_cables.c \
	plugins/osm_causes.c \
	plugins/osm_commit.c \
	plugins/osm_conf.c \
	plugins/osm_dumps.c \
	plugins/osm_files.c \
	plugins/osm_files.h \
	plugins/osm_flaps.c \
	plugins/osm_flaps.h \
	plugins/osm_known.c \
	plugins/osm_known.h \
	plugins/osm_lanes.c \
	plugins/osm_later.c \
	plugins/osm_later.h \
	plugins/osm_layers.c \
	plugins/osm_layers.h \
	plugins/osm_levels.c \
	plugins/osm_guids.c \
	plugins/osm_messages.c \
	plugins/osm_multicast.c \
	plugins/osm_options.c \
	plugins/osm_options.h \
	plugins/osm_opts.c \
	plugins/osm_opts.h \
	plugins/osm_paths.c \
	plugins/osm_qos.c \
	plugins/osm_rates.c \
	plugins/osm_sample.c \
	plugins/osm_shim.c \
	plugins/osm_shim.h \
	plugins/osm_sl2vl.c \
	plugins/osm_snapshot.c \
	plugins/osm_standing.c \
	plugins/osm_standing.h \
	plugins/osm_stored.c \
	plugins/osm_stored.h \
	plugins/osm_sweeps.c \
	plugins/osm_sweeps.h \
	plugins/osm_verify.c \
	plugins/osm_weights.c \
	plugins/osm_writing.c \
	plugins/osm_writing.h
PLUGIN_CPPFLAGS = $(AM_CPPFLAGS) $(OPENSM_CFLAGS) $(INIH_CFLAGS)
libweft_shim_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
libweft_shim_la_LIBADD = libweft_files.la libweft_core.la $(INIH_LIBS)

# The symbols of OpenSM resolve when opensm loads a plugin: all at once, so that
# one that is missing is an error of loading and not the end of a running SM.
PLUGIN_LDFLAGS = -module -avoid-version -shared \
	-Wl,-z,now -Wl,--version-script=$(top_srcdir)/plugins/plugin.map

lib_LTLIBRARIES += plugins/libweft-all.la
plugins_libweft_all_la_SOURCES = plugins/plugin.c
plugins_libweft_all_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE=NULL
plugins_libweft_all_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_all_la_LIBADD = libweft_shim.la

lib_LTLIBRARIES += plugins/libweft-subnets.la
plugins_libweft_subnets_la_SOURCES = \
	plugins/subnets.c \
	plugins/subnets.h \
	plugins/subnets_answer.c \
	plugins/subnets_map.c
plugins_libweft_subnets_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_subnets_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_subnets_la_LIBADD = libweft_shim.la

include plugins/engines.mk

# A commented weft.conf among the examples: nothing in /etc is touched.  A weft
# of the machine that builds is no help here, so that there is none when the
# machine that runs it is another one.
noinst_PROGRAMS += plugins/sample
plugins_sample_SOURCES = plugins/sample.c plugins/osm_options.h
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
