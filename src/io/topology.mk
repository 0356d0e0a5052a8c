# Topology formats, and what all formats share (source.c, detect.c).
libweft_more_la_SOURCES += \
	src/io/compressed.c \
	src/io/compressed.h \
	src/io/csv_sections.c \
	src/io/csv_sections.h \
	src/io/db_csv.c \
	src/io/detect.c \
	src/io/formats.def \
	src/io/formats.h \
	src/io/iblinkinfo.c \
	src/io/ibnetdiscover.c \
	src/io/input.c \
	src/io/input.h \
	src/io/input_dir.c \
	src/io/input_scan.c \
	src/io/input_scan.h \
	src/io/name_map.c \
	src/io/net_dump.c \
	src/io/net_dump.h \
	src/io/net_dump_join.c \
	src/io/port_rows.c \
	src/io/port_rows.h \
	src/io/rate.c \
	src/io/read_fabric.c \
	src/io/rows.c \
	src/io/subnet_lst.c \
	src/io/topology.c \
	src/io/topology.h \
	src/io/topology_finish.c \
	src/io/topology_join.c \
	src/io/topology_lids.c \
	src/io/write_cabling.c \
	src/io/write_csv.c \
	src/io/write_dot.c \
	src/io/write_ibnetdiscover.c \
	src/io/write_json.c
