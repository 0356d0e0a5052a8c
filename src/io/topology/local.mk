# Topologies: what readers of formats tell, joined to a fabric.
libweft_more_la_SOURCES += \
	src/io/topology/cable_list.c \
	src/io/topology/csv_sections.c \
	src/io/topology/csv_sections.h \
	src/io/topology/db_csv.c \
	src/io/topology/finish.c \
	src/io/topology/iblinkinfo.c \
	src/io/topology/ibnetdiscover.c \
	src/io/topology/ibsim.c \
	src/io/topology/ibsim_line.c \
	src/io/topology/ibsim_line.h \
	src/io/topology/join.c \
	src/io/topology/lids.c \
	src/io/topology/name_map.c \
	src/io/topology/named.c \
	src/io/topology/named.h \
	src/io/topology/net_dump.c \
	src/io/topology/net_dump.h \
	src/io/topology/net_dump_join.c \
	src/io/topology/port_rows.c \
	src/io/topology/port_rows.h \
	src/io/topology/read_fabric.c \
	src/io/topology/rows.c \
	src/io/topology/subnet_lst.c \
	src/io/topology/topo.c \
	src/io/topology/topology.c \
	src/io/topology/topology.h
