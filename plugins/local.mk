# The OpenSM plugins.  plugins/<engine>.c is a file of three lines; everything
# else is in the convenience library libweft_shim.la.
EXTRA_DIST += plugins/plugin.map
if HAVE_OPENSM
noinst_LTLIBRARIES += libweft_shim.la
libweft_shim_la_SOURCES = \
	plugins/osm_commit.c \
	plugins/osm_conf.c \
	plugins/osm_lanes.c \
	plugins/osm_layers.c \
	plugins/osm_layers.h \
	plugins/osm_guids.c \
	plugins/osm_multicast.c \
	plugins/osm_offsets.c \
	plugins/osm_paths.c \
	plugins/osm_qos.c \
	plugins/osm_shim.c \
	plugins/osm_shim.h \
	plugins/osm_sl2vl.c \
	plugins/osm_sldump.c \
	plugins/osm_snapshot.c \
	plugins/osm_verify.c
PLUGIN_CPPFLAGS = $(AM_CPPFLAGS) $(OPENSM_CFLAGS) $(INIH_CFLAGS)
libweft_shim_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
libweft_shim_la_LIBADD = libweft_core.la $(INIH_LIBS)

# The symbols of OpenSM resolve when opensm loads a plugin: all at once, so that
# one that is missing is an error of loading and not the end of a running SM.
PLUGIN_LDFLAGS = -module -avoid-version -shared \
	-Wl,-z,now -Wl,--version-script=$(top_srcdir)/plugins/plugin.map

lib_LTLIBRARIES += plugins/libweft-all.la
plugins_libweft_all_la_SOURCES = plugins/all.c
plugins_libweft_all_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_all_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_all_la_LIBADD = libweft_shim.la

if ENGINE_BEFT
lib_LTLIBRARIES += plugins/libweft-beft.la
plugins_libweft_beft_la_SOURCES = plugins/beft.c
plugins_libweft_beft_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_beft_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_beft_la_LIBADD = libweft_shim.la
endif

if ENGINE_DMODK
lib_LTLIBRARIES += plugins/libweft-dmodk.la
plugins_libweft_dmodk_la_SOURCES = plugins/dmodk.c
plugins_libweft_dmodk_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_dmodk_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_dmodk_la_LIBADD = libweft_shim.la
endif

if ENGINE_EFTREE
lib_LTLIBRARIES += plugins/libweft-eftree.la
plugins_libweft_eftree_la_SOURCES = plugins/eftree.c
plugins_libweft_eftree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_eftree_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_eftree_la_LIBADD = libweft_shim.la
endif

if ENGINE_MFTREE
lib_LTLIBRARIES += plugins/libweft-mftree.la
plugins_libweft_mftree_la_SOURCES = plugins/mftree.c
plugins_libweft_mftree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_mftree_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_mftree_la_LIBADD = libweft_shim.la
endif

if ENGINE_OPT
lib_LTLIBRARIES += plugins/libweft-opt.la
plugins_libweft_opt_la_SOURCES = plugins/opt.c
plugins_libweft_opt_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_opt_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_opt_la_LIBADD = libweft_shim.la
endif

if ENGINE_PSSSP
lib_LTLIBRARIES += plugins/libweft-psssp.la
plugins_libweft_psssp_la_SOURCES = plugins/psssp.c
plugins_libweft_psssp_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_psssp_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_psssp_la_LIBADD = libweft_shim.la
endif

if ENGINE_RANDOM
lib_LTLIBRARIES += plugins/libweft-random.la
plugins_libweft_random_la_SOURCES = plugins/random.c
plugins_libweft_random_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_random_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_random_la_LIBADD = libweft_shim.la
endif

if ENGINE_SFTREE
lib_LTLIBRARIES += plugins/libweft-sftree.la
plugins_libweft_sftree_la_SOURCES = plugins/sftree.c
plugins_libweft_sftree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_sftree_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_sftree_la_LIBADD = libweft_shim.la
endif

if ENGINE_SMODK
lib_LTLIBRARIES += plugins/libweft-smodk.la
plugins_libweft_smodk_la_SOURCES = plugins/smodk.c
plugins_libweft_smodk_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_smodk_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_smodk_la_LIBADD = libweft_shim.la
endif

if ENGINE_VFTREE
lib_LTLIBRARIES += plugins/libweft-vftree.la
plugins_libweft_vftree_la_SOURCES = plugins/vftree.c
plugins_libweft_vftree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_vftree_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_vftree_la_LIBADD = libweft_shim.la
endif

if ENGINE_WEAVE
lib_LTLIBRARIES += plugins/libweft-weave.la
plugins_libweft_weave_la_SOURCES = plugins/weave.c
plugins_libweft_weave_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_libweft_weave_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_weave_la_LIBADD = libweft_shim.la
endif

include tests/unit/shim.mk
endif
