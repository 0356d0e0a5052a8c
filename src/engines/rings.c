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

/* Whether two ports lead to the same switch from everywhere. */
static bool alike(const struct weft_fabric *f, unsigned p, unsigned q)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		if (weft__rings_step(f, s, p) != weft__rings_step(f, s, q))
			return false;
	return true;
}

/* From the first switch by one port, to the end or all around; how many
 * steps. */
static uint32_t walk(const struct weft_fabric *f, unsigned port, bool *around)
{
	uint32_t s = 0, n = 0;

	do {
		s = weft__rings_step(f, s, port);
		n++;
	} while (s != WEFT_NONE && s != 0 && n < f->nsw);
	*around = s == 0;
	return *around ? n : n - 1;
}

static bool is_pairs(const struct weft__dimension *d)
{
	return d->port[WEFT__ASCENDING] == d->port[WEFT__DESCENDING];
}

/* Length and kind of a dimension, and where the first switch is in it. */
static void measure(const struct weft_fabric *f, struct weft__dimension *d,
		    uint32_t *origin)
{
	uint32_t ahead = walk(f, d->port[WEFT__ASCENDING], &d->ring);
	bool around;

	*origin = 0;
	d->length = ahead;
	if (is_pairs(d)) {
		d->ring = false;
	} else if (!d->ring) {
		*origin = walk(f, d->port[WEFT__DESCENDING], &around);
		d->length = *origin + ahead + 1;
	}
}

/* Whether a port leads where those of a dimension do. */
static bool is_parallel(const struct search *v, unsigned p)
{
	for (unsigned i = 0; i < v->r->n; i++)
		if (alike(v->f, v->r->dim[i].port[WEFT__ASCENDING], p))
			return true;
	return false;
}

/* The dimensions, by their lower ports; false if the number of switches is not
 * the product of their lengths. */
static bool find_dimensions(struct search *v)
{
	struct weft__rings *r = v->r;
	uint64_t size = 1;

	for (unsigned p = 1; p <= UINT8_MAX; p++) {
		struct weft__dimension *d = &r->dim[r->n];

		if (v->mate[p] < p || is_parallel(v, p))
			continue;
		if (r->n == WEFT__MAX_DIMENSIONS)
			return false;
		d->port[WEFT__ASCENDING] = p;
		d->port[WEFT__DESCENDING] = v->mate[p];
		measure(v->f, d, &v->origin[r->n++]);
		size *= d->length;
		if (d->length < 2 || size > v->f->nsw)
			return false;
	}
	return r->n && size == v->f->nsw;
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

/* The neighbours of s: as a product has them, no more, no less. */
static bool place_neighbours(struct search *v, uint32_t s)
{
	const struct weft__rings *r = v->r;

	for (unsigned k = 0; k < 2 * r->n; k++) {
		unsigned i = k / 2, way = k % 2;
		uint32_t at = next_at(&r->dim[i], r->at[(size_t)s * r->n + i],
				      way);
		uint32_t t = weft__rings_step(v->f, s, r->dim[i].port[way]);

		if ((t == WEFT_NONE) != (at == WEFT_NONE))
			return false;
		if (t != WEFT_NONE && !place(v, s, t, i, at))
			return false;
	}
	return true;
}

/*
 * Coordinates for all.  If every cable leads where it would in the product, the
 * fabric covers the product, and having no more switches it is the product.
 */
static bool place_all(struct search *v)
{
	struct weft__rings *r = v->r;

	memset(r->at, 0xff, (size_t)v->f->nsw * r->n * sizeof(*r->at));
	memcpy(r->at, v->origin, r->n * sizeof(*v->origin));
	v->queue[v->nqueue++] = 0;
	for (uint32_t i = 0; i < v->nqueue; i++)
		if (!place_neighbours(v, v->queue[i]))
			return false;
	return v->nqueue == v->f->nsw;
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
	v.queue = weft__arena_alloc(arena, f->nsw, sizeof(*v.queue));
	if (!r->at || !v.queue)
		return false;
	*found = place_all(&v);
	return true;
}
