// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: products of rings, paths and pairs
 *
 * Once cables are sorted into dimensions (rings_cables.c), a breadth-first
 * search counts the steps from the first switch to each other one, in each
 * dimension, along the way it finds.  Another way may make fewer or more steps
 * in a dimension, by a multiple of its length; so the length of its rings is
 * the greatest common divisor of all such differences.  A dimension without
 * differences has paths, which are as long as the steps reach.  The fabric is a
 * product if each place is taken by exactly one switch, and no cable is missing
 * but for one in a ring each.
 *
 * If more is missing, the fabric is part of a product if no place is taken
 * twice.  Neighbours are then found from the cables and their dimensions alone.
 *
 * Rings of 4 may appear as two dimensions of pairs, which is as good unless a
 * cable is missing: they are made rings of 4 then.
 */
#include "shapes/rings.h"

#include "core/arena.h"
#include "core/divisor.h"
#include "shapes/rings_cables.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PLACES_PER_SWITCH 4	/* most places of a product per switch */

struct search {
	struct weft__rings *r;
	const struct weft_fabric *f;
	struct weft__product_cables cables;
	int32_t *steps;		/* [nsw * n] from the first switch */
	uint32_t *queue;	/* [nsw] switches whose steps are known */
	uint32_t nqueue;
	uint32_t *switch_at;	/* [nsw] the switch at a place */
	uint32_t stride[WEFT__MAX_DIMENSIONS];	/* of place numbers, by
						 * dimension */
};

/* Finds the steps from the first switch by way of s and its cable k. */
static void steps_along(const struct search *v, uint32_t s, uint32_t k,
			int32_t *to)
{
	unsigned n = v->r->n, label = v->cables.label[k];

	memcpy(to, v->steps + (size_t)s * n, n * sizeof(*to));
	to[label / 2] += label % 2 == WEFT__ASCENDING ? 1 : -1;
}

/* Counts the steps from the first switch; returns false if not all switches are
 * reached. */
static bool count_steps(struct search *v)
{
	const struct weft__product_cables *c = &v->cables;
	uint32_t *seen = v->switch_at;	/* not in use yet */
	unsigned n = v->r->n;

	memset(seen, 0, v->f->nsw * sizeof(*seen));
	memset(v->steps, 0, n * sizeof(*v->steps));
	seen[0] = 1;
	v->queue[v->nqueue++] = 0;
	for (uint32_t i = 0; i < v->nqueue; i++) {
		uint32_t s = v->queue[i];

		for (uint32_t k = c->first[s]; k < c->first[s + 1]; k++) {
			uint32_t t = c->to[k];

			if (seen[t])
				continue;
			seen[t] = 1;
			v->queue[v->nqueue++] = t;
			steps_along(v, s, k, v->steps + (size_t)t * n);
		}
	}
	return v->nqueue == v->f->nsw;
}

/* Finds the lengths of dimensions that have rings; those of others stay 0. */
static void measure_rings(struct search *v)
{
	struct weft__rings *r = v->r;
	const struct weft__product_cables *c = &v->cables;
	int32_t to[WEFT__MAX_DIMENSIONS];

	for (uint32_t s = 0; s < v->f->nsw; s++) {
		for (uint32_t k = c->first[s]; k < c->first[s + 1]; k++) {
			const int32_t *there = v->steps +
				(size_t)c->to[k] * r->n;

			steps_along(v, s, k, to);
			for (unsigned i = 0; i < r->n; i++)
				r->dim[i].length = weft__common_divisor(
					r->dim[i].length,
					abs(to[i] - there[i]));
		}
	}
}

/* Finds the coordinates in dimension i. */
static void place_dimension(struct search *v, unsigned i)
{
	struct weft__dimension *d = &v->r->dim[i];
	unsigned n = v->r->n;
	int32_t low = 0, high = 0, length;

	for (uint32_t s = 0; s < v->f->nsw; s++) {
		int32_t steps = v->steps[(size_t)s * n + i];

		low = steps < low ? steps : low;
		high = steps > high ? steps : high;
	}
	length = d->length;
	d->ring = length > 2;
	if (!length)
		d->length = high - low + 1;
	for (uint32_t s = 0; s < v->f->nsw; s++) {
		int32_t at = v->steps[(size_t)s * n + i];

		at = length ? at % length : at - low;
		v->r->at[(size_t)s * n + i] = at < 0 ? at + length : at;
	}
}

/* Finds the lengths of all dimensions and all coordinates from the steps. */
static void place_switches(struct search *v)
{
	struct weft__rings *r = v->r;

	r->n = v->cables.n;
	r->ngaps = 0;
	memset(r->dim, 0, sizeof(r->dim));
	measure_rings(v);
	for (unsigned i = 0; i < r->n; i++)
		place_dimension(v, i);
}

/* True if each place is taken by one switch. */
static bool all_taken(struct search *v)
{
	const struct weft__rings *r = v->r;
	uint64_t size = 1;

	for (unsigned i = r->n; i-- && size <= v->f->nsw; ) {
		v->stride[i] = size;
		size *= r->dim[i].length;
	}
	if (size < 2 || size != v->f->nsw)
		return false;
	memset(v->switch_at, 0xff, v->f->nsw * sizeof(*v->switch_at));
	for (uint32_t s = 0; s < v->f->nsw; s++) {
		uint32_t place = 0;

		for (unsigned i = 0; i < r->n; i++)
			place += v->stride[i] * r->at[(size_t)s * r->n + i];
		if (v->switch_at[place] != WEFT_NONE)
			return false;
		v->switch_at[place] = s;
	}
	return true;
}

static uint32_t at_place(const struct search *v, uint32_t place, unsigned i)
{
	return place / v->stride[i] % v->r->dim[i].length;
}

static bool is_cabled(const struct search *v, uint32_t place, uint32_t other)
{
	return weft__product_cables_find(&v->cables, v->switch_at[place],
					 v->switch_at[other]) != WEFT_NONE;
}

static bool is_pairs(const struct search *v, unsigned i)
{
	return v->r->dim[i].length == 2;
}

/* True if no pair of dimension i lacks its cable. */
static bool is_whole(const struct search *v, unsigned i)
{
	for (uint32_t p = 0; p < v->f->nsw; p++)
		if (!at_place(v, p, i) && !is_cabled(v, p, p + v->stride[i]))
			return false;
	return true;
}

/* True if dimensions i and j, both of pairs, make rings of 4 of which none
 * lacks more than one cable. */
static bool are_rings(const struct search *v, unsigned i, unsigned j)
{
	uint32_t a = v->stride[i], b = v->stride[j];

	if (i == j || !is_pairs(v, j))
		return false;
	for (uint32_t p = 0; p < v->f->nsw; p++)
		if (!at_place(v, p, i) && !at_place(v, p, j) &&
		    is_cabled(v, p, p + a) + is_cabled(v, p, p + b) +
		    is_cabled(v, p + a, p + a + b) +
		    is_cabled(v, p + b, p + a + b) < 3)
			return false;
	return true;
}

/* Makes dimension j a part of i. */
static void join_dimensions(struct search *v, unsigned i, unsigned j)
{
	struct weft__rings *r = v->r;
	uint32_t *to = r->at;
	unsigned n = r->n;

	for (uint32_t s = 0; s < v->f->nsw; s++) {
		uint32_t *at = r->at + (size_t)s * n;

		at[i] = at[j] ? 3 - at[i] : at[i];
		for (unsigned k = 0; k < n; k++)
			if (k != j)
				*to++ = at[k];
	}
	r->dim[i] = (struct weft__dimension){ .length = 4, .ring = true };
	r->n--;
	for (unsigned k = j; k < r->n; k++)
		r->dim[k] = r->dim[k + 1];
}

/* Joins dimensions of pairs that lack cables into rings of 4.  Returns false if
 * one that lacks a cable is left. */
static bool join_pairs(struct search *v)
{
	for (unsigned i = 0; i < v->r->n; ) {
		unsigned j = 0;

		if (!is_pairs(v, i) || is_whole(v, i)) {
			i++;
			continue;
		}
		while (j < v->r->n && !are_rings(v, i, j))
			j++;
		if (j == v->r->n)
			return false;
		join_dimensions(v, i < j ? i : j, i < j ? j : i);
		if (!all_taken(v))
			return false;
	}
	return true;
}

/* Lists the neighbours of the switch at a place; returns false if a path is
 * broken. */
static bool list_neighbours(struct search *v, uint32_t place)
{
	const struct weft__rings *r = v->r;
	uint32_t *next = r->next + (size_t)v->switch_at[place] * r->n * 2;

	for (unsigned k = 0; k < 2 * r->n; k++, next++) {
		const struct weft__dimension *d = &r->dim[k / 2];
		uint32_t stride = v->stride[k / 2], length = d->length;
		uint32_t at = at_place(v, place, k / 2), there;

		*next = WEFT_NONE;
		if (!d->ring && at == (k % 2 ? 0 : length - 1))
			continue;
		there = (at + (k % 2 ? length - 1 : 1)) % length;
		there = place - at * stride + there * stride;
		if (is_cabled(v, place, there))
			*next = v->switch_at[there];
		else if (!d->ring)
			return false;
	}
	return true;
}

static bool is_product(struct search *v)
{
	if (!all_taken(v) || !join_pairs(v))
		return false;
	for (uint32_t p = 0; p < v->f->nsw; p++)
		if (!list_neighbours(v, p))
			return false;
	return true;
}

/* Counts the switches of a ring from s, whose cable ahead is missing, back to the
 * next that is. */
static uint32_t count_behind(const struct weft__rings *r, uint32_t s, unsigned i)
{
	uint32_t n = 0;

	for (; s != WEFT_NONE; n++)
		s = weft__rings_next(r, s, i, WEFT__DESCENDING);
	return n;
}

/* Records, for all these switches, that the cable ahead of s is missing. */
static void note_gap(struct weft__rings *r, uint32_t s, unsigned i)
{
	uint32_t last = r->at[(size_t)s * r->n + i];

	for (; s != WEFT_NONE; s = weft__rings_next(r, s, i, WEFT__DESCENDING))
		r->gap[(size_t)s * r->n + i] = last;
}

/* Finds the gaps of rings that lack one cable, or one switch; returns false if a
 * ring lacks more than a cable. */
static bool find_gaps(struct search *v)
{
	struct weft__rings *r = v->r;
	bool single = true;

	memset(r->gap, 0xff, (size_t)v->f->nsw * r->n * sizeof(*r->gap));
	for (uint32_t s = 0; s < v->f->nsw; s++) {
		for (unsigned i = 0; i < r->n; i++) {
			uint32_t n;

			if (!r->dim[i].ring ||
			    weft__rings_next(r, s, i, WEFT__ASCENDING) !=
			    WEFT_NONE)
				continue;
			r->ngaps++;
			n = count_behind(r, s, i);
			single &= n == r->dim[i].length;
			if (n + 1 >= r->dim[i].length)
				note_gap(r, s, i);
		}
	}
	return single;
}

/* Lists neighbours by the dimensions of the cables alone. */
static void list_labelled(struct search *v)
{
	struct weft__rings *r = v->r;
	const struct weft__product_cables *c = &v->cables;
	size_t n = r->n;

	memset(r->next, 0xff, 2 * n * v->f->nsw * sizeof(*r->next));
	for (uint32_t s = 0; s < v->f->nsw; s++) {
		for (uint32_t k = c->first[s]; k < c->first[s + 1]; k++) {
			unsigned i = c->label[k] / 2, way = c->label[k] % 2;

			if (!r->dim[i].ring)
				way = r->at[c->to[k] * n + i] <
					r->at[s * n + i];
			r->next[(s * n + i) * 2 + way] = c->to[k];
		}
	}
}

/*
 * Finds whether the fabric is part of a product: no place is taken twice, and
 * there are at most MAX_PLACES_PER_SWITCH places to a switch.  Returns false
 * without memory.
 */
static bool find_part(struct search *v, struct weft_arena *arena, bool *found)
{
	const struct weft__rings *r = v->r;
	uint64_t size = 1, most = (uint64_t)MAX_PLACES_PER_SWITCH * v->f->nsw;
	uint8_t *taken;

	*found = false;
	for (unsigned i = r->n; i-- && size <= most; ) {
		v->stride[i] = size;
		size *= r->dim[i].length;
	}
	if (size < 2 || size > most)
		return true;
	taken = weft__arena_zalloc(arena, size, 1);
	if (!taken)
		return false;
	for (uint32_t s = 0; s < v->f->nsw; s++) {
		uint32_t at = 0;

		for (unsigned i = 0; i < r->n; i++)
			at += v->stride[i] * r->at[(size_t)s * r->n + i];
		if (taken[at]++)
			return true;
	}
	list_labelled(v);
	find_gaps(v);
	*found = true;
	return true;
}

static bool allocate(struct search *v, struct weft_arena *arena)
{
	struct weft__rings *r = v->r;
	size_t n = (size_t)v->f->nsw * r->n;

	v->steps = weft__arena_alloc(arena, n, sizeof(*v->steps));
	v->queue = weft__arena_alloc(arena, v->f->nsw, sizeof(*v->queue));
	v->switch_at =
		weft__arena_alloc(arena, v->f->nsw, sizeof(*v->switch_at));
	r->at = weft__arena_alloc(arena, n, sizeof(*r->at));
	r->next = weft__arena_alloc(arena, 2 * n, sizeof(*r->next));
	r->gap = weft__arena_alloc(arena, n, sizeof(*r->gap));
	return v->steps && v->queue && v->switch_at && r->at && r->next &&
	       r->gap;
}

/* Finds a product, or part of one, with cables sorted by ports or by
 * squares. */
static bool find_product(struct weft__rings *r, const struct weft_fabric *f,
			 struct weft_arena *arena, bool by_port, bool *found)
{
	struct search v = { .r = r, .f = f };

	*r = (struct weft__rings){ .fabric = f };
	if (!weft__product_cables_sort(&v.cables, f, arena, by_port, found))
		return false;
	if (!*found)
		return true;
	r->n = v.cables.n;
	if (!allocate(&v, arena))
		return false;
	*found = count_steps(&v);
	if (!*found)
		return true;
	place_switches(&v);
	r->whole = is_product(&v) && find_gaps(&v);
	if (r->whole)
		return true;
	place_switches(&v);
	return find_part(&v, arena, found);
}

bool weft__rings_find(struct weft__rings *r, const struct weft_fabric *f,
		      struct weft_arena *arena, bool *found)
{
	struct weft__rings by_port;
	bool is_part;

	if (!find_product(&by_port, f, arena, true, &is_part))
		return false;
	*r = by_port;
	*found = is_part;
	if (*found && r->whole)
		return true;
	if (!find_product(r, f, arena, false, found))
		return false;
	if (is_part && !(*found && r->whole)) {
		*r = by_port;
		*found = true;
	}
	return true;
}

unsigned weft__rings_take_longest(const struct weft__rings *rings, bool *taken)
{
	unsigned best = rings->n;

	for (unsigned i = 0; i < rings->n; i++)
		if (weft__rings_is_long(rings, i) && !taken[i] &&
		    (best == rings->n || rings->dim[i].length > rings->dim[best].length))
			best = i;
	if (best < rings->n)
		taken[best] = true;
	return best;
}
