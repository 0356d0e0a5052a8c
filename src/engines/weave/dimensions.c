// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on tori
 *
 * On products of rings, paths and pairs (shapes/rings.c) routes go by one
 * dimension after the other, the shorter way around.  Turns from one dimension
 * lead to later ones only, so that a cycle can only run around a ring, and
 * lanes are given out by what the rings need:
 * - A ring of up to 4 switches needs no lane of its own.
 * - Any other ring has a dateline, between its last switch and the first.  A
 *   stretch of a route along the ring crosses it or does not.  Stretches that
 *   do not cross leave out the dateline; those that do, none of them longer
 *   than half the ring, leave out the opposite side: neither kind closes a
 *   cycle.  A lane is the set of dimensions whose dateline is crossed, so that
 *   n datelines take 2^n lanes.
 * - Where there are fewer lanes, the shortest rings are cut: no route passes
 *   their first switch, although routes end and begin there by either cable.
 *   Routes that would have passed it take the long way around, all in the same
 *   lane as the others.
 * - A ring with a gap, which is one missing cable, is a path, and no cycle can
 *   run around it, in whatever lane.
 *
 * Where more is missing, see damaged.c.
 *
 * Reverse ways cross the same datelines, as they must to share a service level.
 * That leaves the two ways to the opposite side of an even ring of k switches.
 * Loads are even if both directions of a pair a, a + k/2 ascend, and both of the
 * next pair descend.  One of the two crosses the dateline then, so that the lane
 * of the pair needs room for a stretch of the other kind:
 * - Both directions of the first pair ascend, and both of the last pair descend.
 *   They cross the dateline with their last step only, and no stretch that does
 *   not cross goes on from there.
 * - From 8 switches on, both directions of the last pair but one ascend, and both
 *   of the second pair descend.  They count as crossing: no stretch that crosses
 *   goes on from the one to the other.
 * - Both directions of other pairs use the same side, one pair the one side and
 *   the next pair the other.
 * So rings of 8 have just the pairs that are even.  Rings of 4 have, too; as two
 * dimensions of pairs they have the same routes.
 *
 * Complexity: O(LIDs x switches x (dimensions + cables of a switch)).
 */
#include "engines/weave/weave.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>

struct router {
	const struct weft_fabric *f;
	const struct weft__rings *rings;
	bool dateline[WEFT__MAX_DIMENSIONS];
	bool cut[WEFT__MAX_DIMENSIONS];
	unsigned ndatelines;
};

/* Gives datelines to the longest rings, as many as there are lanes for. */
static void draw_datelines(struct router *r, unsigned lanes)
{
	const struct weft__rings *rings = r->rings;

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

#define FOUR_PAIRS 8	/* switches of a ring that has so many pairs */

/* How the two directions of a pair of opposite switches are told apart. */
enum pair { OUTER, INNER, SAME_SIDE };

/* Returns how, by the lower coordinate. */
static enum pair kind_of_pair(uint32_t length, uint32_t low)
{
	if (low == 0 || low == length / 2 - 1)
		return OUTER;
	return length >= FOUR_PAIRS && (low == 1 || low == length / 2 - 2) ?
		       INNER : SAME_SIDE;
}

/* Returns the direction from a to b where both ways are equally long. */
static unsigned choose_side(uint32_t length, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b;

	switch (kind_of_pair(length, low)) {
	case OUTER:
		return low == 0 ? WEFT__ASCENDING : WEFT__DESCENDING;
	case INNER:
		return low == 1 ? WEFT__DESCENDING : WEFT__ASCENDING;
	case SAME_SIDE:
		break;
	}
	return (a < b) == (low % 2 == 1) ? WEFT__ASCENDING : WEFT__DESCENDING;
}

/* Returns the direction from a to b in dimension i. */
static unsigned direction_to(const struct router *r, unsigned i, uint32_t a,
			     uint32_t b)
{
	const struct weft__dimension *d = &r->rings->dim[i];
	uint32_t ahead = a < b ? b - a : d->length - (a - b);

	if (!d->ring || (r->cut[i] && a && b))
		return a < b ? WEFT__ASCENDING : WEFT__DESCENDING;
	if (2 * ahead == d->length)
		return choose_side(d->length, a, b);
	return 2 * ahead < d->length ? WEFT__ASCENDING : WEFT__DESCENDING;
}

/* True if the stretch from a to b counts as crossing the dateline. */
static bool crosses_dateline(const struct router *r, unsigned i, uint32_t a,
			     uint32_t b)
{
	uint32_t length = r->rings->dim[i].length;
	uint32_t low = a < b ? a : b, high = a + b - low;

	if (a == b)
		return false;
	if (2 * (high - low) == length &&
	    kind_of_pair(length, low) != SAME_SIDE)
		return kind_of_pair(length, low) == INNER;
	return (direction_to(r, i, a, b) == WEFT__ASCENDING) != (a < b);
}

/* Returns the direction from switch s to b in dimension i; the ring may have a
 * gap. */
static unsigned direction_from(const struct router *r, uint32_t s, unsigned i,
			       uint32_t b)
{
	uint32_t a = r->rings->at[(size_t)s * r->rings->n + i];
	uint32_t gap = r->rings->gap[(size_t)s * r->rings->n + i];

	if (gap == WEFT_NONE)
		return direction_to(r, i, a, b);
	return (a <= gap) == (b <= gap) ? a > b : a <= gap;
}

/* Returns the position in the adjacency of s of a cable towards switch b;
 * parallel cables take turns. */
static uint8_t choose_cable(const struct router *r, uint32_t s, uint32_t b,
			    uint32_t turn)
{
	const struct weft_fabric *f = r->f;
	const struct weft__rings *rings = r->rings;
	const uint32_t *from = rings->at + (size_t)s * rings->n;
	const uint32_t *to = rings->at + (size_t)b * rings->n;
	const uint32_t *adj = f->adj + f->adj_first[s];
	unsigned n = f->adj_first[s + 1] - f->adj_first[s];
	unsigned i = 0, first = 0, width = 1;
	uint32_t t;

	while (from[i] == to[i])
		i++;
	t = weft__rings_next(rings, s, i, direction_from(r, s, i, to[i]));
	while (f->peer[adj[first]] != t)
		first++;
	while (first + width < n && f->peer[adj[first + width]] == t)
		width++;
	return first + turn % width;
}

static void choose_cables(const struct router *r, struct weft__trees *trees)
{
	for (uint32_t d = 0; d < trees->n; d++) {
		struct weft__tree *tree = &trees->tree[d];

		for (uint32_t s = 0; s < r->f->nsw; s++)
			if (s != tree->root)
				tree->choice[s] =
					choose_cable(r, s, tree->root, d);
	}
}

/* Returns the lane of a route: a bit for each dateline that it crosses. */
static uint8_t lane_of(const struct router *r, uint32_t a, uint32_t b)
{
	unsigned n = r->rings->n, bit = 0;
	const uint32_t *from = r->rings->at + (size_t)a * n;
	const uint32_t *to = r->rings->at + (size_t)b * n;
	uint8_t lane = 0;

	for (unsigned i = 0; i < n; i++)
		if (r->dateline[i])
			lane |= crosses_dateline(r, i, from[i], to[i]) << bit++;
	return lane;
}

/* Gives each pair of switches the lane of its datelines. */
static int assign_lanes(const struct router *r, struct weft_layers *layers)
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

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root)
		return "roots are given";
	if (!w->facts.rings)
		return "no product of rings and paths";
	return w->facts.product.whole ? NULL : "only part of a product";
}

static double work(const struct weft__weave *w)
{
	return (double)w->facts.lids * w->f->nsw *
	       (w->facts.product.n + 4);
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct router r = { .f = w->f, .rings = &w->facts.product };
	struct weft__trees trees;
	int err;

	if (!weft__trees_list(w->f, w->arena, w->order, &trees))
		return -ENOMEM;
	draw_datelines(&r, w->lanes);
	choose_cables(&r, &trees);
	err = weft__trees_fill(w->f, &trees, &out->lft);
	return err ? err : assign_lanes(&r, &out->layers);
}

static double promise(const struct weft__weave *w)
{
	(void)w;
	return 10;
}

const struct weft__strategy weft__strategy_dimensions = {
	.name = "dimensions",
	.about = "tori, meshes and hypercubes",
	.promise = promise,
	.refuses = refuses,
	.work = work,
	.build = build,
};
