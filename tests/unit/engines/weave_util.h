/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the tests of weave have in common: fabrics, routes, what these are
 * worth, and the properties that all of them have. */
#ifndef TESTS_UNIT_WEAVE_UTIL_H
#define TESTS_UNIT_WEAVE_UTIL_H

#include <weft/weft.h>

/* All traffic counts: of endports and switches, to both. */
extern const struct weft_proof_spec weave_everything;

#define WEAVE_COUNTS 4

extern const unsigned weave_lanes[WEAVE_COUNTS];

/* Complains about, and ends with, descriptions that are not understood. */
struct weft_fabric *weave_fabric(const char *spec);

/* Puts that many cables between two switches; how many. */
unsigned weave_join(unsigned (*cable)[2], unsigned a, unsigned b,
		    unsigned times);

/* Routes, by some options more, with commas between; NULL: none. */
int weave_route(const struct weft_fabric *f, unsigned lanes, const char *options,
		struct weft_routes *r, struct weft_diag *diag);

/* Everyone reaches everyone, in no more lanes than that, the same for both
 * directions, without a credit loop. */
void weave_judge(const char *what, const struct weft_fabric *f,
		 const struct weft_routes *r, unsigned lanes);

bool weave_same(const struct weft_fabric *f, const struct weft_routes *a,
		const struct weft_routes *b);

/* What random bisections say of tables, and of psssp's, which have credit
 * loops. */
double weave_worth(const struct weft_fabric *f, const struct weft_lft *lft);
double weave_worth_of_psssp(const struct weft_fabric *f);

#endif
