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

enum weft__direction { WEFT__ASCENDING, WEFT__DESCENDING };

struct weft__dimension {
	uint8_t port[2];	/* by direction; equal: pairs of switches */
	uint32_t length;	/* 2 at least */
	bool ring;
};

struct weft__rings {
	const struct weft_fabric *fabric;
	unsigned n;		/* dimensions, by ascending port */
	struct weft__dimension dim[WEFT__MAX_DIMENSIONS];
	uint32_t *at;		/* [nsw * n] coordinates, 0 .. length-1 */
};

/*
 * Finds out whether the fabric is a product without a gap whose ports follow
 * dimensions: everybody's port p is cabled to a port q.  Parallel cables are
 * one.  *found says so; the arrays are the arena's.  The switch with the lowest
 * id is the first of its rings.  false without memory.
 * O(switches x ports x dimensions) time.
 */
bool weft__rings_find(struct weft__rings *rings,
		      const struct weft_fabric *fabric,
		      struct weft_arena *arena, bool *found);

/* The switch behind a port; WEFT_NONE: there is none. */
static inline uint32_t weft__rings_step(const struct weft_fabric *f, uint32_t s,
					unsigned port)
{
	uint32_t peer = port > f->sw[s].nports ? WEFT_NONE :
		f->peer[weft_channel(f, s, port)];

	return peer != s && peer != WEFT_NONE && weft_is_switch(peer) ? peer :
		WEFT_NONE;
}

#endif
