/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Orders of the channels of a lane in which every switch reaches every other
 * one: along a tree of the lane's own.
 */
#ifndef WEFT_LANES_LANE_TREE_H
#define WEFT_LANES_LANE_TREE_H
#include "lanes/turns.h"

struct weft__lane_key {
	int64_t key;
	uint32_t edge;
};

struct weft__lane_tree {
	const struct weft_fabric *fabric;
	int64_t *key;		/* [edges] where channels are in the order, */
	int32_t *tie;		/* [edges] and of those with one key */
	uint32_t *up;		/* [nsw] edge to the parent, which the caller
				 * sets; WEFT_NONE: of the root */

	/* scratch */
	uint32_t *back;		/* [edges] the other direction */
	uint32_t *tail;		/* [edges] switch it leaves */
	bool *in;		/* [nsw] in the tree */
	int64_t *first_down;	/* [nsw] to its children, the first channel, */
	int64_t *last_up;	/* [nsw] and the last one from them */
	struct weft__lane_key *sorted;	/* [edges] */
	uint32_t *queue;	/* [edges] out of the tree, to be looked at */
	uint32_t *later;	/* [edges] those that the order has no room for */
};

/* false without memory. */
bool weft__lane_tree_init(struct weft__lane_tree *t,
			  const struct weft_fabric *fabric,
			  struct weft_arena *arena);

/*
 * Grows a tree from root, into t->up, and changes t->key, which the caller has
 * set, and t->tie where it must, such that all turns within the tree lead
 * forward.  Returns how many switches it moved channels of.  The fabric must be
 * connected.
 * O(cables x (log cables + switches that it must move channels of)).
 */
uint32_t weft__lane_tree_grow(struct weft__lane_tree *t, uint32_t root);

/* Allows that lane the turns that lead forward, and no other ones. */
void weft__lane_tree_allow(const struct weft__lane_tree *t,
			   struct weft__turns *turns, unsigned lane);

#endif
