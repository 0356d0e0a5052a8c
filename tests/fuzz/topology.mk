# Fuzz targets of the topology formats: one source, a program for each reader.
check_PROGRAMS += \
	tests/fuzz/fuzz_cable_list \
	tests/fuzz/fuzz_db_csv \
	tests/fuzz/fuzz_iblinkinfo \
	tests/fuzz/fuzz_ibnetdiscover \
	tests/fuzz/fuzz_ibsim \
	tests/fuzz/fuzz_net_dump \
	tests/fuzz/fuzz_rows \
	tests/fuzz/fuzz_subnet_lst \
	tests/fuzz/fuzz_topo
tests_fuzz_fuzz_cable_list_SOURCES = tests/fuzz/fuzz_topology.c $(fuzz_main)
tests_fuzz_fuzz_cable_list_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFORMAT=weft__format_cable_list
tests_fuzz_fuzz_cable_list_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_cable_list_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_db_csv_SOURCES = tests/fuzz/fuzz_topology.c $(fuzz_main)
tests_fuzz_fuzz_db_csv_CPPFLAGS = $(AM_CPPFLAGS) -DFORMAT=weft__format_db_csv
tests_fuzz_fuzz_db_csv_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_db_csv_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_iblinkinfo_SOURCES = tests/fuzz/fuzz_topology.c $(fuzz_main)
tests_fuzz_fuzz_iblinkinfo_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFORMAT=weft__format_iblinkinfo
tests_fuzz_fuzz_iblinkinfo_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_iblinkinfo_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_ibnetdiscover_SOURCES = tests/fuzz/fuzz_topology.c $(fuzz_main)
tests_fuzz_fuzz_ibnetdiscover_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFORMAT=weft__format_ibnetdiscover
tests_fuzz_fuzz_ibnetdiscover_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_ibnetdiscover_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_ibsim_SOURCES = tests/fuzz/fuzz_topology.c $(fuzz_main)
tests_fuzz_fuzz_ibsim_CPPFLAGS = $(AM_CPPFLAGS) -DFORMAT=weft__format_ibsim
tests_fuzz_fuzz_ibsim_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_ibsim_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_net_dump_SOURCES = tests/fuzz/fuzz_topology.c $(fuzz_main)
tests_fuzz_fuzz_net_dump_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFORMAT=weft__format_net_dump
tests_fuzz_fuzz_net_dump_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_net_dump_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_rows_SOURCES = tests/fuzz/fuzz_topology.c $(fuzz_main)
tests_fuzz_fuzz_rows_CPPFLAGS = $(AM_CPPFLAGS) -DFORMAT=weft__format_rows
tests_fuzz_fuzz_rows_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_rows_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_subnet_lst_SOURCES = tests/fuzz/fuzz_topology.c $(fuzz_main)
tests_fuzz_fuzz_subnet_lst_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFORMAT=weft__format_subnet_lst
tests_fuzz_fuzz_subnet_lst_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_subnet_lst_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_topo_SOURCES = tests/fuzz/fuzz_topology.c $(fuzz_main)
tests_fuzz_fuzz_topo_CPPFLAGS = $(AM_CPPFLAGS) -DFORMAT=weft__format_topo
tests_fuzz_fuzz_topo_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_topo_LDFLAGS = $(fuzz_ldflags)
