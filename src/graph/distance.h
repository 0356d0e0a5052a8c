/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shortest distances to up to 64 switches at a time.
 *
 * One breadth-first search serves them all: each switch holds a word with a bit
 * for each of the 64 whose search has reached it (Then et al., "The More the
 * Merrier", PVLDB 8(4), 2014).
 */
#ifndef WEFT_GRAPH_DISTANCE_H
#define WEFT_GRAPH_DISTANCE_H

#include "core/arena.h"

#include <weft/fabric.h>

struct weft__distances {
	uint32_t nsw;
	uint32_t *first, *neighbour;	/* parallel cables count once */
	uint32_t n;			/* switches asked for, <= 64 */
	uint32_t to[64];
	uint32_t *cables;		/* [64][nsw] distances */

	uint64_t *seen, *now, *next;	/* [nsw] a bit for each of to[] */
	uint32_t *active, *woken;	/* switches with bits in now, and in
					 * next */
};

/* Makes room in scratch; -ENOMEM. */
int weft__distances_init(struct weft__distances *d,
			 const struct weft_fabric *fabric,
			 struct weft_arena *scratch);

/* Forgets all switches. */
void weft__distances_clear(struct weft__distances *d);
/* Asks for the distances to sw (at most 64 different ones). */
void weft__distances_ask(struct weft__distances *d, uint32_t sw);
/* Finds the distances to all switches asked for.  O(diameter x cables), less
 * where few switches are reached in each step. */
void weft__distances_find(struct weft__distances *d);
/* Returns the cables from each switch to sw, [nsw]; WEFT_NONE: no way. */
const uint32_t *weft__distances_to(const struct weft__distances *d,
				   uint32_t sw);

#endif
