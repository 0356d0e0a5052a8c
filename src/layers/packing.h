/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lanes out of which routes can be taken again: beside the CDG, how many routes
 * need each of its edges.  Where graph/order.h refuses what closes a cycle, this
 * refuses the whole route or pair and leaves the lanes as they were.
 *
 * Memory: 4 bytes for each lane, channel and port, beside the CDG.
 */
#ifndef WEFT_LAYERS_PACKING_H
#define WEFT_LAYERS_PACKING_H
#include "layers/traffic.h"

struct weft__packing {
	const struct weft__traffic *traffic;
	struct weft__order order;
	uint32_t radix;		/* ports that the largest switch has */
	uint32_t *uses;		/* [nv][radix] routes over each edge */
};

/* Empty lanes.  -ENOMEM. */
int weft__packing_init(struct weft__packing *p,
		       const struct weft__traffic *traffic, unsigned nlanes);
void weft__packing_free(struct weft__packing *p);

/* Adds what switch s sends along a tree ([nsw], as in traffic.h) to a lane;
 * false if that would close a cycle.  O(hops) for edges that are there. */
bool weft__packing_add(struct weft__packing *p, const uint8_t *tree,
		       uint32_t s, unsigned lane);
/* Takes it out; the route must be as it was. */
void weft__packing_take(struct weft__packing *p, const uint8_t *tree,
			uint32_t s, unsigned lane);

/* The same for all that switches a and b send each other along trees in use. */
bool weft__packing_add_pair(struct weft__packing *p, uint32_t a, uint32_t b,
			    unsigned lane);
void weft__packing_take_pair(struct weft__packing *p, uint32_t a, uint32_t b,
			     unsigned lane);

#endif
