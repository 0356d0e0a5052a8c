// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: lanes on damaged products of rings and paths
 *
 * In a whole product routes go by one dimension after the other.  Where
 * switches or cables are missing, most pairs still can, and the others need
 * turns that such routes do not use.  So each lane is given an order of its
 * channels such that all ways by dimensions, and many others, are in the order
 * of some lane.
 *
 * A ring of WEFT__LONG_RING switches or more has a dateline: no way passes the
 * switch at which the ring begins, and that is its first switch or the one
 * opposite, depending on the lane.  No way of half the ring or less passes
 * both.  With n such dimensions there are 2^n classes of lanes, one for each
 * set of datelines.  Where there are fewer lanes, the longest rings have such
 * classes, and the others begin at their first switch in every lane.  A ring with
 * gaps is one path or several, and may be passed everywhere.
 * 1. The first lane of each class goes by dimensions.  Its order begins with
 *    the descending channels of the first dimension.  Then, place by place,
 *    come all channels of later dimensions at that place, ordered in the same
 *    way, and the ascending channel ahead.  So ways in later dimensions may
 *    turn to ascend in an earlier one.  On paths that pass the place where
 *    rings begin, ascending channels up to there come first, too, and no way
 *    turns into them.  Every other class is mirrored in all dimensions, as
 *    detours that are needed in one direction are needed in the other one on
 *    the way back, or in another class.
 * 2. Further lanes are Up*Down* towards a corner, each towards another one: up
 *    in any dimensions, then down.  Two such lanes hold every minimal way of
 *    every pair, in both directions, on a mesh of two dimensions; two for each
 *    class do so on a torus of two dimensions.
 * 3. In each lane a tree grows from the switch where its order turns round
 *    (lanes/lane_tree.c), so that every pair has some way in every lane.
 *
 * Lanes of corners alone would hold more ways, but trees do not find these, as
 * the choice of a switch binds all switches behind it; ways by dimensions are
 * always a good choice.  Fewer pairs have a lane if all classes have the same
 * orientation, or if each further lane has another order of dimensions.
 */
#include "engines/weave/rings_lanes.h"

#include "core/arena.h"
#include "engines/weave/rings_ways.h"
#include "lanes/lane_tree.h"

#include <stdlib.h>
#include <string.h>

/* Most switches in a tree at the order's expense for which no other root is
 * tried. */
#define MAX_MOVED(nsw) ((nsw) / 3)

struct lane {
	bool corner;		/* by hops to a corner; else by dimensions */
	uint32_t cut[WEFT__MAX_DIMENSIONS];	/* coordinate at which rings
						 * begin */
	bool flip[WEFT__MAX_DIMENSIONS];	/* runs the other way round */
};

struct laner {
	const struct weft__rings *r;
	const struct weft_fabric *f;
	struct weft__ring_line *line;	/* [nsw * dimensions] */
	bool told[WEFT__MAX_DIMENSIONS];	/* the ring begins at two places,
						 * by the class */
	uint8_t *label;		/* [edges] 2 * dimension + direction */
	struct weft__lane_tree order;	/* of the current lane: channels wait
					 * for higher ones only */
};

/* Finds the line of dimension i that begins with switch s. */
static void measure_line(struct laner *l, uint32_t s, unsigned i)
{
	uint32_t length = 0;

	for (uint32_t x = s; x != WEFT_NONE;
	     x = weft__rings_next(l->r, x, i, WEFT__ASCENDING))
		l->line[(size_t)x * l->r->n + i].from = length++;
	for (uint32_t x = s; x != WEFT_NONE;
	     x = weft__rings_next(l->r, x, i, WEFT__ASCENDING))
		l->line[(size_t)x * l->r->n + i].length = length;
}

static void find_lines(struct laner *l)
{
	for (uint32_t s = 0; s < l->f->nsw; s++)
		for (unsigned i = 0; i < l->r->n; i++)
			if (weft__rings_next(l->r, s, i, WEFT__DESCENDING) ==
			    WEFT_NONE)
				measure_line(l, s, i);
}

/* Labels each edge by its dimension and direction. */
static void label_edges(struct laner *l)
{
	const struct weft_fabric *f = l->f;

	for (uint32_t s = 0; s < f->nsw; s++) {
		const uint32_t *next = l->r->next + (size_t)s * l->r->n * 2;

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			unsigned k = 0;

			while (next[k] != f->peer[f->adj[e]])
				k++;
			l->label[e] = k;
		}
	}
}

/* Returns the steps of switch s from where its ring begins, or on a path its
 * coordinate. */
static int64_t steps_from_cut(const struct laner *l, const struct lane *lane,
			      uint32_t s, unsigned i)
{
	const struct weft__dimension *d = &l->r->dim[i];
	uint32_t at = l->r->at[(size_t)s * l->r->n + i];

	return d->ring ? (at + d->length - lane->cut[i]) % d->length : at;
}

/* Returns the same in the lane's direction. */
static int64_t directed_steps(const struct laner *l, const struct lane *lane,
			      uint32_t s, unsigned i)
{
	const struct weft__dimension *d = &l->r->dim[i];
	int64_t length = d->length, at = steps_from_cut(l, lane, s, i);

	if (!lane->flip[i])
		return at;
	return d->ring && !lane->corner ? (length - at) % length :
		length - 1 - at;
}

/* Returns the key of the channel from s to t: first those up, towards the
 * corner, the farthest first, then those down. */
static int64_t corner_key(const struct laner *l, const struct lane *lane,
			  uint32_t s, uint32_t t)
{
	int64_t here = 0, there = 0, size = 0;

	for (unsigned i = 0; i < l->r->n; i++) {
		here += directed_steps(l, lane, s, i);
		there += directed_steps(l, lane, t, i);
		size += l->r->dim[i].length - 1;
	}
	return there < here ? size - here : size + here;
}

/* True if a way along a line that is no whole ring still passes the place where
 * rings begin. */
static bool passes_beginning(const struct weft__ring_line *line, int64_t at,
			     int64_t length, bool down, int64_t from)
{
	return line->length && at &&
		from + (down ? at : length - at) + 1 < line->length;
}

/* Returns the digit of dimension i for a channel in that dimension. */
static int64_t key_within(const struct laner *l, const struct lane *lane,
			  uint32_t s, unsigned i, bool down)
{
	const struct weft__ring_line *line = &l->line[(size_t)s * l->r->n + i];
	const struct weft__dimension *d = &l->r->dim[i];
	int64_t length = d->length, at = directed_steps(l, lane, s, i);
	int64_t from = down ? (int64_t)line->length - 1 - line->from :
		line->from;

	if (d->ring &&
	    passes_beginning(line, at, length, down != lane->flip[i], from))
		return from - 3 * length;
	if (down != lane->flip[i])
		return (length - at) % length - length - 1;
	return 2 * at;
}

/* Returns the digit of dimension i for a channel in a later dimension. */
static int64_t key_across(const struct laner *l, const struct lane *lane,
			  uint32_t s, unsigned i)
{
	const struct weft__dimension *d = &l->r->dim[i];
	int64_t at = directed_steps(l, lane, s, i);

	return d->ring && !at ? 2 * (int64_t)d->length : 2 * at - 1;
}

static int64_t dimension_key(const struct laner *l, const struct lane *lane,
			     uint32_t s, unsigned label)
{
	int64_t key = 0;

	for (unsigned i = 0; i < l->r->n; i++) {
		int64_t length = l->r->dim[i].length, digit = 0;

		if (i < label / 2)
			digit = key_across(l, lane, s, i);
		else if (i == label / 2)
			digit = key_within(l, lane, s, i, label % 2);
		key = key * 6 * length + digit + 3 * length;
	}
	return key;
}

/* Returns the switch where ways turn round from descending to ascending. */
static uint32_t find_root(const struct laner *l, const struct lane *lane)
{
	int64_t least = INT64_MAX;
	uint32_t root = 0;

	for (uint32_t s = 0; s < l->f->nsw; s++) {
		int64_t sum = 0;

		for (unsigned i = 0; i < l->r->n; i++) {
			int64_t length = l->r->dim[i].length;
			int64_t at = directed_steps(l, lane, s, i);
			bool cut = l->r->dim[i].ring && !lane->corner;

			sum += cut ? (at + length - 1) % length : at;
		}
		if (sum < least) {
			least = sum;
			root = s;
		}
	}
	return root;
}

/* Orders the channels, with a tree from root.  Returns how many switches are in
 * the tree at the order's expense. */
static uint32_t order_from(struct laner *l, const struct lane *lane,
			   uint32_t root)
{
	const struct weft_fabric *f = l->f;
	struct weft__lane_tree *o = &l->order;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++)
			o->key[e] = lane->corner ?
				corner_key(l, lane, s, f->peer[f->adj[e]]) :
				dimension_key(l, lane, s, l->label[e]);
	return weft__lane_tree_grow(o, root);
}

/*
 * Orders the channels of a lane, with a tree from the switch where ways turn
 * round.  If that is at the expense of too many switches, as cables are missing
 * there, tries its neighbours as well and takes the best.
 */
static void order_channels(struct laner *l, const struct lane *lane)
{
	const struct weft_fabric *f = l->f;
	uint32_t root = find_root(l, lane), best = root;
	uint32_t least = order_from(l, lane, root), n = least;

	if (least <= MAX_MOVED(f->nsw))
		return;
	for (uint32_t e = f->adj_first[root]; e < f->adj_first[root + 1]; e++) {
		n = order_from(l, lane, f->peer[f->adj[e]]);
		if (n < least) {
			least = n;
			best = f->peer[f->adj[e]];
		}
	}
	if (n > least || best == root)
		order_from(l, lane, best);
}

/* Describes lane k: the first 2^ntold lanes are one of each class, by
 * dimensions, and further ones lead to corners. */
static struct lane choose_lane(const struct laner *l, unsigned k,
			       unsigned ntold)
{
	const struct weft__rings *r = l->r;
	unsigned class = k & ((1u << ntold) - 1), variant = k >> ntold;
	unsigned corner = variant ^ class ^ class >> 1;
	struct lane lane = { .corner = variant };

	for (unsigned i = 0; i < r->n; i++) {
		uint32_t length = r->dim[i].length;

		lane.flip[i] = variant ? corner >> i & 1 :
			__builtin_parity(class);
		if (l->told[i])
			lane.cut[i] = class & 1 ? length / 2 : 0;
		else if (!weft__rings_is_long(r, i))
			lane.cut[i] = variant % length;
		class >>= l->told[i];
	}
	return lane;
}

/* Has as many rings begin at two places as lanes allow, the longest ones.  Returns
 * how many. */
static unsigned tell_rings(struct laner *l, unsigned lanes)
{
	unsigned n = 0;

	while (2u << n <= lanes &&
	       weft__rings_take_longest(l->r, l->told) < l->r->n)
		n++;
	return n;
}

static bool measure(struct laner *l, struct weft_arena *arena)
{
	size_t nsw = l->f->nsw, nedges = l->f->adj_first[nsw];

	l->line = weft__arena_zalloc(arena, nsw * l->r->n, sizeof(*l->line));
	l->label = weft__arena_alloc(arena, nedges, 1);
	if (!l->line || !l->label)
		return false;
	find_lines(l);
	label_edges(l);
	return true;
}

bool weft__rings_lanes(struct weft__rings_lanes *lanes,
		       const struct weft__rings *r, unsigned n,
		       struct weft_arena *arena)
{
	const struct weft_fabric *f = r->fabric;
	struct laner l = { .r = r, .f = f };
	struct weft__rings_ways ways;

	lanes->ntold = tell_rings(&l, n);
	lanes->common = weft__arena_alloc(arena, (size_t)f->nsw * f->nsw,
					  sizeof(*lanes->common));
	lanes->up = weft__arena_alloc(arena, (size_t)n * f->nsw,
				      sizeof(*lanes->up));
	if (!lanes->common || !lanes->up || !measure(&l, arena) ||
	    !weft__lane_tree_init(&l.order, f, arena) ||
	    !weft__turns_init(&lanes->turns, f, arena))
		return false;
	for (unsigned k = 0; k < n; k++) {
		struct lane lane = choose_lane(&l, k, lanes->ntold);

		l.order.up = lanes->up + (size_t)k * f->nsw;
		order_channels(&l, &lane);
		weft__lane_tree_allow(&l.order, &lanes->turns, k);
	}
	ways = (struct weft__rings_ways){
		.rings = r,
		.line = l.line,
		.told = l.told,
		.turns = &lanes->turns,
		.lanes = n,
	};
	return weft__rings_common(&ways, arena, lanes->common, &lanes->broken);
}

struct channel {
	int64_t key;
	uint32_t id;
};

static int by_key(const void *x, const void *y)
{
	const struct channel *a = x, *b = y;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Those that lead to no other switch come last. */
static void find_keys(const struct laner *l, const struct lane *lane,
		      struct channel *channel)
{
	const struct weft_fabric *f = l->f;

	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		channel[ch] = (struct channel){ INT64_MAX, ch };
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++)
			channel[f->adj[e]].key =
				dimension_key(l, lane, s, l->label[e]);
}

const uint32_t *weft__rings_order(const struct weft__rings *r,
				  struct weft_arena *arena)
{
	uint32_t n = r->fabric->first_injection;
	uint32_t *out = weft__arena_alloc(arena, n, sizeof(*out));
	struct channel *channel = weft__arena_alloc(arena, n,
						    sizeof(*channel));
	struct laner l = { .r = r, .f = r->fabric };

	if (!out || !channel || !measure(&l, arena))
		return NULL;
	find_keys(&l, &(struct lane){ .corner = false }, channel);
	qsort(channel, n, sizeof(*channel), by_key);
	for (uint32_t i = 0; i < n; i++)
		out[i] = channel[i].id;
	return out;
}
