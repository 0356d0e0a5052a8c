# Tests of the topology formats.
if HAVE_CMOCKA
io_topology_tests = \
	tests/unit/test_io_ibdiagnet \
	tests/unit/test_io_iblinkinfo \
	tests/unit/test_io_input \
	tests/unit/test_io_lists \
	tests/unit/test_io_lmc \
	tests/unit/test_io_source \
	tests/unit/test_io_topology \
	tests/unit/test_io_topology_defects \
	tests/unit/test_io_topology_formats \
	tests/unit/test_io_topology_real \
	tests/unit/test_io_topology_write
check_PROGRAMS += $(io_topology_tests)
TESTS += $(io_topology_tests)
io_topology_util = \
	tests/unit/io_tables_util.c \
	tests/unit/io_tables_util.h \
	tests/unit/io_topology_util.c \
	tests/unit/io_topology_util.h
io_topology_cppflags = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
io_topology_ldadd = libweft_more.la libweft_core.la $(CMOCKA_LIBS)

tests_unit_test_io_ibdiagnet_SOURCES = tests/unit/test_io_ibdiagnet.c \
	$(io_topology_util)
tests_unit_test_io_ibdiagnet_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_ibdiagnet_LDADD = $(io_topology_ldadd)
tests_unit_test_io_iblinkinfo_SOURCES = tests/unit/test_io_iblinkinfo.c \
	$(io_topology_util)
tests_unit_test_io_iblinkinfo_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_iblinkinfo_LDADD = $(io_topology_ldadd)
tests_unit_test_io_input_SOURCES = tests/unit/test_io_input.c \
	$(io_topology_util)
tests_unit_test_io_input_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_input_LDADD = $(io_topology_ldadd)
tests_unit_test_io_lists_SOURCES = tests/unit/test_io_lists.c \
	$(io_topology_util)
tests_unit_test_io_lists_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_lists_LDADD = $(io_topology_ldadd)
tests_unit_test_io_lmc_SOURCES = tests/unit/test_io_lmc.c \
	$(io_topology_util)
tests_unit_test_io_lmc_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_lmc_LDADD = $(io_topology_ldadd)
tests_unit_test_io_source_SOURCES = tests/unit/test_io_source.c \
	$(io_topology_util)
tests_unit_test_io_source_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_source_LDADD = $(io_topology_ldadd)
tests_unit_test_io_topology_SOURCES = tests/unit/test_io_topology.c \
	$(io_topology_util)
tests_unit_test_io_topology_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_topology_LDADD = $(io_topology_ldadd)
tests_unit_test_io_topology_defects_SOURCES = \
	tests/unit/test_io_topology_defects.c $(io_topology_util)
tests_unit_test_io_topology_defects_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_topology_defects_LDADD = $(io_topology_ldadd)
tests_unit_test_io_topology_formats_SOURCES = \
	tests/unit/test_io_topology_formats.c $(io_topology_util)
tests_unit_test_io_topology_formats_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_topology_formats_LDADD = $(io_topology_ldadd)
tests_unit_test_io_topology_real_SOURCES = \
	tests/unit/test_io_topology_real.c $(io_topology_util)
tests_unit_test_io_topology_real_CPPFLAGS = $(io_topology_cppflags)
tests_unit_test_io_topology_real_LDADD = $(io_topology_ldadd)
tests_unit_test_io_topology_write_SOURCES = \
	tests/unit/test_io_topology_write.c $(io_topology_util)
tests_unit_test_io_topology_write_CPPFLAGS = $(io_topology_cppflags) \
	$(JANSSON_CFLAGS)
tests_unit_test_io_topology_write_LDADD = $(io_topology_ldadd) $(JANSSON_LIBS)
endif
