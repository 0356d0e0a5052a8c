/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Branches: the switches of a tree that went with an entry.  Where a cable
 * fails, most trees that led by it lose a few switches at their edge.  Then it
 * is enough to look at these and at their neighbours: the rest of the column is
 * never read.
 */
#ifndef WEFT_STANDING_BRANCHES_H
#define WEFT_STANDING_BRANCHES_H

#include "standing/carried.h"
#include "loads/column.h"

struct weft__branches {
	const struct weft__carried *now;
	uint32_t most;		/* switches of a column, for it to pay */
	uint32_t *dirty;	/* [ndirty] with a cable that changed */
	uint32_t ndirty;
	size_t *first;		/* [max_lid + 1] place in sw[], */
	uint32_t *n;		/* [max_lid + 1] and how many; 0: not known */
	uint32_t *sw;		/* those that are lost, ascending for each */
	size_t nsw, room;
	uint32_t *met;		/* [nsw] round in which it was seen */
	uint32_t round;
};

/* Begins with tables that were carried.  0 or -ENOMEM; must be freed in both
 * cases.  O(ports). */
int weft__branches_init(struct weft__branches *b,
			const struct weft__carried *now,
			struct weft_arena *arena);
void weft__branches_free(struct weft__branches *b);

/*
 * Finds who is lost for a LID in whose column all arrived before: those with a
 * dead entry, and those that send to them.  False: there are too many, or no
 * memory.  O(those lost x ports).
 */
bool weft__branches_find(struct weft__branches *b, unsigned lid);

/* Fills a column with those that are lost for a LID, and with the ways of their
 * neighbours; the rest of it is void. */
void weft__branches_read(struct weft__branches *b, struct weft__column *c,
			 unsigned lid);

#endif
