/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Trees that are bent, and which pairs of switches that leaves without a lane;
 * for settle.c.
 */
#ifndef WEFT_LANES_REROUTE_H
#define WEFT_LANES_REROUTE_H
#include "lanes/way_search.h"

#define WEFT__REROUTE_NO_WAY INT64_MIN

struct weft__rerouted {
	uint32_t tree, s;
	uint8_t choice; /* before */
};

struct weft__reroute {
	struct weft__lane_masks *masks;
	const struct weft_fabric *f;
	unsigned nlanes;
	struct weft__way_search way;
	uint64_t *offends; /* the same, a bit each: offence is not 0 */
	uint16_t *counts;  /* [pairs * nlanes] ways of a pair that are
			    * legal in a lane; pairs by the higher switch */
	uint32_t *stack;   /* [nsw] */

	/* of the move at hand */
	struct weft__rerouted *change; /* as many as a pair may need */
	uint32_t nchanges;
	int64_t gain; /* what the changes save */
};

/* Reads the masks of the masks, which follow from then on.  false without
 * memory. */
bool weft__reroute_init(struct weft__reroute *reroute,
			struct weft__lane_masks *masks,
			struct weft_arena *arena);

/* How many of its ways are not legal in the lane in which most are. */
uint32_t weft__reroute_offence(const struct weft__reroute *reroute, uint32_t a,
			       uint32_t b);

/* The first pair that offends, from that one on, as lower * nsw + higher
 * switch; nsw * nsw: none. */
size_t weft__reroute_next(const struct weft__reroute *reroute, size_t pair);
uint64_t weft__reroute_left(const struct weft__reroute *reroute);

/* Takes a way of the search that ends with that edge (way.from). */
void weft__reroute_take(struct weft__reroute *reroute, uint32_t tree,
			uint32_t edge);

/* Leads s along the tree by a way that is legal in that lane; false: cannot. */
typedef bool weft__reroute_lead(void *context, uint32_t tree, uint32_t s,
				unsigned lane);

/* Puts a pair into that lane: what it saves, or WEFT__REROUTE_NO_WAY.  The
 * changes are made, whatever they save, until they are undone. */
int64_t weft__reroute_try(struct weft__reroute *reroute, uint32_t a, uint32_t b,
			  unsigned lane, weft__reroute_lead *lead,
			  void *context);
void weft__reroute_undo(struct weft__reroute *reroute);

/*
 * Puts a pair into each lane, those first in which most of its ways are legal,
 * until one costs others nothing, and *done; or else finds the best one, with
 * no change made.  Returns what that lane saves.
 */
int64_t weft__reroute_best(struct weft__reroute *reroute, uint32_t a,
			   uint32_t b, weft__reroute_lead *lead, void *context,
			   unsigned *best, bool *done);

#endif
