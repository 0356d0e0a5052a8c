if HAVE_CUNIT
layers_tests = \
	tests/unit/test_components \
	tests/unit/test_layers \
	tests/unit/test_layering \
	tests/unit/test_methods \
	tests/unit/test_order \
	tests/unit/test_outcome \
	tests/unit/test_proof \
	tests/unit/test_proof_random \
	tests/unit/test_compare \
	tests/unit/test_subnets \
	tests/unit/test_subnets_worth \
	tests/unit/test_redundancy \
	tests/unit/test_stay \
	tests/unit/test_vls
check_PROGRAMS += $(layers_tests)
TESTS += $(layers_tests)
layers_cppflags = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
layers_ldadd = libweft_more.la libweft_core.la $(CUNIT_LIBS)
layers_random = tests/unit/proof_random.c tests/unit/proof_random.h \
	tests/unit/suite.h

tests_unit_test_components_SOURCES = tests/unit/test_components.c \
	$(layers_random)
tests_unit_test_components_CPPFLAGS = $(layers_cppflags)
tests_unit_test_components_LDADD = $(layers_ldadd)
tests_unit_test_layers_SOURCES = tests/unit/test_layers.c $(layers_random)
tests_unit_test_layers_CPPFLAGS = $(layers_cppflags)
tests_unit_test_layers_LDADD = $(layers_ldadd)
tests_unit_test_proof_SOURCES = tests/unit/test_proof.c $(layers_random)
tests_unit_test_proof_CPPFLAGS = $(layers_cppflags)
tests_unit_test_proof_LDADD = $(layers_ldadd)
tests_unit_test_proof_random_SOURCES = tests/unit/test_proof_random.c \
	tests/unit/proof_brute.c tests/unit/proof_brute.h $(layers_random)
tests_unit_test_proof_random_CPPFLAGS = $(layers_cppflags)
tests_unit_test_proof_random_LDADD = $(layers_ldadd)
tests_unit_test_compare_SOURCES = tests/unit/test_compare.c \
	tests/unit/route.h $(layers_random)
tests_unit_test_compare_CPPFLAGS = $(layers_cppflags)
tests_unit_test_compare_LDADD = $(layers_ldadd)
tests_unit_test_subnets_SOURCES = tests/unit/test_subnets.c \
	tests/unit/subnets_util.h \
	tests/unit/route.h $(layers_random)
tests_unit_test_subnets_CPPFLAGS = $(layers_cppflags)
tests_unit_test_subnets_LDADD = $(layers_ldadd)
tests_unit_test_subnets_worth_SOURCES = tests/unit/test_subnets_worth.c \
	tests/unit/route.h $(layers_random)
tests_unit_test_subnets_worth_CPPFLAGS = $(layers_cppflags)
tests_unit_test_subnets_worth_LDADD = $(layers_ldadd)
tests_unit_test_redundancy_SOURCES = tests/unit/test_redundancy.c \
	tests/unit/route.h $(layers_random)
tests_unit_test_redundancy_CPPFLAGS = $(layers_cppflags)
tests_unit_test_redundancy_LDADD = $(layers_ldadd)
tests_unit_test_stay_SOURCES = tests/unit/test_stay.c $(layers_random)
tests_unit_test_stay_CPPFLAGS = $(layers_cppflags)
tests_unit_test_stay_LDADD = $(layers_ldadd)
tests_unit_test_vls_SOURCES = tests/unit/test_vls.c tests/unit/route.h \
	tests/unit/proof_brute.c tests/unit/proof_brute.h $(layers_random)
tests_unit_test_vls_CPPFLAGS = $(layers_cppflags)
tests_unit_test_vls_LDADD = $(layers_ldadd)
tests_unit_test_order_SOURCES = tests/unit/test_order.c $(layers_random)
tests_unit_test_order_CPPFLAGS = $(layers_cppflags)
tests_unit_test_order_LDADD = $(layers_ldadd)
tests_unit_test_outcome_SOURCES = tests/unit/test_outcome.c $(layers_random)
tests_unit_test_outcome_CPPFLAGS = $(layers_cppflags)
tests_unit_test_outcome_LDADD = $(layers_ldadd)
tests_unit_test_methods_SOURCES = tests/unit/test_methods.c $(layers_random)
tests_unit_test_methods_CPPFLAGS = $(layers_cppflags)
tests_unit_test_methods_LDADD = $(layers_ldadd)
tests_unit_test_layering_SOURCES = tests/unit/test_layering.c \
	tests/unit/rebuild.c tests/unit/rebuild.h $(layers_random)
tests_unit_test_layering_CPPFLAGS = $(layers_cppflags)
tests_unit_test_layering_LDADD = $(layers_ldadd)
endif
