/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables in force as they stand in the fabric as it is now. */
#ifndef WEFT_STANDING_CARRIED_H
#define WEFT_STANDING_CARRIED_H

#include "diff/match.h"

struct weft_arena;

struct weft__carried {
	struct weft_routes routes;	/* of this fabric, without entries
					 * that go by a cable that is gone */
	struct weft__match match;
	bool *broken;		/* [max_lid + 1] LIDs that had such entries */
	uint64_t dead;		/* such entries for LIDs that somebody has */
};

/* Carries tables.  0 or -ENOMEM; must be freed in both cases.  O(switches x
 * LIDs) bytes copied. */
int weft__carry(struct weft__carried *c, const struct weft_diff_side *from,
		const struct weft_fabric *f, struct weft_arena *arena);
/* Counts entries that are other ones than if these tables had been carried.  0
 * or -ENOMEM.  O(switches x LIDs) bytes compared. */
int weft__carried_differ(const struct weft__carried *c,
			 const struct weft_diff_side *from, uint64_t *entries,
			 struct weft_arena *arena);
void weft__carried_free(struct weft__carried *c);

#endif
