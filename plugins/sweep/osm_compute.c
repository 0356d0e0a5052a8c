// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of a sweep: those that stand, or else those that the engine makes. */
#include "plugins/osm_engine.h"

#include <time.h>

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

struct weft__settling weft__settling_of(struct shim *shim,
					struct weft__log *log,
					struct weft_diag *diag)
{
	return (struct weft__settling){
		.subnet = &shim->osm->subn, .snapshot = &shim->snapshot,
		.conf = &shim->conf, .routes = &shim->routes,
		.log = log, .diag = diag,
	};
}

/*
 * Tells the fabric which adapters are one host's, and what hosts are for.  A
 * file of adapters that says nothing true of the fabric as it is now, where all
 * of them may be down, is no reason to leave it without routes.
 */
static int tell_hosts(const struct weft__conf *conf, struct weft_fabric *f,
		      struct weft_diag *diag)
{
	int err = 0;

	if (conf->machines_by != WEFT_MACHINES_AUTO &&
	    weft_fabric_machines(f, conf->machines_by))
		return weft_no_memory(diag);
	if (conf->machines.n)
		err = weft_adapters_apply(&conf->machines, f, diag);
	if (err == -ENOMEM)
		return err;
	return conf->kinds ? weft_kinds_apply(conf->kinds, f, diag) : 0;
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
	err = tell_hosts(&shim->conf, shim->snapshot.fabric, diag);
	if (err)
		return err;
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
			     &shim->routes, &moved))
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

int weft__shim_compute(struct shim *shim, struct weft__log *log,
		   struct weft_diag *diag)
{
	const struct weft__settling settling = weft__settling_of(shim, log, diag);
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
