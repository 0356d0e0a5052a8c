// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, below one switch
 *
 * Ordered by the hops from one switch everybody has a common switch above, so
 * that no valley is needed and nothing can fail.  On what is no tree one switch
 * is as close to the hosts as another, but an order below one of them may be
 * far better than below the next: several, from the first to the last by
 * closeness, are tried by one pass of balance, and the one with the lowest peak
 * is routed in earnest.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"

#include <weft/diag.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define ROOTS 16	/* at most, */
#define TRYING 0.25	/* of the budget */

static bool order_below(const struct weft__weave *w, uint32_t root,
			struct weft_arena *arena,
			struct weft__closeness *close)
{
	uint32_t nsw = w->f->nsw;
	uint32_t *place = weft__arena_alloc(arena, nsw, sizeof(*place));
	uint32_t *by_place = weft__arena_alloc(arena, nsw, sizeof(*by_place));

	if (!place || !by_place)
		return false;
	memcpy(by_place, w->close.by_place, nsw * sizeof(*by_place));
	by_place[w->close.place[root]] = by_place[0];
	by_place[0] = root;
	*close = w->close;
	close->place = place;
	close->by_place = by_place;
	return weft__closeness_one_root(close, arena);
}

/* Trees below a root, balanced in so many passes. */
static int route_below(const struct weft__weave *w, uint32_t root, long passes,
		       struct weft_arena *arena, struct weft__woven *out)
{
	struct weft__closeness close;

	*out = (struct weft__woven){ .trees = { 0 } };
	if (!order_below(w, root, arena, &close) ||
	    !weft__ways_init(&out->ways, w->f, arena, close.place) ||
	    !weft__trees_list(w->f, arena, w->facts.order, &out->trees) ||
	    !weft__balance_init(&out->balance, w->f, arena))
		return -ENOMEM;
	weft__balance_endports(&out->balance, &out->ways, &out->trees, passes);
	return 0;
}

/* The geometric mean of the highest load and the root of the mean square: what
 * peaks and crowds cost. */
static double cost_of(const struct weft__balance *b)
{
	uint64_t most = 0;

	for (uint32_t e = 0; e < b->fabric->adj_first[b->fabric->nsw]; e++)
		most = b->weight[e] > most ? b->weight[e] : most;
	return weft__balance_squares(b) * (most >> 12) * (most >> 12);
}

static int measure(const struct weft__weave *w, uint32_t root, double *cost)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft__woven woven;
	int err = arena ? route_below(w, root, 1, arena, &woven) : -ENOMEM;

	if (!err)
		*cost = cost_of(&woven.balance);
	weft__arena_free(arena);
	return err;
}

/* What it takes to try one. */
static double work_of_one(const struct weft__weave *w)
{
	return weft__woven_work(w) / (w->passes + 1) +
	       2.0 * w->f->nsw * w->facts.edges;
}

static uint32_t count_roots(const struct weft__weave *w)
{
	double n = w->budget * TRYING / work_of_one(w);

	if (n > ROOTS)
		n = ROOTS;
	if (n > w->f->nsw)
		n = w->f->nsw;
	return n < 1 ? 1 : n;
}

static int find_root(const struct weft__weave *w, uint32_t *root)
{
	uint32_t n = count_roots(w);
	double least = 0;
	int err = 0;

	for (uint32_t i = 0; i < n && !err; i++) {
		uint32_t s = w->close.by_place[(uint64_t)i * w->f->nsw / n];
		double cost = 0;

		if (n > 1)
			err = measure(w, s, &cost);
		if (!i || cost < least) {
			least = cost;
			*root = s;
		}
	}
	return err;
}

static double work(const struct weft__weave *w)
{
	return weft__woven_work(w) + work_of_one(w) * count_roots(w);
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__closeness close;
	struct weft__woven woven = { .trees = { 0 } };
	uint32_t root = 0;
	int err = w->is_root ? 0 : find_root(w, &root);

	if (err)
		return err;
	if (w->is_root)
		root = w->close.by_place[0];
	if (!order_below(w, root, w->arena, &close) ||
	    !weft__ways_init(&woven.ways, w->f, w->arena, close.place))
		return -ENOMEM;
	err = weft__woven_balance(w, &woven);
	weft_explain(w->diag, "below 0x%016" PRIx64 " %s", w->f->sw[root].guid,
		     w->f->sw[root].name);
	return err ? err : weft__woven_tables(w, &woven, out);
}

const struct weft__strategy weft__strategy_roots = {
	.name = "roots",
	.about = "direct networks in one lane",
	.promise = 2,
	.work = work,
	.build = build,
};
