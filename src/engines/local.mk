libweft_core_la_SOURCES += \
	src/engines/engines.def \
	src/engines/idle.c \
	src/engines/idle.h \
	src/engines/kinds.c \
	src/engines/kinds.h \
	src/engines/registry.c \
	src/engines/route.c \
	src/engines/fattree/apart.c \
	src/engines/fattree/apart.h \
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
	src/engines/fattree/lids.c \
	src/engines/fattree/models.c \
	src/engines/fattree/models.h \
	src/engines/fattree/narrows.c \
	src/engines/fattree/narrows.h \
	src/engines/fattree/separate.c \
	src/engines/fattree/separate.h \
	src/engines/fattree/sides.c \
	src/engines/fattree/sides.h \
	src/engines/fattree/whole.c \
	src/engines/fattree/whole.h \
	src/engines/several/basket.c \
	src/engines/several/held.c \
	src/engines/several/lids.c \
	src/engines/several/parts.h \
	src/engines/several/several.c \
	src/engines/several/several.h \
	src/engines/pgft/tables.c \
	src/engines/pgft/tables.h

# The engines' own files; configure leaves out what it is told to.
include src/engines/engines.mk
