// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, minimal routes in lanes
 *
 * With lanes to spare routes need not follow one order: minimal routes are
 * shorter, and on what is no tree they do not crowd the middle.  They are those
 * of psssp, balanced in passes, with their peaks taken down; each lane gets an
 * order of the switches such that nearly all pairs find a lane (orders.c), and
 * the others get other ways (fit.c).
 *
 * Balance sends all that goes from one part of the fabric to another by the
 * channel between these, if there is one, which shifts and neighbours crowd
 * while others are idle.  Every switch may share out destinations evenly over
 * its ports instead, whatever the loads are farther on; then only peaks are
 * taken down.  On dragonflies that is worth 2 to 11 % more.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"

#include <errno.h>

#define ROUNDS 8	/* of relief: more would undo the even shares */

/* The port of all of a plan's runs that has the fewest destinations. */
static uint32_t least_used(const struct weft__run *run, unsigned nruns,
			   uint32_t first, const uint32_t *count)
{
	uint32_t best = first + run->start;

	for (; nruns; nruns--, run++) {
		uint32_t e = first + run->start, end = e + run->length;

		for (; e < end; e++)
			best = count[e] < count[best] ? e : best;
	}
	return best;
}

/* Every switch for itself shares out destinations evenly over its ports. */
static int share_out(struct weft__weave *w, struct weft__woven *out)
{
	const struct weft_fabric *f = w->f;
	uint32_t *count = weft__arena_zalloc(w->arena, w->facts.edges + 1ull,
					     sizeof(*count));

	if (!count || !weft__trees_list(f, w->arena, w->order, &out->trees) ||
	    !weft__balance_init(&out->balance, f, w->arena))
		return -ENOMEM;
	for (uint32_t d = 0; d < out->trees.nendports; d++) {
		const struct weft__tree *t = &out->trees.tree[d];
		const struct weft__plan *plan =
			weft__ways_to(&out->ways, t->root);
		const struct weft__run *run = plan->run;

		for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++]) {
			uint32_t s = plan->order[i + 1];
			uint32_t first = f->adj_first[s];
			uint32_t e = least_used(run, plan->nruns[i], first,
						count);

			count[e]++;
			t->choice[s] = e - first;
		}
		weft__balance_load(&out->balance, plan, t->choice, 1);
	}
	weft__balance_relieve(&out->balance, &out->ways, &out->trees, ROUNDS);
	weft__balance_switches(&out->balance, &out->ways, &out->trees);
	return 0;
}

static double work(const struct weft__weave *w)
{
	return weft__woven_work(w) + weft__fit_work(w) +
	       2.0 * w->f->nsw * w->facts.edges;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__woven woven = { .trees = { 0 } };
	struct weft__orders orders;
	bool found;
	int err;

	if (!weft__ways_init(&woven.ways, w->f, w->arena, NULL))
		return -ENOMEM;
	err = w->variant ? share_out(w, &woven) :
		weft__woven_balance(w, &woven);
	if (err)
		return err;
	if (!weft__orders_choose(&orders, &woven.ways, &w->close, w->lanes,
				 w->arena))
		return -ENOMEM;
	err = weft__fit(w, &woven, &orders, NULL, out, &found);
	return err ? err : found ? 0 : -ENOTSUP;
}

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root && w->lanes == 1)
		return "roots are given";
	return w->facts.lids < 2 ? "there are no pairs" : NULL;
}

/* Less in one lane, where most ways would close cycles, and where switches
 * without hosts make a tree. */
static double promise(const struct weft__weave *w)
{
	return w->lanes == 1 ? 1 : w->facts.bare ? 4 : 8;
}

const struct weft__strategy weft__strategy_minimal = {
	.name = "minimal",
	.about = "whatever is no tree, in several lanes",
	.promise = promise,
	.refuses = refuses,
	.work = work,
	.build = build,
	.variants = 2,
	.orders = true,
};
