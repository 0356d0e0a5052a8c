/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tiny fabrics and naive routes for the tests of the congestion model. */
#ifndef TESTS_UNIT_MODEL_UTIL_H
#define TESTS_UNIT_MODEL_UTIL_H

#include "suite.h"

#include <weft/weft.h>

/*
 * nsw switches, hosts[s] hosts on switch s, and cables between the switches
 * in the n pairs of cable[].  Host LIDs are 1 .. in ascending id, times
 * 2^lmc, those of switches follow.  Aborts without memory.
 */
struct weft_fabric *test_fabric(unsigned nsw, const unsigned *hosts,
				const unsigned (*cable)[2], unsigned n,
				unsigned lmc);

/* Shortest paths by flooding, one destination at a time; of several good ports
 * the one that (LID + switch + salt) chooses. */
void test_route(const struct weft_fabric *f, unsigned salt,
		struct weft_routes *routes);

/*
 * Mean and standard deviation over every possible bisection pattern, each
 * counted once; routes are walked one by one.  f must have few hosts: takes
 * hosts! steps.
 */
struct test_exact {
	double mean, stddev;
};
struct test_exact test_exact_ebb(const struct weft_fabric *f,
				 const struct weft_routes *routes);

/* What tables are worth to a basket. */
double test_basket_worth(const struct weft_fabric *f,
			 const struct weft_routes *routes,
			 const struct weft_basket_spec *spec);

#endif
