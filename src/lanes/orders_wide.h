/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Chooses orders of lanes that leave pairs of switches many ways. */
#ifndef WEFT_LANES_ORDERS_WIDE_H
#define WEFT_LANES_ORDERS_WIDE_H

#include "lanes/lane_masks.h"

struct weft__wide_spec {
	unsigned kept;	 /* lanes that have turns already */
	unsigned longer; /* cables by which ways may exceed shortest
			  * ones */
	unsigned enough; /* first cables of ways; more count no more */
};

/*
 * Gives the lanes from kept on, up to orders->n, orders of the switches that
 * leave pairs of switches many ways, beside those of the trees in the masks,
 * which must be legal in the lanes that are kept.  The masks of those lanes
 * must be up to date.  *bare: ordered pairs of switches for which no lane has
 * all ways of these trees; 0 if any lane is kept.  Returns false without
 * memory.  O(switches x cables x hops) for 64 candidates at once, and
 * O(lanes x switches^2).  Memory: 9 bytes for each pair of switches.
 */
bool weft__orders_widen(struct weft__orders *orders,
			struct weft__lane_masks *masks,
			const struct weft__closeness *close,
			const struct weft__wide_spec *spec,
			struct weft_arena *arena, uint64_t *bare);

#endif
