/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Orders of channels by the turns that trees need most; see orders_by_turns.c. */
#ifndef WEFT_LANES_ORDERS_BY_TURNS_H
#define WEFT_LANES_ORDERS_BY_TURNS_H

#include "lanes/orders.h"
#include "trees/balance.h"

/* What turns are needed for. */
struct weft__turns_wanted {
	struct weft__ways *ways;	/* that the trees follow */
	const struct weft__trees *trees;
	const struct weft__balance *balance;	/* its sources */
	const struct weft__closeness *close;	/* has the top of each lane */
	double work;		/* edges to look at for cycles; turns that are
				 * left then are allowed where they follow the
				 * orders as they are */
	bool ties;		/* equal turns come at random, not by number */
};

/*
 * Chooses the orders, with a tree in each lane.  Adds what it looked at to
 * *looked.  Returns 0 or -ENOMEM.  O(lanes x (endports' LIDs x switches + turns x
 * log turns)), and the cycles.
 */
int weft__orders_by_turns(struct weft__orders *orders, unsigned lanes,
			  const struct weft__turns_wanted *wanted,
			  struct weft_arena *arena, uint64_t *looked);

#endif
