/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lanes from which routes can be removed: the CDG comes with counts of the
 * routes that need each of its edges.  Where graph/order.h refuses an edge that
 * closes a cycle, packing refuses the whole route or pair and leaves the lanes
 * as they were.
 *
 * Memory: 4 bytes for each lane, channel and port, beside the CDG.
 */
#ifndef WEFT_LAYERS_PACKING_H
#define WEFT_LAYERS_PACKING_H

#include "layers/traffic.h"

struct weft__packing {
	const struct weft__traffic *traffic;
	struct weft__order order;
	uint32_t radix;		/* ports of the largest switch */
	uint32_t *uses;		/* [nv][radix] routes over each edge */
};

/* Makes empty lanes. -ENOMEM. */
int weft__packing_init(struct weft__packing *p,
		       const struct weft__traffic *traffic, unsigned nlanes);
void weft__packing_free(struct weft__packing *p);

/* Adds the route of switch s along a tree ([nsw], as in traffic.h) to a lane.
 * Returns false, and changes nothing, if that would close a cycle.  O(hops) if
 * its edges are there. */
bool weft__packing_add(struct weft__packing *p, const uint8_t *tree,
		       uint32_t s, unsigned lane);
/* Removes a route, which must be as it was when it was added. */
void weft__packing_remove(struct weft__packing *p, const uint8_t *tree,
			  uint32_t s, unsigned lane);

/* Add or remove all traffic between switches a and b along trees in use. */
bool weft__packing_add_pair(struct weft__packing *p, uint32_t a, uint32_t b,
			    unsigned lane);
void weft__packing_remove_pair(struct weft__packing *p, uint32_t a, uint32_t b,
			       unsigned lane);

#endif
