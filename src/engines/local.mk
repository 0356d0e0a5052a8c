libweft_core_la_SOURCES += \
	src/engines/balance.c \
	src/engines/balance.h \
	src/engines/common.c \
	src/engines/common.h \
	src/engines/dmodk.c \
	src/engines/engines.def \
	src/engines/local_balance.c \
	src/engines/local_balance.h \
	src/engines/minhop.c \
	src/engines/null.c \
	src/engines/opt.c \
	src/engines/p2sssp.c \
	src/engines/pgft.c \
	src/engines/pgft.h \
	src/engines/pgft_places.c \
	src/engines/pgft_tables.c \
	src/engines/psssp.c \
	src/engines/random.c \
	src/engines/registry.c \
	src/engines/smodk.c \
	src/engines/trees.c \
	src/engines/trees.h \
	src/engines/updn.c \
	src/engines/ways.c \
	src/engines/ways.h
