/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Has streams of shifts meet less often, where loads stay as they are. */
#ifndef WEFT_LOADS_SHIFTS_H
#define WEFT_LOADS_SHIFTS_H

#include <weft/routes.h>

/* Whether a way may be a cable longer than the shortest, and which load channels may
 * have then. */
enum weft__longer {
	WEFT__NOT_LONGER,
	WEFT__LONGER_SPARINGLY,	/* random traffic counts more, and loads stay below
				 * those of host links */
	WEFT__LONGER,		/* those of host links */
};

struct weft__shifts_spec {
	const uint32_t *rank;	/* [nep] of hosts, those of a group in a row, or
				 * WEFT_NONE */
	bool single;		/* entries for machines with several ports stay,
				 * so that rails are not looked at together */
	bool closed;		/* no packet waits for a buffer that none waited for
				 * before */
	enum weft__longer longer;
	unsigned lanes;		/* that pairs of switches may change to where a way is
				 * not legal in theirs; 0: they stay */
	uint64_t work;		/* to look at, in units of trees/balance.h */
};

struct weft__shifts_done {
	uint64_t moved;		/* entries; 0: take the routes of before */
	uint64_t looked;	/* at what, in these units */
	bool cut;		/* work did not last to the end */
};

/* Returns what going through all entries looks at, about: with less, nothing is
 * moved. */
uint64_t weft__shifts_least(const struct weft_fabric *fabric);

/*
 * Moves entries of hosts' base LIDs while streams meet less often so, in shifts
 * among the hosts of each group, and of each kind over all rails, and in random
 * permutations of these, as long as work lasts.  No way becomes longer, and no
 * load more than the highest one is, unless told otherwise.  The tables stay whole,
 * and free of credit loops as weft__ease() has it.  Returns 0 or -ENOMEM.
 */
int weft__shifts(const struct weft_fabric *fabric, struct weft_routes *routes,
		 const struct weft__shifts_spec *spec,
		 struct weft__shifts_done *out);

#endif
