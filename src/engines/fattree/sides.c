// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: both sides of a rack
 *
 * Idea: let s and t be the two switches of a rack, cabled to each other, that
 * hang on different parts of a fabric that only racks join, and let s be above
 * t in the order.  Then all Up*Down* traffic between the parts goes through
 * that of s: from t it crosses in its own rack, from s it crosses in the rack
 * of the destination.  So one part carries three times as much as the other.
 * Here the cables from s to t are kept for what s itself sends.  No traffic
 * comes into them from elsewhere, so they close no cycle, wherever t sends on
 * (trees/ways.h).  Then all traffic crosses in the rack of its source, and each
 * cable down carries what goes to one switch.
 *
 * Other traffic from the part of s to that of t (from upper switches, or from a
 * switch whose neighbour has failed) turns in the valley for pairs without a
 * common switch above (trees/valleys.c); where there is no valley, no cables
 * are kept.  Where that traffic would be of more than one in twenty pairs of
 * switches with endports, only half of the cables are kept.
 *
 * Half of the cables from t to s could be kept for traffic that ends at s, so
 * that traffic that comes down to t may cross, too.  This would even all loads,
 * but a destination would be reached by two cables down, which it shares with
 * others, and that costs more.
 */
#include "engines/fattree/sides.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <string.h>

struct sides {
	const struct weft__fattree_run *run;
	const uint32_t *first, *head;
	const uint32_t *back;	/* weft__back_entries() */
	uint8_t *own;		/* [edges] enum weft__own */
};

static bool has_neighbour(const struct sides *x, uint32_t s, uint32_t t)
{
	for (uint32_t e = x->first[s]; e < x->first[s + 1]; e++)
		if (x->head[e] == t)
			return true;
	return false;
}

/* True if t has a switch above it that s is not cabled to. */
static bool has_other_above(const struct sides *x, uint32_t s, uint32_t t)
{
	const uint16_t *level = x->run->tree.level;

	for (uint32_t e = x->first[t]; e < x->first[t + 1]; e++)
		if (level[x->head[e]] > level[t] &&
		    !has_neighbour(x, s, x->head[e]))
			return true;
	return false;
}

/* True if s and t are a rack between two parts, and s is above t. */
static bool is_rack(const struct sides *x, uint32_t s, uint32_t t)
{
	const struct weft__fattree *tree = &x->run->tree;

	return !tree->level[s] && !tree->level[t] &&
	       tree->ways.place[s] < tree->ways.place[t] &&
	       has_other_above(x, s, t) && has_other_above(x, t, s);
}

/* Keeps n of the cables of a switch to one neighbour, from edge e on. */
static void keep_cables(struct sides *x, uint32_t e, uint32_t n)
{
	for (uint32_t end = e + n; e < end; e++) {
		x->own[e] = WEFT__OWN;
		x->own[x->back[e]] = WEFT__FOREIGN;
	}
}

/* Returns the number of parallel cables of s from edge e on, all to one
 * switch. */
static uint32_t run_length(const struct sides *x, uint32_t s, uint32_t e)
{
	uint32_t n = 1;

	while (e + n < x->first[s + 1] && x->head[e + n] == x->head[e])
		n++;
	return n;
}

/* Keeps halves / 2 of the cables in each such rack.  Returns true if there is
 * one. */
static bool keep_halves(struct sides *x, unsigned halves)
{
	uint32_t nsw = x->run->fabric->nsw, n;
	bool any = false;

	memset(x->own, 0, x->first[nsw]);
	for (uint32_t s = 0; s < nsw; s++) {
		for (uint32_t e = x->first[s]; e < x->first[s + 1]; e += n) {
			n = run_length(x, s, e);
			if (!is_rack(x, s, x->head[e]))
				continue;
			keep_cables(x, e, n * halves / 2);
			any = true;
		}
	}
	return any;
}

/* Counts the pairs of switches with endports that have a way. */
static uint64_t count_served(const struct sides *x)
{
	const struct weft_fabric *f = x->run->fabric;
	uint64_t count = 0;

	for (uint32_t root = 0; root < f->nsw; root++) {
		const struct weft__plan *plan = &x->run->tree.ways.plan[root];

		if (!plan->order)
			continue;
		for (uint32_t i = 1; i <= plan->n; i++)
			count += f->sw_ep_first[plan->order[i]] !=
				 f->sw_ep_first[plan->order[i] + 1];
	}
	return count;
}

static bool complete_ways(struct weft__fattree_run *run)
{
	struct weft__ways *ways = &run->tree.ways;
	uint64_t had_none, missing;

	if (!weft__ways_complete(ways, &had_none, &missing))
		return false;
	if (!missing)
		return true;
	ways->own = NULL;
	return weft__ways_replan(ways) && !weft__fattree_complete(run);
}

bool weft__sides_keep(struct weft__fattree_run *run)
{
	const struct weft_fabric *f = run->fabric;
	struct weft__ways *ways = &run->tree.ways;
	struct sides x = { .run = run, .first = f->adj_first,
			   .head = ways->head };
	uint64_t before;

	if (!run->tree.is_tree)
		return true;
	x.own = weft__arena_alloc(run->arena, f->adj_first[f->nsw], 1);
	x.back = weft__back_entries(f, run->arena);
	if (!x.own || !x.back)
		return false;
	if (!keep_halves(&x, 2))
		return true;
	before = count_served(&x);
	ways->own = x.own;
	if (!weft__ways_replan(ways))
		return false;
	if (count_served(&x) * 20 < before * 19) {
		keep_halves(&x, 1);
		if (!weft__ways_replan(ways))
			return false;
	}
	return complete_ways(run);
}
