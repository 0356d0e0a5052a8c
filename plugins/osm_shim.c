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
#include "plugins/osm_engine.h"

#include "plugins/conf/osm_opts.h"

#include <opensm/osm_ucast_cache.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- log --------------------------------------------------------------- */

void weft__shim_log(struct weft__log *log, struct weft_diag *diag,
		    struct shim *shim, enum weft__code code)
{
	weft__log_open(log, diag, &shim->osm->log, shim->engine->name);
	log->code = code;
	log->once = &shim->once;
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
	int machines = weft__conf_machines(conf, diag);

	if (opt->port_profile_switch_nodes &&
	    weft_options_has(conf->options, "switches") &&
	    !weft_options_given(conf->options, "switches"))
		weft_options_set(conf->options, "switches", "yes", NULL, 0,
				 NULL);
	return lists ? lists : kinds ? kinds : machines;
}

/* OpenSM does not reread routing_engine or event_plugin_options, but weft.conf
 * and the lists may change under a running SM.  What they say now has to be
 * without error; otherwise what they said before stays in force. */
static void reread_conf(struct shim *shim)
{
	struct weft__conf conf;
	struct weft__log log;
	struct weft_diag diag;

	weft__shim_log(&log, &diag, shim, WEFT__ERR_OPTIONS);
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

	weft__shim_log(&log, &diag, shim, WEFT__ERR_OPTIONS);
	diag.limit = 0;
	log.heard = &shim->sweeps.sweep.heard_of_conf;
	weft__tell_unheeded(&shim->osm->subn.opt, shim->conf.options,
			    &shim->unheeded, &diag);
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
	weft__shim_log(&log, &diag, shim, WEFT__ERR_SNAPSHOT);
	log.heard = &shim->sweeps.sweep.heard;
	err = weft__shim_compute(shim, &log, &diag);
	clock_gettime(CLOCK_MONOTONIC, &clock);
	log.code = WEFT__ERR_COMMIT;
	if (!err)
		err = weft__shim_commit(shim, &diag);
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
	weft__shim_tell(shim);
	weft__shim_put_in_force(shim);
	forget(shim);
	return 0;
}

static uint8_t path_sl(void *context, uint8_t hint, const ib_net16_t slid,
		       const ib_net16_t dlid)
{
	struct shim *shim = context;

	return weft__path_sl(&shim->current, hint, slid, dlid);
}

static void destroy(void *context)
{
	struct shim *shim = context;
	bool ended;

	forget(shim);
	weft__later_stop(&shim->later);
	weft__sweeps_free(&shim->sweeps);
	weft__writing_free(&shim->writing);
	weft__later_forget(&shim->later);
	weft__flaps_forget(&shim->flaps);
	weft__multicast_free(&shim->multicast);
	weft__publish(&shim->current, NULL);
	ended = weft__anew_free(&shim->anew);
	weft__known_forget(&shim->known);
	weft__stood_forget(&shim->stood);
	weft__storing_free(&shim->storing);
	weft__conf_free(&shim->conf);
	if (ended)
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
	weft__shim_log(&log, &diag, shim, WEFT__ERR_OPTIONS);
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
