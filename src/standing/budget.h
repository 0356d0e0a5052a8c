/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What may change in tables beyond what must. */
#ifndef WEFT_STANDING_BUDGET_H
#define WEFT_STANDING_BUDGET_H

#include "diff/match.h"

/* What is at stake. */
struct weft__stake {
	uint64_t dead;		/* entries whose cable is gone */
	uint64_t given_way;	/* entries that had to change with them */
	uint64_t grown;		/* entries that new channels are good for */
	uint32_t earlier;	/* cables of home that were gone before already */
	uint64_t blocks;	/* that have to be sent anyway */
	uint64_t more;		/* changes that an earlier call did not make */
	uint64_t changes;	/* struct weft_standing_spec */
};

struct weft__budget {
	uint64_t changes;	/* entries that may move */
	uint64_t anyway;	/* blocks to compare those with that are sent
				 * for them alone */
};

/* Finds what new channels between switches are good for: those that neither the
 * fabric of the tables in force has nor that of home (NULL: not known) carry as
 * much as others do on average.  O(channels). */
uint64_t weft__stake_grown(const struct weft__match *standing,
			   const struct weft__match *home);

/* Counts cables between switches that the other fabric has and this one has not.
 * O(channels). */
uint32_t weft__stake_missing(const struct weft__match *m);

/* Returns what relief may do. */
struct weft__budget weft__budget(const struct weft__stake *s);

#endif
