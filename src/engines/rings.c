// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Products of rings, paths and pairs; see rings.h. */
#include "engines/rings.h"

#include "core/arena.h"
#include "trees/bfs.h"

#include <string.h>

struct search {
	struct weft__rings *r;
	const struct weft_fabric *f;
	uint8_t mate[UINT8_MAX + 1];	/* port at the other end, 0 = none */
	uint32_t origin[WEFT__MAX_DIMENSIONS];	/* where the first switch is */
	uint32_t *queue;		/* [nsw] switches that have a place */
	uint32_t nqueue;
};

/* Whether each port always leads to the same port. */
static bool find_mates(struct search *v)
{
	const struct weft_fabric *f = v->f;

	for (uint32_t s = 0; s < f->nsw; s++) {
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			unsigned p = weft__port(f, s, f->adj[e]);
			unsigned q = f->peer_port[f->adj[e]];

			if (v->mate[p] && v->mate[p] != q)
				return false;
			v->mate[p] = q;
		}
	}
	return true;
}

/* The switch behind a port; WEFT_NONE: there is none. */
static uint32_t step(const struct weft_fabric *f, uint32_t s, unsigned port)
{
	uint32_t peer = port > f->sw[s].nports ? WEFT_NONE :
		f->peer[weft_channel(f, s, port)];

	return peer != s && peer != WEFT_NONE && weft_is_switch(peer) ? peer :
		WEFT_NONE;
}

uint32_t weft__rings_next(const struct weft__rings *r, uint32_t s, unsigned i,
			  unsigned direction)
{
	const struct weft__dimension *d = &r->dim[i];
	uint32_t t = WEFT_NONE;

	for (unsigned k = 0; k < d->ncables && t == WEFT_NONE; k++)
		t = step(r->fabric, s, d->port[direction][k]);
	return t;
}

/* Whether two ports lead to the same switch, from all that have both. */
static bool alike(const struct weft_fabric *f, unsigned p, unsigned q)
{
	bool any = false;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t t = step(f, s, p);
		uint32_t u = step(f, s, q);

		if (t == WEFT_NONE || u == WEFT_NONE)
			continue;
		if (t != u)
			return false;
		any = true;
	}
	return any;
}

static bool is_pairs(const struct weft__dimension *d)
{
	return d->port[WEFT__ASCENDING][0] == d->port[WEFT__DESCENDING][0];
}

/* Adds port p and its mate, to a new dimension or as one of parallel cables;
 * false: there is no room. */
static bool add_port(struct search *v, unsigned p)
{
	struct weft__rings *r = v->r;
	struct weft__dimension *d;
	unsigned i = 0;

	while (i < r->n && !alike(v->f, r->dim[i].port[WEFT__ASCENDING][0], p))
		i++;
	if (i == WEFT__MAX_DIMENSIONS)
		return false;
	r->n += i == r->n;
	d = &r->dim[i];
	if (d->ncables == WEFT__MAX_PARALLEL)
		return false;
	d->port[WEFT__ASCENDING][d->ncables] = p;
	d->port[WEFT__DESCENDING][d->ncables++] = v->mate[p];
	return true;
}

/* From a switch one way, to the end or all around; how many steps. */
static uint32_t walk(const struct weft__rings *r, uint32_t start, unsigned i,
		     unsigned direction, bool *around)
{
	uint32_t s = start, n = 0;

	do {
		s = weft__rings_next(r, s, i, direction);
		n++;
	} while (s != WEFT_NONE && s != start && n < r->fabric->nsw);
	*around = s == start;
	return *around ? n : n - 1;
}

/* The length of the first ring of dimension i that is whole, 0 without. */
static uint32_t ring_length(const struct weft__rings *r, unsigned i)
{
	bool around = false;
	uint32_t n = 0;

	for (uint32_t s = 0; s < r->fabric->nsw && !around; s++)
		n = walk(r, s, i, WEFT__ASCENDING, &around);
	return around ? n : 0;
}

/* Length and kind of a dimension; returns where the first switch is in it. */
static uint32_t measure(struct weft__rings *r, unsigned i)
{
	struct weft__dimension *d = &r->dim[i];
	uint32_t origin;
	bool around;

	d->length = ring_length(r, i);
	d->ring = d->length && !is_pairs(d);
	if (d->length)
		return 0;
	origin = walk(r, 0, i, WEFT__DESCENDING, &around);
	d->length = origin + 1 + walk(r, 0, i, WEFT__ASCENDING, &around);
	return origin;
}

/* The dimensions, by their lower ports; false if the number of switches is not
 * the product of their lengths. */
static bool find_dimensions(struct search *v)
{
	uint64_t size = 1;

	for (unsigned p = 1; p <= UINT8_MAX; p++)
		if (v->mate[p] >= p && !add_port(v, p))
			return false;
	for (unsigned i = 0; i < v->r->n && size <= v->f->nsw; i++) {
		v->origin[i] = measure(v->r, i);
		size *= v->r->dim[i].length;
	}
	return size > 1 && size == v->f->nsw;
}

/* Where a step from there leads; WEFT_NONE: nowhere. */
static uint32_t next_at(const struct weft__dimension *d, uint32_t at,
			unsigned way)
{
	if (is_pairs(d))
		return 1 - at;
	if (way == WEFT__ASCENDING)
		return at + 1 < d->length ? at + 1 : d->ring ? 0 : WEFT_NONE;
	return at ? at - 1 : d->ring ? d->length - 1 : WEFT_NONE;
}

/* Gives t its place, a step from s in dimension i, or sees that it is there. */
static bool place(struct search *v, uint32_t s, uint32_t t, unsigned i,
		  uint32_t at)
{
	unsigned n = v->r->n;
	const uint32_t *from = v->r->at + (size_t)s * n;
	uint32_t *to = v->r->at + (size_t)t * n;
	bool new = to[0] == WEFT_NONE;

	if (new)
		v->queue[v->nqueue++] = t;
	for (unsigned k = 0; k < n; k++) {
		uint32_t wanted = k == i ? at : from[k];

		if (new)
			to[k] = wanted;
		else if (to[k] != wanted)
			return false;
	}
	return true;
}

/* The neighbours of s: as a product has them, but for gaps in rings. */
static bool place_neighbours(struct search *v, uint32_t s)
{
	const struct weft__rings *r = v->r;

	for (unsigned k = 0; k < 2 * r->n; k++) {
		unsigned i = k / 2, way = k % 2;
		uint32_t at = next_at(&r->dim[i], r->at[(size_t)s * r->n + i],
				      way);
		uint32_t t = weft__rings_next(r, s, i, way);

		if (t == WEFT_NONE ? at != WEFT_NONE && !r->dim[i].ring :
		    at == WEFT_NONE || !place(v, s, t, i, at))
			return false;
	}
	return true;
}

/* Whether each place is taken once; taken[]: nsw zeroes. */
static bool all_taken(const struct search *v, uint32_t *taken)
{
	const struct weft__rings *r = v->r;

	for (uint32_t s = 0; s < v->f->nsw; s++) {
		uint32_t at = 0;

		for (unsigned i = 0; i < r->n; i++)
			at = at * r->dim[i].length +
				r->at[(size_t)s * r->n + i];
		if (taken[at]++)
			return false;
	}
	return true;
}

/* Coordinates for all. */
static bool place_all(struct search *v)
{
	struct weft__rings *r = v->r;

	memset(r->at, 0xff, (size_t)v->f->nsw * r->n * sizeof(*r->at));
	memcpy(r->at, v->origin, r->n * sizeof(*v->origin));
	v->queue[v->nqueue++] = 0;
	for (uint32_t i = 0; i < v->nqueue; i++)
		if (!place_neighbours(v, v->queue[i]))
			return false;
	if (v->nqueue != v->f->nsw)
		return false;
	memset(v->queue, 0, v->f->nsw * sizeof(*v->queue));
	return all_taken(v, v->queue);
}

/* Tells everybody in the ring of s, whose cable ahead is missing; false if
 * another one is. */
static bool note_gap(struct search *v, uint32_t s, unsigned i)
{
	struct weft__rings *r = v->r;
	uint32_t last = r->at[(size_t)s * r->n + i], n = 0;

	for (; s != WEFT_NONE; n++) {
		r->gap[(size_t)s * r->n + i] = last;
		s = weft__rings_next(r, s, i, WEFT__DESCENDING);
	}
	return n == r->dim[i].length;
}

static bool find_gaps(struct search *v)
{
	struct weft__rings *r = v->r;

	memset(r->gap, 0xff, (size_t)v->f->nsw * r->n * sizeof(*r->gap));
	for (uint32_t s = 0; s < v->f->nsw; s++) {
		for (unsigned i = 0; i < r->n; i++) {
			if (!r->dim[i].ring ||
			    weft__rings_next(r, s, i, WEFT__ASCENDING) !=
			    WEFT_NONE)
				continue;
			r->ngaps++;
			if (!note_gap(v, s, i))
				return false;
		}
	}
	return true;
}

bool weft__rings_find(struct weft__rings *r, const struct weft_fabric *f,
		      struct weft_arena *arena, bool *found)
{
	struct search v = { .r = r, .f = f };

	*r = (struct weft__rings){ .fabric = f };
	*found = find_mates(&v) && find_dimensions(&v);
	if (!*found)
		return true;
	r->at = weft__arena_alloc(arena, (size_t)f->nsw * r->n,
				  sizeof(*r->at));
	r->gap = weft__arena_alloc(arena, (size_t)f->nsw * r->n,
				   sizeof(*r->gap));
	v.queue = weft__arena_alloc(arena, f->nsw, sizeof(*v.queue));
	if (!r->at || !r->gap || !v.queue)
		return false;
	*found = place_all(&v) && find_gaps(&v);
	return true;
}
