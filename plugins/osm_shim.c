// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The engine as OpenSM sees it: registration, set-up, the two callbacks of a
 * sweep, and the log.
 *
 * Ownership: nothing is global and create() allocates nothing.  setup() makes
 * one context for each engine that routing_engine names; the engine's destroy()
 * frees it.  The plugin's delete() has nothing to free, so it does not matter
 * which of the two OpenSM calls first.
 */
#include "osm_adopt.h"
#include "osm_flaps.h"
#include "osm_opts.h"
#include "osm_stored.h"
#include "osm_sweeps.h"

#include "core/layers.h"

#include <opensm/osm_ucast_cache.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The context of one engine. */
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

/* --- log --------------------------------------------------------------- */

static void open_log(struct weft__log *log, struct weft_diag *diag,
		     struct shim *shim, enum weft__code code)
{
	weft__log_open(log, diag, &shim->osm->log, shim->engine->name);
	log->code = code;
	log->once = &shim->once;
}

/* What became of the tables that stood. */
static void report_standing(const struct shim *shim)
{
	const struct weft__stay *stay = &shim->sweeps.sweep.stay;
	const struct weft_standing *w = &stay->what;

	weft__flaps_report(&shim->flaps, shim->snapshot.fabric, &shim->osm->log,
			   shim->engine->name);
	weft__adopt_report(stay, &shim->osm->log, shim->engine->name);
	if (*stay->why)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: routed anew: %s\n", shim->engine->name, stay->why);
	if (stay->step && w->pairs)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: %" PRIu64
			" pairs of switches have other service levels\n",
			shim->engine->name, w->pairs);
	if (stay->step)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: a step to better tables: %" PRIu64 " entries, %" PRIu64 " are left\n", shim->engine->name, w->moved,
			stay->left);
	if (!stay->stayed || stay->step)
		return;
	if (stay->improved)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: tables stand: %" PRIu64
			" entries moved for balance, as the sweep before had left it\n",
			shim->engine->name, w->moved);
	if (stay->improved)
		return;
	osm_log(&shim->osm->log, OSM_LOG_INFO,
		"%s: tables stand: %" PRIu64 " entries mended, %" PRIu64
		" back home, %" PRIu64 " moved for balance, %" PRIu64
		" for what is new\n", shim->engine->name,
		w->dead + w->given_way, w->returned, w->moved, w->fresh);
	if (stay->later)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: balance is left for another sweep, and may take %" PRIu64 " entries\n", shim->engine->name,
			stay->later);
	if (w->waiting)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: %" PRIu64
			" entries wait for the next sweep, so that others are written before them\n",
			shim->engine->name, w->waiting);
}

/* The lines of a sweep that an administrator reads. */
static void report(const struct shim *shim)
{
	const struct weft_fabric *f = shim->snapshot.fabric;
	const struct weft__sweep *w = &shim->sweeps.sweep;
	const struct weft__times *t = &w->times;
	const struct weft__verdict *v = &w->verdict;
	char proven[100];

	snprintf(proven, sizeof(proven), v->partly ?
		 "%" PRIu64 " LIDs proven anew" :
		 "forwarding index %" PRIu64 ", longest route %u switches",
		 v->partly ? v->lids : v->forwarding_index, v->max_hops);
	osm_log(&shim->osm->log, OSM_LOG_INFO,
		"%s: routed %u hosts, %u switches in %.3f s (snapshot %.3f, route %.3f, verify %.3f, commit %.3f); VLs %u, %s%s%s\n",
		shim->engine->name, f->nhosts, f->nsw,
		t->snapshot + t->route + t->verify + t->commit, t->snapshot,
		t->route, t->verify, t->commit, w->lanes, proven,
		*shim->routes.how ? "; " : "", shim->routes.how);
	report_standing(shim);
	weft__layers_report(&shim->layered, f, &shim->osm->log,
			    shim->engine->name);
}

/* --- a sweep ----------------------------------------------------------- */

static void forget(struct shim *shim)
{
	weft__snapshot_free(&shim->snapshot);
	weft_routes_free(&shim->routes);
	shim->routes = (struct weft_routes){ 0 };
	weft__sm_paths_free(shim->paths);
	shim->paths = NULL;
	weft__let_go(shim->held);
	shim->held = NULL;
	shim->ready = false;
}

static int read_lists(struct shim *shim, struct weft__conf *conf,
		      struct weft_diag *diag)
{
	const osm_subn_opt_t *opt = &shim->osm->subn.opt;
	int lists = weft__conf_lists(conf->options, opt->root_guid_file, diag);
	int kinds = weft__conf_kinds(conf, opt->cn_guid_file,
				     opt->io_guid_file, diag);

	return lists ? lists : kinds;
}

/* OpenSM does not reread routing_engine or event_plugin_options, but weft.conf
 * and the lists may change under a running SM.  What they say now has to be
 * without error; otherwise what they said before stays in force. */
static void reread_conf(struct shim *shim)
{
	struct weft__conf conf;
	struct weft__log log;
	struct weft_diag diag;

	open_log(&log, &diag, shim, WEFT__ERR_OPTIONS);
	log.heard = &shim->sweeps.sweep.heard_of_conf;
	if (weft__conf_read(shim->osm->subn.opt.event_plugin_options,
			    shim->engine, &conf, &diag))
		goto keep;
	if (read_lists(shim, &conf, &diag)) {
		weft__conf_free(&conf);
		goto keep;
	}
	weft__conf_free(&shim->conf);
	shim->conf = conf;
	return;
keep:
	weft_diag_say(&diag, WEFT_WARNING,
		      "the options read before stay in force");
}

/* Tells of options of OpenSM's that have no effect; SIGHUP may have set some.
 * Each has a line of its own. */
static void tell_unheeded(struct shim *shim)
{
	struct weft__log log;
	struct weft_diag diag;

	open_log(&log, &diag, shim, WEFT__ERR_OPTIONS);
	diag.limit = 0;
	log.heard = &shim->sweeps.sweep.heard_of_conf;
	weft__tell_unheeded(&shim->osm->subn.opt, shim->conf.options,
			    &shim->unheeded, &diag);
}

/* Tells an engine that asks for it, and was not told by anybody else, where the
 * subnet manager is.  That is known from the first sweep on. */
static int tell_endport(struct shim *shim, struct weft_diag *diag)
{
	const char *option = shim->engine->sm_endport;
	char guid[24];

	if (!option || weft_options_given(shim->conf.options, option))
		return 0;
	snprintf(guid, sizeof(guid), "0x%016" PRIx64,
		 cl_ntoh64(shim->osm->subn.sm_port_guid));
	return weft_options_set(shim->conf.options, option, guid, NULL, 0,
				diag);
}

static struct weft__settling settling_of(struct shim *shim,
					 struct weft__log *log,
					 struct weft_diag *diag)
{
	return (struct weft__settling){
		.subnet = &shim->osm->subn, .snapshot = &shim->snapshot,
		.conf = &shim->conf, .routes = &shim->routes,
		.log = log, .diag = diag,
	};
}

static int read_subnet(struct shim *shim, struct weft__log *log,
		       struct weft_diag *diag)
{
	struct weft__sweep *w = &shim->sweeps.sweep;
	struct timespec clock;
	int err;

	clock_gettime(CLOCK_MONOTONIC, &clock);
	shim->flaps.times = shim->conf.flaps;
	shim->flaps.window = shim->conf.flap_window;
	shim->flaps.now = clock.tv_sec;
	log->code = WEFT__ERR_SNAPSHOT;
	err = weft__snapshot_take(&shim->osm->subn, &shim->flaps,
				  &shim->snapshot, diag);
	if (err)
		return err;
	if (shim->conf.machines_by != WEFT_MACHINES_AUTO &&
	    weft_fabric_machines(shim->snapshot.fabric,
				 shim->conf.machines_by))
		return weft_no_memory(diag);
	if (shim->conf.kinds) {
		err = weft_kinds_apply(shim->conf.kinds,
				       shim->snapshot.fabric, diag);
		if (err)
			return err;
	}
	log->code = WEFT__ERR_SUBNETS;
	if (shim->conf.router_weights)
		weft__weigh_routers(shim->osm->subn.opt.event_plugin_options,
				    shim->snapshot.fabric, diag);
	w->hosts = shim->snapshot.fabric->nhosts;
	w->switches = shim->snapshot.fabric->nsw;
	w->cables = shim->snapshot.fabric->nlinks;
	return 0;
}

/* What an engine has to know beside the fabric. */
static int tell_engine(struct shim *shim, struct weft__log *log,
		       struct weft_diag *diag)
{
	int err;

	log->code = WEFT__ERR_LANES;
	shim->layered = (struct weft__layered){ .ran = false };
	err = weft__lanes_grant(&shim->osm->subn, &shim->snapshot, &shim->conf,
				&shim->layered.lanes, diag);
	log->code = WEFT__ERR_ENGINE;
	return err ? err : tell_endport(shim, diag);
}

/* Routes with psssp, which is the fastest, instead of the engine. */
static int route_fast(struct shim *shim, const struct weft_engine *fast,
		      struct weft_diag *diag)
{
	struct weft_options *options;
	int err = weft_options_new(&options, fast->options);

	if (err)
		return err;
	osm_log(&shim->osm->log, OSM_LOG_INFO,
		"%s: takes longer than first_budget=%u s; psssp's tables are put in force until then\n",
		shim->engine->name,
		shim->conf.first_budget);
	err = weft_route(fast, shim->snapshot.fabric, options, &shim->routes,
			 diag);
	weft_options_free(options);
	return err;
}

/* Has new tables change as few of those in force as names allow; without memory
 * they serve as they are. */
static void stay_near(struct shim *shim)
{
	struct weft_routes view;
	const struct weft_diff_side standing = weft__side_of(shim->stood.now,
							     &view);

	weft_standing_liken(shim->snapshot.fabric, &standing, false,
			    &shim->routes, NULL);
}

/* Asks the engine; for the first tables of all, not for longer than it may
 * take. */
static int route(struct shim *shim, struct weft__log *log,
		 struct weft_diag *diag)
{
	const struct weft_engine *fast = weft_engine_find("psssp");
	const struct weft__conf *conf = &shim->conf;
	int err;

	if (!shim->anew.begun && !shim->stood.now && conf->standing &&
	    conf->first_budget &&
	    conf->rebalance.when != WEFT__NEVER && !conf->by_lmc &&
	    shim->engine != fast) {
		if (!weft__anew_first(&shim->anew, shim->snapshot.fabric,
				      conf->options, conf->first_budget,
				      log, &shim->routes, &err))
			return route_fast(shim, fast, diag);
		return err;
	}
	err = weft_route(shim->engine, shim->snapshot.fabric, conf->options,
			 &shim->routes, diag);
	if (!err && conf->standing && shim->stood.now)
		stay_near(shim);
	return err;
}

/* Asks the engine, and proves what it says (with lanes, if need be). */
static int ask_engine(struct shim *shim, const struct weft__settling *settling,
		      struct timespec *clock)
{
	struct weft__sweep *w = &shim->sweeps.sweep;
	int err = route(shim, settling->log, settling->diag);

	w->times.route = weft__lap(clock);
	if (!err)
		err = weft__settle(settling, &w->verdict, &shim->layered);
	w->times.verify = weft__lap(clock);
	return err;
}

/* Takes better tables: those that the last sweep left for this one, or the next
 * step towards new ones, if there are any. */
static bool step(struct shim *shim, const struct weft__settling *settling)
{
	struct weft__sweep *w = &shim->sweeps.sweep;
	struct weft__stood *stood = &shim->stood;
	struct weft_standing_move moved = { .entries = 0 };

	if (weft__later_take(&shim->later, stood->now, shim->snapshot.fabric,
			     &shim->routes, &moved.entries))
		return weft__stand_stepped(stood, &shim->known, settling,
					   &moved, true, &w->verdict,
					   &shim->layered, &w->stay);
	if (weft__anew_is_stuck(&shim->anew, stood->now)) {
		weft__let_go(stood->home);
		stood->home = weft__hold(stood->now);
		stood->moving = false;
	}
	return weft__anew_step(&shim->anew, stood->now,
			       shim->snapshot.fabric, &shim->routes, &moved) &&
	       weft__stand_stepped(stood, &shim->known, settling, &moved,
				   false, &w->verdict, &shim->layered,
				   &w->stay);
}

/* Has tables stand, if there are any: those that the switches hold, if nobody
 * here knows those, or else those that stood. */
static bool stand(struct shim *shim, const struct weft__settling *settling)
{
	struct weft__sweep *w = &shim->sweeps.sweep;
	const struct weft__asked asked = shim->asked;

	shim->asked = (struct weft__asked){ .switches = 0 };
	if (!shim->conf.standing)
		return false;
	if (!shim->stood.now) {
		weft__stored_seek(&shim->storing, &shim->stood,
				  &shim->later.owed, settling);
		shim->stood.jump = shim->conf.rebalance.word;
	}
	if (weft__adopt(&shim->stood, &asked, settling, &w->verdict,
			&shim->layered, &w->stay)) {
		weft__later_forget(&shim->later);
		return true;
	}
	return (shim->stood.now && step(shim, settling)) ||
	       (shim->stood.now &&
		weft__stand(&shim->stood, &shim->known, &shim->later, settling,
			    &w->verdict, &shim->layered, &w->stay));
}

/* Snapshot, route, verify: the tables that stand, or else new ones. */
static int compute(struct shim *shim, struct weft__log *log,
		   struct weft_diag *diag)
{
	const struct weft__settling settling = settling_of(shim, log, diag);
	struct weft__sweep *w = &shim->sweeps.sweep;
	struct timespec clock;
	int err;

	clock_gettime(CLOCK_MONOTONIC, &clock);
	err = read_subnet(shim, log, diag);
	w->times.snapshot = weft__lap(&clock);
	if (!err)
		err = tell_engine(shim, log, diag);
	if (err)
		return err;
	if (stand(shim, &settling)) {
		w->times.verify = w->stay.proof;
		w->times.route = weft__lap(&clock) - w->stay.proof;
	} else {
		err = ask_engine(shim, &settling, &clock);
	}
	if (!err)
		weft__causes_tell(&shim->layered, shim->snapshot.fabric,
				  &shim->routes, w->stay.stayed, &shim->longer,
				  diag);
	return err;
}

static ib_api_status_t build_multicast_tree(void *context, osm_mgrp_box_t *box)
{
	struct shim *shim = context;
	struct weft__log log;
	struct weft_diag diag;
	int err;

	open_log(&log, &diag, shim, WEFT__ERR_MULTICAST);
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

/* Writes into OpenSM what a sweep has computed and verified. */
static int commit(struct shim *shim, struct weft_diag *diag)
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

static uint8_t path_sl(void *context, uint8_t hint, const ib_net16_t slid,
		       const ib_net16_t dlid)
{
	struct shim *shim = context;

	return weft__path_sl(&shim->current, hint, slid, dlid);
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
static void put_in_force(struct shim *shim)
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

	open_log(&log, &diag, shim, WEFT__ERR_COMMIT);
	settling = settling_of(shim, &log, &diag);
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

/* What the line in weft-sweeps.jsonl tells of lanes and changes. */
static void note_outcome(struct shim *shim)
{
	const struct weft__layered *l = &shim->layered;
	struct weft__sweep *w = &shim->sweeps.sweep;
	unsigned lanes = shim->routes.layers.nvl;

	w->levels = l->lanes.levels ? l->lanes.levels : 1;
	w->lanes = lanes > 1 ? lanes * l->lanes.levels : 1;
	w->rerouted = l->ran ? l->layering.rerouted +
			       l->layering.rerouted_thin : 0;
	memcpy(w->how, shim->routes.how, sizeof(w->how));
	weft__count_changes(&shim->snapshot, shim->routes.lft.max_lid,
			    &w->changes);
}

/*
 * With hop_weights_file OpenSM computes the hop counts itself (return value 1):
 * it knows the weights, and multicast is to follow them.
 */
static int build_lid_matrices(void *context)
{
	struct shim *shim = context;
	struct timespec clock;
	struct weft__log log;
	struct weft_diag diag;
	int err;

	forget(shim);
	weft__once_begin(&shim->once);
	weft__later_stop(&shim->later);
	weft__sweeps_begin(&shim->sweeps);
	shim->sweeps.sweep.flaps = &shim->flaps;
	weft__multicast_free(&shim->multicast);
	reread_conf(shim);
	tell_unheeded(shim);
	open_log(&log, &diag, shim, WEFT__ERR_SNAPSHOT);
	log.heard = &shim->sweeps.sweep.heard;
	err = compute(shim, &log, &diag);
	clock_gettime(CLOCK_MONOTONIC, &clock);
	log.code = WEFT__ERR_COMMIT;
	if (!err)
		err = commit(shim, &diag);
	shim->sweeps.sweep.times.commit = weft__lap(&clock);
	weft_diag_finish(&diag);
	if (err) {
		forget(shim);
		log.heard = NULL;
		log.once = NULL;
		shim->sweeps.sweep.refused = true;
		weft__sweeps_end(&shim->sweeps,
				 shim->osm->subn.opt.dump_files_dir,
				 &shim->conf, NULL, NULL, NULL, NULL, &log);
		weft__dumps_remove(&shim->writing,
				   shim->osm->subn.opt.dump_files_dir);
		return -1;
	}
	shim->ready = true;
	return shim->osm->subn.opt.hop_weights_file ? 1 : 0;
}

static int build_tables(void *context)
{
	struct shim *shim = context;
	struct timespec clock;

	if (!shim->ready)
		return -1;
	clock_gettime(CLOCK_MONOTONIC, &clock);
	weft__commit_tables(&shim->snapshot, &shim->routes.lft);
	note_outcome(shim);
	shim->sweeps.sweep.times.commit += weft__lap(&clock);
	report(shim);
	put_in_force(shim);
	forget(shim);
	return 0;
}

static void destroy(void *context)
{
	struct shim *shim = context;

	forget(shim);
	weft__later_stop(&shim->later);
	weft__sweeps_free(&shim->sweeps);
	weft__writing_free(&shim->writing);
	weft__later_forget(&shim->later);
	weft__flaps_forget(&shim->flaps);
	weft__multicast_free(&shim->multicast);
	weft__publish(&shim->current, NULL);
	weft__anew_free(&shim->anew);
	weft__known_forget(&shim->known);
	weft__stood_forget(&shim->stood);
	weft__storing_free(&shim->storing);
	weft__conf_free(&shim->conf);
	free(shim);
}

/* --- events ------------------------------------------------------------ */

/* A subnet manager that is not master yet, or in its first sweep as one. */
static bool is_new(const osm_subn_t *subnet)
{
	return subnet->sm_state != IB_SMINFO_STATE_MASTER ||
	       subnet->first_time_master_sweep;
}

/* OpenSM's own cache of routes assumes that nothing leads through a leaf
 * switch.  On a damaged fabric something does, and is lost with that switch.
 * Tables that stand change as little without the cache. */
static void have_engine_asked(struct shim *shim)
{
	if (shim->conf.standing && shim->stood.now)
		osm_ucast_cache_invalidate(&shim->osm->sm.ucast_mgr);
}

/* The engine that OpenSM will ask first gets to know what the switches hold,
 * and that all ports are active. */
void weft__shim_report(void *plugin, osm_epi_event_id_t event, void *data)
{
	osm_opensm_t *osm = plugin;
	struct osm_routing_engine *first = osm->routing_engine_list;
	struct weft__conf conf;
	struct shim *shim;

	(void)data;
	if (!first || first->build_lid_matrices != build_lid_matrices)
		return;
	shim = first->context;
	if (event == OSM_EVENT_ID_SUBNET_UP)
		shim->flaps.came_up = true;
	if (event != OSM_EVENT_ID_HEAVY_SWEEP_DONE)
		return;
	have_engine_asked(shim);
	shim->asked = (struct weft__asked){ .switches = 0 };
	/* what is wrong there is told when the engine is asked */
	if (!is_new(&osm->subn) ||
	    weft__conf_read(osm->subn.opt.event_plugin_options, shim->engine,
			    &conf, NULL))
		return;
	if (conf.standing && conf.adopt)
		weft__ask_switches(osm, conf.adopt_timeout, &shim->asked);
	weft__conf_free(&conf);
}

/* --- registration ------------------------------------------------------ */

void weft__shim_idle(void *context)
{
	struct shim *shim = context;

	weft__sweeps_wait(&shim->sweeps);
	weft__writing_wait(&shim->writing);
	weft__storing_wait(&shim->storing);
}

int weft__shim_setup(struct osm_routing_engine *re, osm_opensm_t *osm)
{
	struct shim *shim = calloc(1, sizeof(*shim));
	struct weft__log log;
	struct weft_diag diag;

	if (!shim)
		return -1;
	shim->osm = osm;
	shim->engine = re->context;
	open_log(&log, &diag, shim, WEFT__ERR_OPTIONS);
	if (weft__conf_read(osm->subn.opt.event_plugin_options, shim->engine,
			    &shim->conf, &diag)) {
		free(shim);
		return -1;
	}
	if (read_lists(shim, &shim->conf, &diag))
		weft_diag_say(&diag, WEFT_WARNING,
			      "going on without this file; it is read again in every heavy sweep");
	tell_unheeded(shim);
	weft__storing_init(&shim->storing);
	weft__writing_init(&shim->writing);
	shim->sweeps.writing = &shim->writing;
	weft__anew_init(&shim->anew, osm, shim->engine, &shim->storing);
	shim->later.osm = osm;
	shim->re = re;
	re->context = shim;
	re->build_lid_matrices = build_lid_matrices;
	re->ucast_build_fwd_tables = build_tables;
	re->path_sl = path_sl;
	re->destroy = destroy;
	return 0;
}

void *weft__shim_create(osm_opensm_t *osm, const char *name)
{
	const struct weft_engine *const *e;
	unsigned registered = 0;

	for (e = weft_engines(); *e; e++) {
		external_routing_engine_module_t module = {
			.name = (*e)->osm_name ? (*e)->osm_name :
							 (*e)->name,
			.setup = weft__shim_setup,
		};

		if ((*e)->needs & WEFT_OFFLINE ||
		    (name && strcmp(name, (*e)->name)))
			continue;
		/* OpenSM copies the module, and only hands the context on. */
		if (osm_register_external_routing_engine(osm, &module,
							 (void *)*e) ==
		    CL_SUCCESS)
			registered++;
	}
	return registered ? osm : NULL;
}

void weft__shim_delete(void *plugin)
{
	(void)plugin;
}
