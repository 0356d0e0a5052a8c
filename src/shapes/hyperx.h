/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics that are products of full meshes, HyperX, or were before some cables
 * went missing. */
#ifndef WEFT_SHAPES_HYPERX_H
#define WEFT_SHAPES_HYPERX_H

#include <weft/fabric.h>
#include <weft/shape.h>

#include <stdbool.h>

struct weft_arena;

struct weft__hyperx {
	unsigned n;		/* dimensions */
	uint32_t length[WEFT_SHAPE_DIMENSIONS];	/* switches in each */
	uint32_t *at;		/* [nsw][WEFT_SHAPE_DIMENSIONS] coordinates, 0
				 * .. length - 1; the caller sets the array */
};

static inline uint32_t *weft__hyperx_at(const struct weft__hyperx *h,
					uint32_t s)
{
	return h->at + (size_t)s * WEFT_SHAPE_DIMENSIONS;
}

/*
 * Finds whether each place of a product has one switch, and every cable leads
 * along one dimension.  Pairs of switches in a row may lack a cable.  Returns
 * false without memory.  The fabric must be connected.  O(cables x tries).
 */
bool weft__hyperx_find(struct weft__hyperx *hyperx,
		       const struct weft_fabric *fabric,
		       struct weft_arena *arena, bool *found);

/* Returns how many switches a switch is joined to. */
uint32_t weft__hyperx_degree(const struct weft_fabric *fabric, uint32_t s);

#endif
