/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Trees that are bent, and which pairs of switches that leaves without a lane;
 * for settle.c.
 */
#ifndef WEFT_LANES_REROUTE_H
#define WEFT_LANES_REROUTE_H
#include "lanes/search.h"

#define WEFT__BENDS_NO_WAY INT64_MIN

struct weft__bend {
	uint32_t tree, s;
	uint8_t choice;		/* before */
};

struct weft__bends {
	struct weft__spread *sp;
	const struct weft_fabric *f;
	unsigned nlanes;
	struct weft__mend_way way;
	uint64_t *offends;	/* the same, a bit each: offence is not 0 */
	uint16_t *votes;	/* [pairs * nlanes] ways of a pair that are
				 * legal in a lane; pairs by the higher switch */
	uint32_t *stack;	/* [nsw] */

	/* of the move at hand */
	struct weft__bend *change;	/* as many as a pair may need */
	uint32_t nchanges;
	int64_t gain;		/* what the changes save */
};

/* Reads the masks of the spread, which follow from then on.  false without
 * memory. */
bool weft__bends_init(struct weft__bends *bends, struct weft__spread *spread,
		      struct weft_arena *arena);

/* How many of its ways are not legal in the lane in which most are. */
uint32_t weft__bends_offence(const struct weft__bends *bends, uint32_t a,
			     uint32_t b);

/* The first pair that offends, from that one on, as lower * nsw + higher switch;
 * nsw * nsw: none. */
size_t weft__bends_next(const struct weft__bends *bends, size_t pair);
uint64_t weft__bends_left(const struct weft__bends *bends);

/* Takes a way of the search that ends with that edge (way.from). */
void weft__bends_take(struct weft__bends *bends, uint32_t tree, uint32_t edge);

/* Leads s along the tree by a way that is legal in that lane; false: cannot. */
typedef bool weft__bends_lead(void *context, uint32_t tree, uint32_t s,
			      unsigned lane);

/* Puts a pair into that lane: what it saves, or WEFT__BENDS_NO_WAY.  The changes
 * are made, whatever they save, until they are undone. */
int64_t weft__bends_try(struct weft__bends *bends, uint32_t a, uint32_t b,
			unsigned lane, weft__bends_lead *lead, void *context);
void weft__bends_undo(struct weft__bends *bends);

/*
 * Puts a pair into each lane, those first in which most of its ways are legal,
 * until one costs others nothing, and *done; or else finds the best one, with no
 * change made.  Returns what that lane saves.
 */
int64_t weft__bends_best(struct weft__bends *bends, uint32_t a, uint32_t b,
			 weft__bends_lead *lead, void *context, unsigned *best,
			 bool *done);

#endif
