/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Generated fabrics and engines' routes, for CUnit tests. */
#ifndef WEFT_TESTS_ROUTE_H
#define WEFT_TESTS_ROUTE_H

#include "suite.h"

#include <weft/weft.h>

/* A generated fabric; lmc >= 0 sets the LMC of all endports. */
static inline struct weft_fabric *route_fabric(const char *spec, int lmc)
{
	struct weft_fabric *plain = NULL, *f = NULL;

	CU_ASSERT_EQUAL_FATAL(weft_gen(spec, &plain, NULL), 0);
	if (lmc < 0)
		return plain;
	CU_ASSERT_EQUAL_FATAL(weft_fabric_assign_lids(plain, lmc, &f, NULL), 0);
	weft_fabric_free(plain);
	return f;
}

/* What the engine of that name returns with one option set ("name=value", NULL
 * = none). */
static inline int route_saying(const char *name, const char *option,
			       const struct weft_fabric *f,
			       struct weft_routes *out, struct weft_diag *diag)
{
	const struct weft_engine *e = weft_engine_find(name);
	struct weft_options *o;
	int err;

	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_EQUAL_FATAL(weft_options_new(&o, e->options), 0);
	if (option)
		CU_ASSERT_EQUAL_FATAL(weft_options_parse(o, option, NULL),
				      0);
	err = e->route(f, o, out, diag);
	weft_options_free(o);
	return err;
}

/* The same; words (NULL is fine) keeps the last thing it said. */
static inline int route_by(const char *name, const char *option,
			   const struct weft_fabric *f, struct weft_routes *out,
			   struct suite_words *words)
{
	struct weft_diag d = { .emit = suite_hear, .context = words };

	return route_saying(name, option, f, out, words ? &d : NULL);
}

#endif
