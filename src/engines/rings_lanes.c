// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: lanes on damaged products of rings and paths
 *
 * In a whole product routes go by one dimension after the other.  Where
 * switches or cables are missing most pairs still can, and the others need
 * turns that this has no use for.  So each lane is given an order of its
 * channels, such that all ways by dimensions are in the order of some lane,
 * and many others, too.
 *
 * Rings of WEFT__LONG_RING switches or more have a dateline: nobody passes the
 * switch at which the ring begins, and that is its first one or the one
 * opposite, by lane. No way of half the ring or less passes both.  With n such
 * dimensions 2^n lanes are a class for each set of datelines.  A ring with
 * gaps is one path or several, and may be passed everywhere.
 * 1. The first lane of each class goes by dimensions: descending channels of
 *    the first dimension; then, place by place, all that is in later
 *    dimensions there, ordered in the same way, and the ascending channel
 *    ahead.  So ways in later dimensions may turn to ascend in an earlier
 *    one.  On paths that pass where rings begin, ascending channels up to
 *    there come first, too, and are not to be turned into.  Every other class
 *    is mirrored, in all dimensions: what many detours need in one direction,
 *    they need in the other one on their way back or in another class.
 * 2. Further lanes are Up*Down* towards a corner: each has another one.  Up,
 *    in whatever dimensions, then down.  With two such lanes a mesh of two
 *    dimensions has every minimal way of every pair, in both directions, and
 *    with two for each class a torus of two dimensions.
 *
 * Pairs of switches without a minimal way in a lane, both directions, that all
 * of its turns are forward in (percent; 8 lanes), and bandwidth of trees grown
 * in these (weave_part.c):
 *
 *				1 alone		2 alone		both
 *	12x12, 5 % cables	5.7		.03		1.1
 *	  hosts=8			.1098		.1092	.1098
 *	mesh 16x16, 5 % cables	30		1.9		.04
 *	  hosts=5			.0604		.0801	.0806
 *	8x8x8, 5 % cables	2.1		.34
 *	8x8x8, 2 switches	.03
 *
 * Corners alone have more ways, but trees do not find these: what a switch
 * chose binds those behind it, and ways by dimensions are what nobody
 * regrets.  8x8x8 without 2 % of cables: a quarter of the pairs without a
 * lane, against 0.8 %. Classes all with one orientation: 14 % of the pairs of
 * 8x8x8 without 5 %. Another order of dimensions in each further lane: fewer
 * pairs find one.
 */
#include "engines/rings_lanes.h"

#include "core/arena.h"

#include <string.h>

/* A line of switches in a dimension, as one of them sees it. */
struct line {
	uint32_t from;		/* switches before it */
	uint32_t length;	/* 0: a whole ring */
};

struct lane {
	bool corner;		/* by hops to a corner; or by dimensions */
	uint32_t cut[WEFT__MAX_DIMENSIONS];	/* where rings begin */
	bool flip[WEFT__MAX_DIMENSIONS];	/* and their directions */
};

struct laner {
	const struct weft__rings *r;
	const struct weft_fabric *f;
	const struct weft__turns *turns;
	unsigned n;		/* lanes */
	struct line *line;	/* [nsw * dimensions] */
	uint8_t *label;		/* [edges] 2 * dimension + direction */
	int64_t *key;		/* [edges] in the lane at hand, channels wait
				 * for higher ones only */

	/* of the destination at hand */
	uint32_t *next;		/* [nsw] towards it; WEFT_NONE: not known yet */
	uint8_t *choice;	/* [nsw] the same as a position */
	uint32_t *stack;	/* [nsw] */
};

static const struct line *line_of(const struct laner *l, uint32_t s, unsigned i)
{
	return &l->line[(size_t)s * l->r->n + i];
}

/* The line that begins with switch s. */
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

/* Steps from where a ring begins. */
static int64_t steps(const struct laner *l, const struct lane *lane,
		     uint32_t s, unsigned i)
{
	const struct weft__dimension *d = &l->r->dim[i];
	uint32_t at = l->r->at[(size_t)s * l->r->n + i];

	return d->ring ? (at + d->length - lane->cut[i]) % d->length : at;
}

/* Up: towards the corner; then down. */
static int64_t corner_key(const struct laner *l, const struct lane *lane,
			  uint32_t s, uint32_t t)
{
	int64_t here = 0, there = 0, size = 0;

	for (unsigned i = 0; i < l->r->n; i++) {
		int64_t last = l->r->dim[i].length - 1;
		int64_t a = steps(l, lane, s, i), b = steps(l, lane, t, i);

		here += lane->flip[i] ? last - a : a;
		there += lane->flip[i] ? last - b : b;
		size += last;
	}
	return there < here ? size - here : size + here;
}

/* Whether a way along the line, which is no ring any more, still passes where
 * rings begin. */
static bool passes(const struct line *line, int64_t at, int64_t length,
		   bool down, int64_t from)
{
	return line->length && at &&
		from + (down ? at : length - at) + 1 < line->length;
}

/* Of a channel within dimension i. */
static int64_t key_within(const struct laner *l, const struct lane *lane,
			  uint32_t s, unsigned i, bool down)
{
	const struct line *line = line_of(l, s, i);
	const struct weft__dimension *d = &l->r->dim[i];
	int64_t length = d->length, at = steps(l, lane, s, i);
	int64_t from = down ? (int64_t)line->length - 1 - line->from :
		line->from;

	if (lane->flip[i])
		at = d->ring ? (length - at) % length : length - 1 - at;
	if (d->ring && passes(line, at, length, down != lane->flip[i], from))
		return from - 3 * length;
	if (down != lane->flip[i])
		return (length - at) % length - length - 1;
	return 2 * at;
}

/* Of channels within later dimensions. */
static int64_t key_across(const struct laner *l, const struct lane *lane,
			  uint32_t s, unsigned i)
{
	const struct weft__dimension *d = &l->r->dim[i];
	int64_t length = d->length, at = steps(l, lane, s, i);

	if (lane->flip[i])
		at = d->ring ? (length - at) % length : length - 1 - at;
	return d->ring && !at ? 2 * length : 2 * at - 1;
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

/* Forbids the turns that lead back. */
static void order_lane(struct laner *l, const struct lane *lane, unsigned k)
{
	const struct weft_fabric *f = l->f;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++)
			l->key[e] = lane->corner ?
				corner_key(l, lane, s, f->peer[f->adj[e]]) :
				dimension_key(l, lane, s, l->label[e]);
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		uint16_t *turn = weft__turns_from(l->turns, e);
		uint32_t t = f->peer[f->adj[e]];

		for (uint32_t g = f->adj_first[t]; g < f->adj_first[t + 1]; g++)
			*turn++ &= ~((l->key[e] >= l->key[g]) << k);
	}
}

static bool is_long(const struct weft__rings *r, unsigned i)
{
	return r->dim[i].ring && r->dim[i].length >= WEFT__LONG_RING;
}

/* Lane k of classes, and others. */
static struct lane choose_lane(const struct weft__rings *r, unsigned k,
			       unsigned nlong)
{
	unsigned class = k & ((1u << nlong) - 1), variant = k >> nlong;
	unsigned corner = variant ^ class ^ class >> 1;
	struct lane lane = { .corner = variant };

	for (unsigned i = 0; i < r->n; i++) {
		uint32_t length = r->dim[i].length;

		lane.flip[i] = variant ? corner >> i & 1 :
			__builtin_parity(class);
		lane.cut[i] = is_long(r, i) ? (class & 1 ? length / 2 : 0) :
			variant % length;
		class >>= is_long(r, i);
	}
	return lane;
}

/* The switch to go on to by dimensions; WEFT_NONE: it is not there. */
static uint32_t go_on(const struct laner *l, uint32_t s, uint32_t root)
{
	const struct weft__rings *r = l->r;
	const uint32_t *a = r->at + (size_t)s * r->n;
	const uint32_t *b = r->at + (size_t)root * r->n;
	const struct line *line;
	uint32_t length, ahead, low;
	unsigned i = 0;
	bool ascend;

	while (a[i] == b[i])
		i++;
	line = line_of(l, s, i);
	length = r->dim[i].length;
	low = a[i] < b[i] ? a[i] : b[i];
	ahead = a[i] < b[i] ? b[i] - a[i] : length - (a[i] - b[i]);
	if (line->length) {
		ascend = line->from + ahead < line->length;
		if (!ascend && length - ahead > line->from)
			return WEFT_NONE;
	} else if (2 * ahead == length) {
		ascend = !low || (a[i] < b[i]) == (low % 2 == 1);
	} else {
		ascend = 2 * ahead < length;
	}
	return weft__rings_next(r, s, i, ascend ? WEFT__ASCENDING :
				WEFT__DESCENDING);
}

/* The lanes of switch s, which goes on to t, unless that is WEFT_NONE. */
static void find_mask(struct laner *l, uint32_t s, uint32_t t, uint16_t *mask)
{
	uint32_t e = l->f->adj_first[s];

	mask[s] = 0;
	l->next[s] = s;
	if (t == WEFT_NONE || !mask[t])
		return;
	while (l->f->peer[l->f->adj[e]] != t)
		e++;
	l->next[s] = t;
	l->choice[s] = e - l->f->adj_first[s];
	mask[s] = mask[t] & weft__turns_from(l->turns, e)[l->choice[t]];
}

/* Lanes of the ways to the root. */
static void find_masks(struct laner *l, uint32_t root, uint16_t *mask)
{
	memset(l->next, 0xff, l->f->nsw * sizeof(*l->next));
	l->next[root] = root;
	l->choice[root] = weft__turns_end(l->turns, root);
	mask[root] = (1u << l->n) - 1;
	for (uint32_t s = 0; s < l->f->nsw; s++) {
		uint32_t n = 0, x = s;

		while (x != WEFT_NONE && l->next[x] == WEFT_NONE) {
			l->stack[n++] = x;
			x = go_on(l, x, root);
		}
		while (n) {
			find_mask(l, l->stack[--n], x, mask);
			x = l->stack[n];
		}
	}
}

/* Both directions. */
static uint64_t find_common(struct laner *l, uint16_t *common)
{
	size_t nsw = l->f->nsw;
	uint64_t broken = 0;

	for (uint32_t t = 0; t < nsw; t++)
		find_masks(l, t, common + t * nsw);
	for (uint32_t a = 0; a < nsw; a++) {
		for (uint32_t b = 0; b < a; b++) {
			uint16_t *one = &common[a * nsw + b];
			uint16_t *two = &common[b * nsw + a];
			uint16_t both = *one & *two;

			broken += !both;
			*one = *two = both ? both : UINT16_MAX;
		}
	}
	return broken;
}

static bool allocate(struct laner *l, struct weft_arena *arena)
{
	size_t nsw = l->f->nsw, nedges = l->f->adj_first[nsw];

	l->line = weft__arena_zalloc(arena, nsw * l->r->n, sizeof(*l->line));
	l->label = weft__arena_alloc(arena, nedges, 1);
	l->key = weft__arena_alloc(arena, nedges, sizeof(*l->key));
	l->next = weft__arena_alloc(arena, nsw, sizeof(*l->next));
	l->choice = weft__arena_alloc(arena, nsw, 1);
	l->stack = weft__arena_alloc(arena, nsw, sizeof(*l->stack));
	return l->line && l->label && l->key && l->next && l->choice &&
		l->stack;
}

bool weft__rings_lanes(struct weft__rings_lanes *lanes,
		       const struct weft__rings *r, unsigned n,
		       struct weft_arena *arena, bool *found)
{
	const struct weft_fabric *f = r->fabric;
	struct laner l = { .r = r, .f = f, .turns = &lanes->turns, .n = n };
	unsigned nlong = 0;

	for (unsigned i = 0; i < r->n; i++)
		nlong += is_long(r, i);
	lanes->nlong = nlong;
	*found = 1u << nlong <= n;
	if (!*found)
		return true;
	lanes->common = weft__arena_alloc(arena, (size_t)f->nsw * f->nsw,
					  sizeof(*lanes->common));
	if (!lanes->common || !allocate(&l, arena) ||
	    !weft__turns_init(&lanes->turns, f, arena))
		return false;
	find_lines(&l);
	label_edges(&l);
	for (unsigned k = 0; k < n; k++) {
		struct lane lane = choose_lane(r, k, nlong);

		order_lane(&l, &lane, k);
	}
	lanes->broken = find_common(&l, lanes->common);
	return true;
}
