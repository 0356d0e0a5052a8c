libweft_core_la_SOURCES += \
	src/proof/against.c \
	src/proof/against.h \
	src/proof/against_cables.c \
	src/proof/cycle.c \
	src/proof/cycle.h \
	src/proof/explain.c \
	src/proof/explain.h \
	src/proof/finding.c \
	src/proof/folded.c \
	src/proof/folded.h \
	src/proof/lanes.c \
	src/proof/lanes.h \
	src/proof/parts.c \
	src/proof/parts.h \
	src/proof/proof.c \
	src/proof/rails.c \
	src/proof/redundancy.c \
	src/proof/redundancy_lids.c \
	src/proof/run.h \
	src/proof/shape.c \
	src/proof/shape.h \
	src/proof/sources.c \
	src/proof/sources.h \
	src/proof/text.c \
	src/proof/tree.c \
	src/proof/walks.c \
	src/proof/walks.h
