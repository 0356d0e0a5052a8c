/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The dimensions of the cables of a product of rings and paths. */
#ifndef WEFT_SHAPES_RINGS_CABLES_H
#define WEFT_SHAPES_RINGS_CABLES_H

#include "shapes/rings.h"

/* The cables between switches; parallel ones count as one. */
struct weft__product_cables {
	uint32_t *first;	/* [nsw + 1] a switch's first in the arrays */
	uint32_t *to;		/* the switch at the other end, ascending */
	uint8_t *label;		/* 2 * dimension + weft__direction */
	unsigned n;		/* dimensions */
};

/*
 * Sorts the cables into dimensions, by the ports they are on or whatever ports
 * these are.  *found: the fabric may be a product, which the caller has to
 * check.  The dimensions are in the order of the ports of the first switches,
 * and the lowest port leads ahead.  Returns false without memory.  O(cables x
 * ports of a switch) time.
 */
bool weft__product_cables_sort(struct weft__product_cables *cables,
			       const struct weft_fabric *fabric,
			       struct weft_arena *arena, bool by_port,
			       bool *found);

/* Returns the cable from switch s to t, or WEFT_NONE. */
uint32_t weft__product_cables_find(const struct weft__product_cables *cables,
				   uint32_t s, uint32_t t);

#endif
