/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Up*Down* hops to 64 switches at a time, a byte for each of them, so that one
 * look at a cable serves all.
 */
#ifndef WEFT_TREES_HOPS_H
#define WEFT_TREES_HOPS_H

#include <weft/fabric.h>

struct weft_arena;

enum {
	WEFT__HOPS_BLOCK = 64,
	WEFT__HOPS_NONE = UINT8_MAX,	/* no way */
	/* marks of a switch's way, a bit each */
	WEFT__HOPS_DOWN = 1,	/* it has a way that only descends */
	WEFT__HOPS_EVEN = 2,	/* it climbs, and all cables up lead to equally
				 * short ways */
};

struct weft__hops {
	const struct weft_fabric *fabric;
	const uint32_t *place, *by_place;
	uint32_t *above, *below;	/* neighbours; parallel cables count
					 * once */
	uint32_t *above_first, *below_first;	/* [nsw + 1] */
	uint32_t *slot, *root;	/* [nsw] numbers with endports' switches first,
				 * and their inverse */
	uint32_t block;		/* the 64 that were searched last; WEFT_NONE:
				 * none */
	bool deep;		/* a way is too long for a byte */

	uint8_t *down, *hops, *mark;	/* [nsw][64] */
	uint8_t *hops_to, *mark_to;	/* [64][nsw] */
};

/* Prepares hops over an order of the switches, place and its inverse.  Returns
 * false without memory. */
bool weft__hops_init(struct weft__hops *h, const struct weft_fabric *fabric,
		     const uint32_t *place, const uint32_t *by_place,
		     struct weft_arena *arena);

/*
 * Finds the hops of all switches to root, and marks.  Returns false if ways are
 * too long for a byte.  Valid until the next call.  One search of O(cables)
 * serves 64 switches if they are asked for in ascending order, those without
 * endports after the others.
 */
bool weft__hops_find(struct weft__hops *h, uint32_t root, const uint8_t **hops,
		     const uint8_t **marks);

#endif
