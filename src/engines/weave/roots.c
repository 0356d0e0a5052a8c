// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, below one switch
 *
 * Ordered by the hops from one switch everybody has a common switch above, so
 * that no valley is needed and nothing can fail.  On what is no tree one switch
 * is as close to the hosts as another, but an order below one of them may be
 * far better than below the next: several, from the first to the last by
 * closeness, are tried by one pass of balance, and those with the lowest loads
 * are routed in earnest, a variant each, for the judge.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"

#include <weft/diag.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define ROUNDS 8	/* of relief, of roots that are only tried: */
#define ROOTS 32	/* of these, at most, */
#define TRYING 0.2	/* of the budget */

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
	    !weft__trees_list(w->f, arena, w->order, &out->trees) ||
	    !weft__balance_init(&out->balance, w->f, arena))
		return -ENOMEM;
	weft__balance_endports(&out->balance, &out->ways, &out->trees, passes);
	weft__balance_relieve(&out->balance, &out->ways, &out->trees, ROUNDS);
	return 0;
}

/* What crowds and peaks cost, for comparison. */
static double cost_of(const struct weft__balance *b)
{
	uint64_t most = 0;

	for (uint32_t e = 0; e < b->fabric->adj_first[b->fabric->nsw]; e++)
		most = b->weight[e] > most ? b->weight[e] : most;
	return weft__balance_squares(b) * (most >> 12);
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
	double trees = w->facts.edges / 2.0 + (2.0 + 3.0 * ROUNDS) * w->f->nsw;

	return w->facts.lids * trees + 2.0 * w->f->nsw * w->facts.edges;
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

/* Puts a root among the best so far. */
static void insert(uint32_t *root, double *cost, uint32_t s, double cost_of_s)
{
	unsigned i = WEFT__ROOTS - 1;

	if (root[i] != WEFT_NONE && cost_of_s >= cost[i])
		return;
	for (; i && (root[i - 1] == WEFT_NONE || cost_of_s < cost[i - 1]); i--) {
		root[i] = root[i - 1];
		cost[i] = cost[i - 1];
	}
	root[i] = s;
	cost[i] = cost_of_s;
}

static int find_roots(struct weft__weave *w)
{
	uint32_t n = w->is_root ? 1 : count_roots(w);
	double cost[WEFT__ROOTS], cost_of_s = 0;
	int err = 0;

	w->roots = weft__arena_alloc(w->kept, WEFT__ROOTS, sizeof(*w->roots));
	if (!w->roots)
		return -ENOMEM;
	memset(w->roots, 0xff, WEFT__ROOTS * sizeof(*w->roots));
	for (uint32_t i = 0; i < n && !err; i++) {
		uint32_t s = w->close.by_place[(uint64_t)i * w->f->nsw / n];

		if (n > 1)
			err = measure(w, s, &cost_of_s);
		insert(w->roots, cost, s, cost_of_s);
	}
	return err;
}

static double work(const struct weft__weave *w)
{
	return weft__woven_work(w) + (w->variant ? 0 : work_of_one(w) *
						   count_roots(w));
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__closeness close;
	struct weft__woven woven = { .trees = { 0 } };
	int err = w->variant ? 0 : find_roots(w);
	uint32_t root;

	if (err)
		return err;
	root = w->roots[w->variant];
	if (root == WEFT_NONE)
		return -ENOTSUP;
	if (!order_below(w, root, w->arena, &close) ||
	    !weft__ways_init(&woven.ways, w->f, w->arena, close.place))
		return -ENOMEM;
	err = weft__woven_balance(w, &woven);
	weft_explain(w->diag, "below 0x%016" PRIx64 " %s", w->f->sw[root].guid,
		     w->f->sw[root].name);
	return err ? err : weft__woven_tables(w, &woven, out);
}

static double promise(const struct weft__weave *w)
{
	(void)w;
	return 2;
}

const struct weft__strategy weft__strategy_roots = {
	.name = "roots",
	.about = "direct networks in one lane",
	.promise = promise,
	.work = work,
	.build = build,
	.variants = WEFT__ROOTS,
};
