/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Proofs spot by spot.  In tables that were proven all ways arrive.  A way in
 * those of today is the same up to the first entry that changed, if it has one;
 * so if the ways from all of these arrive, all do.  New dependencies are those
 * at such entries and on from there.  If they go along with an order that the
 * old ones have, old and new ones together close no cycle.
 */
#ifndef WEFT_STANDING_SPOTS_H
#define WEFT_STANDING_SPOTS_H

#include "standing/parts.h"
#include "standing/proven.h"

/* An entry that changed, or leads by another cable. */
struct weft__spot {
	uint32_t sw;
	unsigned lid;		/* that somebody has, the same one as before */
};

/*
 * Whether tables of one lane, all of which p holds for but for n spots, hold,
 * too.  m: from the fabric of p to that of the tables.  False: they do not, or
 * that is not known.  O(spots x (ports + hops) + channels).
 */
bool weft__spots_hold(const struct weft__proven *p,
		      const struct weft__match *m, const struct weft_lft *lft,
		      const struct weft__spot *spot, size_t n,
		      struct weft_arena *arena);

#endif
