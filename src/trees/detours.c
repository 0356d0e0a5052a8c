// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds trees of least weight by Dijkstra's algorithm; see detours.h.  The heap
 * holds a switch once for each time that it got nearer, and what is out of date
 * is passed over.
 */
#include "trees/detours.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <string.h>

struct item {
	uint64_t distance;
	uint32_t sw;
};

struct detours {
	struct weft__balance *b;
	struct item *heap;	/* [edges + 1] */
	uint32_t n;
	uint32_t *order;	/* [nsw] switches, nearest first */
	uint8_t *done;		/* [nsw] is in order[] */
	uint64_t initial;
};

/* Ties go to the lower number, so that the order is one. */
static bool is_nearer(const struct item *a, const struct item *b)
{
	return a->distance != b->distance ? a->distance < b->distance :
					    a->sw < b->sw;
}

static void push(struct detours *d, uint64_t distance, uint32_t sw)
{
	struct item new = { distance, sw };
	uint32_t i = d->n++;

	for (; i && is_nearer(&new, &d->heap[(i - 1) / 2]); i = (i - 1) / 2)
		d->heap[i] = d->heap[(i - 1) / 2];
	d->heap[i] = new;
}

static struct item pop(struct detours *d)
{
	struct item top = d->heap[0], last = d->heap[--d->n];
	uint32_t i = 0;

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < d->n &&
		    is_nearer(&d->heap[child + 1], &d->heap[child]))
			child++;
		if (child >= d->n || !is_nearer(&d->heap[child], &last))
			break;
		d->heap[i] = d->heap[child];
		i = child;
	}
	d->heap[i] = last;
	return top;
}

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
	d->n = 0;
	push(d, 0, root);
	while (d->n) {
		struct item i = pop(d);

		if (d->done[i.sw])
			continue;
		d->done[i.sw] = 1;
		d->order[n++] = i.sw;
		for (uint32_t e = f->adj_first[i.sw];
		     e < f->adj_first[i.sw + 1]; e++) {
			uint32_t s = d->b->head[e];
			uint64_t far = i.distance + weight(d, back[e]);

			if (far >= distance[s])
				continue;
			distance[s] = far;
			push(d, far, s);
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

	d.heap = weft__arena_alloc(arena, f->adj_first[f->nsw] + 1ull,
				   sizeof(*d.heap));
	d.order = weft__arena_alloc(arena, f->nsw, sizeof(*d.order));
	d.done = weft__arena_alloc(arena, f->nsw, 1);
	if (!back || !d.heap || !d.order || !d.done)
		return false;
	for (uint32_t t = 0; t < trees->n; t++) {
		const struct weft__tree *tree = &trees->tree[t];
		uint32_t n = find_distances(&d, tree->root, back);
		const struct weft__plan plan = { .order = d.order, .n = n - 1 };

		choose(&d, n, tree->choice);
		if (t < trees->nendports)
			weft__balance_load(b, &plan, tree->choice,
					   tree->weight);
	}
	return true;
}
