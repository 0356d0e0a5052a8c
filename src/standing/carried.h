/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables in force as they stand in the fabric as it is now. */
#ifndef WEFT_STANDING_CARRIED_H
#define WEFT_STANDING_CARRIED_H

#include "core/tables/lft.h"
#include "diff/match.h"
#include "standing/parts.h"

struct weft_arena;
struct weft__column;

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
void weft__carried_free(struct weft__carried *c);

/* The same tables without a copy of them. */
struct weft__source {
	struct weft__match match;
	struct weft__alive alive;
	const struct weft_lft *lft;
};

/* 0 or -ENOMEM; must be freed in both cases. */
int weft__source_init(struct weft__source *x, const struct weft_diff_side *from,
		      const struct weft_fabric *f, struct weft_arena *arena);
/* Counts entries of other tables that differ from them, and adds their LIDs to
 * *lids.  O(switches x LIDs) bytes compared. */
uint64_t weft__source_differ(const struct weft__source *x,
			     const struct weft_lft *now,
			     struct weft__lid_set *lids);
/* Reads a column of them. */
void weft__source_read(const struct weft__source *x, struct weft__column *c,
		       unsigned lid);
void weft__source_free(struct weft__source *x);	/* zeroed is fine */

#endif
