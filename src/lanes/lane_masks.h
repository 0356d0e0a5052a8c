/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which lanes a way may use, and minimal trees that always leave it one.
 */
#ifndef WEFT_LANES_LANE_MASKS_H
#define WEFT_LANES_LANE_MASKS_H
#include "lanes/orders.h"
#include "trees/balance.h"

struct weft__lane_masks {
	const struct weft_fabric *fabric;
	const struct weft__orders *orders;
	struct weft__ways *ways;	/* of the trees */
	const struct weft__trees *trees;
	struct weft__balance *balance;
	uint16_t all;		/* every lane */
	uint32_t *first;	/* [nsw + 1] trees of a switch: */
	uint32_t *list;		/* [trees] list[first[s] ..] */
	uint32_t *position;	/* [trees] its inverse */
	uint16_t *mask;		/* [nsw * trees] lanes in which a switch's way
				 * to the LID of list[i] is legal */

	/* of the tree at hand */
	uint16_t *legal;	/* [nsw] lanes in which the way is legal */
	uint8_t *next;		/* [nsw] position of the edge it takes */
	uint16_t *allowed;	/* [nsw] lanes that the other ways of the pair
				 * leave */
	uint32_t *sorted;	/* [nsw] switches */
};

/* Makes room; false without memory. */
bool weft__masks_init(struct weft__lane_masks *masks,
		      const struct weft__orders *orders,
		      struct weft__ways *ways, const struct weft__trees *trees,
		      struct weft__balance *balance, struct weft_arena *arena);

/* Masks of the ways from switch s to the LIDs of switch to, as many as it has,
 * in the order of list[]. */
static inline uint16_t *weft__masks_of(const struct weft__lane_masks *p,
				       uint32_t s, uint32_t to)
{
	return p->mask + (size_t)s * p->trees->n + p->first[to];
}

/* Lanes that n masks in a row have in common. */
uint16_t weft__masks_common(const uint16_t *mask, uint32_t n);

/* The switches of a tree, the root first, each behind the one it sends to,
 * whatever ways it follows; until the next call.  O(switches). */
const uint32_t *weft__masks_sort(const struct weft__lane_masks *masks,
				 const struct weft__tree *tree);

/* Finds the masks of the first n trees as they are.  O(n x switches). */
void weft__masks_look(struct weft__lane_masks *masks, uint32_t n);

/*
 * Routes the LIDs of switches, once the masks of endports' LIDs are up to date:
 * as the first endport there; where there is none, such that most lanes are left
 * to all traffic of the switch.  Sets their masks.
 */
void weft__masks_switches(struct weft__lane_masks *masks);

#endif
