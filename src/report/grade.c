// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: grades
 *
 * Two, in this order, because the second means nothing without the first: are
 * the tables safe, and are they good?  Correct tables may still be worth a
 * quarter of what others would give.
 *
 * Good is a share: what the tables are worth of what the best engine compared
 * that is safe gives, the tables themselves included.
 */
#include "report/grade.h"

static enum weft__colour colour_of(double share)
{
	return share >= WEFT__GREEN_SHARE ? WEFT__GREEN :
	       share >= WEFT__AMBER_SHARE ? WEFT__AMBER : WEFT__RED;
}

/* The safe tables that are worth most; NULL: there are none. */
static const struct weft_compared *best_of(const struct weft_comparison *c)
{
	const struct weft_compared *best = NULL;

	for (unsigned i = 0; i < weft_comparison_rows(c); i++) {
		const struct weft_compared *k = weft_comparison_row(c, i);

		if (k->state == WEFT_COMPARED && k->sound &&
		    (!best || k->worth.mean > best->worth.mean))
			best = k;
	}
	return best;
}

struct weft__grade weft__report_grade(const struct weft__report *r)
{
	struct weft__grade g = { .good = WEFT__UNGRADED, .share = 0 };
	double most = r->has_traffic ? r->worth.mean : 0;

	g.safe = !weft_proof_holds(&r->proof) ? WEFT__RED :
		 !r->fine_with_switches	      ? WEFT__AMBER :
						WEFT__GREEN;
	if (!r->has_traffic || !r->comparison)
		return g;
	g.best = best_of(r->comparison);
	if (!g.best)
		return g;
	if (g.best->worth.mean > most)
		most = g.best->worth.mean;
	if (most <= 0)
		return g;
	g.share = r->worth.mean / most;
	g.good = colour_of(g.share);
	return g;
}

const char *weft__colour_name(enum weft__colour colour)
{
	static const char *const names[] = {
		[WEFT__UNGRADED] = "unknown", [WEFT__GREEN] = "green",
		[WEFT__AMBER] = "amber", [WEFT__RED] = "red",
	};

	return names[colour];
}
