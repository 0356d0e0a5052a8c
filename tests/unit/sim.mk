# The packet simulator.
if HAVE_CUNIT
sim_tests = tests/unit/test_sim tests/unit/test_sim_change \
	tests/unit/test_sim_choose tests/unit/test_sim_ends \
	tests/unit/test_sim_loops tests/unit/test_sim_parts \
	tests/unit/test_sim_random \
	tests/unit/test_sim_measures tests/unit/test_sim_rooms \
	tests/unit/test_sim_routers tests/unit/test_sim_schedule \
	tests/unit/test_sim_ship \
	tests/unit/test_sim_sequence tests/unit/test_sim_sizes \
	tests/unit/test_sim_theory tests/unit/test_sim_trace
check_PROGRAMS += $(sim_tests)
TESTS += $(sim_tests)
tests_unit_test_sim_SOURCES = tests/unit/test_sim.c tests/unit/sim_util.h \
	tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS) -lm
tests_unit_test_sim_change_SOURCES = tests/unit/test_sim_change.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_change_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_change_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_choose_SOURCES = tests/unit/test_sim_choose.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_choose_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_choose_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_loops_SOURCES = tests/unit/test_sim_loops.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_loops_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_loops_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_ends_SOURCES = tests/unit/test_sim_ends.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_ends_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_ends_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_parts_SOURCES = tests/unit/test_sim_parts.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_parts_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_parts_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_random_SOURCES = tests/unit/test_sim_random.c \
	tests/unit/proof_random.c tests/unit/proof_random.h tests/unit/suite.h
tests_unit_test_sim_random_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_random_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_measures_SOURCES = tests/unit/test_sim_measures.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_measures_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_measures_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_rooms_SOURCES = tests/unit/test_sim_rooms.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_rooms_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_rooms_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_schedule_SOURCES = tests/unit/test_sim_schedule.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_schedule_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_schedule_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_ship_SOURCES = tests/unit/test_sim_ship.c \
	src/tools/sim/ship.c src/tools/sim/ship.h \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_ship_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_ship_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_sequence_SOURCES = tests/unit/test_sim_sequence.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_sequence_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_sequence_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_sizes_SOURCES = tests/unit/test_sim_sizes.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_sizes_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_sizes_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_theory_SOURCES = tests/unit/test_sim_theory.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_theory_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_theory_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_routers_SOURCES = tests/unit/test_sim_routers.c \
	tests/unit/sim_util.h tests/unit/subnets_util.h tests/unit/route.h \
	tests/unit/suite.h
tests_unit_test_sim_routers_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_routers_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
tests_unit_test_sim_trace_SOURCES = tests/unit/test_sim_trace.c \
	tests/unit/sim_util.h tests/unit/route.h tests/unit/suite.h
tests_unit_test_sim_trace_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_sim_trace_LDADD = libweft_more.la libweft_core.la \
	$(CUNIT_LIBS) -lm
endif
