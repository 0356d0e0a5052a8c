weave_sources = \
	src/engines/weave/closeness.c \
	src/engines/weave/convergent.c \
	src/engines/weave/damaged.c \
	src/engines/weave/damaged.h \
	src/engines/weave/dimensions.c \
	src/engines/weave/ecube.c \
	src/engines/weave/facts.c \
	src/engines/weave/lanes.c \
	src/engines/weave/lids.c \
	src/engines/weave/minimal.c \
	src/engines/weave/plan.c \
	src/engines/weave/residue.c \
	src/engines/weave/rings_lanes.c \
	src/engines/weave/rings_lanes.h \
	src/engines/weave/rings_ways.c \
	src/engines/weave/rings_ways.h \
	src/engines/weave/roots.c \
	src/engines/weave/routes.c \
	src/engines/weave/strategies.def \
	src/engines/weave/turns.c \
	src/engines/weave/weave.c \
	src/engines/weave/weave.h

libweft_core_la_SOURCES += \
	src/engines/engines.def \
	src/engines/registry.c \
	src/engines/route.c \
	src/engines/fattree/cables.c \
	src/engines/fattree/cables.h \
	src/engines/fattree/chain.c \
	src/engines/fattree/chain.h \
	src/engines/fattree/chain_parts.h \
	src/engines/fattree/climb.c \
	src/engines/fattree/engine.c \
	src/engines/fattree/engine.h \
	src/engines/fattree/homes.c \
	src/engines/fattree/homes.h \
	src/engines/fattree/join.c \
	src/engines/fattree/models.c \
	src/engines/fattree/models.h \
	src/engines/fattree/separate.c \
	src/engines/fattree/separate.h \
	src/engines/fattree/sides.c \
	src/engines/fattree/sides.h \
	src/engines/pgft/tables.c \
	src/engines/pgft/tables.h

# The engines' own files; configure leaves out what it is told to.
if ENGINE_BEFT
libweft_core_la_SOURCES += src/engines/fattree/beft.c
endif
if ENGINE_DMODK
libweft_core_la_SOURCES += src/engines/pgft/dmodk.c
endif
if ENGINE_EFT
libweft_core_la_SOURCES += src/engines/fattree/eft.c
endif
if ENGINE_EFTREE
libweft_core_la_SOURCES += src/engines/fattree/eftree.c
endif
if ENGINE_MFTREE
libweft_core_la_SOURCES += src/engines/fattree/mftree.c
endif
if ENGINE_MINHOP
libweft_core_la_SOURCES += src/engines/minhop.c
endif
if ENGINE_NULL
libweft_core_la_SOURCES += src/engines/null.c
endif
if ENGINE_OPT
libweft_core_la_SOURCES += src/engines/pgft/opt.c
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
libweft_core_la_SOURCES += src/engines/fattree/sftree.c
endif
if ENGINE_SMODK
libweft_core_la_SOURCES += src/engines/pgft/smodk.c
endif
if ENGINE_UPDN
libweft_core_la_SOURCES += src/engines/updn.c
endif
if ENGINE_VFTREE
libweft_core_la_SOURCES += src/engines/fattree/vftree.c
endif
if ENGINE_WEAVE
libweft_core_la_SOURCES += $(weave_sources)
endif
