/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The contest of strategies: which routes are worth most. */
#ifndef WEFT_ENGINES_WEAVE_JUDGE_H
#define WEFT_ENGINES_WEAVE_JUDGE_H

#include "engines/weave/weave.h"

/* The best that a strategy has made, or the last that won. */
struct weft__entry {
	const char *name;
	bool found;
	bool cut;		/* work did not last to ease what it made last */
	unsigned lanes;
	struct weft_worth worth;
	const char *verdict;
};

struct weft__contest {
	struct weft__weave *w;
	struct weft_basket *basket;	/* NULL: too few hosts to judge */
	double judging;		/* what it looks at to judge routes */
	struct weft_routes routes;	/* the best */
	struct weft__entry *best;	/* whose they are; NULL: none is found
					 * yet */
	bool judged;		/* the worth of the best is known */
	bool finished;		/* all work for easing went into the best */
	double last;		/* worth of what was judged last; 0: of nothing
				 * yet */
	double plain;		/* the most that tables are worth which a strategy
				 * made, before easing, */
	double plain_to_kinds;	/* and what these are to all but uniform traffic */
};

/*
 * Enters routes, which are taken over if they win: judges them, and what easing
 * makes of them step by step, unless they are worth so little that this cannot
 * help.  The first ones win in any case, and are not judged as long as there is
 * nothing to compare them with.  last: no others will be entered, so that they
 * are eased as far as the best ones are in the end.  Returns 0 or -errno.
 */
int weft__contest_enter(struct weft__contest *contest,
			struct weft__entry *entry, struct weft_routes *routes,
			bool last);

/* Eases the best routes further if work did not last for that, and enters what they
 * are if streams of shifts meet less often.  Returns 0 or -errno. */
int weft__contest_finish(struct weft__contest *contest);

/* Judges the best routes so far, if nobody did.  Returns 0 or -errno. */
int weft__contest_judge(struct weft__contest *contest);

#endif
