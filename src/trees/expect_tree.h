/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One tree among the others, switch by switch: what weighing (expect.c) and
 * choosing it (choose.c) have in common.
 */
#ifndef WEFT_TREES_EXPECT_TREE_H
#define WEFT_TREES_EXPECT_TREE_H

#include "trees/expect.h"

#include <string.h>

/* The turns from each edge that enters a switch into one that leaves it. */
static inline uint32_t *weft__expect_turns(const struct weft__expect *x,
					   uint32_t s, uint32_t k)
{
	uint32_t degree = x->fabric->adj_first[s + 1] - x->fabric->adj_first[s];

	return x->turn + x->first_turn[s] + (size_t)k * degree;
}

/*
 * Counts who sends by each switch, and lists the switches that somebody sends
 * by, farthest first: a tree of a fat tree passes few of the upper ones.  Also
 * adds (sign 1) or takes out (-1, modulo 2^32) the tree's loads; 0: leaves them.
 */
static inline __attribute__((always_inline)) void
weft__expect_follow(struct weft__expect *x, const struct weft__plan *plan,
		    const uint8_t *choice, const uint32_t sign)
{
	const uint32_t *first = x->fabric->adj_first;
	struct weft__sender *sender = x->sender;
	uint32_t root = plan->order[0], n = 0;

	for (uint32_t i = 0; i <= plan->n; i++)
		sender[plan->order[i]].through = x->sources[plan->order[i]];
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i], through = sender[s].through;
		struct weft__edge *e;

		if (!through)
			continue;
		e = &x->edge[first[s] + choice[s]];
		sender[e->head].through += through;
		x->busy[n++] = s;
		if (sign != 1 && x->sources[s])
			sender[s].own = x->sources[s] == through ? UINT16_MAX :
				x->sources[s] * UINT16_MAX / through;
		if (!sign)
			continue;
		e->load += sign * through;
		e->uses += sign;
		if (e->head != root)
			weft__expect_turns(x, e->head, choice[e->head])
				[e->entry] += sign * through;
	}
	x->nbusy = n;
}

/*
 * Quarters of the pairs that a stream meets on an edge, but not of those it
 * meets on the next one, too: whose streams go on together meet once.  (Three
 * quarters of these are left out, not all: the larger crowd may be on the next
 * edge.)  A source's other pairs are left out as well, and so are `mine`, those
 * of the same tree if it has not been taken out.
 */
static inline uint32_t weft__expect_fresh(const struct weft__edge *e,
					  const struct weft__rest *head,
					  uint32_t own, uint32_t mine)
{
	uint32_t turn = head->turn[e->entry], all = 4 * (e->load - mine), met;

	turn = turn > mine ? turn - mine : 0;
	met = 3 * turn + ((e->uses - !!mine) * own >> 14);
	return all > met ? all - met : 0;
}

static inline uint32_t weft__expect_crowd(const struct weft__expect *x,
					  const struct weft__edge *e,
					  uint32_t quarters)
{
	uint64_t row = x->crowds * quarters >> 32;

	return e->rows + (row < WEFT__CROWDS ? row : WEFT__CROWDS - 1);
}

/* The destination's switch. */
static inline void weft__expect_start(struct weft__expect *x, uint32_t root)
{
	x->way[root] = (struct weft__rest){ .turn = x->no_turn };
	memcpy(x->way[root].gain, x->tables->gain, sizeof(x->tables->gain));
}

/* A switch's way by the edge it takes, and what its own streams are worth. */
static inline void weft__expect_settle(struct weft__expect *x, uint32_t s,
				       uint32_t choice, uint32_t mine)
{
	const struct weft__edge *e = &x->edge[x->fabric->adj_first[s] + choice];
	const struct weft__rest *head = &x->way[e->head];
	struct weft__sender *sender = &x->sender[s];
	uint32_t quarters = weft__expect_fresh(e, head, sender->own, mine);
	struct weft__rest *way = &x->way[s];
	int16_t gain[WEFT__LEVELS], sources = x->sources[s];
	const int16_t *chance;

	sender->crowd = weft__expect_crowd(x, e, quarters);
	chance = x->tables->chance[sender->crowd];
	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		gain[k] = (head->gain[k] * chance[k] + (1 << 14)) >> 15;
	memcpy(way->gain, gain, sizeof(gain));
	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		sender->worth[k] = sources * gain[k];
	way->price = head->price + (int64_t)e->price * quarters;
	way->turn = weft__expect_turns(x, s, choice);
}

/* Sums up a tree that is followed and settled. */
void weft__expect_sum(struct weft__expect *x, uint32_t root,
		      const uint8_t *choice);

#endif
