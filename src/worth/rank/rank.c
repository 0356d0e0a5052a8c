// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which rows are the best, as far as can be told. */
#include "worth/rank/comparison.h"

#include <weft/worth.h>

#include <stdlib.h>

/* How far a row is from the best one.  Without a round in common nothing can
 * be told, nor of tables that are worth nothing. */
static void measure(const struct weft_comparison *c, struct weft_compared *r)
{
	const struct weft_worth *best = &c->row[c->best].worth;

	r->behind_error = 0;
	r->behind =
		weft_worth_gain(c->basket, &r->worth, best, &r->behind_error);
	r->tied = r->sound && (r->behind <= WEFT__COMPARE_SLIGHT ||
			       r->behind <= 2 * r->behind_error);
}

void weft_comparison_rank(struct weft_comparison *c)
{
	c->best = WEFT__COMPARE_NONE;
	for (unsigned i = 0; i < c->nrows; i++) {
		struct weft_compared *r = &c->row[i];

		r->tied = false;
		r->sound = r->state == WEFT_COMPARED && !r->unreachable &&
			   !r->cyclic && r->lanes <= c->spec.lanes;
		if (r->sound && (c->best == WEFT__COMPARE_NONE ||
				 r->worth.mean > c->row[c->best].worth.mean))
			c->best = i;
	}
	if (c->best == WEFT__COMPARE_NONE)
		for (unsigned i = 0; i < c->nrows; i++)
			if (c->row[i].state == WEFT_COMPARED &&
			    (c->best == WEFT__COMPARE_NONE ||
			     c->row[i].worth.mean > c->row[c->best].worth.mean))
				c->best = i;
	for (unsigned i = 0; i < c->nrows; i++)
		if (c->row[i].state == WEFT_COMPARED)
			measure(c, &c->row[i]);
}

const struct weft_compared *
weft_comparison_best(const struct weft_comparison *c)
{
	const struct weft_compared *best = NULL;

	for (unsigned i = 0; i < c->nrows; i++)
		if (c->row[i].state == WEFT_COMPARED && c->row[i].sound &&
		    (!best || c->row[i].worth.mean > best->worth.mean))
			best = &c->row[i];
	return best;
}

const struct weft_compared **
weft_comparison_sorted(const struct weft_comparison *c)
{
	const struct weft_compared **row = calloc(c->nrows + 1, sizeof(*row));

	for (unsigned i = 0; row && i < c->nrows; i++) {
		const struct weft_compared *r = &c->row[i];
		unsigned at = i;

		for (; at && r->state == WEFT_COMPARED &&
		       (row[at - 1]->state != WEFT_COMPARED ||
			row[at - 1]->worth.mean < r->worth.mean);
		     at--)
			row[at] = row[at - 1];
		row[at] = r;
	}
	return row;
}
