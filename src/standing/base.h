/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What there is to know about tables in force before anything fails: loads, who
 * waits for whom.  It takes a look at all entries, while a failure concerns few
 * columns; those change it then.
 */
#ifndef WEFT_STANDING_BASE_H
#define WEFT_STANDING_BASE_H

#include "standing/carried.h"
#include "loads/loads.h"
#include "standing/parts.h"

#include <weft/standing.h>

struct weft_standing_base {
	struct weft_diff_side of;
	unsigned lanes;
	struct weft_arena *arena;
	struct weft__loads loads;
	uint8_t *lost;		/* [max_lid + 1] weft__gather() */
};

/* The base of standing tables in the fabric as it is now. */
struct weft__inherited {
	const struct weft_standing_base *base;
	const struct weft__match *match;
	struct weft__loads *loads;	/* here */
	struct weft__same same;
	uint64_t *hosts;	/* [nsw there] weight that sends, as it is
				 * here */
	struct weft__column column;	/* there */
	uint64_t *through;	/* [nsw there] */
};

/*
 * Fills loads, which are without traffic as yet, with what a base has of cables
 * that are here, and of sources as they weigh here.  0 or -ENOMEM.  O(channels
 * x words + switches whose weight changed x LIDs x hops).
 */
int weft__inherit(struct weft__inherited *h,
		  const struct weft_standing_base *base,
		  const struct weft__match *match, struct weft__loads *loads,
		  struct weft_arena *arena);

/* Returns the positions of channels in the order of a base, if it has one of
 * such a graph's vertices, or NULL. */
const uint32_t *weft__base_order(const struct weft_standing_base *base,
				 const struct weft__cdg *g);

/* Whether loads with such a map of lanes can inherit from a base. */
bool weft__can_inherit(const struct weft_standing_base *base,
		       const struct weft__loads *loads);

/* Takes the load that a switch sends to a LID, as it was there, away here.
 * O(hops). */
void weft__disinherit_way(struct weft__inherited *h, uint32_t sw, unsigned lid);

/* Takes the load of a LID's column, as it was there, away here.
 * O(switches). */
void weft__disinherit(struct weft__inherited *h, unsigned lid);

#endif
