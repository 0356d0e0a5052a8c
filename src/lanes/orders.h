/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An order of the switches for each lane: whatever climbs and then descends in
 * that order may use the lane, and no cycle comes of it.
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
	struct weft__turns turns;	/* that climb or descend, but do not
					 * descend, then climb, in the order of
					 * each lane */
	uint32_t top[WEFT_MAX_LANES];	/* the first switch of each order */
	uint32_t *parent;	/* [n * nsw] edge to the parent in a tree of each
				 * lane all turns of which it allows, WEFT_NONE
				 * at its top; NULL before weft__orders_grow() */
};

/*
 * Chooses the orders such that as many pairs of switches with endports as can be
 * have a minimal way that is legal in one of them, better in several.  The first
 * is that of closeness.  Candidates are 64: closeness to the hosts around this
 * or that switch, and hops from this or that switch.  minimal: the ways without
 * an order.  false without memory.
 * O(switches with endports x (cables + 64 switches)) time.
 */
bool weft__orders_choose(struct weft__orders *orders,
			 struct weft__ways *minimal,
			 const struct weft__closeness *close, unsigned lanes,
			 struct weft_arena *arena);

/*
 * Allows the turns that lead forward in an order of channels instead: of lanes
 * in use, that has all turns in use, and others.
 */
void weft__orders_adapt(struct weft__orders *orders,
			const struct weft__order *now);

/*
 * Allows the turns that lead forward in orders of channels that have a tree in
 * each lane, and depart as little from what was allowed as can be.  false without
 * memory.  O(lanes x turns) where each order has one top.
 */
bool weft__orders_grow(struct weft__orders *orders, struct weft_arena *arena);

#endif
