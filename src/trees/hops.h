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
	WEFT__HOPS_VALLEY = 4,	/* it sends to a neighbour in the valley */
};

/* A tree of switches where ways may turn up again; see ways.h, which says what
 * its arrays are. */
struct weft__hops_valley {
	const uint32_t *sw, *parent;
	uint32_t n;		/* 0: no valley */
	const uint8_t *cut, *loose;
};

/* Returns true if switches in the valley may climb only within it towards a
 * root. */
static inline bool weft__hops_bound(const struct weft__hops_valley *v,
				    uint32_t root)
{
	return v->n && v->cut[root] && !v->loose[root];
}

struct weft__hops {
	const struct weft_fabric *fabric;
	const uint32_t *place, *by_place;
	uint32_t *above, *below;	/* neighbours; parallel cables count
					 * once */
	uint32_t *above_first, *below_first;	/* [nsw + 1] */
	uint32_t *slot, *root;	/* [nsw] numbers with endports' switches first,
				 * and their inverse */
	struct weft__hops_valley valley;	/* whoever sets it, or changes
						 * its arrays, must set block
						 * to WEFT_NONE */
	uint32_t block;		/* the 64 that were searched last; WEFT_NONE:
				 * none */
	uint8_t bound[WEFT__HOPS_BLOCK];	/* UINT8_MAX: switches in the
						 * valley climb only within it
						 * towards that root */
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
