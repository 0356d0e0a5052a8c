/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counts of the lanes in which the ways of each pair of switches are legal,
 * both directions and all LIDs, while trees change.  For reroute.c and
 * regrow.c.
 */
#ifndef WEFT_LANES_LEGAL_COUNTS_H
#define WEFT_LANES_LEGAL_COUNTS_H

#include "lanes/lane_masks.h"

#define WEFT__LEGAL_LANES 16 /* bits of a mask */

struct weft__legal_counts {
	struct weft__lane_masks *masks;
	const uint8_t *back; /* [edges] position of the other direction */
	uint32_t *ntrees; /* [nsw] trees to a switch, without shared ones, which
			   * come last in masks->list */
};

/* Returns false without memory. */
bool weft__legal_init(struct weft__legal_counts *v,
		      struct weft__lane_masks *masks, struct weft_arena *arena);

/* Returns the tree to an endport that a switch's own LID shares, or the tree
 * itself if it shares none.  Only trees that share none are counted. */
uint32_t weft__legal_shared(const struct weft__legal_counts *v, uint32_t tree);

/* Copies trees, with their masks, to those that share them. */
void weft__legal_share(const struct weft__legal_counts *v);

/* Counts the ways of the pair that are legal in each lane, into
 * counts[WEFT__LEGAL_LANES]. */
void weft__legal_count(const struct weft__legal_counts *v, uint32_t a,
		       uint32_t b, uint32_t *counts);

/* Returns how many ways of the pair are not legal in the lane in which most
 * are.  O(trees to either switch). */
uint32_t weft__legal_missing(const struct weft__legal_counts *v, uint32_t a,
			     uint32_t b);

/* Returns the position of the edge by which s sends along a tree, or that of
 * the end of a way at the root. */
static inline uint8_t weft__legal_next(const struct weft__legal_counts *v,
				       const struct weft__tree *t, uint32_t s)
{
	return s == t->root ? weft__turns_end(&v->masks->orders->turns, s) :
			      t->choice[s];
}

#endif
