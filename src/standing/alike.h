/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which of several equal parts has which role in tables is a matter of names.
 * Roles are dealt so that tables change least.
 */
#ifndef WEFT_STANDING_ALIKE_H
#define WEFT_STANDING_ALIKE_H

#include <weft/routes.h>

struct weft_arena;

/* Tables that were just routed, and those in force as they stand in the same
 * fabric. */
struct weft__alike {
	const struct weft_fabric *fabric;
	const struct weft_lft *standing;
	struct weft_routes *routes;
};

/*
 * Switches without endports that have the same cables to the same switches are
 * twins: each takes the role of another one, so that neither loads nor what any
 * pattern of traffic gets are other ones.  Tables of several lanes stay as they
 * are.  0 or -ENOMEM.  O(switches x LIDs + LIDs x twins^2).
 */
int weft__alike_twins(const struct weft__alike *a);

/*
 * The trees of endports of a switch, which have the same rate and weight, are
 * dealt to them anew.  Loads are the same as before when everybody sends to
 * everybody, but patterns may get more or less.  0 or -ENOMEM.
 * O(switches x LIDs x endports of a switch).
 */
int weft__alike_trees(const struct weft__alike *a);

/* Counts places at which both have the same byte. */
static inline uint64_t weft__count_equal(const uint8_t *a, const uint8_t *b,
					 size_t n)
{
	uint64_t equal = 0;

	for (size_t i = 0; i < n; i++)
		equal += a[i] == b[i];
	return equal;
}

/*
 * Finds who takes which role so that gain[role * n + who] has the highest sum;
 * of equal ones that in which most stay who they are.  Into who[n], by role.
 * false: no memory.  O(n^3).
 */
bool weft__assign(const uint64_t *gain, uint32_t n, uint32_t *who,
		  struct weft_arena *arena);

#endif
