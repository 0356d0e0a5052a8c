// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Products of full meshes, HyperX.
 *
 * The neighbours of a switch fall into sets whose members are joined to each
 * other, one for each dimension.  They get coordinates on its axes; whoever is
 * farther away has, in each dimension, the largest coordinate among its
 * neighbours that are nearer.  Then every cable has to differ in one dimension.
 */
#include "shapes/shape.h"

#include "core/arena.h"
#include "graph/bfs.h"

#include <errno.h>
#include <string.h>
#include <weft/diag.h>

#define TRIES 64u /* first switches */

struct hyperx {
	const struct weft_fabric *f;
	struct weft_shape_part *part;
	uint32_t *at;	 /* [nsw][WEFT_SHAPE_DIMENSIONS] */
	uint32_t *mark;	 /* [nsw] scratch */
	uint16_t *hops;	 /* [nsw] from the first switch */
	uint32_t *order; /* [nsw] nearest first */
	uint32_t first;
};

static uint32_t *at(const struct hyperx *x, uint32_t s)
{
	return x->at + (size_t)s * WEFT_SHAPE_DIMENSIONS;
}

/* The set of a neighbour of the first switch: those that are joined to it. */
static void take_axis(struct hyperx *x, uint32_t neighbour, unsigned d)
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
	x->part->length[d] = length + 1;
}

/* Finds the axes; false if there are too many, or the product is not all. */
static bool find_axes(struct hyperx *x)
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
		product *= x->part->length[d++];
		if (product > x->f->nsw)
			return false;
	}
	x->part->ndimensions = d;
	return product == x->f->nsw;
}

static void find_rest(struct hyperx *x)
{
	for (uint32_t k = 0; k < x->f->nsw; k++) {
		uint32_t s = x->order[k], peer, n;

		if (x->hops[s] < 2)
			continue;
		for (uint32_t i = x->f->adj_first[s];
		     (peer = weft__shape_next(x->f, s, &i, &n)) != WEFT_NONE;)
			for (unsigned d = 0; x->hops[peer] < x->hops[s] &&
					     d < x->part->ndimensions;
			     d++)
				if (at(x, peer)[d] > at(x, s)[d])
					at(x, s)[d] = at(x, peer)[d];
	}
}

/* Whether each place has one switch, whose cables lead along one dimension
 * each. */
static bool is_product(struct hyperx *x)
{
	memset(x->mark, 0, x->f->nsw * sizeof(*x->mark));
	for (uint32_t s = 0; s < x->f->nsw; s++) {
		uint32_t place = 0, peer, n;

		for (unsigned d = 0; d < x->part->ndimensions; d++)
			place = place * x->part->length[d] + at(x, s)[d];
		if (place >= x->f->nsw || x->mark[place]++)
			return false;
		for (uint32_t i = x->f->adj_first[s];
		     (peer = weft__shape_next(x->f, s, &i, &n)) != WEFT_NONE;) {
			unsigned differ = 0;

			for (unsigned d = 0; d < x->part->ndimensions; d++)
				differ += at(x, peer)[d] != at(x, s)[d];
			if (differ != 1)
				return false;
		}
	}
	return true;
}

static uint32_t degree(const struct weft_fabric *f, uint32_t s)
{
	uint32_t neighbours = 0, n;

	for (uint32_t i = f->adj_first[s];
	     weft__shape_next(f, s, &i, &n) != WEFT_NONE;)
		neighbours++;
	return neighbours;
}

static void say_hyperx(struct weft__shape_job *j)
{
	struct weft_shape_part *p = j->part;
	uint32_t each = 0, missing = 0;

	if (p->ndimensions == 1)
		weft__shape_say(p, "full mesh of %u switches", p->length[0]);
	else
		weft__shape_say(p, "HyperX ");
	for (unsigned d = 0; d < p->ndimensions; d++) {
		if (p->ndimensions > 1)
			weft__shape_say(p, "%s%u", d ? "x" : "", p->length[d]);
		each += p->length[d] - 1;
	}
	for (uint32_t s = 0; s < j->f->nsw; s++) {
		uint32_t lacks = each - degree(j->f, s);

		missing += lacks;
		if (lacks)
			weft__shape_note(j, WEFT__NOTE_GAP, s,
					 "%s: joined to %u switches, most are "
					 "to %u",
					 WEFT__SHAPE_NAMED(j->f, s),
					 each - lacks, each);
	}
	weft__shape_notes_end(j, WEFT__NOTE_GAP, "more such switch");
	if (missing)
		weft__shape_say(p, ", %s not joined",
				WEFT_COUNT(missing / 2, "pair"));
}

/* Whether the cables fit the axes of that first switch. */
static bool fits_from(struct hyperx *x, uint32_t first)
{
	size_t places = (size_t)x->f->nsw * WEFT_SHAPE_DIMENSIONS;

	x->first = first;
	memset(x->at, 0, places * sizeof(*x->at));
	memset(x->mark, 0, x->f->nsw * sizeof(*x->mark));
	weft__bfs(x->f, first, x->hops, x->order);
	if (!find_axes(x))
		return false;
	find_rest(x);
	return is_product(x);
}

/* A missing cable misleads some of the first switches, but not all. */
int weft__shape_hyperx(struct weft__shape_job *j, bool *found)
{
	const struct weft_fabric *f = j->f;
	struct hyperx x = {
		.f = f,
		.part = j->part,
		.at = j->at,
		.mark = weft__arena_zalloc(j->arena, f->nsw, sizeof(*x.mark)),
		.hops = weft__arena_alloc(j->arena, f->nsw, sizeof(*x.hops)),
		.order = weft__arena_alloc(j->arena, f->nsw, sizeof(*x.order)),
	};
	uint32_t most = 0, tries = TRIES;

	if (!x.mark || !x.hops || !x.order)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++)
		most = degree(f, s) > most ? degree(f, s) : most;
	for (uint32_t s = 0; s < f->nsw && tries && !*found; s++)
		if (degree(f, s) == most) {
			*found = fits_from(&x, s);
			tries--;
		}
	if (*found) {
		j->part->kind = WEFT_SHAPE_HYPERX;
		say_hyperx(j);
		return 0;
	}
	j->part->ndimensions = 0;
	memset(j->at, 0,
	       (size_t)f->nsw * WEFT_SHAPE_DIMENSIONS * sizeof(*j->at));
	return 0;
}
