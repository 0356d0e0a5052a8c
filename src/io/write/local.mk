# Fabrics in the formats that weft writes.
libweft_more_la_SOURCES += \
	src/io/write/cabling.c \
	src/io/write/csv.c \
	src/io/write/dot.c \
	src/io/write/ibnetdiscover.c \
	src/io/write/json.c
