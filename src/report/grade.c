// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: grades
 *
 * Two, in this order, because the second means nothing without the first: are
 * the tables safe, and are they good?  Correct tables may still be worth a
 * quarter of what others would give.
 *
 * Good is a share: what the tables are worth of what the best engine compared
 * that is safe gives, the tables themselves included.  What is possible is known
 * of uniform traffic alone, within a per cent: the bound of the whole basket is
 * far above what any tables are known to reach, so that the best of them would be
 * red by it.  So that share is told beside the other one, and counts where there
 * is nothing to compare with.
 */
#include "report/grade.h"

#include <math.h>

/* The share of the best; < 0: there is none. */
static double share_of(double worth, double best)
{
	double most = worth > best ? worth : best;

	return worth < 0 || best < 0 || most <= 0 ? -1 : worth / most;
}

static enum weft__colour colour_of(double share)
{
	return share < 0		  ? WEFT__UNGRADED :
	       share >= WEFT__GREEN_SHARE ? WEFT__GREEN :
	       share >= WEFT__AMBER_SHARE ? WEFT__AMBER :
					    WEFT__RED;
}

struct weft__grade weft__grade(const struct weft__graded *of)
{
	double share = share_of(of->worth, of->best);
	bool by_bound = share < 0 && of->worth >= 0 && isfinite(of->of_bound);

	if (by_bound)
		share = of->of_bound;

	return (struct weft__grade){
		.safe = !of->fine		? WEFT__RED :
			!of->fine_with_switches ? WEFT__AMBER :
						  WEFT__GREEN,
		.good = colour_of(share),
		.share = share > 0 ? share : 0,
		.by_bound = by_bound,
	};
}

const char *weft__colour_name(enum weft__colour colour)
{
	static const char *const names[] = {
		[WEFT__UNGRADED] = "unknown", [WEFT__GREEN] = "green",
		[WEFT__AMBER] = "amber", [WEFT__RED] = "red",
	};

	return names[colour];
}
