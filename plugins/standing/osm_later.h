/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Improving later what was mended now.  While a sweep holds OpenSM's lock,
 * packets are lost for want of tables, so it changes what it must.  What tables
 * gain by further entries is found by the thread that looks at what was
 * committed, which asks for another sweep then.  If the fabric changes in
 * between, nothing comes of it, and what it might have changed may change after
 * the next sweep.
 */
#ifndef WEFT_PLUGINS_OSM_LATER_H
#define WEFT_PLUGINS_OSM_LATER_H

#include "plugins/standing/osm_known.h"

#include "standing/rest.h"

/* Zeroed, but for osm: there is nothing to do. */
struct weft__later {
	osm_opensm_t *osm;
	atomic_bool stop;		/* a sweep waits for the thread */
	struct weft__rest *rest;	/* to be done for the tables of a sweep,
					 * NULL: nothing */
	uint64_t owed;			/* changes that were to be made by one
					 * that came to nothing */
	uint64_t left;			/* and by the next one, as this has
					 * entries wait for it */

	struct weft__held *from;	/* the tables, when they are in force */
	bool there;		/* these are better, by what is moved: */
	struct weft_routes next;
	struct weft_standing_move moved;
};

/* Has the thread end soon; before anybody waits for it. */
void weft__later_stop(struct weft__later *later);

/* Whether the fabric of a sweep is that of the tables in force, and there are
 * better ones: *out, which are the caller's then.  In any case there are none
 * after that. */
bool weft__later_take(struct weft__later *later, const struct weft__held *now,
		      const struct weft_fabric *fabric, struct weft_routes *out,
		      struct weft_standing_move *moved);

/* Returns how many entries may change yet, after this sweep. */
uint64_t weft__later_owed(const struct weft__later *later);

/* Forgets what is left, and what is owed: the tables are of no use. */
void weft__later_forget(struct weft__later *later);
/* Tells of tables that were committed, before the thread begins. */
void weft__later_begin(struct weft__later *later, struct weft__held *held);
/* Finds better ones, and asks for a sweep if there are any; for the thread. */
void weft__later_find(struct weft__later *later);

/* Has OpenSM sweep again, all of it; by any thread. */
void weft__ask_for_sweep(osm_opensm_t *osm);

#endif
