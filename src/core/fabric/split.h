/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A fabric in parts that no cable joins: each as a fabric of its own, and the
 * tables of the parts put together.
 */
#ifndef WEFT_CORE_SPLIT_H
#define WEFT_CORE_SPLIT_H

#include <weft/routes.h>

/* One part, and its ids in the whole fabric. */
struct weft__part {
	uint32_t number;	/* its number in of_switch[] */
	struct weft_fabric *fabric;
	uint32_t *sw, *ep;
	struct weft_routes routes;	/* zeroed; freed with the part */
};

struct weft__split {
	const struct weft_fabric *f;
	uint32_t *of_switch;	/* [nsw] */
	struct weft__part *part;	/* [n] after make(): most hosts first,
					 * then most switches, then lowest
					 * GUID */
	uint32_t n;
	bool as_numbered;	/* part[] is by number instead */
};

/* Counts the parts.  Returns 0 or -ENOMEM; must be freed in both cases. */
int weft__split_init(struct weft__split *split,
		     const struct weft_fabric *fabric);
/* Makes a fabric of each part.  Returns false without memory. */
bool weft__split_make(struct weft__split *split);
/* Takes the part's entries out of tables for all; 0 or -ENOMEM. */
int weft__split_cut_lft(struct weft__part *part, const struct weft_lft *lft);
/* Takes each part's share out of routes for all; 0 or -ENOMEM. */
int weft__split_cut(struct weft__split *split,
		    const struct weft_routes *routes);
/*
 * Puts the routes of all parts together in *out.  Switches get no entries for
 * LIDs in other parts. 0 or -ENOMEM.
 */
int weft__split_join(const struct weft__split *split, struct weft_routes *out);
void weft__split_free(struct weft__split *split);

#endif
