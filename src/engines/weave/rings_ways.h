/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ways by dimensions on what is left of a product of rings and paths. */
#ifndef WEFT_ENGINES_WEAVE_RINGS_WAYS_H
#define WEFT_ENGINES_WEAVE_RINGS_WAYS_H
#include "lanes/turns.h"
#include "shapes/rings.h"

/* A line of switches in a dimension, as one of them sees it. */
struct weft__line {
	uint32_t from;		/* switches before it */
	uint32_t length;	/* 0: a whole ring */
};

/*
 * Lanes that the ways of each pair of switches have in common, both directions,
 * or every one if there is no such way, or no lane.  line: [nsw * dimensions];
 * *broken: pairs without.  O(switches^2 x hops).  false without memory.
 */
bool weft__rings_common(const struct weft__rings *rings,
			const struct weft__line *line,
			const struct weft__turns *turns, unsigned lanes,
			struct weft_arena *arena, uint16_t *common,
			uint64_t *broken);

#endif
