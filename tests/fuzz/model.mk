# Fuzz targets of patterns, objectives, lists of hosts and of nodes, mappings.
check_PROGRAMS += \
	tests/fuzz/fuzz_groups \
	tests/fuzz/fuzz_hosts \
	tests/fuzz/fuzz_jobs \
	tests/fuzz/fuzz_list \
	tests/fuzz/fuzz_machines \
	tests/fuzz/fuzz_measured \
	tests/fuzz/fuzz_objective \
	tests/fuzz/fuzz_pattern \
	tests/fuzz/fuzz_replay \
	tests/fuzz/fuzz_router_dump \
	tests/fuzz/fuzz_router_map \
	tests/fuzz/fuzz_subnets_ini
tests_fuzz_fuzz_groups_SOURCES = tests/fuzz/fuzz_groups.c $(fuzz_tables_util)
tests_fuzz_fuzz_groups_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_groups_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_hosts_SOURCES = tests/fuzz/fuzz_hosts.c $(fuzz_tables_util)
tests_fuzz_fuzz_hosts_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_hosts_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_jobs_SOURCES = tests/fuzz/fuzz_jobs.c $(fuzz_tables_util)
tests_fuzz_fuzz_jobs_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_jobs_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_list_SOURCES = tests/fuzz/fuzz_list.c $(fuzz_tables_util)
tests_fuzz_fuzz_list_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_list_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_machines_SOURCES = tests/fuzz/fuzz_machines.c \
	$(fuzz_tables_util)
tests_fuzz_fuzz_machines_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_machines_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_measured_SOURCES = tests/fuzz/fuzz_measured.c \
	$(fuzz_tables_util)
tests_fuzz_fuzz_measured_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_measured_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_objective_SOURCES = tests/fuzz/fuzz_objective.c \
	$(fuzz_tables_util)
tests_fuzz_fuzz_objective_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_objective_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_pattern_SOURCES = tests/fuzz/fuzz_pattern.c \
	$(fuzz_tables_util)
tests_fuzz_fuzz_pattern_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_pattern_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_replay_SOURCES = tests/fuzz/fuzz_replay.c \
	$(fuzz_tables_util)
tests_fuzz_fuzz_replay_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_replay_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_router_dump_SOURCES = tests/fuzz/fuzz_router_dump.c \
	$(fuzz_tables_util)
tests_fuzz_fuzz_router_dump_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_router_dump_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_router_map_SOURCES = tests/fuzz/fuzz_router_map.c \
	$(fuzz_tables_util)
tests_fuzz_fuzz_router_map_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_router_map_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_subnets_ini_SOURCES = tests/fuzz/fuzz_subnets_ini.c \
	$(fuzz_tables_util)
tests_fuzz_fuzz_subnets_ini_LDADD = $(fuzz_ldadd)
tests_fuzz_fuzz_subnets_ini_LDFLAGS = $(fuzz_ldflags)
