/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables that an engine would make now, and what they would be worth.  All of
 * it is for a thread beside the sweeps. */
#ifndef WEFT_PLUGINS_OSM_BETTER_H
#define WEFT_PLUGINS_OSM_BETTER_H

#include "plugins/lanes/osm_layers.h"

/* What tables in force lack. */
struct weft__debt {
	bool known;
	int64_t since;		/* seconds since 1970 */
	double worth, anew;	/* by the engine's objective and jobs, or in the
				 * basket; theirs and of new ones */
	uint64_t entries, blocks;	/* that are other ones then */
	bool lanes;		/* no step leads there */
};

/* Routes the fabric of tables anew.  NULL: the engine does not, or tables need
 * lanes that are not there. */
struct weft__held *weft__route_anew(const struct weft_engine *engine,
				    const struct weft__held *now,
				    const struct weft_options *options,
				    unsigned lanes);

/* Compares tables, of the same fabric, by the objective of the options and by
 * what their jobs have together. */
void weft__judge_both(const struct weft__held *now,
		      const struct weft__held *anew,
		      const struct weft_options *options,
		      struct weft__debt *debt);

#endif
