reproduce_programs += tests/reproduce/fattrees
tests_reproduce_fattrees_SOURCES = tests/reproduce/fattrees.c
tests_reproduce_fattrees_LDADD = libweft.la
dist_check_SCRIPTS += tests/reproduce/fattrees.sh
TESTS += tests/reproduce/fattrees.sh
