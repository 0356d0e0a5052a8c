/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fabrics that are products of rings, paths and pairs: tori, meshes,
 * hypercubes.
 */
#ifndef WEFT_ENGINES_RINGS_H
#define WEFT_ENGINES_RINGS_H

#include <weft/engine.h>

struct weft_arena;

#define WEFT__MAX_DIMENSIONS 15
#define WEFT__MAX_PARALLEL 32

enum weft__direction { WEFT__ASCENDING, WEFT__DESCENDING };

struct weft__dimension {
	/* by direction, of each of parallel cables; equal: pairs of switches */
	uint8_t port[2][WEFT__MAX_PARALLEL];
	unsigned ncables;
	uint32_t length;	/* 2 at least */
	bool ring;
};

struct weft__rings {
	const struct weft_fabric *fabric;
	unsigned n;		/* dimensions, by ascending port */
	struct weft__dimension dim[WEFT__MAX_DIMENSIONS];
	uint32_t *at;		/* [nsw * n] coordinates, 0 .. length-1 */
	uint32_t *gap;		/* [nsw * n] where no cable leads ahead in the
				 * switch's ring; WEFT_NONE: it is whole */
	uint32_t ngaps;
};

/*
 * Finds out whether the fabric is a product whose ports follow dimensions:
 * everybody's port p is cabled to a port q.  Parallel cables are one.  Each
 * ring may have a gap, a cable that is missing, if some other of its dimension
 * is whole.  *found says so; the arrays are the arena's.  The switch with the
 * lowest id is the first of its rings.  false without memory.
 * O(switches x ports x dimensions) time.
 */
bool weft__rings_find(struct weft__rings *rings,
		      const struct weft_fabric *fabric,
		      struct weft_arena *arena, bool *found);

/* The neighbour of a switch in dimension i; WEFT_NONE: there is none. */
uint32_t weft__rings_next(const struct weft__rings *rings, uint32_t s,
			  unsigned i, unsigned direction);

#endif
