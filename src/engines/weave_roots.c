// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, below which switch
 *
 * On random graphs, dragonflies and the like one switch is as close to the hosts
 * as another, but an order below one of them may be far better than below the
 * next.  Where all comes to one lane, and all switches have hosts, roots from the
 * first to the last of the order are tried, 32, and bisections tell which is
 * best.  Above 1000 endports it is 4, and only the one with the least sum of
 * squares of loads is compared with the order so far.
 *
 * Effective bisection bandwidth in one lane (200 patterns), and user time of weft
 * route, before and now:
 *	random:43x12,24			.553 .09	.563 .21
 *	random:58x11,15,seed=197	.121 .12	.136 .31
 *	random:120x3,6,seed=90		.107 .14	.120 .41
 *	random:84x12,15,seed=340	.046 .02	.053 .04
 *	random:250x12,36		.592 .23	.597 .31
 *	random:250x12,24		.313 .15	.323 .24
 *	dragonfly:8,8,4,17		.394 .05	.399 .07
 *	dragonfly:8,4,4,33		.462 .07	.490 .13
 *	dragonfly:6,1,1,7,seed=707,fail-switches=5
 *					.673 .01	.713 .10
 * Tried: the model in place of bisections: it takes the order of 84x12 for better
 * than 23 of 24 others, .0637 where it has .045.  The best four by loads, of 32:
 * .050, .133, .557 on three of these.  Loads of a quarter of the destinations:
 * .318 on 250x12,24, .394 on dragonfly:8,8,4,17.
 */
#include "engines/weave.h"

#include "core/arena.h"
#include "trees/worth.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>

#define ROOTS 32
#define LARGE_ROOTS 4
#define SURE 1.003	/* times as much is more than chance */

static uint32_t root_at(const struct weft__weave *w, uint32_t i, uint32_t n)
{
	return w->close.by_place[(uint64_t)i * w->f->nsw / n];
}

/* What the order below a root is worth, or how its loads are spread. */
static int measure(const struct weft__weave *w, uint32_t root, double *worth,
		   double *squares)
{
	struct weft__weave other = *w;
	struct weft__closeness close;
	struct weft__woven out;
	int err = -ENOMEM;

	other.arena = weft__arena_new();
	if (other.arena)
		err = weft__weave_route_below(&other, root, &close, &out);
	if (!err && squares)
		*squares = weft__balance_squares(&out.balance);
	if (!err && worth)
		err = weft__trees_worth(w->f, &out.trees, worth);
	weft__arena_free(other.arena);
	return err;
}

/* The root by which loads are spread best; none if the order so far is below
 * one, too, and does it better. */
static int find_by_loads(const struct weft__weave *w, uint32_t n,
			 uint32_t *best)
{
	double least = w->close.one_root ?
		weft__balance_squares(&w->ordered.balance) : DBL_MAX;
	int err = 0;

	for (uint32_t i = 0; i < n && !err; i++) {
		uint32_t root = root_at(w, i, n);
		double squares;

		err = measure(w, root, NULL, &squares);
		if (!err && squares < least) {
			least = squares;
			*best = root;
		}
	}
	return err;
}

static bool is_better(const struct weft__weave *w, uint32_t root, double worth,
		      double so_far)
{
	weft_explain(w->diag, "1 lane, below 0x%016" PRIx64 " %s: bisections "
		     "tried: bandwidth %.4f, %.4f so far", w->f->sw[root].guid,
		     w->f->sw[root].name, worth, so_far);
	return worth > so_far * SURE;
}

/* The root that is worth most, if that is more than most. */
static int find_by_worth(const struct weft__weave *w, uint32_t n, double most,
			 uint32_t *best)
{
	int err = 0;

	for (uint32_t i = 0; i < n && !err; i++) {
		uint32_t root = root_at(w, i, n);
		double worth;

		err = measure(w, root, &worth, NULL);
		if (!err && is_better(w, root, worth, most)) {
			most = worth;
			*best = root;
		}
	}
	return err;
}

/* Takes the order below that root; where it was found by loads, if it is worth
 * more than so far. */
static int take(struct weft__weave *w, uint32_t root, bool by_loads,
		double so_far)
{
	struct weft__closeness close;
	struct weft__woven out;
	double worth;
	int err = weft__weave_route_below(w, root, &close, &out);

	if (!err && by_loads)
		err = weft__trees_worth(w->f, &out.trees, &worth);
	if (err || (by_loads && !is_better(w, root, worth, so_far)))
		return err;
	w->close = close;
	w->ordered = out;
	return 0;
}

static int try_roots(struct weft__weave *w)
{
	bool large = weft__weave_is_large(w->f);
	uint32_t n = large ? LARGE_ROOTS : ROOTS, root = WEFT_NONE;
	double worth = 0;
	int err = large ? find_by_loads(w, n < w->f->nsw ? n : w->f->nsw,
					&root) : 0;

	if (err || (large && root == WEFT_NONE))
		return err;
	err = weft__trees_worth(w->f, &w->ordered.trees, &worth);
	if (!err && !large)
		err = find_by_worth(w, n < w->f->nsw ? n : w->f->nsw, worth,
				    &root);
	return err || root == WEFT_NONE ? err : take(w, root, large, worth);
}

int weft__weave_reroot(struct weft__weave *w)
{
	int err;

	if (w->rerooted || w->is_root || !w->detours || !w->effort ||
	    (weft__weave_is_large(w->f) && w->ordered.improved) ||
	    weft__weave_may_have_levels(w->f))
		return 0;
	w->rerooted = true;
	err = weft__weave_route_ordered(w);
	return err ? err : try_roots(w);
}
