// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: what a switch keeps together
 *
 * A depth-first search meets all switches of a part in a tree; every cable that
 * is not in it joins a switch with one that it was met from, directly or not.  If
 * a switch fails, what was met from one of its children hangs together, and with
 * the rest only by a cable to a switch that was met earlier than the one that
 * failed.
 */
#include "graph/depth.h"

#include "core/arena.h"

#include <string.h>

struct search {
	struct weft__depth *d;
	const struct weft_fabric *f;
	uint32_t *edge;		/* [nsw] next of its cables to follow */
	uint32_t nmet;
};

static void meet(struct search *x, uint32_t s, uint32_t up, uint32_t top)
{
	struct weft__depth *d = x->d;

	d->met[s] = d->low[s] = x->nmet;
	d->up[s] = up;
	d->top[s] = top;
	x->edge[s] = x->f->adj_first[s];
	d->order[x->nmet++] = s;
}

/* Returns to the switch that s was met from; WEFT_NONE: all is searched. */
static uint32_t go_back(struct search *x, uint32_t s)
{
	struct weft__depth *d = x->d;
	uint32_t parent = weft__depth_parent(d, s);

	d->last[s] = x->nmet - 1;
	if (parent != WEFT_NONE && d->low[s] < d->low[parent])
		d->low[parent] = d->low[s];
	return parent;
}

static void search_part(struct search *x, uint32_t top)
{
	struct weft__depth *d = x->d;
	const struct weft_fabric *f = x->f;
	uint32_t s = top;

	meet(x, top, WEFT_NONE, top);
	while (s != WEFT_NONE) {
		uint32_t ch, to;

		if (x->edge[s] == f->adj_first[s + 1]) {
			s = go_back(x, s);
			continue;
		}
		ch = f->adj[x->edge[s]++];
		to = f->peer[ch];
		if (d->met[to] == WEFT_NONE) {
			meet(x, to, ch, top);
			s = to;
		} else if (f->reverse[ch] != d->up[s] &&
			   d->met[to] < d->low[s]) {
			d->low[s] = d->met[to];
		}
	}
}

/* Lists the children of all switches. */
static void list_children(const struct search *x)
{
	struct weft__depth *d = x->d;
	uint32_t *next = x->edge;

	for (uint32_t s = 0; s < x->f->nsw; s++)
		if (d->up[s] != WEFT_NONE)
			d->first_child[weft__depth_parent(d, s) + 1]++;
	for (uint32_t s = 0; s < x->f->nsw; s++) {
		next[s] = d->first_child[s];
		d->first_child[s + 1] += d->first_child[s];
	}
	for (uint32_t i = 0; i < x->nmet; i++) {
		uint32_t parent = weft__depth_parent(d, d->order[i]);

		if (parent != WEFT_NONE)
			d->child[next[parent]++] = d->order[i];
	}
}

bool weft__depth_init(struct weft__depth *d, const struct weft_fabric *f,
		      struct weft_arena *arena)
{
	size_t n = f->nsw + 1ull;
	struct search x = {
		.d = d, .f = f,
		.edge = weft__arena_alloc(arena, n, sizeof(*x.edge)),
	};

	*d = (struct weft__depth){
		.fabric = f,
		.order = weft__arena_alloc(arena, n, sizeof(*d->order)),
		.met = weft__arena_alloc(arena, n, sizeof(*d->met)),
		.last = weft__arena_alloc(arena, n, sizeof(*d->last)),
		.up = weft__arena_alloc(arena, n, sizeof(*d->up)),
		.top = weft__arena_alloc(arena, n, sizeof(*d->top)),
		.low = weft__arena_alloc(arena, n, sizeof(*d->low)),
		.first_child = weft__arena_zalloc(arena, n,
						  sizeof(*d->first_child)),
		.child = weft__arena_alloc(arena, n, sizeof(*d->child)),
	};
	if (weft__arena_failed(arena))
		return false;
	memset(d->met, 0xff, n * sizeof(*d->met));
	for (uint32_t s = 0; s < f->nsw; s++)
		if (d->met[s] == WEFT_NONE)
			search_part(&x, s);
	list_children(&x);
	return true;
}

/* Whether s is sw, or was met from there, directly or not. */
static bool is_below(const struct weft__depth *d, uint32_t sw, uint32_t s)
{
	return d->met[s] >= d->met[sw] && d->met[s] <= d->last[sw];
}

/* Returns the child of sw from which s was met, if no cable leads from there
 * around sw; else WEFT_NONE. */
static uint32_t side_of(const struct weft__depth *d, uint32_t sw, uint32_t s)
{
	uint32_t low = d->first_child[sw], high = d->first_child[sw + 1];

	if (!is_below(d, sw, s))
		return WEFT_NONE;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (d->met[d->child[middle]] <= d->met[s])
			low = middle;
		else
			high = middle;
	}
	return d->low[d->child[low]] >= d->met[sw] ? d->child[low] : WEFT_NONE;
}

bool weft__depth_parts(const struct weft__depth *d, uint32_t sw, uint32_t a,
		       uint32_t b)
{
	return d->top[a] != d->top[b] ||
	       side_of(d, sw, a) != side_of(d, sw, b);
}
