// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From tables that are verified to those in force: what is written into OpenSM, and
 * the callbacks by which it asks for lanes and for trees of multicast groups. */
#include "plugins/osm_engine.h"

#include "core/tables/layers.h"

#include <errno.h>
#include <stdlib.h>

static ib_api_status_t build_multicast_tree(void *context, osm_mgrp_box_t *box)
{
	struct shim *shim = context;
	struct weft__log log;
	struct weft_diag diag;
	int err;

	weft__shim_log(&log, &diag, shim, WEFT__ERR_MULTICAST);
	/* A tree of OpenSM's own from before we were in charge. */
	osm_purge_mtree(&shim->osm->sm, box);
	err = weft__multicast_tree(&shim->multicast, &shim->osm->subn, box,
				   &diag);
	weft_diag_finish(&diag);
	return err ? IB_ERROR : IB_SUCCESS;
}

/*
 * Distances and hop counts.  OpenSM's hop counts serve its multicast trees and
 * a dump; with our own trees the distances alone will do.
 */
static int commit_distances(struct shim *shim, struct weft_diag *diag)
{
	bool dump = osm_log_is_active(&shim->osm->log, OSM_LOG_ROUTING);
	uint8_t *distance = weft__distances_all(shim->snapshot.fabric);
	int err = 0;

	if (!distance)
		return weft_fail(diag, ENOMEM, "out of memory");
	if (dump || shim->conf.opensm_multicast)
		err = weft__commit_hops(&shim->snapshot, distance, diag);
	if (err) {
		free(distance);
		return err;
	}
	shim->multicast.distance = distance;
	return 0;
}

int weft__shim_commit(struct shim *shim, struct weft_diag *diag)
{
	bool weighted = shim->osm->subn.opt.hop_weights_file;
	bool ours = !weighted && !shim->conf.opensm_multicast;
	int err = weft__commit_check(&shim->snapshot, &shim->routes.lft, diag);

	shim->paths = calloc(1, sizeof(*shim->paths));
	shim->held = weft__held_new();
	if (!err && (!shim->paths || !shim->held ||
		     weft__layers_copy(&shim->routes.layers,
				       &shim->paths->layers)))
		err = weft_fail(diag, ENOMEM, "out of memory");
	if (!err && !weighted)
		err = commit_distances(shim, diag);
	if (!err)
		shim->re->mcast_build_stree = ours ? build_multicast_tree :
						     NULL;
	return err;
}

/* OpenSM calls this one and the next under the lock that a sweep holds, too. */
static void update_sl2vl(void *context, osm_physp_t *port, uint8_t in,
			 uint8_t out, ib_slvl_table_t *table)
{
	struct shim *shim = context;

	(void)in;
	(void)out;
	weft__sl2vl(atomic_load(&shim->current.paths), &shim->osm->subn, port,
		    table);
}

static void update_vlarb(void *context, osm_physp_t *port, uint8_t number,
			 ib_vl_arb_table_t *block, unsigned length, unsigned n)
{
	struct shim *shim = context;

	(void)number;
	(void)n;
	weft__vlarb(atomic_load(&shim->current.paths), &shim->osm->subn, port,
		    block, length);
}

/*
 * Puts the service levels of this sweep in force.  Without several lanes OpenSM
 * sets SL2VL and VL arbitration as if there were no engine that could.
 */
void weft__shim_put_in_force(struct shim *shim)
{
	const char *directory = shim->osm->subn.opt.dump_files_dir;
	struct weft__sm_paths *p = shim->paths;
	struct weft__held *held = shim->held;
	bool lanes = shim->routes.layers.nvl > 1;
	struct weft__settling settling;
	struct weft__known *known = NULL;
	struct weft__storing_news news = {
		.stood = &shim->stood, .flaps = &shim->flaps,
	};
	struct weft__debt debt;
	struct weft__log log;
	struct weft_diag diag;
	unsigned more;

	weft__shim_log(&log, &diag, shim, WEFT__ERR_COMMIT);
	settling = weft__settling_of(shim, &log, &diag);
	more = weft__standing_lanes(&settling, &shim->layered);
	weft__held_fill(held, &shim->snapshot.fabric, &shim->routes);
	weft__sm_paths_fill(p, &shim->layered.lanes, held);
	shim->paths = NULL;
	shim->held = NULL;
	log.once = NULL;	/* other threads speak by it */
	weft__sweeps_wait(&shim->sweeps);
	weft__publish(&shim->current, p);
	shim->multicast.fabric = p->fabric;
	shim->re->update_sl2vl = lanes ? update_sl2vl : NULL;
	shim->re->update_vlarb = lanes ? update_vlarb : NULL;
	weft__dumps_write(&shim->writing, directory, shim->conf.sl_dump, p, held,
			  &log);
	weft__anew_debt(&shim->anew, &shim->sweeps.sweep.debt);
	if (shim->conf.standing && more) {
		known = &shim->known;
		weft__known_begin(known, held, more);
		weft__later_begin(&shim->later, held);
	}
	news.owed = weft__later_owed(&shim->later);
	weft__sweeps_end(&shim->sweeps, directory, &shim->conf, p->fabric,
			 held, known, &shim->later, &log);
	if (shim->conf.standing)
		weft__anew_tell(&shim->anew, held, &shim->sweeps.sweep.stay,
				&shim->conf, more);
	weft__stood_take(&shim->stood, held, &shim->sweeps.sweep.stay,
			 &settling);
	weft__anew_debt(&shim->anew, &debt);
	news.debt = &debt;
	weft__stored_start(&shim->storing, &news, &shim->conf, &log);
	weft__let_go(held);
}
