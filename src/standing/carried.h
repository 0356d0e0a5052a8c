/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables of another state of a fabric as they stand in this one. */
#ifndef WEFT_STANDING_CARRIED_H
#define WEFT_STANDING_CARRIED_H

#include "diff/match.h"

struct weft__carried {
	struct weft_routes routes;	/* of this fabric, without entries
					 * that go by a cable that is gone */
	struct weft__match match;
	bool there;		/* somebody told such tables */
	bool whole;		/* all cables and endports of that state are
				 * here, and have their LIDs */
	uint64_t dead;		/* entries for LIDs of this fabric that were
				 * taken away as their cable is gone */
};

/* Carries tables; from->fabric NULL: there are none.  0 or -ENOMEM; must be
 * freed in both cases.  O(switches x LIDs). */
int weft__carry(struct weft__carried *c, const struct weft_diff_side *from,
		const struct weft_fabric *f);
void weft__carried_free(struct weft__carried *c);

#endif
