/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counts of the short ways that lanes allow. */
#ifndef WEFT_LANES_NEAR_WAYS_H
#define WEFT_LANES_NEAR_WAYS_H

#include "lanes/lane_masks.h"

#define WEFT__LANE_COUNTS 16

struct weft__near_ways {
	const struct weft__lane_masks *masks;
	unsigned longer;
	uint16_t *hops;	  /* [nsw] of shortest ways, to the last switch */
	uint16_t *reach;  /* [edges] lanes in which it begins a short way */
	uint16_t *before; /* [edges] */
	uint16_t (*count)[WEFT__LANE_COUNTS]; /* [nsw] */
};

bool weft__near_ways_init(struct weft__near_ways *w,
			  const struct weft__lane_masks *masks, unsigned longer,
			  struct weft_arena *arena);

/* Counts, for each switch and lane, the cables by which legal ways to switch t
 * begin that are at most so many cables longer than shortest ones. */
void weft__near_ways_count(struct weft__near_ways *w, uint32_t t);

#endif
