libweft_core_la_SOURCES += \
	src/layers/around.c \
	src/layers/balance.c \
	src/layers/destination.c \
	src/layers/fallback.c \
	src/layers/job.h \
	src/layers/joined.c \
	src/layers/lash.c \
	src/layers/layering.c \
	src/layers/management.c \
	src/layers/narrow.c \
	src/layers/narrow.h \
	src/layers/offline.c \
	src/layers/outcome.c \
	src/layers/outcome.h \
	src/layers/packing.c \
	src/layers/packing.h \
	src/layers/refit.c \
	src/layers/repair.c \
	src/layers/search.c \
	src/layers/search.h \
	src/layers/traffic.c \
	src/layers/traffic.h \
	src/layers/trial.c \
	src/layers/updown.c \
	src/layers/updown.h \
	src/layers/within.c \
	src/layers/within.h
