// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on tori
 *
 * On products of rings, paths and pairs (rings.c) routes go by one dimension
 * after the other, the shorter way around.  Turns from one dimension to
 * another only lead to later ones, so that cycles can only run around rings,
 * and lanes are given out by what these need:
 * - A ring of up to 4 switches needs nothing.
 * - Others have a dateline, between their last switch and the first.  A
 *   stretch of a route along a ring crosses it or does not.  Those that do not
 *   leave out the dateline; those that do, none of them longer than half the
 *   ring, leave out the opposite side: neither kind closes a cycle.  A lane is
 *   the set of dimensions whose dateline is crossed: with n datelines it is
 *   2^n lanes.
 * - Where that is more than there are, the shortest rings are cut: no route
 *   passes their first switch, although routes end and begin there by either
 *   cable.  What would have passed takes the long way around, in the same lane
 *   as everything else.
 * - A ring with a gap, a cable that is missing, is a path; nobody waits all
 *   around it, in whatever lane.
 * Where more is missing, see weave_part.c.
 * Reverse ways cross the same datelines, as they must to share a service
 * level.  That leaves the two ways to the opposite side of an even ring: both
 * directions of a pair a, a + k/2 use the same side, the one or the other by
 * turns; but for the first pair, of which both ascend, and the last, of which
 * both descend.  Of these four stretches two cross the dateline, but with the
 * last step, and nobody goes on from there among those that do not cross.
 * Rings of 4 have just these two pairs, and are as evenly loaded as can be.
 * As two dimensions of pairs they have the same routes.
 *
 * Against dimension order as such, which always ascends on such ties, and
 * against minimal routes balanced and improved, in as many lanes as they need
 * (weave_fit.c), bandwidth under random bisections, hosts per switch behind x:
 *
 *	torus		dimension	improved,	this, with lanes:
 *			order		8 lanes		8	4	2	1
 *	4x4x4 x4	0.444		0.483		0.497	0.497	0.497	0.497
 *	8x8x8 x1	0.567		0.573		0.577	0.559	0.540	0.525
 *	6x6x6 x4	0.321		0.331		0.334	0.321	0.309	0.299
 *	16x16 x1	0.423		0.420		0.425	0.425	0.385	0.354
 *
 * By the order in one lane it is 0.455, 0.483, 0.284 and 0.334.  Rings that
 * are not passed between two switches, as paths, rather than at one: 0.468 on
 * 8x8x8 in one lane, 0.328 on 16x16.
 *
 * Two of the 192 rings of 8x8x8, with 2 hosts per switch, missing a cable each,
 * it is 0.398; minimal routes found no lanes there, and the order has 0.318.
 * Where hosts hang unevenly, or one ring in 16 has a gap, other ways may be
 * better and are tried: 6x6 with 8 hosts on every other switch has 0.338 by
 * dimensions and 0.433 improved; with 4 hosts and 3 gaps 0.365 and 0.378.
 * Where no ring is longer than 4 it takes but one gap: hypercube:6 with 4 hosts
 * 0.495 and 0.497, hypercube:8 without 1 % of its cables 0.435 and 0.438.
 * Above 1000 endports such a torus with longer rings is taken for a part of one:
 * 12x12 with 8 hosts without 3 % of its cables, seed 2, 0.114 instead of 0.105
 * (psssp 0.113), 16x16 with 5 without 1 % 0.132 instead of 0.127; hypercubes are
 * not, hypercube:8 with 5 without 5 % would have 0.343 instead of 0.367.
 *
 * Cables on any ports, 8 lanes, by dimensions and before that, when dimensions
 * were known by their ports: 8x8x4 with 4 hosts 0.292 and 0.230, 7x7x7 with 3
 * 0.355 and 0.293, 12x10 with 9 hosts and 2 cables 0.206 and 0.153, 6x6x4 with
 * 12 and 3 0.362 and 0.302.
 *
 * Above 1000 endports even products no dimension of which is twice as long as
 * all others are not compared with the order.  Of 24 tori, meshes and hypercubes
 * it was better on five meshes, as long as that: mesh:16x4 with 20 hosts 0.050
 * and 0.047 by dimensions.  A 6x6 torus with 30 takes a third of the time.
 *
 * Complexity: O(LIDs x switches x (dimensions + cables of a switch)).
 */
#include "engines/rings.h"
#include "engines/weave.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define GAPS 16	/* one ring in so many, and nothing else is tried, unless all
		 * rings are short */

struct router {
	const struct weft_fabric *f;
	struct weft__rings rings;
	bool dateline[WEFT__MAX_DIMENSIONS];
	bool cut[WEFT__MAX_DIMENSIONS];
	unsigned ndatelines;
};

/* Datelines for the longest rings, as many as there are lanes for. */
static void draw_datelines(struct router *r, unsigned lanes)
{
	const struct weft__rings *rings = &r->rings;

	for (unsigned i = 0; i < rings->n; i++)
		r->cut[i] = weft__rings_is_long(rings, i);
	while (2u << r->ndatelines <= lanes) {
		unsigned best = rings->n;

		for (unsigned i = 0; i < rings->n; i++)
			if (r->cut[i] && (best == rings->n ||
					  rings->dim[i].length >
					  rings->dim[best].length))
				best = i;
		if (best == rings->n)
			return;
		r->cut[best] = false;
		r->dateline[best] = true;
		r->ndatelines++;
	}
}

/* Which of the two ways of equal length. */
static unsigned choose_side(uint32_t length, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b;

	if (low == 0)
		return WEFT__ASCENDING;
	if (low == length / 2 - 1)
		return WEFT__DESCENDING;
	return (a < b) == (low % 2 == 1) ? WEFT__ASCENDING : WEFT__DESCENDING;
}

/* How to get from a to b in a dimension. */
static unsigned way_to(const struct router *r, unsigned i, uint32_t a,
		       uint32_t b)
{
	const struct weft__dimension *d = &r->rings.dim[i];
	uint32_t ahead = a < b ? b - a : d->length - (a - b);

	if (!d->ring || (r->cut[i] && a && b))
		return a < b ? WEFT__ASCENDING : WEFT__DESCENDING;
	if (2 * ahead == d->length)
		return choose_side(d->length, a, b);
	return 2 * ahead < d->length ? WEFT__ASCENDING : WEFT__DESCENDING;
}

/* Whether that is with those that cross the dateline. */
static bool crosses(const struct router *r, unsigned i, uint32_t a, uint32_t b)
{
	uint32_t length = r->rings.dim[i].length;
	uint32_t low = a < b ? a : b, high = a + b - low;

	if (a == b || (2 * (high - low) == length &&
		       (low == 0 || low == length / 2 - 1)))
		return false;
	return (way_to(r, i, a, b) == WEFT__ASCENDING) != (a < b);
}

/* The same from switch s, whose ring may have a gap. */
static unsigned way_from(const struct router *r, uint32_t s, unsigned i,
			 uint32_t b)
{
	uint32_t a = r->rings.at[(size_t)s * r->rings.n + i];
	uint32_t gap = r->rings.gap[(size_t)s * r->rings.n + i];

	if (gap == WEFT_NONE)
		return way_to(r, i, a, b);
	return (a <= gap) == (b <= gap) ? a > b : a <= gap;
}

/* The position in s's adjacency of a cable towards switch b, parallel ones by
 * turns. */
static uint8_t choose(const struct router *r, uint32_t s, uint32_t b,
		      uint32_t turn)
{
	const struct weft_fabric *f = r->f;
	const struct weft__rings *rings = &r->rings;
	const uint32_t *from = rings->at + (size_t)s * rings->n;
	const uint32_t *to = rings->at + (size_t)b * rings->n;
	const uint32_t *adj = f->adj + f->adj_first[s];
	unsigned n = f->adj_first[s + 1] - f->adj_first[s];
	unsigned i = 0, first = 0, width = 1;
	uint32_t t;

	while (from[i] == to[i])
		i++;
	t = weft__rings_next(rings, s, i, way_from(r, s, i, to[i]));
	while (f->peer[adj[first]] != t)
		first++;
	while (first + width < n && f->peer[adj[first + width]] == t)
		width++;
	return first + turn % width;
}

static void choose_all(const struct router *r, struct weft__trees *trees)
{
	for (uint32_t d = 0; d < trees->n; d++) {
		struct weft__tree *tree = &trees->tree[d];

		for (uint32_t s = 0; s < r->f->nsw; s++)
			if (s != tree->root)
				tree->choice[s] = choose(r, s, tree->root, d);
	}
}

/* The datelines that a route crosses, a bit for each. */
static uint8_t lane_of(const struct router *r, uint32_t a, uint32_t b)
{
	unsigned n = r->rings.n, bit = 0;
	const uint32_t *from = r->rings.at + (size_t)a * n;
	const uint32_t *to = r->rings.at + (size_t)b * n;
	uint8_t lane = 0;

	for (unsigned i = 0; i < n; i++)
		if (r->dateline[i])
			lane |= crosses(r, i, from[i], to[i]) << bit++;
	return lane;
}

static int give_lanes(const struct router *r, struct weft_layers *layers)
{
	const struct weft_fabric *f = r->f;
	size_t n = f->nsw;

	weft_layers_init(layers);
	if (!r->ndatelines)
		return 0;
	layers->table = malloc(n * n);
	if (!layers->table)
		return -ENOMEM;
	layers->form = WEFT_SL_SWITCH_PAIR;
	layers->nsw = f->nsw;
	layers->nep = f->nep;
	layers->max_lid = f->max_lid;
	layers->nvl = 1u << r->ndatelines;
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			layers->table[a * n + b] = lane_of(r, a, b);
	return 0;
}

static bool has_long_ring(const struct weft__rings *rings)
{
	for (unsigned i = 0; i < rings->n; i++)
		if (weft__rings_is_long(rings, i))
			return true;
	return false;
}

/* Whether gaps are so few that the detours around them are no matter. */
static bool are_gaps_few(const struct weft__rings *rings, uint32_t nsw)
{
	uint32_t nrings = 0;

	for (unsigned i = 0; i < rings->n; i++) {
		const struct weft__dimension *d = &rings->dim[i];

		if (d->ring)
			nrings += nsw / d->length;
		else if (d->length == 2)
			nrings += nsw / 8;	/* two of these are rings of 4 */
	}
	return !rings->ngaps ||
		(has_long_ring(rings) && rings->ngaps <= nrings / GAPS);
}

/* Whether it is better taken for a part of a product. */
static bool is_damaged(const struct weft__weave *w,
		       const struct weft__rings *rings)
{
	return weft__weave_is_large(w->f) && has_long_ring(rings) &&
		!are_gaps_few(rings, w->f->nsw);
}

/* If hosts hang unevenly, or many rings have gaps, some cables are crowded. */
static bool is_even(const struct weft_fabric *f,
		    const struct weft__rings *rings)
{
	uint32_t n = weft__weave_hosts_on(f, 0);

	for (uint32_t s = 1; s < f->nsw; s++)
		if (weft__weave_hosts_on(f, s) != n)
			return false;
	return are_gaps_few(rings, f->nsw);
}

/* Whether no dimension is twice as long as all others. */
static bool is_broad(const struct weft__rings *rings)
{
	uint32_t longest = 0, second = 0;

	for (unsigned i = 0; i < rings->n; i++) {
		uint32_t length = rings->dim[i].length;

		if (length > longest) {
			second = longest;
			longest = length;
		} else if (length > second) {
			second = length;
		}
	}
	return longest < 2 * second;
}

/* Whether that is worth more than w->ordered; where time matters it goes
 * without saying of even products that are broad. */
static int confirm(struct weft__weave *w, const struct router *r, bool even,
		   const struct weft__trees *trees, bool *better)
{
	if (even && weft__weave_is_large(w->f) && is_broad(&r->rings))
		return 0;
	return weft__weave_order(w) ?
		weft__weave_beats_order(w, trees, better) : -ENOMEM;
}

int weft__weave_rings(struct weft__weave *w, struct weft__woven *out,
		      struct weft_layers *layers, bool *found, bool *sure)
{
	struct router r = { .f = w->f };
	int err;

	if (!weft__rings_find(&r.rings, w->f, w->arena, found))
		return -ENOMEM;
	if (!*found)
		return 0;
	if (!r.rings.whole || is_damaged(w, &r.rings)) {
		err = weft__weave_part(w, &r.rings, out, layers, found, sure);
		if (err || *found || !r.rings.whole)
			return err;
	}
	draw_datelines(&r, w->lanes);
	weft_explain(w->diag, "a product of rings and paths: %u dimensions, "
		     "%u datelines, %" PRIu32 " gaps", r.rings.n, r.ndatelines,
		     r.rings.ngaps);
	if (!weft__trees_list(w->f, w->arena, w->order, &out->trees))
		return -ENOMEM;
	choose_all(&r, &out->trees);
	*sure = is_even(w->f, &r.rings);
	err = confirm(w, &r, *sure, &out->trees, found);
	if (err || !*found)
		return err;
	return give_lanes(&r, layers);
}
