/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees in a fat tree that is whole or nearly so, by numbers of hosts. */
#ifndef WEFT_ENGINES_PGFT_FOLLOW_H
#define WEFT_ENGINES_PGFT_FOLLOW_H

#include "engines/pgft/numbers.h"
#include "trees/balance.h"

/* How trees are to be routed. */
struct weft__follow_spec {
	const struct weft_fabric *fabric;
	const struct weft__pgft_form *form; /* cables may be missing */
	struct weft__numbering how;
	bool share; /* parallel cables upwards, all alike */
	bool other; /* only routes that differ from those in a row */
	struct weft_arena *arena;
};

/*
 * Routes the trees of all endports as the numbers of their hosts say, by
 * D-mod-K, wherever their ways have that cable; the other switches, for which it
 * is missing or leads to one that is, take the least loaded of their ways
 * then.  Adds the loads.  Returns 0; -EALREADY if other routes are asked for, but
 * numbers that are aligned are in a row even so, or no cables are parallel that
 * are to be shared; or -ENOMEM without a message.  O(LIDs x switches) time, and
 * O(cables) more for each LID that misses one.
 */
int weft__pgft_follow(const struct weft__follow_spec *spec,
		      struct weft__ways *ways, struct weft__trees *trees,
		      struct weft__balance *balance);

#endif
