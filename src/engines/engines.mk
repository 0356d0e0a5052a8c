# Written by scripts/engine-lists from src/engines/engines.def.
if ENGINE_WEAVE
libweft_core_la_SOURCES += src/engines/weave/closeness.c
libweft_core_la_SOURCES += src/engines/weave/convergent.c
libweft_core_la_SOURCES += src/engines/weave/damaged.c
libweft_core_la_SOURCES += src/engines/weave/damaged.h
libweft_core_la_SOURCES += src/engines/weave/dimensions.c
libweft_core_la_SOURCES += src/engines/weave/ease.c
libweft_core_la_SOURCES += src/engines/weave/ecube.c
libweft_core_la_SOURCES += src/engines/weave/facts.c
libweft_core_la_SOURCES += src/engines/weave/holes.c
libweft_core_la_SOURCES += src/engines/weave/holes.h
libweft_core_la_SOURCES += src/engines/weave/judge.c
libweft_core_la_SOURCES += src/engines/weave/judge.h
libweft_core_la_SOURCES += src/engines/weave/lanes.c
libweft_core_la_SOURCES += src/engines/weave/meshes.c
libweft_core_la_SOURCES += src/engines/weave/minimal.c
libweft_core_la_SOURCES += src/engines/weave/plan.c
libweft_core_la_SOURCES += src/engines/weave/residue.c
libweft_core_la_SOURCES += src/engines/weave/rings_lanes.c
libweft_core_la_SOURCES += src/engines/weave/rings_lanes.h
libweft_core_la_SOURCES += src/engines/weave/rings_ways.c
libweft_core_la_SOURCES += src/engines/weave/rings_ways.h
libweft_core_la_SOURCES += src/engines/weave/roots.c
libweft_core_la_SOURCES += src/engines/weave/routes.c
libweft_core_la_SOURCES += src/engines/weave/strategies.def
libweft_core_la_SOURCES += src/engines/weave/turns.c
libweft_core_la_SOURCES += src/engines/weave/weave.c
libweft_core_la_SOURCES += src/engines/weave/weave.h
libweft_core_la_SOURCES += src/engines/weave/within.c
endif
if ENGINE_EFTREE
libweft_core_la_SOURCES += src/engines/fattree/eftree.c
endif
if ENGINE_BEFT
libweft_core_la_SOURCES += src/engines/fattree/beft.c
endif
if ENGINE_SFTREE
libweft_core_la_SOURCES += src/engines/fattree/sftree.c
endif
if ENGINE_MFTREE
libweft_core_la_SOURCES += src/engines/fattree/mftree.c
endif
if ENGINE_VFTREE
libweft_core_la_SOURCES += src/engines/fattree/vftree.c
endif
if ENGINE_PSSSP
libweft_core_la_SOURCES += src/engines/psssp.c
endif
if ENGINE_DMODK
libweft_core_la_SOURCES += src/engines/pgft/dmodk.c
endif
if ENGINE_PARTS
libweft_core_la_SOURCES += src/engines/parts.c
endif
if ENGINE_EFT
libweft_core_la_SOURCES += src/engines/fattree/eft.c
endif
if ENGINE_P2SSSP
libweft_core_la_SOURCES += src/engines/p2sssp.c
endif
if ENGINE_SMODK
libweft_core_la_SOURCES += src/engines/pgft/smodk.c
endif
if ENGINE_OPT
libweft_core_la_SOURCES += src/engines/pgft/opt.c
endif
if ENGINE_FATPATHS
libweft_core_la_SOURCES += src/engines/fatpaths.c
endif
if ENGINE_RANDOM
libweft_core_la_SOURCES += src/engines/random.c
endif
if ENGINE_MINHOP
libweft_core_la_SOURCES += src/engines/minhop.c
endif
if ENGINE_UPDN
libweft_core_la_SOURCES += src/engines/updn.c
endif
if ENGINE_NULL
libweft_core_la_SOURCES += src/engines/null.c
endif
