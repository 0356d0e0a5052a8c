/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A search for a way in a lane that joins a tree; see reroute.h. */
#ifndef WEFT_LANES_WAY_SEARCH_H
#define WEFT_LANES_WAY_SEARCH_H

#include "lanes/legal_counts.h"

struct weft__way_search {
	struct weft__legal_counts counts;
	const struct weft_fabric *fabric;
	const struct weft__trees *trees;
	const struct weft__turns *turns;
	const uint32_t *head;	/* [edges] */
	uint32_t *tail;		/* [edges] */
	uint16_t *legal;	/* [trees * nsw] the masks, tree by tree, as a
				 * search stays in one */
	uint64_t work;		/* edges looked at */
	uint64_t reach;		/* edges after which a search ends */
	uint32_t turned;	/* positions by which edges out of a switch are
				 * rotated, as many ways are equally short */

	/* of the current search */
	uint32_t *queue;	/* [edges] */
	uint32_t nqueue;
	uint32_t *from;		/* [edges] the edge before; WEFT_NONE: first */
	uint32_t *seen;		/* [edges] number of the search that met it */
	uint32_t search;
	uint32_t *down;		/* [nsw] edge from a parent towards the root, */
	uint32_t *marked;	/* [nsw] valid if this is w->search */

	uint32_t *path;		/* [nsw] edges of the last way found, */
	uint32_t npath;
	uint32_t path_root;	/* destination of that way, */
	unsigned path_lane;	/* and its lane */
};

/* Reads the masks.  Returns false without memory. */
bool weft__way_search_init(struct weft__way_search *w,
			   struct weft__lane_masks *masks,
			   struct weft_arena *arena);

/* Returns the lanes in which the way of s along a tree is legal. */
static inline uint16_t *weft__way_search_legal(const struct weft__way_search *w,
					       uint32_t tree, uint32_t s)
{
	return w->legal + (size_t)tree * w->fabric->nsw + s;
}

/*
 * Finds the fewest turns of a lane that lead s to a switch whose way along the
 * tree is legal from there on, or to the root.  Returns the last edge, which
 * w->from leads back from, or WEFT_NONE if there is no such way within reach.
 * The way passes no switch twice, the rest along the tree included.
 */
uint32_t weft__way_search_find(struct weft__way_search *w, uint32_t tree,
			       uint32_t s, unsigned lane);

/*
 * Finds such a way along a tree that has only turns the lane allows.  There
 * always is one, unless edges of the tree have no room for the lane. up: [nsw]
 * the edge to the parent, WEFT_NONE at the top.
 */
uint32_t weft__way_search_along(struct weft__way_search *w, uint32_t tree,
				uint32_t s, unsigned lane, const uint32_t *up);

#endif
