/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * In which lanes the ways of each pair of switches are legal, both directions
 * and all LIDs, while trees change: what reroute.c and regrow.c have in common.
 */
#ifndef WEFT_LANES_LEGAL_COUNTS_H
#define WEFT_LANES_LEGAL_COUNTS_H
#include "lanes/lane_masks.h"

#define WEFT__LEGAL_LANES 16 /* bits of a mask */

struct weft__legal_counts {
	struct weft__lane_masks *masks;
	uint8_t *back;	  /* [edges] position of the other direction */
	uint32_t *ntrees; /* [nsw] to a switch, but for those shared, which
			   * come last in the masks's list */
};

/* false without memory. */
bool weft__legal_init(struct weft__legal_counts *v,
		      struct weft__lane_masks *masks, struct weft_arena *arena);

/* The tree that a switch's own LID shares, one to an endport there; itself if
 * it does not, which is the only kind that votes. */
uint32_t weft__legal_shared(const struct weft__legal_counts *v, uint32_t tree);

/* Has trees that are shared, and their masks, follow. */
void weft__legal_share(const struct weft__legal_counts *v);

/* Lanes in which the way of s along a tree is legal. */
static inline uint16_t *weft__legal_mask(const struct weft__legal_counts *v,
					 uint32_t tree, uint32_t s)
{
	return v->masks->mask + (size_t)s * v->masks->trees->n +
	       v->masks->position[tree];
}

/* How many ways of the pair are legal in each lane, into
 * votes[WEFT__LEGAL_LANES]. */
void weft__legal_count(const struct weft__legal_counts *v, uint32_t a,
		       uint32_t b, uint32_t *counts);

/* How many ways of the pair are not legal in the lane in which most are.  Time
 * goes with the trees of either switch. */
uint32_t weft__legal_missing(const struct weft__legal_counts *v, uint32_t a,
			     uint32_t b);

/* Lanes in which all other ways are legal that s and the tree's root have. */
uint16_t weft__legal_others(const struct weft__legal_counts *v, uint32_t tree,
			    uint32_t s);

/* The position of what s sends by along a tree, or of the end. */
static inline uint8_t weft__legal_next(const struct weft__legal_counts *v,
				       const struct weft__tree *t, uint32_t s)
{
	return s == t->root ? weft__turns_end(&v->masks->orders->turns, s) :
			      t->choice[s];
}

#endif
