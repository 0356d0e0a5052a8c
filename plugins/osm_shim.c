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
#include "osm_shim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* At most so many warnings and notes of one sweep, each. */
#define LOG_LIMIT 10

/* Seconds of each step of one sweep. */
struct times {
	double snapshot, route, verify, commit;
};

/* The context of one engine. */
struct shim {
	osm_opensm_t *osm;
	const struct weft_engine *engine;
	struct weft__conf conf;
	struct osm_routing_engine *re;	/* OpenSM's, as long as we are */
	struct weft__multicast multicast;	/* of the last good routing */

	/* From build_lid_matrices until ucast_build_fwd_tables. */
	struct weft__snapshot snapshot;
	struct weft_routes routes;
	struct weft__verdict verdict;
	struct times times;
	bool ready;	/* routes are verified and wait for their commit */
};

/* --- log --------------------------------------------------------------- */

void weft__log_emit(void *context, const struct weft_message *m)
{
	const struct weft__log *log = context;
	char where[512] = "";

	if (m->file && m->line)
		snprintf(where, sizeof(where), "%s:%lu: ", m->file, m->line);
	else if (m->file)
		snprintf(where, sizeof(where), "%s: ", m->file);
	if (m->severity == WEFT_ERROR)
		osm_log(log->log, OSM_LOG_ERROR, "%s: ERR %04X: %s%s\n",
			log->engine, log->code, where, m->text);
	else if (m->severity == WEFT_WARNING)
		osm_log(log->log, OSM_LOG_INFO, "%s: WARNING: %s%s\n",
			log->engine, where, m->text);
	else
		osm_log(log->log, OSM_LOG_VERBOSE, "%s: %s%s\n", log->engine,
			where, m->text);
}

static void open_log(struct weft__log *log, struct weft_diag *diag,
		     const struct shim *shim, enum weft__code code)
{
	*log = (struct weft__log){
		.log = &shim->osm->log,
		.engine = shim->engine->name,
		.code = code,
	};
	*diag = (struct weft_diag){
		.emit = weft__log_emit,
		.context = log,
		.limit = LOG_LIMIT,
	};
}

/* The line of a sweep that an administrator reads. */
static void report(const struct shim *shim)
{
	const struct weft_fabric *f = shim->snapshot.fabric;
	const struct times *t = &shim->times;

	osm_log(&shim->osm->log, OSM_LOG_INFO,
		"%s: routed %u hosts, %u switches in %.3f s (snapshot %.3f, "
		"route %.3f, verify %.3f, commit %.3f); VLs %u, forwarding "
		"index %" PRIu64 ", longest route %u switches\n",
		shim->engine->name, f->nhosts, f->nsw,
		t->snapshot + t->route + t->verify + t->commit, t->snapshot,
		t->route, t->verify, t->commit, shim->routes.layers.nvl,
		shim->verdict.forwarding_index, shim->verdict.max_hops);
}

/* --- a sweep ----------------------------------------------------------- */

/* Seconds since *since, which becomes now. */
static double lap(struct timespec *since)
{
	struct timespec now;
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = now.tv_sec - since->tv_sec +
		  (now.tv_nsec - since->tv_nsec) * 1e-9;
	*since = now;
	return seconds;
}

static void forget(struct shim *shim)
{
	weft__snapshot_free(&shim->snapshot);
	weft_routes_free(&shim->routes);
	shim->routes = (struct weft_routes){ 0 };
	shim->ready = false;
}

/* OpenSM does not reread routing_engine or event_plugin_options, but weft.conf
 * may change under a running SM.  What it says now has to be without error;
 * otherwise what it said before stays in force. */
static void reread_conf(struct shim *shim)
{
	struct weft__conf conf;
	struct weft__log log;
	struct weft_diag diag;

	open_log(&log, &diag, shim, WEFT__ERR_OPTIONS);
	if (weft__conf_read(shim->osm->subn.opt.event_plugin_options,
			    shim->engine, &conf, &diag)) {
		weft_diag_say(&diag, WEFT_WARNING,
			      "the options read before stay in force");
		return;
	}
	weft__conf_free(&shim->conf);
	shim->conf = conf;
}

/* Snapshot, route, verify. */
static int compute(struct shim *shim, struct weft__log *log,
		   struct weft_diag *diag)
{
	struct timespec clock;
	int err;

	clock_gettime(CLOCK_MONOTONIC, &clock);
	log->code = WEFT__ERR_SNAPSHOT;
	err = weft__snapshot_take(&shim->osm->subn, &shim->snapshot, diag);
	if (err)
		return err;
	shim->times.snapshot = lap(&clock);
	log->code = WEFT__ERR_ENGINE;
	err = shim->engine->route(shim->snapshot.fabric, shim->conf.options,
				  &shim->routes, diag);
	if (err)
		return err;
	shim->times.route = lap(&clock);
	err = weft__verify(shim->snapshot.fabric, &shim->routes, &shim->conf,
			   log, diag, &shim->verdict);
	shim->times.verify = lap(&clock);
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

/* What a sweep that was computed well leaves in OpenSM. */
static int commit(struct shim *shim, struct weft_diag *diag)
{
	bool weighted = shim->osm->subn.opt.hop_weights_file;
	bool ours = !weighted && !shim->conf.opensm_multicast;
	int err = weft__commit_check(&shim->snapshot, &shim->routes.lft, diag);

	if (!err && !weighted)
		err = commit_distances(shim, diag);
	if (!err)
		shim->re->mcast_build_stree = ours ? build_multicast_tree :
						     NULL;
	return err;
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
	weft__multicast_free(&shim->multicast);
	reread_conf(shim);
	open_log(&log, &diag, shim, WEFT__ERR_SNAPSHOT);
	err = compute(shim, &log, &diag);
	clock_gettime(CLOCK_MONOTONIC, &clock);
	log.code = WEFT__ERR_COMMIT;
	if (!err)
		err = commit(shim, &diag);
	shim->times.commit = lap(&clock);
	weft_diag_finish(&diag);
	if (err) {
		forget(shim);
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
	shim->times.commit += lap(&clock);
	report(shim);
	shim->multicast.fabric = shim->snapshot.fabric;
	shim->snapshot.fabric = NULL;
	forget(shim);
	return 0;
}

static void destroy(void *context)
{
	struct shim *shim = context;

	forget(shim);
	weft__multicast_free(&shim->multicast);
	weft__conf_free(&shim->conf);
	free(shim);
}

/* --- registration ------------------------------------------------------ */

/* Says which of OpenSM's options about routing are set but not for us. */
static void note_unused(const osm_subn_opt_t *opt, struct weft_diag *diag)
{
	const struct {
		const char *name;
		bool set;
	} unused[] = {
		{ "guid_routing_order_file", opt->guid_routing_order_file },
		{ "port_search_ordering_file", opt->port_search_ordering_file },
		{ "port_prof_ignore_file", opt->port_prof_ignore_file },
		{ "scatter_ports", opt->scatter_ports },
		{ "port_shifting", opt->port_shifting },
	};

	for (size_t i = 0; i < sizeof(unused) / sizeof(*unused); i++)
		if (unused[i].set)
			weft_diag_say(diag, WEFT_WARNING,
				      "OpenSM's option %s has no effect on "
				      "this engine", unused[i].name);
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
	note_unused(&osm->subn.opt, &diag);
	shim->re = re;
	re->context = shim;
	re->build_lid_matrices = build_lid_matrices;
	re->ucast_build_fwd_tables = build_tables;
	re->destroy = destroy;
	return 0;
}

void *weft__shim_create(osm_opensm_t *osm, const char *name)
{
	const struct weft_engine *const *e;
	unsigned registered = 0;

	for (e = weft_engines(); *e; e++) {
		external_routing_engine_module_t module = {
			.name = (*e)->name,
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
