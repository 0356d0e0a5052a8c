/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ways by dimensions on a damaged product of rings and paths. */
#ifndef WEFT_ENGINES_WEAVE_RINGS_WAYS_H
#define WEFT_ENGINES_WEAVE_RINGS_WAYS_H

#include "lanes/turns.h"
#include "shapes/rings.h"

/* A line of switches in a dimension, as seen by one of them. */
struct weft__ring_line {
	uint32_t from;		/* switches before it */
	uint32_t length;	/* 0: a whole ring */
};

/* A product with its lines, and the turns that each lane allows. */
struct weft__rings_ways {
	const struct weft__rings *rings;
	const struct weft__ring_line *line;	/* [nsw * dimensions] */
	const bool *told;	/* [dimensions] where a ring begins depends on
				 * the lane; else no way passes its first switch */
	const struct weft__turns *turns;
	unsigned lanes;
};

/*
 * Finds the lanes that the ways by dimensions of each pair of switches have in
 * common, in both directions; all lanes for a pair without such ways or lanes.
 * *broken: the number of these pairs.  O(switches^2 x hops).  Returns false
 * without memory.
 */
bool weft__rings_common(const struct weft__rings_ways *ways,
			struct weft_arena *arena, uint16_t *common,
			uint64_t *broken);

#endif
