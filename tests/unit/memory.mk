# Every allocation of the library is seen, and can be refused, by the test.
if HAVE_CUNIT
memory_tests = tests/unit/test_memory
check_PROGRAMS += $(memory_tests)
TESTS += $(memory_tests)
tests_unit_test_memory_SOURCES = tests/unit/test_memory.c tests/unit/suite.h
tests_unit_test_memory_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
tests_unit_test_memory_LDADD = libweft_more.la libweft_core.la $(CUNIT_LIBS)
tests_unit_test_memory_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free \
	-Wl,--wrap=aligned_alloc,--wrap=strdup,--wrap=strndup \
	-Wl,--wrap=weft__arena_alloc,--wrap=weft__arena_zalloc
endif
