# Written by scripts/engine-lists from src/engines/engines.def.
if ENGINE_WEAVE
lib_LTLIBRARIES += plugins/libweft-weave.la
plugins_libweft_weave_la_SOURCES = plugins/plugin.c
plugins_libweft_weave_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE='"weave"'
plugins_libweft_weave_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_weave_la_LIBADD = libweft_shim.la
endif
if ENGINE_EFTREE
lib_LTLIBRARIES += plugins/libweft-eftree.la
plugins_libweft_eftree_la_SOURCES = plugins/plugin.c
plugins_libweft_eftree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE='"eftree"'
plugins_libweft_eftree_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_eftree_la_LIBADD = libweft_shim.la
endif
if ENGINE_BEFT
lib_LTLIBRARIES += plugins/libweft-beft.la
plugins_libweft_beft_la_SOURCES = plugins/plugin.c
plugins_libweft_beft_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE='"beft"'
plugins_libweft_beft_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_beft_la_LIBADD = libweft_shim.la
endif
if ENGINE_SFTREE
lib_LTLIBRARIES += plugins/libweft-sftree.la
plugins_libweft_sftree_la_SOURCES = plugins/plugin.c
plugins_libweft_sftree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE='"sftree"'
plugins_libweft_sftree_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_sftree_la_LIBADD = libweft_shim.la
endif
if ENGINE_MFTREE
lib_LTLIBRARIES += plugins/libweft-mftree.la
plugins_libweft_mftree_la_SOURCES = plugins/plugin.c
plugins_libweft_mftree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE='"mftree"'
plugins_libweft_mftree_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_mftree_la_LIBADD = libweft_shim.la
endif
if ENGINE_VFTREE
lib_LTLIBRARIES += plugins/libweft-vftree.la
plugins_libweft_vftree_la_SOURCES = plugins/plugin.c
plugins_libweft_vftree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE='"vftree"'
plugins_libweft_vftree_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_vftree_la_LIBADD = libweft_shim.la
endif
if ENGINE_PSSSP
lib_LTLIBRARIES += plugins/libweft-psssp.la
plugins_libweft_psssp_la_SOURCES = plugins/plugin.c
plugins_libweft_psssp_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE='"psssp"'
plugins_libweft_psssp_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_psssp_la_LIBADD = libweft_shim.la
endif
if ENGINE_DMODK
lib_LTLIBRARIES += plugins/libweft-dmodk.la
plugins_libweft_dmodk_la_SOURCES = plugins/plugin.c
plugins_libweft_dmodk_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE='"dmodk"'
plugins_libweft_dmodk_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_dmodk_la_LIBADD = libweft_shim.la
endif
if ENGINE_PARTS
lib_LTLIBRARIES += plugins/libweft-parts.la
plugins_libweft_parts_la_SOURCES = plugins/plugin.c
plugins_libweft_parts_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DENGINE='"parts"'
plugins_libweft_parts_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_libweft_parts_la_LIBADD = libweft_shim.la
endif
