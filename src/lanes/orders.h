/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An order of the switches for each lane.  Ways that climb and then descend in
 * that order may use the lane, and close no cycle.
 */
#ifndef WEFT_LANES_ORDERS_H
#define WEFT_LANES_ORDERS_H

#include "graph/closeness.h"
#include "graph/order.h"
#include "lanes/turns.h"
#include "trees/ways.h"

#include <weft/layers.h>

struct weft__orders {
	const struct weft_fabric *fabric;
	unsigned n;		/* lanes, 1 .. WEFT_MAX_LANES */
	struct weft__turns turns;	/* a way may climb or descend, but not
					 * climb again after it has descended,
					 * in the order of each lane */
	uint32_t top[WEFT_MAX_LANES];	/* the first switch of each order */
	uint32_t *parent;	/* [n * nsw] edge to the parent in a tree of
				 * each lane that has only turns the lane
				 * allows; WEFT_NONE at its top.  NULL before
				 * weft__orders_grow() */
	bool last_first;	/* some edges have no room for all lanes (see
				 * turns.h), all have for the last one, which
				 * becomes SL 0 */
};

/* True if a switch has no endports. */
static inline bool weft__is_bare(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] == f->sw_ep_first[s + 1];
}

/* True if some switch has none. */
static inline bool weft__any_bare(const struct weft_fabric *f)
{
	uint32_t s = 0;

	while (s < f->nsw && !weft__is_bare(f, s))
		s++;
	return s < f->nsw;
}

/*
 * Chooses the orders such that as many pairs of switches with endports as
 * possible have a minimal way that is legal in one of them, or better in
 * several.  The first order is that of closeness.  The candidates are orders by
 * closeness to the hosts around a switch and by hops from a switch. minimal:
 * all minimal ways.  Returns false without memory.  O(switches with endports x
 * (cables + 64 switches)).
 */
bool weft__orders_choose(struct weft__orders *orders,
			 struct weft__ways *minimal,
			 const struct weft__closeness *close, unsigned lanes,
			 struct weft_arena *arena);

/* Returns how many edges and switches that looks at, about. */
double weft__orders_work(const struct weft_fabric *fabric);

/*
 * Allows, in each lane, the turns that lead forward in the order of its
 * channels instead.  That order has all turns in use, and more.
 */
void weft__orders_adapt(struct weft__orders *orders,
			const struct weft__order *now);

/*
 * Finds orders of channels that have a tree in each lane and depart as little
 * as possible from the turns allowed, and allows the turns that lead forward in
 * them.  Returns false without memory.  O(lanes x turns) where each order has
 * one top.
 */
bool weft__orders_grow(struct weft__orders *orders, struct weft_arena *arena);

#endif
