/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lane masks: the lanes that a way may use, a bit each, and minimal trees
 * chosen so that ways keep a lane.
 */
#ifndef WEFT_LANES_LANE_MASKS_H
#define WEFT_LANES_LANE_MASKS_H

#include "lanes/orders.h"
#include "lanes/turns_into.h"
#include "trees/balance.h"

struct weft__lane_masks {
	const struct weft_fabric *fabric;
	const struct weft__orders *orders;
	struct weft__ways *ways;	/* ways that the trees follow */
	const struct weft__trees *trees;
	struct weft__balance *balance;
	uint16_t all;		/* every lane */
	bool along;		/* trees follow the ways; those that change
				 * them otherwise say so */
	uint32_t *first;	/* [nsw + 1] the trees to a switch are */
	uint32_t *list;		/* [trees] list[first[s]] .. list[first[s + 1] -
				 * 1] */
	uint32_t *position;	/* [trees] inverse of list */
	uint16_t *mask;		/* [nsw * trees] lanes in which a way is legal,
				 * see weft__masks_of().  Those to one switch
				 * are next to each other, as its trees grow one
				 * after the other */
	struct weft__turns_into into;	/* the turns of the orders, when
					 * weft__masks_turns() was called */

	/* scratch for one tree */
	uint16_t *legal;	/* [nsw] lanes in which the way is legal */
	uint32_t *row;		/* [nsw] turns into the edge that the way
				 * takes, see weft__turns_row() */
	uint8_t *behind;	/* [nsw] in weft__masks_sort(): not listed */
	uint16_t *allowed;	/* [nsw] lanes in which the other ways of the
				 * pair are legal */
	uint32_t *sorted;	/* [nsw] switches, in the order of
				 * weft__masks_sort() */
};

/* Makes room.  Returns false without memory. */
bool weft__masks_init(struct weft__lane_masks *masks,
		      const struct weft__orders *orders,
		      struct weft__ways *ways, const struct weft__trees *trees,
		      struct weft__balance *balance, struct weft_arena *arena);

/* Reads the turns of the orders, once they have changed.  O(turns). */
void weft__masks_turns(struct weft__lane_masks *masks);

/* Returns the masks of the ways from switch s to the LIDs of switch to, in the
 * order of list[]. */
static inline uint16_t *weft__masks_of(const struct weft__lane_masks *p,
				       uint32_t s, uint32_t to)
{
	size_t first = p->first[to], n = p->first[to + 1] - first;

	return p->mask + first * p->fabric->nsw + s * n;
}

/* Has them fetched, as those of the next switch s are far away. */
static inline void weft__masks_fetch(const struct weft__lane_masks *p,
				     uint32_t s, uint32_t to)
{
	if (to < p->fabric->nsw)
		__builtin_prefetch(weft__masks_of(p, s, to));
}

/* Returns the mask of the way from s along a tree. */
static inline uint16_t *weft__mask_of(const struct weft__lane_masks *p,
				      uint32_t tree, uint32_t s)
{
	uint32_t root = p->trees->tree[tree].root;

	return weft__masks_of(p, s, root) + p->position[tree] - p->first[root];
}

/* Copy the masks of all switches along a tree, [nsw], from there, or to
 * there. */
void weft__masks_read(const struct weft__lane_masks *masks, uint32_t tree,
		      uint16_t *mask);
void weft__masks_write(const struct weft__lane_masks *masks, uint32_t tree,
		       const uint16_t *mask);

/* Returns the lanes that n masks in a row have in common. */
uint16_t weft__masks_common(const uint16_t *mask, uint32_t n);

/* Returns the lanes in which all ways between two switches are legal, both
 * directions and all LIDs. */
uint16_t weft__masks_pair(const struct weft__lane_masks *masks, uint32_t x,
			  uint32_t y);

/* Returns the switches of a tree, the root first and each behind the one it
 * sends to.  The tree need not follow the ways.  The list is valid until the
 * next call, or that of weft__ways_to().  O(switches). */
const uint32_t *weft__masks_sort(const struct weft__lane_masks *masks,
				 const struct weft__tree *tree);

/* Finds the masks of the first n trees as they are.  O(n x switches). */
void weft__masks_look(struct weft__lane_masks *masks, uint32_t n);

/*
 * Routes the LIDs of switches and sets their masks, once the masks of the
 * endports' LIDs are up to date.  A switch with endports is reached as the
 * first of them is; any other one such that all traffic of the switch keeps the
 * most lanes.
 */
void weft__masks_switches(struct weft__lane_masks *masks);

#endif
