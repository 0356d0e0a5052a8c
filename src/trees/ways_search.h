/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ways to one switch: by any rule, with cables that are kept for what a
 * switch itself sends, over a valley.  Where there is nothing of the kind
 * hops.h finds hops for many switches at once.
 */
#ifndef WEFT_TREES_WAYS_SEARCH_H
#define WEFT_TREES_WAYS_SEARCH_H

#include "trees/ways.h"

/* Finds the hops of everyone who has a way of that rule to a switch. */
void weft__ways_search(struct weft__ways *ways, uint32_t root,
		       enum weft__rule rule);

/* Makes the plan of what was searched last, in ways->scratch. */
const struct weft__plan *weft__ways_list(struct weft__ways *ways);

#endif
