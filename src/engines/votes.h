/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * In which lanes the ways of each pair of switches are legal, both directions
 * and all LIDs, while trees change: what mend.c and polish.c have in common.
 */
#ifndef WEFT_ENGINES_VOTES_H
#define WEFT_ENGINES_VOTES_H

#include "engines/spread.h"

struct weft__votes {
	struct weft__spread *spread;
	unsigned nlanes;
	uint8_t *back;		/* [edges] position of the other direction */
	uint32_t *ntrees;	/* [nsw] to a switch, but for those shared */
	uint16_t *count;	/* [nsw * nsw * nlanes] ways that are legal in a
				 * lane, by the lower switch of the pair */
};

/* Counts those of the spread's masks.  false without memory.
 * 2 bytes for each pair of switches and lane. */
bool weft__votes_init(struct weft__votes *v, struct weft__spread *spread,
		      struct weft_arena *arena);

/* The tree that a switch's own LID shares, one to an endport there; itself if
 * it does not, which is the only kind that votes. */
uint32_t weft__votes_shared(const struct weft__votes *v, uint32_t tree);

/* Has trees that are shared, and their masks, follow. */
void weft__votes_share(const struct weft__votes *v);

static inline size_t weft__votes_pair(const struct weft__votes *v, uint32_t a,
				      uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a + b - low;

	return (size_t)low * v->spread->fabric->nsw + high;
}

static inline uint16_t *weft__votes_mask(const struct weft__votes *v,
					 uint32_t tree, uint32_t s)
{
	return v->spread->mask + (size_t)s * v->spread->trees->n +
		v->spread->position[tree];
}

/* The way of s along a tree becomes legal in these lanes, and no others. */
void weft__votes_set(const struct weft__votes *v, uint32_t tree, uint32_t s,
		     uint16_t lanes);

/* How many ways of the pair are not legal in the lane in which most are. */
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
