/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What an engine in opensm knows from one sweep to the next. */
#ifndef WEFT_PLUGINS_OSM_ENGINE_H
#define WEFT_PLUGINS_OSM_ENGINE_H

#include "plugins/standing/osm_adopt.h"
#include "plugins/standing/osm_flaps.h"
#include "plugins/standing/osm_stored.h"
#include "plugins/sweep/osm_sweeps.h"

/* The context of one engine: what its callbacks are given. */
struct shim {
	osm_opensm_t *osm;
	const struct weft_engine *engine;
	struct weft__conf conf;
	struct osm_routing_engine *re;	/* OpenSM's, as long as we are */

	/* These are the last good routing's. */
	struct weft__multicast multicast;
	struct weft__current current;
	struct weft__writing writing;	/* of dumps and lines */
	uint64_t unheeded;	/* options that were told of */
	struct weft__once once;	/* what was said in the last sweep */
	struct weft__sweeps sweeps;
	struct weft__flaps flaps;
	struct weft__stood stood;
	struct weft__known known;	/* of what stands, */
	struct weft__later later;	/* and what is left to do for it */
	double longer;		/* share of routes that are longer than need
				 * be, of the last that the engine made */
	struct weft__anew anew;		/* and what would be better */
	struct weft__storing storing;
	struct weft__asked asked;	/* what switches hold, for one sweep */

	/* These live from build_lid_matrices to ucast_build_fwd_tables. */
	struct weft__snapshot snapshot;
	struct weft_routes routes;
	struct weft__layered layered;
	struct weft__sm_paths *paths;	/* to be published, */
	struct weft__held *held;	/* with room for what is in force then */
	bool ready;	/* routes are verified and wait for their commit */
};

/* Opens the log of what is said with that code. */
void weft__shim_log(struct weft__log *log, struct weft_diag *diag,
		    struct shim *shim, enum weft__code code);

/* What has to be known to settle on the tables of this sweep. */
struct weft__settling weft__settling_of(struct shim *shim,
					struct weft__log *log,
					struct weft_diag *diag);

/* Snapshot, route, verify: the tables that stand, or else new ones. */
int weft__shim_compute(struct shim *shim, struct weft__log *log,
		       struct weft_diag *diag);

/* Writes into OpenSM what a sweep has computed and verified: distances, and what is
 * needed to put the rest in force without an error. */
int weft__shim_commit(struct shim *shim, struct weft_diag *diag);
/* Puts the tables and service levels of this sweep in force, which cannot fail. */
void weft__shim_put_in_force(struct shim *shim);

/* Writes the lines of a sweep that an administrator reads. */
void weft__shim_tell(const struct shim *shim);

#endif
