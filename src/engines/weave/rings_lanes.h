/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The turns that lanes allow on a damaged product of rings and paths. */
#ifndef WEFT_ENGINES_WEAVE_RINGS_LANES_H
#define WEFT_ENGINES_WEAVE_RINGS_LANES_H

#include "lanes/turns.h"
#include "shapes/rings.h"

struct weft__rings_lanes {
	struct weft__turns turns;	/* without a cycle in any lane */
	uint32_t *up;		/* [lanes * nsw] edge to the parent in a tree
				 * whose turns the lane all allows; WEFT_NONE:
				 * the root */
	uint16_t *common;	/* [nsw * nsw] lanes for all ways of a pair, if
				 * these are by dimensions; all lanes for pairs
				 * that lack such a way, or a lane for both
				 * directions */
	unsigned ntold;		/* dimensions of rings whose dateline is at one of
				 * two places, by the lane */
	uint64_t broken;	/* pairs that lack such a way or lane */
};

/* Finds n lanes.  Returns false without memory.  O(switches^2 x hops) time. */
bool weft__rings_lanes(struct weft__rings_lanes *lanes,
		       const struct weft__rings *rings, unsigned n,
		       struct weft_arena *arena);

/*
 * Lists the channels of switches in the order of the first lane: ways by dimensions
 * lead forward there, and so do turns from later dimensions to ascend in earlier ones.
 * [channels of switches], the arena's; NULL without memory.  O(channels x log
 * channels) time.
 */
const uint32_t *weft__rings_order(const struct weft__rings *rings,
				  struct weft_arena *arena);

#endif
