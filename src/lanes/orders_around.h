/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Orders of channels around the ways between hosts; see orders_around.c. */
#ifndef WEFT_LANES_ORDERS_AROUND_H
#define WEFT_LANES_ORDERS_AROUND_H

#include "lanes/orders.h"

/* How switches without endports are joined to each other, without others in
 * between. */
enum weft__around {
	WEFT__AROUND_JOINED,	/* all of them, or by one switch with endports */
	WEFT__AROUND_ASIDE,	/* all but some that are joined to none, and are
				 * aside */
	WEFT__AROUND_PARTS,	/* in parts */
};

/* Finds out which.  Returns false without memory.  O(cables). */
bool weft__around_find(const struct weft_fabric *fabric,
		       const struct weft__closeness *close,
		       struct weft_arena *arena, enum weft__around *how);

/*
 * Allows, in each lane, the turns that lead forward in an order of its
 * channels, and changes the positions there.  It holds all dependencies that are in
 * the last lane of now, which must close no cycle; in the other lanes but for
 * those at switches aside.  Beyond that the orders are Up*Down* below a switch
 * without endports, another one in each lane.  Returns false without memory.  O(lanes
 * x (channels x log channels + turns)).
 */
bool weft__orders_around(struct weft__orders *orders, struct weft__order *now,
			 const struct weft__closeness *close,
			 struct weft_arena *arena, enum weft__around *how);

#endif
