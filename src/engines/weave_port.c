// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Minimal trees by port number: where ports follow dimensions, they take one
 * dimension after the other, so that streams that meet stay together. */
#include "engines/weave.h"

#include <errno.h>
#include <string.h>

#define CROWD 1.5	/* times the largest load of balanced trees */

/* The lowest port of each switch that is on a way of the plan. */
static void choose_ports(const struct weft_fabric *f,
			 const struct weft__plan *plan, uint8_t *choice)
{
	const struct weft__run *run = plan->run;

	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1], best = UINT32_MAX;
		const uint32_t *adj = f->adj + f->adj_first[s];

		for (unsigned n = plan->nruns[i]; n; n--, run++) {
			unsigned k = run->start, end = k + run->length;

			for (; k < end; k++) {
				if (adj[k] >= best)
					continue;
				best = adj[k];
				choice[s] = k;
			}
		}
	}
}

/* The most that a cable has to carry. */
static uint64_t most_weight(const struct weft__balance *b)
{
	uint64_t most = 0;

	for (uint32_t e = 0; e < b->fabric->adj_first[b->fabric->nsw]; e++)
		if (b->weight[e] > most)
			most = b->weight[e];
	return most;
}

/* The same way to the root for n LIDs. */
static void route_root(struct weft__woven *out, const struct weft__tree *tree,
		       uint32_t n)
{
	const struct weft_fabric *f = out->balance.fabric;
	const struct weft__plan *plan = weft__ways_to(&out->ways, tree->root);

	choose_ports(f, plan, tree->choice);
	weft__balance_load(&out->balance, plan, tree->choice, n);
	for (uint32_t i = 1; i < n; i++)
		memcpy(tree[i].choice, tree->choice, f->nsw);
}

int weft__weave_by_port(struct weft__weave *w, struct weft__woven *out,
			const struct weft__woven *balanced, bool *crowded)
{
	const struct weft__trees *trees = &out->trees;

	if (!weft__trees_list(w->f, w->arena, w->order, &out->trees) ||
	    !weft__balance_init(&out->balance, w->f, w->arena))
		return -ENOMEM;
	for (uint32_t d = 0, n; d < trees->nendports; d += n) {
		const struct weft__tree *tree = &trees->tree[d];

		n = 1;
		while (d + n < trees->nendports && tree[n].root == tree->root)
			n++;
		route_root(out, tree, n);
	}
	*crowded = most_weight(&out->balance) >
		CROWD * most_weight(&balanced->balance);
	return 0;
}
