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
 * - Or else two datelines share a bit of the lane, which is a strategy of its own
 *   and suits rings of one length.  The one lane is for routes that leave out both
 *   datelines, the other one for those that leave out both opposite sides.  The
 *   later dimension in which a route crosses either says which; in the earlier one,
 *   the shorter ring, it goes around by the way that the lane allows.
 * - A ring with a gap, which is one missing cable, is a path, and no cycle can
 *   run around it, in whatever lane.
 *
 * Where more is missing, entries without a cable are mended (holes.c); damaged.c has
 * more ways to choose from.
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
 *   goes on from the one to the other.  Not so where datelines share a bit, as
 *   some stretches are longer than half the ring there.
 * - Both directions of other pairs use the same side, one pair the one side and
 *   the next pair the other.
 * So rings of 8 have just the pairs that are even.  Rings of 4 have, too; as two
 * dimensions of pairs they have the same routes.
 *
 * Complexity: O(LIDs x switches x (dimensions + cables of a switch)).
 */
#include "engines/weave/damaged.h"
#include "engines/weave/holes.h"
#include "engines/weave/rings_lanes.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>

#define NO_BIT WEFT__MAX_DIMENSIONS
#define HOLE UINT8_MAX

struct router {
	const struct weft_fabric *f;
	const struct weft__rings *rings;
	unsigned bit[WEFT__MAX_DIMENSIONS];	/* of the lane, for a dateline */
	bool shared[WEFT__MAX_DIMENSIONS];	/* that bit, with other rings */
	bool cut[WEFT__MAX_DIMENSIONS];
	unsigned nbits;
	unsigned order[WEFT__MAX_DIMENSIONS];	/* in which routes go by them */
	struct weft__holes holes;
};

/* The order of dimensions is that of the fabric, or the shortest come first: where
 * two share a bit, the shorter one gives way. */
static void sort_dimensions(struct router *r, bool by_length)
{
	const struct weft__dimension *dim = r->rings->dim;

	for (unsigned i = 0; i < r->rings->n; i++) {
		unsigned at = i;

		for (; by_length && at && dim[r->order[at - 1]].length >
					  dim[i].length; at--)
			r->order[at] = r->order[at - 1];
		r->order[at] = i;
	}
}

/* Lanes that are told apart by n bits are at least 2^n. */
static unsigned bits_of(unsigned lanes)
{
	return 31 - __builtin_clz(lanes);
}

/* Deals the bits of a lane to rings, the longest first; share: and the last one
 * to one ring more. */
static void deal_bits(struct router *r, unsigned lanes, bool share)
{
	const struct weft__rings *rings = r->rings;
	unsigned nbits = bits_of(lanes);
	bool dealt[WEFT__MAX_DIMENSIONS] = { false };

	for (unsigned i = 0; i < rings->n; i++)
		r->bit[i] = NO_BIT;
	for (unsigned n = 0, i; n < nbits + share &&
	     (i = weft__rings_take_longest(rings, dealt)) < rings->n; n++) {
		r->bit[i] = n < nbits ? n : nbits - 1;
		r->nbits = r->bit[i] + 1;
	}
	for (unsigned i = 0; i < rings->n; i++) {
		r->shared[i] = share && r->bit[i] == nbits - 1;
		r->cut[i] = r->bit[i] == NO_BIT && weft__rings_is_long(rings, i);
	}
	sort_dimensions(r, share);
}

#define FOUR_PAIRS 8	/* switches of a ring that has so many pairs */

/* How the two directions of a pair of opposite switches are told apart. */
enum pair { OUTER, INNER, SAME_SIDE };

/* Returns how, by the lower coordinate. */
static enum pair kind_of_pair(const struct router *r, unsigned i, uint32_t low)
{
	uint32_t length = r->rings->dim[i].length;

	if (low == 0 || low == length / 2 - 1)
		return OUTER;
	return length >= FOUR_PAIRS && !r->shared[i] &&
	       (low == 1 || low == length / 2 - 2) ? INNER : SAME_SIDE;
}

/* Returns the direction from a to b where both ways are equally long. */
static unsigned choose_side(const struct router *r, unsigned i, uint32_t a,
			    uint32_t b)
{
	uint32_t low = a < b ? a : b;

	switch (kind_of_pair(r, i, low)) {
	case OUTER:
		return low == 0 ? WEFT__ASCENDING : WEFT__DESCENDING;
	case INNER:
		return low == 1 ? WEFT__DESCENDING : WEFT__ASCENDING;
	case SAME_SIDE:
		break;
	}
	return (a < b) == (low % 2 == 1) ? WEFT__ASCENDING : WEFT__DESCENDING;
}

/* Returns the direction of the shorter way from a to b in dimension i. */
static unsigned direction_to(const struct router *r, unsigned i, uint32_t a,
			     uint32_t b)
{
	const struct weft__dimension *d = &r->rings->dim[i];
	uint32_t ahead = a < b ? b - a : d->length - (a - b);

	if (!d->ring || (r->cut[i] && a && b))
		return a < b ? WEFT__ASCENDING : WEFT__DESCENDING;
	if (2 * ahead == d->length)
		return choose_side(r, i, a, b);
	return 2 * ahead < d->length ? WEFT__ASCENDING : WEFT__DESCENDING;
}

/* The bit of the lane that a stretch asks for. */
enum side { NO_DATELINE, NO_OPPOSITE, EITHER };

/* The first coordinate beyond the opposite side. */
static uint32_t half(const struct router *r, unsigned i)
{
	return (r->rings->dim[i].length + 1) / 2;
}

/* Returns what the shorter way from a to b leaves out. */
static enum side leaves_out(const struct router *r, unsigned i, uint32_t a,
			    uint32_t b)
{
	uint32_t length = r->rings->dim[i].length;
	uint32_t low = a < b ? a : b, high = a + b - low;

	if (a == b)
		return EITHER;
	if (2 * (high - low) == length &&
	    kind_of_pair(r, i, low) != SAME_SIDE)
		return kind_of_pair(r, i, low) == INNER ? NO_OPPOSITE :
							  NO_DATELINE;
	if ((direction_to(r, i, a, b) == WEFT__ASCENDING) != (a < b))
		return NO_OPPOSITE;
	return low < half(r, i) && high >= half(r, i) ? NO_DATELINE : EITHER;
}

/* Returns what a route leaves out in the dimensions of a bit, but for those
 * before the first. */
static enum side side_of(const struct router *r, uint32_t a, uint32_t b,
			 unsigned bit, unsigned first)
{
	unsigned n = r->rings->n;
	const uint32_t *from = r->rings->at + (size_t)a * n;
	const uint32_t *to = r->rings->at + (size_t)b * n;
	enum side side = EITHER;

	for (unsigned k = n; k-- > first && side == EITHER;) {
		unsigned i = r->order[k];

		if (r->bit[i] == bit)
			side = leaves_out(r, i, from[i], to[i]);
	}
	return side;
}

/* Returns the direction from a to b on the ring without that side. */
static unsigned direction_without(const struct router *r, unsigned i,
				  enum side side, uint32_t a, uint32_t b)
{
	uint32_t h = half(r, i);

	return (a < b) != (side == NO_OPPOSITE && (a < h) != (b < h)) ?
		       WEFT__ASCENDING : WEFT__DESCENDING;
}

/* Returns the direction at switch s of routes to root, which go on in the kth
 * dimension; the ring may have a gap. */
static unsigned direction_from(const struct router *r, uint32_t s, unsigned k,
			       uint32_t root)
{
	unsigned n = r->rings->n, i = r->order[k];
	uint32_t a = r->rings->at[(size_t)s * n + i];
	uint32_t b = r->rings->at[(size_t)root * n + i];
	uint32_t gap = r->rings->gap[(size_t)s * n + i];
	enum side side;

	if (gap != WEFT_NONE)
		return (a <= gap) == (b <= gap) ? a > b : a <= gap;
	side = r->shared[i] ? side_of(r, s, root, r->bit[i], k + 1) : EITHER;
	return side == EITHER ? direction_to(r, i, a, b) :
				direction_without(r, i, side, a, b);
}

/* Returns the position in the adjacency of s of a cable towards switch b, or
 * HOLE; parallel cables take turns. */
static uint8_t choose_cable(const struct router *r, uint32_t s, uint32_t b,
			    uint32_t turn)
{
	const struct weft_fabric *f = r->f;
	const struct weft__rings *rings = r->rings;
	const uint32_t *from = rings->at + (size_t)s * rings->n;
	const uint32_t *to = rings->at + (size_t)b * rings->n;
	const uint32_t *adj = f->adj + f->adj_first[s];
	unsigned n = f->adj_first[s + 1] - f->adj_first[s];
	unsigned k = 0, first = 0, width = 1;
	uint32_t t;

	while (from[r->order[k]] == to[r->order[k]])
		k++;
	t = weft__rings_next(rings, s, r->order[k], direction_from(r, s, k, b));
	if (t == WEFT_NONE)
		return HOLE;
	while (f->peer[adj[first]] != t)
		first++;
	while (first + width < n && f->peer[adj[first + width]] == t)
		width++;
	return first + turn % width;
}

static int choose_cables(struct router *r, struct weft__trees *trees)
{
	int err = 0;

	for (uint32_t d = 0; d < trees->n; d++) {
		struct weft__tree *tree = &trees->tree[d];

		for (uint32_t s = 0; s < r->f->nsw && !err; s++) {
			if (s == tree->root)
				continue;
			tree->choice[s] = choose_cable(r, s, tree->root, d);
			if (tree->choice[s] != HOLE)
				continue;
			tree->choice[s] = 0;
			err = weft__holes_note(&r->holes, s, tree->lid);
		}
	}
	return err;
}

/* Returns the lane of a route. */
static uint8_t lane_of(const struct router *r, uint32_t a, uint32_t b)
{
	uint8_t lane = 0;

	for (unsigned bit = 0; bit < r->nbits; bit++)
		lane |= (side_of(r, a, b, bit, 0) == NO_OPPOSITE) << bit;
	return lane;
}

/* Gives each pair of switches the lane of its datelines. */
static int assign_lanes(const struct router *r, struct weft_layers *layers)
{
	const struct weft_fabric *f = r->f;
	size_t n = f->nsw;

	weft_layers_init(layers);
	if (!r->nbits)
		return 0;
	layers->table = malloc(n * n);
	if (!layers->table)
		return -ENOMEM;
	layers->form = WEFT_SL_SWITCH_PAIR;
	layers->nsw = f->nsw;
	layers->nep = f->nep;
	layers->max_lid = f->max_lid;
	layers->nvl = 1u << r->nbits;
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			layers->table[a * n + b] = lane_of(r, a, b);
	return 0;
}

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root)
		return "roots are given";
	return w->facts.rings ? NULL :
				"no part of a product of rings and paths";
}

static const char *refuses_to_share(const struct weft__weave *w)
{
	const char *why = refuses(w);

	if (why)
		return why;
	if (!w->facts.product.whole)
		return "only part of a product";
	if (w->lanes < 2)
		return "one lane";
	return weft__rings_count_long(&w->facts.product) > bits_of(w->lanes) ?
		       NULL : "lanes for all rings";
}

static double work(const struct weft__weave *w)
{
	return (double)w->facts.lids * w->f->nsw * (w->facts.product.n + 4) +
	       weft__holes_work(w);
}

static int fill(struct weft__weave *w, struct router *r,
		const struct weft__trees *trees, struct weft_routes *out)
{
	int err = weft__trees_fill(w->f, trees, &out->lft);

	if (!err)
		err = assign_lanes(r, &out->layers);
	if (!err && r->holes.n) {
		r->holes.order = weft__rings_order(r->rings, w->arena);
		err = r->holes.order ? 0 : -ENOMEM;
	}
	if (!err)
		err = weft__holes_mend(w, &r->holes, out);
	if (err)
		weft_routes_free(out);
	return err;
}

/* Returns how many lanes tell datelines apart.  Where parts are missing, and
 * strategies that find better ways would take more work than is left, that is half
 * of the lanes: the others are for ways that are mended. */
static unsigned telling_lanes(const struct weft__weave *w)
{
	bool brief = weft__assign_lanes_least(w) > weft__weave_left(w, 0);

	return w->lanes > 1 && !w->facts.product.whole && brief ?
		       w->lanes / 2 : w->lanes;
}

static int route(struct weft__weave *w, bool share, struct weft_routes *out)
{
	struct router r = { .f = w->f, .rings = &w->facts.product };
	struct weft__trees trees;
	int err;

	if (!weft__trees_list(w->f, w->arena, w->order, &trees))
		return -ENOMEM;
	deal_bits(&r, telling_lanes(w), share);
	err = choose_cables(&r, &trees);
	if (!err)
		err = fill(w, &r, &trees, out);
	weft__holes_free(&r.holes);
	return err;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	return route(w, false, out);
}

static int build_shared(struct weft__weave *w, struct weft_routes *out)
{
	return route(w, true, out);
}

#define TOO_LONG 2e10		/* edges to look at: half a minute */

/* Whether damaged.c has a lane for each set of datelines, and time for them. */
static bool is_damaged_better(const struct weft__weave *w)
{
	return !weft__damaged_refuses(w) && weft__damaged_tells_all(w) &&
	       weft__assign_lanes_least(w) <= TOO_LONG;
}

/* Far more than others, which come near on no whole torus.  On a part of one it comes
 * after damaged.c where that is better, and before all others where not. */
static double promise(const struct weft__weave *w)
{
	if (w->facts.product.whole)
		return 100;
	return is_damaged_better(w) ? 6 * work(w) / weft__damaged_work(w) : 20;
}

const struct weft__strategy weft__strategy_dimensions = {
	.name = "dimensions",
	.about = "tori, meshes and hypercubes",
	.promise = promise,
	.refuses = refuses,
	.work = work,
	.build = build,
};

const struct weft__strategy weft__strategy_shared = {
	.name = "shared",
	.about = "tori with fewer lanes than datelines ask for",
	.promise = promise,
	.refuses = refuses_to_share,
	.work = work,
	.build = build_shared,
};
