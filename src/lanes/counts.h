/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * In which lanes the ways of each pair of switches are legal, both directions
 * and all LIDs, while trees change: what reroute.c and regrow.c have in common.
 */
#ifndef WEFT_LANES_COUNTS_H
#define WEFT_LANES_COUNTS_H
#include "lanes/masks.h"

#define WEFT__VOTES 16	/* bits of a mask */

struct weft__votes {
	struct weft__spread *spread;
	uint8_t *back;		/* [edges] position of the other direction */
	uint32_t *ntrees;	/* [nsw] to a switch, but for those shared, which
				 * come last in the spread's list */
};

/* false without memory. */
bool weft__votes_init(struct weft__votes *v, struct weft__spread *spread,
		      struct weft_arena *arena);

/* The tree that a switch's own LID shares, one to an endport there; itself if
 * it does not, which is the only kind that votes. */
uint32_t weft__votes_shared(const struct weft__votes *v, uint32_t tree);

/* Has trees that are shared, and their masks, follow. */
void weft__votes_share(const struct weft__votes *v);

/* Lanes in which the way of s along a tree is legal. */
static inline uint16_t *weft__votes_mask(const struct weft__votes *v,
					 uint32_t tree, uint32_t s)
{
	return v->spread->mask + (size_t)s * v->spread->trees->n +
		v->spread->position[tree];
}

/* How many ways of the pair are legal in each lane, into votes[WEFT__VOTES]. */
void weft__votes_count(const struct weft__votes *v, uint32_t a, uint32_t b,
		       uint32_t *votes);

/* How many ways of the pair are not legal in the lane in which most are.  Time
 * goes with the trees of either switch. */
uint32_t weft__votes_missing(const struct weft__votes *v, uint32_t a,
			     uint32_t b);

/* Lanes in which all other ways are legal that s and the tree's root have. */
uint16_t weft__votes_others(const struct weft__votes *v, uint32_t tree,
			    uint32_t s);

/* The position of what s sends by along a tree, or of the end. */
static inline uint8_t weft__votes_next(const struct weft__votes *v,
				       const struct weft__tree *t, uint32_t s)
{
	return s == t->root ? weft__turns_end(&v->spread->orders->turns, s) :
		t->choice[s];
}

#endif
