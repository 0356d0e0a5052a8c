// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds a tree in each lane, within the turns that it allows; see orders.h. */
#include "lanes/orders.h"

#include "core/arena.h"
#include "lanes/lane_tree.h"

#include <string.h>

struct grower {
	struct weft__orders *orders;
	const struct weft_fabric *f;
	struct weft__lane_tree tree;
	uint32_t *before;	/* [edges] turns into it that were not
				 * followed */
	uint32_t *queue;	/* [edges] */
};

static bool is_allowed(const struct grower *g, uint32_t e, uint32_t i,
		       unsigned lane)
{
	return weft__turns_from(&g->orders->turns, e)[i] >> lane & 1;
}

/* Lists the edges that no turn leads into.  Returns how many there are. */
static uint32_t find_first(struct grower *g, unsigned lane)
{
	const uint32_t *first = g->f->adj_first;
	uint32_t nedges = first[g->f->nsw], n = 0;

	memset(g->before, 0, nedges * sizeof(*g->before));
	for (uint32_t e = 0; e < nedges; e++) {
		uint32_t t = g->f->peer[g->f->adj[e]];

		for (uint32_t i = first[t]; i < first[t + 1]; i++)
			g->before[i] += is_allowed(g, e, i - first[t], lane);
	}
	for (uint32_t e = 0; e < nedges; e++)
		if (!g->before[e])
			g->queue[n++] = e;
	return n;
}

/* Sets the key of each edge to the length of the longest chain of turns that
 * leads to it. */
static void set_keys(struct grower *g, unsigned lane)
{
	const uint32_t *first = g->f->adj_first;
	int64_t *key = g->tree.key;
	uint32_t n = find_first(g, lane);

	memset(key, 0, first[g->f->nsw] * sizeof(*key));
	for (uint32_t k = 0; k < n; k++) {
		uint32_t e = g->queue[k], t = g->f->peer[g->f->adj[e]];

		for (uint32_t i = first[t]; i < first[t + 1]; i++) {
			if (!is_allowed(g, e, i - first[t], lane))
				continue;
			if (key[i] <= key[e])
				key[i] = key[e] + 1;
			if (!--g->before[i])
				g->queue[n++] = i;
		}
	}
}

bool weft__orders_grow(struct weft__orders *o, struct weft_arena *arena)
{
	uint32_t nsw = o->fabric->nsw, nedges = o->fabric->adj_first[nsw];
	struct grower g = {
		.orders = o, .f = o->fabric,
		.before = weft__arena_alloc(arena, nedges, sizeof(*g.before)),
		.queue = weft__arena_alloc(arena, nedges, sizeof(*g.queue)),
	};

	o->parent = weft__arena_alloc(arena, (size_t)o->n * nsw,
				      sizeof(*o->parent));
	if (!g.before || !g.queue || !o->parent ||
	    !weft__lane_tree_init(&g.tree, o->fabric, arena))
		return false;
	for (unsigned k = 0; k < o->n; k++) {
		set_keys(&g, k);
		g.tree.up = o->parent + (size_t)k * nsw;
		weft__lane_tree_grow(&g.tree, o->top[k]);
		weft__lane_tree_allow(&g.tree, &o->turns, k);
	}
	return true;
}
