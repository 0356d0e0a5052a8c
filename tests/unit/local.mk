# Unit tests by the rooms of src: tests/unit/ROOM/test_NAME.c is all that most of
# them need; what others need stands below.
dist_check_SCRIPTS += tests/unit/headers.sh tests/engine-lists.sh
TESTS += tests/unit/headers.sh tests/engine-lists.sh
slow_unit_tests = \
	tests/unit/engines/test_weave \
	tests/unit/layers/test_layering \
	tests/unit/sim/test_sim_threads
if WITH_UMAD
capture_unit_tests = \
	tests/unit/capture/test_asking \
	tests/unit/capture/test_capture \
	tests/unit/capture/test_capture_memory \
	tests/unit/capture/test_files \
	tests/unit/capture/test_journal \
	tests/unit/capture/test_mads
endif
fast_unit_tests = \
	tests/unit/capture/test_alias \
	tests/unit/capture/test_alias_kinds \
	$(capture_unit_tests) \
	tests/unit/core/test_components \
	tests/unit/core/test_core \
	tests/unit/core/test_fabric \
	tests/unit/core/test_layers \
	tests/unit/core/test_machines \
	tests/unit/core/test_memory \
	tests/unit/core/test_memory_moving \
	tests/unit/core/test_memory_tables \
	tests/unit/core/test_number \
	tests/unit/core/test_planes \
	tests/unit/diff/test_carry \
	tests/unit/diff/test_chain \
	tests/unit/diff/test_diff \
	tests/unit/draw/test_draw \
	tests/unit/engines/test_engine_parts \
	tests/unit/engines/test_engines \
	tests/unit/engines/test_fattree \
	tests/unit/engines/test_homes \
	tests/unit/engines/test_kinds \
	tests/unit/engines/test_narrows \
	tests/unit/engines/test_numbers \
	tests/unit/engines/test_parts \
	tests/unit/engines/test_pgft \
	tests/unit/engines/test_psssp \
	tests/unit/engines/test_several \
	tests/unit/engines/test_sides \
	tests/unit/engines/test_symmetric \
	tests/unit/engines/test_torn \
	tests/unit/engines/test_weave_lids \
	tests/unit/faults/test_faults \
	tests/unit/faults/test_faults_known \
	tests/unit/faults/test_faults_plan \
	tests/unit/faults/test_faults_single \
	tests/unit/faults/test_faults_symmetry \
	tests/unit/flow/test_flow \
	tests/unit/gen/test_gen \
	tests/unit/gen/test_gen_machines \
	tests/unit/gen/test_gen_options \
	tests/unit/gen/test_gen_rails \
	tests/unit/gen/test_gen_spec \
	tests/unit/graph/test_depth \
	tests/unit/graph/test_order \
	tests/unit/graph/test_stay \
	tests/unit/graph/test_vls \
	tests/unit/io/test_io_counters \
	tests/unit/io/test_io_ibdiagnet \
	tests/unit/io/test_io_iblinkinfo \
	tests/unit/io/test_io_ibsim \
	tests/unit/io/test_io_input \
	tests/unit/io/test_io_jobs \
	tests/unit/io/test_io_kinds \
	tests/unit/io/test_io_lists \
	tests/unit/io/test_io_lmc \
	tests/unit/io/test_io_machines \
	tests/unit/io/test_io_mark \
	tests/unit/io/test_io_multicast \
	tests/unit/io/test_io_objective \
	tests/unit/io/test_io_paths \
	tests/unit/io/test_io_patterns \
	tests/unit/io/test_io_source \
	tests/unit/io/test_io_tables_avakas \
	tests/unit/io/test_io_tables_lft \
	tests/unit/io/test_io_tables_round \
	tests/unit/io/test_io_tables_sl \
	tests/unit/io/test_io_topo \
	tests/unit/io/test_io_topology \
	tests/unit/io/test_io_topology_defects \
	tests/unit/io/test_io_topology_formats \
	tests/unit/io/test_io_topology_real \
	tests/unit/io/test_io_topology_write \
	tests/unit/lanes/test_lane_orders \
	tests/unit/lanes/test_settle \
	tests/unit/layers/test_methods \
	tests/unit/layers/test_outcome \
	tests/unit/loads/test_ease \
	tests/unit/loads/test_gather \
	tests/unit/loads/test_shifts \
	tests/unit/page/test_page \
	tests/unit/proof/test_multicast \
	tests/unit/proof/test_proof \
	tests/unit/proof/test_proof_random \
	tests/unit/proof/test_rails \
	tests/unit/proof/test_redundancy \
	tests/unit/report/test_report \
	tests/unit/shapes/test_damaged \
	tests/unit/shapes/test_rings \
	tests/unit/shapes/test_shape \
	tests/unit/sim/test_sim \
	tests/unit/sim/test_sim_bounds \
	tests/unit/sim/test_sim_change \
	tests/unit/sim/test_sim_choose \
	tests/unit/sim/test_sim_cut \
	tests/unit/sim/test_sim_ends \
	tests/unit/sim/test_sim_logp \
	tests/unit/sim/test_sim_longer \
	tests/unit/sim/test_sim_loops \
	tests/unit/sim/test_sim_measures \
	tests/unit/sim/test_sim_parameters \
	tests/unit/sim/test_sim_parts \
	tests/unit/sim/test_sim_random \
	tests/unit/sim/test_sim_rooms \
	tests/unit/sim/test_sim_routers \
	tests/unit/sim/test_sim_schedule \
	tests/unit/sim/test_sim_sequence \
	tests/unit/sim/test_sim_ship \
	tests/unit/sim/test_sim_sizes \
	tests/unit/sim/test_sim_theory \
	tests/unit/sim/test_sim_trace \
	tests/unit/sim/test_sim_wide \
	tests/unit/standing/test_alike \
	tests/unit/standing/test_away \
	tests/unit/standing/test_counts \
	tests/unit/standing/test_growth \
	tests/unit/standing/test_mend \
	tests/unit/standing/test_newcomers \
	tests/unit/standing/test_parts \
	tests/unit/standing/test_proven \
	tests/unit/standing/test_relieved \
	tests/unit/standing/test_standing \
	tests/unit/standing/test_step \
	tests/unit/standing/test_survey \
	tests/unit/stored/test_stored \
	tests/unit/subnets/test_bandwidth \
	tests/unit/subnets/test_net \
	tests/unit/subnets/test_router_maps \
	tests/unit/subnets/test_router_tables \
	tests/unit/subnets/test_spread \
	tests/unit/subnets/test_subnets \
	tests/unit/subnets/test_subnets_known \
	tests/unit/subnets/test_subnets_proof \
	tests/unit/subnets/test_subnets_worth \
	tests/unit/transition/test_orders \
	tests/unit/transition/test_transition \
	tests/unit/trees/test_detours \
	tests/unit/trees/test_relief \
	tests/unit/trees/test_trees \
	tests/unit/trees/test_ways \
	tests/unit/worth/test_bound \
	tests/unit/worth/test_compare \
	tests/unit/worth/test_congestion \
	tests/unit/worth/test_jobs \
	tests/unit/worth/test_measured \
	tests/unit/worth/test_model \
	tests/unit/worth/test_patterns \
	tests/unit/worth/test_patterns_random \
	tests/unit/worth/test_patterns_teams \
	tests/unit/worth/test_place \
	tests/unit/worth/test_sampling \
	tests/unit/worth/test_spread \
	tests/unit/worth/test_worst \
	tests/unit/worth/test_worth
unit_tests = $(slow_unit_tests) $(fast_unit_tests)
check_PROGRAMS += $(slow_unit_tests)
TESTS += $(slow_unit_tests)
if FAST_UNIT_TESTS
check_PROGRAMS += $(fast_unit_tests)
TESTS += $(fast_unit_tests)
endif

# The harness, and what tests share; linked where nothing else is said.
check_LTLIBRARIES += libunit.la
libunit_la_SOURCES = \
	tests/unit/engines/weave_util.c \
	tests/unit/core/memory_util.h \
	tests/unit/engines/weave_util.h \
	tests/unit/faults/faults_util.h \
	tests/unit/faults/sets.h \
	tests/unit/gen/gen_suite.h \
	tests/unit/io/io_tables_util.c \
	tests/unit/io/io_tables_util.h \
	tests/unit/io/io_topology_util.c \
	tests/unit/io/io_topology_util.h \
	tests/unit/model_util.c \
	tests/unit/model_util.h \
	tests/unit/proof_brute.c \
	tests/unit/proof_brute.h \
	tests/unit/proof_random.c \
	tests/unit/proof_random.h \
	tests/unit/rebuild.c \
	tests/unit/rebuild.h \
	tests/unit/route.h \
	tests/unit/shapes/rings_check.h \
	tests/unit/sim/sim_util.h \
	tests/unit/standing/thinned.h \
	tests/unit/stored/stored_util.h \
	tests/unit/subnets/subnets_util.h \
	tests/unit/suite.c \
	tests/unit/suite.h \
	tests/unit/suite_main.c \
	tests/unit/transition/pairs.h \
	tests/unit/worth/pattern_util.c \
	tests/unit/worth/pattern_util.h
UNIT_LIBS = libunit.la libweft_more.la libweft_core.la
LDADD = $(UNIT_LIBS) -lm

# A subnet stands in for the adapter, and its clock for the real one.
if WITH_UMAD
check_LTLIBRARIES += libsubnet.la
endif
libsubnet_la_SOURCES = \
	tests/unit/capture/subnet_make.c \
	tests/unit/capture/subnet_util.c \
	tests/unit/capture/subnet_util.h
libsubnet_la_CPPFLAGS = $(AM_CPPFLAGS) $(UMAD_CFLAGS)
subnet_libs = libsubnet.la libweft_capture.la $(UNIT_LIBS) $(UMAD_LIBS)
wrap_subnet = \
	-Wl,--wrap=umad_init,--wrap=umad_get_port,--wrap=umad_release_port \
	-Wl,--wrap=umad_open_port,--wrap=umad_close_port \
	-Wl,--wrap=umad_register,--wrap=umad_send,--wrap=umad_recv \
	-Wl,--wrap=ibnd_discover_fabric,--wrap=ibnd_destroy_fabric \
	-Wl,--wrap=clock_gettime,--wrap=usleep
tests_unit_capture_test_asking_CPPFLAGS = $(AM_CPPFLAGS) $(UMAD_CFLAGS)
tests_unit_capture_test_asking_LDFLAGS = $(AM_LDFLAGS) $(wrap_subnet)
tests_unit_capture_test_asking_LDADD = $(subnet_libs)
tests_unit_capture_test_capture_CPPFLAGS = $(AM_CPPFLAGS) $(UMAD_CFLAGS)
tests_unit_capture_test_capture_LDFLAGS = $(AM_LDFLAGS) $(wrap_subnet)
tests_unit_capture_test_capture_LDADD = $(subnet_libs)
tests_unit_capture_test_files_CPPFLAGS = $(AM_CPPFLAGS) $(UMAD_CFLAGS)
tests_unit_capture_test_files_LDFLAGS = $(AM_LDFLAGS) $(wrap_subnet)
tests_unit_capture_test_files_LDADD = $(subnet_libs)
tests_unit_capture_test_mads_CPPFLAGS = $(AM_CPPFLAGS) $(UMAD_CFLAGS)
tests_unit_capture_test_mads_LDFLAGS = $(AM_LDFLAGS) $(wrap_subnet)
tests_unit_capture_test_mads_LDADD = $(subnet_libs)

tests_unit_capture_test_journal_LDADD = libweft_capture.la $(UNIT_LIBS)
tests_unit_draw_test_draw_LDADD = libunit.la libweft_draw.la libweft_page.la \
	libweft_more.la libweft_core.la -lm
tests_unit_io_test_io_topology_write_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_io_test_io_topology_write_LDADD = $(UNIT_LIBS) $(JANSSON_LIBS)
tests_unit_worth_test_model_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_unit_worth_test_sampling_LDADD = $(UNIT_LIBS) $(GSL_LIBS) -lm -lpthread
tests_unit_page_test_page_LDADD = libunit.la libweft_page.la libweft_core.la -lm
tests_unit_report_test_report_LDADD = libweft_report.la libweft_page.la \
	$(UNIT_LIBS) -lm
tests_unit_sim_test_sim_ship_SOURCES = tests/unit/sim/test_sim_ship.c \
	src/tools/sim/ship.c src/tools/sim/ship.h
tests_unit_worth_test_patterns_random_LDADD = $(UNIT_LIBS) $(GSL_LIBS) -lm

# Every allocation of the library is seen, and can be refused, by the tests.
wrap_memory = \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free \
	-Wl,--wrap=aligned_alloc,--wrap=strdup,--wrap=strndup \
	-Wl,--wrap=weft__arena_alloc,--wrap=weft__arena_zalloc \
	-Wl,--wrap=weft__arena_free
tests_unit_capture_test_capture_memory_CPPFLAGS = $(AM_CPPFLAGS) $(UMAD_CFLAGS)
tests_unit_capture_test_capture_memory_LDFLAGS = $(AM_LDFLAGS) $(wrap_memory) \
	$(wrap_subnet)
tests_unit_capture_test_capture_memory_LDADD = $(subnet_libs)
tests_unit_core_test_memory_LDFLAGS = $(AM_LDFLAGS) $(wrap_memory)
tests_unit_core_test_memory_moving_LDFLAGS = $(AM_LDFLAGS) $(wrap_memory)
tests_unit_core_test_memory_moving_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_unit_core_test_memory_tables_LDFLAGS = $(AM_LDFLAGS) $(wrap_memory)
tests_unit_core_test_memory_tables_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
