/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Cables with fewer data lanes than others; see vls.c.
 */
#ifndef WEFT_GRAPH_VLS_H
#define WEFT_GRAPH_VLS_H

#include <weft/fabric.h>
#include <weft/layers.h>

struct weft_arena;

struct weft__vls {
	/*
	 * [first_injection] data lanes of each channel between switches;
	 * WEFT_MAX_LANES of those of which nobody told, or which no credit loop
	 * can have.  NULL: all have as many.
	 */
	const uint8_t *of;
	unsigned least, most;	/* of the channels that a loop can have */
	uint32_t narrowest;	/* the first channel with the fewest */
	uint32_t nfewer;	/* cables that have less than most */
};

/*
 * Finds them. most: what at least one in eight of the cables has that a credit
 * loop can have, so that a single cable with more lanes than any other does not
 * count.  Returns false without memory.  O(channels).
 */
bool weft__vls_find(struct weft__vls *v, const struct weft_fabric *f,
		    struct weft_arena *arena);

/*
 * Returns [edges] the lanes that each adjacency entry may carry of n, a bit
 * each, so that no lanes share a cable: all have the last one, and a cable with
 * k lanes the first k - 1 beside it.  NULL without memory.
 */
const uint16_t *weft__vls_room(const struct weft__vls *v,
			       const struct weft_fabric *f, unsigned n,
			       struct weft_arena *arena);

/*
 * Has layers share the lanes of cables, and links to endports, that have fewer
 * than the layers need: gives *layers SL2VL tables if there are such.  A layer
 * has lane layer % lanes there.  0 or -ENOMEM.  O(channels).
 */
int weft__vls_fold(const struct weft_fabric *f, struct weft_layers *layers);

#endif
