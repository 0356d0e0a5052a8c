// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Products of full meshes, HyperX; see hyperx.h.
 *
 * The neighbours of a switch fall into sets whose members are joined to each
 * other, one for each dimension.  They get coordinates on its axes; whoever is
 * farther away has, in each dimension, the largest coordinate among its
 * neighbours that are nearer.  Then every cable has to differ in one dimension.
 */
#include "shapes/hyperx.h"

#include "core/arena.h"
#include "graph/bfs.h"
#include "shapes/shape.h"

#include <string.h>

#define TRIES 64u /* first switches */

struct finder {
	const struct weft_fabric *f;
	struct weft__hyperx *x;
	uint32_t *mark;	 /* [nsw] scratch */
	uint16_t *hops;	 /* [nsw] from the first switch */
	uint32_t *order; /* [nsw] nearest first */
	uint32_t first;
};

static uint32_t *at(const struct finder *x, uint32_t s)
{
	return weft__hyperx_at(x->x, s);
}

/* The set of a neighbour of the first switch: those that are joined to it. */
static void take_axis(struct finder *x, uint32_t neighbour, unsigned d)
{
	uint32_t length = 1, peer, n;

	for (uint32_t i = x->f->adj_first[neighbour];
	     (peer = weft__shape_next(x->f, neighbour, &i, &n)) != WEFT_NONE;)
		if (x->mark[peer] == 1) {
			at(x, peer)[d] = ++length;
			x->mark[peer] = 2;
		}
	at(x, neighbour)[d] = 1;
	x->mark[neighbour] = 2;
	x->x->length[d] = length + 1;
}

/* Finds the axes; false if there are too many, or the product is not all. */
static bool find_axes(struct finder *x)
{
	uint64_t product = 1;
	unsigned d = 0;

	for (uint32_t i = 1; i < x->f->nsw && x->hops[x->order[i]] == 1; i++)
		x->mark[x->order[i]] = 1;
	for (uint32_t i = 1; i < x->f->nsw && x->hops[x->order[i]] == 1; i++) {
		if (x->mark[x->order[i]] != 1)
			continue;
		if (d == WEFT_SHAPE_DIMENSIONS)
			return false;
		take_axis(x, x->order[i], d);
		product *= x->x->length[d++];
		if (product > x->f->nsw)
			return false;
	}
	x->x->n = d;
	return product == x->f->nsw;
}

static void find_rest(struct finder *x)
{
	for (uint32_t k = 0; k < x->f->nsw; k++) {
		uint32_t s = x->order[k], peer, n;

		if (x->hops[s] < 2)
			continue;
		for (uint32_t i = x->f->adj_first[s];
		     (peer = weft__shape_next(x->f, s, &i, &n)) != WEFT_NONE;)
			for (unsigned d = 0; x->hops[peer] < x->hops[s] &&
					     d < x->x->n;
			     d++)
				if (at(x, peer)[d] > at(x, s)[d])
					at(x, s)[d] = at(x, peer)[d];
	}
}

/* Whether each place has one switch, whose cables lead along one dimension
 * each. */
static bool is_product(struct finder *x)
{
	memset(x->mark, 0, x->f->nsw * sizeof(*x->mark));
	for (uint32_t s = 0; s < x->f->nsw; s++) {
		uint32_t place = 0, peer, n;

		for (unsigned d = 0; d < x->x->n; d++)
			place = place * x->x->length[d] + at(x, s)[d];
		if (place >= x->f->nsw || x->mark[place]++)
			return false;
		for (uint32_t i = x->f->adj_first[s];
		     (peer = weft__shape_next(x->f, s, &i, &n)) != WEFT_NONE;) {
			unsigned differ = 0;

			for (unsigned d = 0; d < x->x->n; d++)
				differ += at(x, peer)[d] != at(x, s)[d];
			if (differ != 1)
				return false;
		}
	}
	return true;
}

uint32_t weft__hyperx_degree(const struct weft_fabric *f, uint32_t s)
{
	uint32_t neighbours = 0, n;

	for (uint32_t i = f->adj_first[s];
	     weft__shape_next(f, s, &i, &n) != WEFT_NONE;)
		neighbours++;
	return neighbours;
}

/* Whether the cables fit the axes of that first switch. */
static bool fits_from(struct finder *x, uint32_t first)
{
	size_t places = (size_t)x->f->nsw * WEFT_SHAPE_DIMENSIONS;

	x->first = first;
	memset(x->x->at, 0, places * sizeof(*x->x->at));
	memset(x->mark, 0, x->f->nsw * sizeof(*x->mark));
	weft__bfs(x->f, first, x->hops, x->order);
	if (!find_axes(x))
		return false;
	find_rest(x);
	return is_product(x);
}

/* A missing cable misleads some of the first switches, but not all. */
bool weft__hyperx_find(struct weft__hyperx *h, const struct weft_fabric *f,
		       struct weft_arena *arena, bool *found)
{
	struct finder x = {
		.f = f,
		.x = h,
		.mark = weft__arena_zalloc(arena, f->nsw, sizeof(*x.mark)),
		.hops = weft__arena_alloc(arena, f->nsw, sizeof(*x.hops)),
		.order = weft__arena_alloc(arena, f->nsw, sizeof(*x.order)),
	};
	uint32_t most = 0, tries = TRIES;

	*found = false;
	if (!x.mark || !x.hops || !x.order)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (weft__hyperx_degree(f, s) > most)
			most = weft__hyperx_degree(f, s);
	for (uint32_t s = 0; s < f->nsw && tries && !*found; s++)
		if (weft__hyperx_degree(f, s) == most) {
			*found = fits_from(&x, s);
			tries--;
		}
	return true;
}
