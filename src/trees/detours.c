// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds trees of least weight by Dijkstra's algorithm; see detours.h. */
#include "trees/detours.h"

#include "core/arena.h"
#include "graph/entries.h"
#include "graph/heap.h"

#include <string.h>

struct detours {
	struct weft__balance *b;
	struct weft__heap heap;	/* room for the edges + 1 */
	uint32_t *order;	/* [nsw] switches, nearest first */
	uint8_t *done;		/* [nsw] is in order[] */
	uint64_t initial;
};

static uint64_t weight(const struct detours *d, uint32_t e)
{
	return (d->b->weight[e] & ~UINT64_C(0xff)) +
	       d->initial * d->b->scale[e];
}

/* Finds the distance of each switch to the root.  An edge's weight is that of
 * the direction towards the root.  Returns how many switches have one. */
static uint32_t find_distances(struct detours *d, uint32_t root,
			       const uint32_t *back)
{
	const struct weft_fabric *f = d->b->fabric;
	uint64_t *distance = d->b->distance;
	uint32_t n = 0;

	memset(distance, 0xff, f->nsw * sizeof(*distance));
	memset(d->done, 0, f->nsw);
	distance[root] = 0;
	d->heap.n = 0;
	weft__heap_push(&d->heap, (struct weft__heap_item){ .vertex = root });
	while (d->heap.n) {
		struct weft__heap_item i = weft__heap_pop(&d->heap);

		if (d->done[i.vertex])
			continue;
		d->done[i.vertex] = 1;
		d->order[n++] = i.vertex;
		for (uint32_t e = f->adj_first[i.vertex];
		     e < f->adj_first[i.vertex + 1]; e++) {
			uint32_t s = d->b->head[e];
			uint64_t far = i.distance + weight(d, back[e]);

			if (far >= distance[s])
				continue;
			distance[s] = far;
			weft__heap_push(&d->heap, (struct weft__heap_item){
						  far, 0, s });
		}
	}
	return n;
}

/* Has each switch take its best edge, the first one among equals. */
static void choose(struct detours *d, uint32_t n, uint8_t *choice)
{
	const struct weft_fabric *f = d->b->fabric;

	for (uint32_t i = 1; i < n; i++) {
		uint32_t s = d->order[i], first = f->adj_first[s];
		uint64_t best = UINT64_MAX;

		for (uint32_t e = first; e < f->adj_first[s + 1]; e++) {
			uint32_t t = d->b->head[e];
			uint64_t far = d->b->distance[t] + weight(d, e);

			if (d->b->distance[t] >= d->b->distance[s] ||
			    far >= best)
				continue;
			best = far;
			choice[s] = e - first;
		}
	}
}

bool weft__detours_route(struct weft__balance *b, struct weft_arena *arena,
			 const struct weft__trees *trees, long initial)
{
	const struct weft_fabric *f = b->fabric;
	const uint32_t *back = weft__back_entries(f, arena);
	struct detours d = { .b = b, .initial = initial };

	d.heap.item = weft__arena_alloc(arena, f->adj_first[f->nsw] + 1ull,
					sizeof(*d.heap.item));
	d.order = weft__arena_alloc(arena, f->nsw, sizeof(*d.order));
	d.done = weft__arena_alloc(arena, f->nsw, 1);
	if (!back || !d.heap.item || !d.order || !d.done)
		return false;
	for (uint32_t t = 0; t < trees->n; t++) {
		const struct weft__tree *tree = &trees->tree[t];
		uint32_t n = find_distances(&d, tree->root, back);
		const struct weft__plan plan = { .order = d.order, .n = n - 1 };

		choose(&d, n, tree->choice);
		if (t < trees->nendports || b->switches)
			weft__balance_load(b, &plan, tree->choice,
					   tree->weight);
	}
	return true;
}
