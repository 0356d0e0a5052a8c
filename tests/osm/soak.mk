# Events at random under the real opensm, and a judge that shares no code with weft.
check_PROGRAMS += tests/osm/soak/events tests/osm/soak/judge
tests_osm_soak_events_SOURCES = tests/osm/soak/events.c \
	tests/osm/soak/model.c tests/osm/soak/model.h
tests_osm_soak_judge_SOURCES = tests/osm/soak/changes.c \
	tests/osm/soak/dumps.c tests/osm/soak/dumps.h tests/osm/soak/judge.c
check_LTLIBRARIES += tests/osm/soak/earlier.la
tests_osm_soak_earlier_la_SOURCES = tests/osm/soak/earlier.c
tests_osm_soak_earlier_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_osm_soak_earlier_la_LIBADD = -ldl
soak_scripts = tests/osm/soak/run tests/osm/soak/step tests/osm/soak/table
EXTRA_DIST += $(soak_scripts)
if HAVE_OPENSM
TESTS += tests/osm/soak.sh
endif
dist_check_SCRIPTS += tests/osm/soak.sh
