/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The search for ways to one switch: by any rule, with cables that are kept for
 * a switch's own traffic, or over a valley.  Elsewhere hops.h finds the hops of
 * many switches at once.
 */
#ifndef WEFT_TREES_WAYS_SEARCH_H
#define WEFT_TREES_WAYS_SEARCH_H

#include "trees/ways.h"

/* Appends the position of a cable, in ascending order, to the last of n runs or
 * as a new one.  Returns how many runs there are then. */
static inline unsigned weft__run_append(struct weft__run *run, unsigned n,
					uint32_t position)
{
	if (!n || run[n - 1].start + run[n - 1].length != position)
		run[n++] = (struct weft__run){ .start = position };
	run[n - 1].length++;
	return n;
}

/* Notes where the runs of a plan end, and how many edges are in them. */
static inline void weft__plan_end(struct weft__plan *plan,
				  const struct weft__run *end)
{
	plan->total = end - plan->run;
	plan->edges = 0;
	for (const struct weft__run *run = plan->run; run < end; run++)
		plan->edges += run->length;
}

static inline bool weft__in_valley(const struct weft__ways *w, uint32_t s)
{
	return w->valley_parent[s] != WEFT_NONE;
}

/* Returns true if the cables between two switches are in the valley. */
static inline bool weft__valley_joins(const struct weft__ways *w, uint32_t s,
				      uint32_t t)
{
	return w->valley_parent[s] == t || w->valley_parent[t] == s;
}

/* Has plans made from here on turn in the valley as it is now: to be called
 * whenever that, or what it is needed for, has changed. */
void weft__ways_turn(struct weft__ways *ways);

/* Finds the hops of all switches that have a way to root by that rule. */
void weft__ways_search(struct weft__ways *ways, uint32_t root,
		       enum weft__rule rule);

/* Makes a plan of the last search, in ways->scratch. */
const struct weft__plan *weft__ways_list(struct weft__ways *ways);

#endif
