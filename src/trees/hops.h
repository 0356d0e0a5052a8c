/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Up*Down* hops to 64 switches at a time: a byte for each of them, so that one
 * look at a cable serves all.
 */
#ifndef WEFT_TREES_HOPS_H
#define WEFT_TREES_HOPS_H
#include <weft/fabric.h>

struct weft_arena;

enum {
	WEFT__HOPS_BLOCK = 64,
	WEFT__HOPS_NONE = UINT8_MAX,	/* no way */
	/* what is known of a switch's way, a bit each */
	WEFT__HOPS_DOWN = 1,	/* over cables that lead down alone */
	WEFT__HOPS_EVEN = 2,	/* else: no farther by one way up than by
				 * another */
};

struct weft__hops {
	const struct weft_fabric *fabric;
	const uint32_t *place, *by_place;
	uint32_t *above, *below;	/* neighbours, parallel cables once */
	uint32_t *above_first, *below_first;	/* [nsw + 1] */
	uint32_t *slot, *root;	/* [nsw] switches with endports first, and the
				 * inverse */
	uint32_t block;		/* what is known, WEFT_NONE: nothing */
	bool deep;		/* some way is too long for a byte */

	uint8_t *down, *hops, *mark;	/* [nsw][64] */
	uint8_t *hops_to, *mark_to;	/* [64][nsw] */
};

/* Hops over an order of the switches, place and its inverse.  false without
 * memory. */
bool weft__hops_init(struct weft__hops *h, const struct weft_fabric *fabric,
		     const uint32_t *place, const uint32_t *by_place,
		     struct weft_arena *arena);

/*
 * Hops of all switches to that one, and marks; false: ways are too long for
 * that.  Valid until the next call.  O(cables) for 64 switches, those without
 * endports after the others, if they are asked for in ascending order.
 */
bool weft__hops_find(struct weft__hops *h, uint32_t root, const uint8_t **hops,
		     const uint8_t **marks);

#endif
