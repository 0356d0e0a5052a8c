/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Changes of trees, and the pairs of switches that lack a lane because of them;
 * for settle.c.
 */
#ifndef WEFT_LANES_REROUTE_H
#define WEFT_LANES_REROUTE_H

#include "lanes/way_search.h"

#define WEFT__REROUTE_NO_WAY INT64_MIN

struct weft__rerouted {
	uint32_t tree, s;
	uint8_t choice; /* position of its edge before */
};

struct weft__reroute {
	struct weft__lane_masks *masks;
	const struct weft_fabric *f;
	unsigned nlanes;
	struct weft__way_search way;
	uint64_t *lacking; /* a bit for each pair that lacks a lane */
	uint64_t *counted; /* a bit for each pair that counts[] holds */
	uint16_t *counts;  /* [pairs * nlanes] ways of a pair that are legal in
			    * a lane; pairs ordered by the higher switch */
	uint32_t *weight;  /* [pairs] what a missing way of a pair counts for,
			    * less 1, in the same order */
	uint32_t *stack;   /* [nsw] */

	/* of the current move */
	struct weft__rerouted *change; /* room for the changes of any pair */
	uint32_t nchanges;
	int64_t gain; /* what the missing ways that the changes save count
		       * for */
};

/* Reads the masks, which follow all changes from then on.  Returns false
 * without memory. */
bool weft__reroute_init(struct weft__reroute *reroute,
			struct weft__lane_masks *masks,
			struct weft_arena *arena);

/* Returns how many ways of the pair are not legal in the lane in which most
 * are. */
uint32_t weft__reroute_missing(const struct weft__reroute *reroute, uint32_t a,
			       uint32_t b);

/* Returns the first pair without a lane from that one on, as lower * nsw +
 * higher switch, or nsw * nsw if there is none. */
size_t weft__reroute_next(const struct weft__reroute *reroute, size_t pair);
uint64_t weft__reroute_left(const struct weft__reroute *reroute);

/* Returns what each missing way of a pair counts for: 1 at first. */
uint32_t weft__reroute_weight(const struct weft__reroute *reroute, uint32_t a,
			      uint32_t b);

/* Has it count twice as much from now on. */
void weft__reroute_weigh(struct weft__reroute *reroute, uint32_t a, uint32_t b);

/* Has the switches on a way that was found, which ends with that edge, send by
 * it. */
void weft__reroute_take(struct weft__reroute *reroute, uint32_t tree,
			uint32_t edge);

/* A kind of way to use: lead() leads s along the tree by one that is legal in
 * that lane, or returns false if it cannot. */
struct weft__reroute_kind {
	bool (*lead)(void *context, uint32_t tree, uint32_t s, unsigned lane);
	void *context;
};

/* Puts a pair into that lane.  Returns what the missing ways that this saves in
 * all count for.  Returns WEFT__REROUTE_NO_WAY if one of the pair's ways finds
 * none, and as soon as others have lost so much that it would not be more than
 * least.  The changes stay, whatever they save, until they are undone. */
int64_t weft__reroute_try(struct weft__reroute *reroute, uint32_t a, uint32_t b,
			  unsigned lane, const struct weft__reroute_kind *kind,
			  int64_t least);
void weft__reroute_undo(struct weft__reroute *reroute);

/*
 * Puts a pair into each lane in turn, beginning with those in which most of its
 * ways are legal.  Stops at the first lane that costs other pairs nothing and
 * sets *done; else finds the best lane that saves more than least, and leaves no
 * change made.  Returns what that lane saves; least if none saves more.
 */
int64_t weft__reroute_best(struct weft__reroute *reroute, uint32_t a,
			   uint32_t b, const struct weft__reroute_kind *kind,
			   int64_t least, unsigned *best, bool *done);

#endif
