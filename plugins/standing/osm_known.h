/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is known of the tables in force: a proof of all of them, and the base
 * from which they are mended.  Both take a look at all entries, so a thread
 * finds them out after each commit, and the next sweep looks at what changed.
 */
#ifndef WEFT_PLUGINS_OSM_KNOWN_H
#define WEFT_PLUGINS_OSM_KNOWN_H

#include "plugins/lanes/osm_layers.h"

#include "standing/proven.h"

#include <weft/standing.h>

/* Zeroed: nothing is known. */
struct weft__known {
	struct weft__held *held;	/* the tables, */
	struct weft_routes view;	/* and without SL2VL tables, which
					 * are made anew in each sweep */
	unsigned lanes;			/* that pairs may change to */
	bool wrong;	/* a sweep held for right what is not */
	bool found;			/* these are set: */
	struct weft__proven proven;
	struct weft_standing_base *base;	/* NULL: no memory */
};

/* A side of a comparison, without SL2VL tables; *view is it. */
struct weft_diff_side weft__side_of(const struct weft__held *held,
				    struct weft_routes *view);

/* Whether tables are of a fabric: ids, LIDs and cables are the same. */
bool weft__held_is_of(const struct weft__held *held,
		      const struct weft_fabric *fabric);

/* Begins anew, with other tables. */
void weft__known_begin(struct weft__known *known, struct weft__held *held,
		       unsigned lanes);
/* Finds it out.  O(switches x LIDs); for a thread. */
void weft__known_find(struct weft__known *known);
void weft__known_forget(struct weft__known *known);

#endif
