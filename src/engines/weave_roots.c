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

/* Routes endports by the order below a root. */
static int route_below(struct weft__weave *w, uint32_t root,
		       struct weft__closeness *close, struct weft__woven *out)
{
	*out = (struct weft__woven){ .routed = false };
	if (!weft__weave_below(w, root, w->arena, close) ||
	    !weft__ways_init(&out->ways, w->f, w->arena, close->place))
		return -ENOMEM;
	return weft__weave_balance(w, out, weft__weave_trial_passes(w));
}

static int take(struct weft__weave *w, uint32_t root)
{
	struct weft__closeness close;
	struct weft__woven out;
	int err = route_below(w, root, &close, &out);

	if (err)
		return err;
	w->close = close;
	w->ordered = out;
	return 0;
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
		err = route_below(&other, root, &close, &out);
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

	*best = WEFT_NONE;
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

/* Whether a root is worth more than *most, which becomes what it is. */
static int compare(const struct weft__weave *w, uint32_t root, double *most,
		   bool *better)
{
	double worth;
	int err = measure(w, root, &worth, NULL);

	if (err)
		return err;
	weft_explain(w->diag, "1 lane, below 0x%016" PRIx64 " %s: bisections "
		     "tried: bandwidth %.4f, %.4f so far", w->f->sw[root].guid,
		     w->f->sw[root].name, worth, *most);
	*better = worth > *most * SURE;
	if (*better)
		*most = worth;
	return 0;
}

static int find_by_worth(const struct weft__weave *w, uint32_t n,
			 uint32_t *best)
{
	bool large = weft__weave_is_large(w->f), better;
	uint32_t root = WEFT_NONE;
	double most;
	int err = large ? find_by_loads(w, n, &root) : 0;

	*best = WEFT_NONE;
	if (err || (large && root == WEFT_NONE))
		return err;
	err = weft__trees_worth(w->f, &w->ordered.trees, &most);
	for (uint32_t i = 0; i < (large ? 1 : n) && !err; i++) {
		if (!large)
			root = root_at(w, i, n);
		err = compare(w, root, &most, &better);
		if (!err && better)
			*best = root;
	}
	return err;
}

int weft__weave_reroot(struct weft__weave *w)
{
	bool large = weft__weave_is_large(w->f);
	uint32_t n = large ? LARGE_ROOTS : ROOTS, root;
	int err;

	if (w->rerooted || w->is_root || !w->detours || !w->effort ||
	    (large && w->ordered.improved) || weft__weave_may_have_levels(w->f))
		return 0;
	w->rerooted = true;
	err = weft__weave_route_ordered(w);
	if (!err)
		err = find_by_worth(w, n < w->f->nsw ? n : w->f->nsw, &root);
	return err || root == WEFT_NONE ? err : take(w, root);
}
