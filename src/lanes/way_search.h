/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The search for a way in a lane that joins a tree: see reroute.h. */
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
	uint16_t *legal;	/* [trees * nsw] the masks's masks, tree by
				 * tree: a search stays in one */
	uint64_t work;		/* edges looked at */

	/* of the search at hand */
	uint32_t *queue;	/* [edges] */
	uint32_t nqueue;
	uint32_t *from;		/* [edges] edge before, WEFT_NONE at first */
	uint32_t *seen;		/* [edges] search that met it */
	uint32_t search;
	uint32_t *down;		/* [nsw] edge from parents to the root, */
	uint32_t *marked;	/* [nsw] in a lane's tree, of that search */

	uint32_t *path;		/* [nsw] edges of the last way found, */
	uint32_t npath;
	uint32_t path_root;	/* where it led to, */
	unsigned path_lane;	/* and in which lane */
};

/* Reads the masks.  false without memory. */
bool weft__way_search_init(struct weft__way_search *w,
			   struct weft__lane_masks *masks,
			   struct weft_arena *arena);

/* The switch's lanes along a tree. */
static inline uint16_t *weft__way_search_legal(const struct weft__way_search *w,
					       uint32_t tree, uint32_t s)
{
	return w->legal + (size_t)tree * w->fabric->nsw + s;
}

/*
 * The fewest turns of a lane that lead s to a switch whose way along the tree
 * is legal from there on, or to the root: the last edge, before which come
 * those of w->from; WEFT_NONE: there is no such way.  None passes a switch
 * twice, the rest along the tree included.
 */
uint32_t weft__way_search_find(struct weft__way_search *w, uint32_t tree,
			       uint32_t s, unsigned lane);

/*
 * The same along a tree all turns of which the lane allows, up: [nsw] the edge to
 * the parent, WEFT_NONE at its top.  There always is such a way.
 */
uint32_t weft__way_search_along(struct weft__way_search *w, uint32_t tree,
				uint32_t s, unsigned lane, const uint32_t *up);

#endif
