/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Orders of the channels of a lane in which every switch reaches every other
 * one, by a tree of the lane's own.
 */
#ifndef WEFT_LANES_LANE_TREE_H
#define WEFT_LANES_LANE_TREE_H

#include "graph/heap.h"
#include "lanes/turns.h"

struct weft__lane_key {
	int64_t key;
	uint32_t edge;
};

struct weft__lane_tree {
	const struct weft_fabric *fabric;
	int64_t *key;		/* [edges] position of the channel in the
				 * order */
	int32_t *tie;		/* [edges] order of channels with equal keys */
	uint32_t *up;		/* [nsw] edge to the parent; WEFT_NONE at the
				 * root.  The caller sets the array */

	/* scratch */
	uint32_t *back;		/* [edges] the edge in the other direction */
	uint32_t *tail;		/* [edges] switch that the edge leaves */
	bool *in;		/* [nsw] in the tree */
	int64_t *first_down;	/* [nsw] least key of a channel to a child */
	int64_t *last_up;	/* [nsw] greatest key of one from a child */
	struct weft__lane_key *sorted;	/* [edges] */
	uint32_t *queue;	/* [edges] edges out of the tree */
	/* Edges whose channels must move, by how far that was when it was found
	 * last, then in the order in which they were met; room for [edges]. */
	struct weft__heap later;
};

/* Returns false without memory. */
bool weft__lane_tree_init(struct weft__lane_tree *t,
			  const struct weft_fabric *fabric,
			  struct weft_arena *arena);

/*
 * Grows a tree from root into t->up.  Changes t->key, which the caller has set,
 * and t->tie where it must, such that all turns within the tree lead forward.
 * Returns the number of switches whose channels it moved.  The fabric must be
 * connected.  O(cables x log cables) if few distances change.
 */
uint32_t weft__lane_tree_grow(struct weft__lane_tree *t, uint32_t root);

/* Allows that lane exactly the turns that lead forward. */
void weft__lane_tree_allow(const struct weft__lane_tree *t,
			   struct weft__turns *turns, unsigned lane);

#endif
