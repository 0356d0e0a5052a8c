weave_sources = \
	src/engines/weave/closeness.c \
	src/engines/weave/convergent.c \
	src/engines/weave/damaged.c \
	src/engines/weave/damaged.h \
	src/engines/weave/dimensions.c \
	src/engines/weave/ecube.c \
	src/engines/weave/facts.c \
	src/engines/weave/fit.c \
	src/engines/weave/lids.c \
	src/engines/weave/minimal.c \
	src/engines/weave/plan.c \
	src/engines/weave/residue.c \
	src/engines/weave/roots.c \
	src/engines/weave/strategies.def \
	src/engines/weave/turns.c \
	src/engines/weave/weave.c \
	src/engines/weave/weave.h \
	src/engines/weave/woven.c

libweft_core_la_SOURCES += \
	src/engines/bends.c \
	src/engines/bends.h \
	src/engines/common.c \
	src/engines/common.h \
	src/engines/engines.def \
	src/engines/fattree.c \
	src/engines/fattree_cables.c \
	src/engines/fattree_cables.h \
	src/engines/fattree.h \
	src/engines/fattree_chain.c \
	src/engines/fattree_chain.h \
	src/engines/fattree_chain_parts.h \
	src/engines/fattree_climb.c \
	src/engines/fattree_sides.c \
	src/engines/fattree_sides.h \
	src/engines/fattree_engine.c \
	src/engines/fattree_engine.h \
	src/engines/fattree_explain.c \
	src/engines/fattree_homes.c \
	src/engines/fattree_homes.h \
	src/engines/fattree_join.c \
	src/engines/fattree_levels.c \
	src/engines/fattree_mend.c \
	src/engines/fattree_mend.h \
	src/engines/fattree_models.c \
	src/engines/fattree_models.h \
	src/engines/fattree_order.c \
	src/engines/fattree_roles.c \
	src/engines/lane_tree.c \
	src/engines/lane_tree.h \
	src/engines/local_balance.c \
	src/engines/local_balance.h \
	src/engines/mend_way.c \
	src/engines/mend_way.h \
	src/engines/orders.c \
	src/engines/orders.h \
	src/engines/orders_trees.c \
	src/engines/pgft.c \
	src/engines/pgft.h \
	src/engines/pgft_places.c \
	src/engines/pgft_tables.c \
	src/engines/pairs.c \
	src/engines/pairs.h \
	src/engines/registry.c \
	src/engines/rings.c \
	src/engines/rings.h \
	src/engines/rings_cables.c \
	src/engines/rings_cables.h \
	src/engines/regrow.c \
	src/engines/regrow.h \
	src/engines/rings_lanes.c \
	src/engines/rings_lanes.h \
	src/engines/rings_ways.c \
	src/engines/rings_ways.h \
	src/engines/route.c \
	src/engines/settle.c \
	src/engines/settle.h \
	src/engines/spread.c \
	src/engines/spread.h \
	src/engines/votes.c \
	src/engines/votes.h

# The engines' own files; configure leaves out what it is told to.
if ENGINE_BEFT
libweft_core_la_SOURCES += src/engines/beft.c
endif
if ENGINE_DMODK
libweft_core_la_SOURCES += src/engines/dmodk.c
endif
if ENGINE_EFT
libweft_core_la_SOURCES += src/engines/eft.c
endif
if ENGINE_EFTREE
libweft_core_la_SOURCES += src/engines/eftree.c
endif
if ENGINE_MFTREE
libweft_core_la_SOURCES += src/engines/mftree.c
endif
if ENGINE_MINHOP
libweft_core_la_SOURCES += src/engines/minhop.c
endif
if ENGINE_NULL
libweft_core_la_SOURCES += src/engines/null.c
endif
if ENGINE_OPT
libweft_core_la_SOURCES += src/engines/opt.c
endif
if ENGINE_P2SSSP
libweft_core_la_SOURCES += src/engines/p2sssp.c
endif
if ENGINE_PSSSP
libweft_core_la_SOURCES += src/engines/psssp.c
endif
if ENGINE_RANDOM
libweft_core_la_SOURCES += src/engines/random.c
endif
if ENGINE_SFTREE
libweft_core_la_SOURCES += src/engines/sftree.c
endif
if ENGINE_SMODK
libweft_core_la_SOURCES += src/engines/smodk.c
endif
if ENGINE_UPDN
libweft_core_la_SOURCES += src/engines/updn.c
endif
if ENGINE_VFTREE
libweft_core_la_SOURCES += src/engines/vftree.c
endif
if ENGINE_WEAVE
libweft_core_la_SOURCES += $(weave_sources)
endif
