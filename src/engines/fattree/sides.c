// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: both sides of a rack
 *
 * Idea: where the two switches s and t of a rack hang on different parts of a
 * fabric that only racks join, and s is above t, Up*Down* has all traffic
 * between the parts go through that of s: from t it crosses first, from s it
 * crosses in the rack of the destination.  So one part carries three times as
 * much as the other.  Here the cables from s to t are kept for what s itself
 * sends: nothing comes into them, so they close no circle, wherever t sends on
 * (ways.h).  Then everybody crosses in the rack he is in, and each cable down
 * carries what goes to one switch.
 *
 * What else is to go from the part of s to that of t (the traffic of upper
 * switches, that of a switch whose neighbour has failed) turns in the valley for
 * pairs without a common switch above (trees/valleys.c); where there is none,
 * cables are nobody's own.  Where that would be more than a twentieth of the
 * pairs of switches with hosts, half the cables stay for everybody.
 *
 * To keep half of the cables from t to s for what ends at s, so that what comes
 * down to t may cross, too, would even all loads; but a destination would be
 * reached by two cables down, which it shares with others, and that costs more.
 */
#include "engines/fattree/sides.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <string.h>

struct sides {
	const struct weft__fattree_run *run;
	const uint32_t *first, *head;
	uint8_t *own;		/* [edges] enum weft__own */
};

static bool has_neighbour(const struct sides *x, uint32_t s, uint32_t t)
{
	for (uint32_t e = x->first[s]; e < x->first[s + 1]; e++)
		if (x->head[e] == t)
			return true;
	return false;
}

/* Whether t knows a way up that s does not. */
static bool has_other_above(const struct sides *x, uint32_t s, uint32_t t)
{
	const uint16_t *level = x->run->tree.level;

	for (uint32_t e = x->first[t]; e < x->first[t + 1]; e++)
		if (level[x->head[e]] > level[t] &&
		    !has_neighbour(x, s, x->head[e]))
			return true;
	return false;
}

/* Whether s and t are a rack of that kind. */
static bool is_pair(const struct sides *x, uint32_t s, uint32_t t)
{
	const struct weft__fattree *tree = &x->run->tree;

	return !tree->level[s] && !tree->level[t] &&
	       tree->ways.place[s] < tree->ways.place[t] &&
	       has_other_above(x, s, t) && has_other_above(x, t, s);
}

/* Keeps n of the cables between a switch s and a neighbour, from edge e of s
 * on. */
static void keep(struct sides *x, uint32_t e, uint32_t n)
{
	for (uint32_t end = e + n; e < end; e++) {
		x->own[e] = WEFT__OWN;
		x->own[weft__back_entry(x->run->fabric, e)] = WEFT__FOREIGN;
	}
}

/* Cables side by side from edge e of s on, all to one switch. */
static uint32_t run_length(const struct sides *x, uint32_t s, uint32_t e)
{
	uint32_t n = 1;

	while (e + n < x->first[s + 1] && x->head[e + n] == x->head[e])
		n++;
	return n;
}

/* Keeps so many halves of all such cables; whether there are any. */
static bool keep_halves(struct sides *x, unsigned halves)
{
	uint32_t nsw = x->run->fabric->nsw, n;
	bool any = false;

	memset(x->own, 0, x->first[nsw]);
	for (uint32_t s = 0; s < nsw; s++) {
		for (uint32_t e = x->first[s]; e < x->first[s + 1]; e += n) {
			n = run_length(x, s, e);
			if (!is_pair(x, s, x->head[e]))
				continue;
			keep(x, e, n * halves / 2);
			any = true;
		}
	}
	return any;
}

/* Pairs of switches with endports that have a way. */
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

static bool complete(struct weft__fattree_run *run)
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
	if (!x.own)
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
	return complete(run);
}
