/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fabrics that are products of rings, paths and pairs: tori, meshes,
 * hypercubes.
 */
#ifndef WEFT_SHAPES_RINGS_H
#define WEFT_SHAPES_RINGS_H

#include <weft/fabric.h>

struct weft_arena;

#define WEFT__MAX_DIMENSIONS 15
#define WEFT__LONG_RING 5	/* shorter rings close no cycle */

enum weft__direction { WEFT__ASCENDING, WEFT__DESCENDING };

struct weft__dimension {
	uint32_t length;	/* at least 2 */
	bool ring;		/* false: a path, as pairs of switches are */
};

struct weft__rings {
	const struct weft_fabric *fabric;
	unsigned n;		/* dimensions */
	struct weft__dimension dim[WEFT__MAX_DIMENSIONS];
	uint32_t *at;		/* [nsw * n] coordinates, 0 .. length-1 */
	uint32_t *next;		/* [nsw * n * 2] neighbours, by direction;
				 * WEFT_NONE: there is none */
	uint32_t *gap;		/* [nsw * n] coordinate of the switch in this
				 * ring whose cable ahead is missing; WEFT_NONE:
				 * the ring is whole, or lacks more than a cable
				 * or a switch */
	uint32_t ngaps;
	bool whole;		/* false: only part of a product; ngaps is
				 * void */
};

/*
 * Finds whether the fabric is a product, whatever ports its cables are on.
 * Parallel cables count as one.  Each ring may have a gap, which is one missing
 * cable, if some other ring of its dimension is whole.  Rings of 4 may be found
 * as two dimensions of pairs, unless they have gaps.  A fabric that is no
 * product may be part of one, with any switches and cables missing.  *found is
 * true for either; the arrays are the arena's.  The dimensions are in the order
 * of the ports of the first switch, if it has cables in all of them, and that
 * switch is the first in its rings.  Returns false without memory.  O(cables x
 * (ports of a switch + dimensions)) time.
 */
bool weft__rings_find(struct weft__rings *rings,
		      const struct weft_fabric *fabric,
		      struct weft_arena *arena, bool *found);

static inline uint32_t weft__rings_next(const struct weft__rings *r,
					uint32_t s, unsigned i,
					enum weft__direction way)
{
	return r->next[((size_t)s * r->n + i) * 2 + way];
}

/* True if a dimension has rings that close cycles. */
static inline bool weft__rings_is_long(const struct weft__rings *rings,
				       unsigned i)
{
	return rings->dim[i].ring && rings->dim[i].length >= WEFT__LONG_RING;
}

/* Returns how many dimensions have such rings. */
static inline unsigned weft__rings_count_long(const struct weft__rings *rings)
{
	unsigned n = 0;

	for (unsigned i = 0; i < rings->n; i++)
		n += weft__rings_is_long(rings, i);
	return n;
}

/* Returns the dimension with the longest such rings that is not taken yet, and takes
 * it; rings->n: there is none.  taken: [rings->n]. */
unsigned weft__rings_take_longest(const struct weft__rings *rings, bool *taken);

#endif
