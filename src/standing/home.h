/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The way home: entries that go back to where they were before parts failed. */
#ifndef WEFT_STANDING_HOME_H
#define WEFT_STANDING_HOME_H

#include "standing/carried.h"
#include "loads/column.h"
#include "standing/parts.h"

struct weft__home {
	const struct weft_fabric *fabric;
	struct weft_diff_side side;	/* the home tables, there */
	struct weft__match match;	/* from home to the fabric */
	struct weft__alive alive;	/* ports of home that are here, */
	struct weft__alive were;	/* and those of them that the standing
					 * fabric had */
	bool back;		/* some of the former are not among the
				 * latter */
	bool known;		/* and other tables than the standing ones */
	bool *differs;		/* [max_lid + 1] columns that are away from
				 * home */
	struct weft__column here, there;
};

/* 0 or -ENOMEM; must be freed in both cases.  O(switches x LIDs) bytes
 * compared. */
int weft__home_init(struct weft__home *h, const struct weft_standing_spec *spec,
		    const struct weft__carried *now,
		    const struct weft_fabric *f, struct weft_arena *arena);
void weft__home_free(struct weft__home *h);

/* Whether a column is away from home. */
bool weft__home_differs(const struct weft__home *h, unsigned lid);

/*
 * Has entries of a column return: those whose way home is whole again that was
 * not when the standing tables were made, and those that have none.  Returns
 * how many did.
 */
uint32_t weft__home_return(struct weft__home *h, struct weft__column *c);

/* The home port of each switch for the LID given last, NULL: not known. */
const uint8_t *weft__home_ports(const struct weft__home *h,
				const struct weft__column *c);

#endif
