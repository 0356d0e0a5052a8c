// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layers: what becomes of tables that have a credit loop.
 *
 * The proof comes first, as it is needed anyhow: on a tree it finds no credit
 * loop, and nobody has to look at the dependencies a second time.
 */
#include "osm_layers.h"

#include <errno.h>

/* Lanes for tables that cannot do with one, and the proof of the outcome. */
static int layer(osm_subn_t *subnet, const struct weft__snapshot *snapshot,
		 struct weft_routes *routes, bool keep,
		 struct weft_diag *diag, struct weft__layered *out)
{
	struct weft_layering_spec spec = { .lanes = out->lanes.each,
					   .keep = keep };
	int err;

	err = weft_layering_run(snapshot->fabric, routes, &spec,
				&out->layering, diag);
	if (err)
		return err;
	out->ran = true;
	return out->layering.lanes < 2 ? 0 :
	       weft__qos_check(subnet, &out->lanes, out->layering.lanes, diag);
}

/* Lanes that an engine asks for by itself. */
static int check_own_lanes(osm_subn_t *subnet,
			   const struct weft__snapshot *snapshot,
			   struct weft_routes *routes,
			   const struct weft__conf *conf,
			   struct weft_diag *diag, struct weft__layered *out)
{
	unsigned used = routes->layers.nvl;
	int err;

	if (used < 2 && !routes->layers.sl2vl)
		return 0;
	err = weft__lanes_find(subnet, snapshot, conf, &out->lanes, diag);
	if (err)
		return err;
	if (used <= out->lanes.each && !routes->layers.sl2vl)
		return weft__qos_check(subnet, &out->lanes, used, diag);
	if (conf->deadlock != WEFT__LAYERS)
		return weft_fail(diag, ENOTSUP, "needs %u virtual lanes, of "
				 "which there are %u", used, out->lanes.each);
	weft_layers_free(&routes->layers);
	return 0;
}

static int judge(const struct weft__verdict *verdict,
		 enum weft__deadlock deadlock, struct weft_diag *diag)
{
	bool ignore = deadlock == WEFT__IGNORE;

	weft_diag_say(diag, ignore ? WEFT_WARNING : WEFT_ERROR,
		      "credit loop, traffic can deadlock: %s", verdict->cycle);
	return ignore ? 0 : -EDEADLK;
}

static int give_lanes(const struct weft__settling *s, struct weft__layered *out)
{
	int err = 0;

	s->log->code = WEFT__ERR_LANES;
	if (!out->lanes.levels)
		err = weft__lanes_find(s->subnet, s->snapshot, s->conf,
				       &out->lanes, s->diag);
	if (!err)
		err = layer(s->subnet, s->snapshot, s->routes,
			    s->conf->keep_routes, s->diag, out);
	return err;
}

int weft__settle(const struct weft__settling *s, struct weft__verdict *verdict,
		 struct weft__layered *out)
{
	const struct weft_fabric *f = s->snapshot->fabric;
	int err;

	*out = (struct weft__layered){ .ran = false };
	s->log->code = WEFT__ERR_LANES;
	err = check_own_lanes(s->subnet, s->snapshot, s->routes, s->conf,
			      s->diag, out);
	if (!err)
		err = weft__verify(f, s->routes, s->log, s->diag, verdict);
	if (err || !verdict->cycle[0])
		return err;
	if (s->conf->deadlock == WEFT__LAYERS) {
		err = give_lanes(s, out);
		if (!err)
			err = weft__verify(f, s->routes, s->log, s->diag,
					   verdict);
		if (err || !verdict->cycle[0])
			return err;
	}
	s->log->code = WEFT__ERR_CYCLE;
	return judge(verdict, s->conf->deadlock, s->diag);
}

static double percent(uint64_t after, uint64_t before)
{
	return before ? 100.0 * ((double)after - (double)before) /
			(double)before : 0;
}

static void report_rerouted(const struct weft_layering *y,
			    const struct weft_fabric *f, osm_log_t *log,
			    const char *engine)
{
	char how[200] = "have new routes, of shortest ways";

	if (y->root != WEFT_NONE)
		snprintf(how, sizeof(how), "are routed with Up*/Down* below "
			 "switch 0x%016" PRIx64 " (%s)", f->sw[y->root].guid,
			 f->sw[y->root].name);
	osm_log(log, OSM_LOG_INFO, "%s: for fewer lanes %u LIDs %s; hops %+.1f "
		"%%, symmetric bisections %.3f, were %.3f, forwarding index %"
		PRIu64 ", was %" PRIu64 " (%+.1f %%)\n", engine, y->rerouted,
		how, percent(y->hops_after, y->hops_before),
		y->bandwidth_after, y->bandwidth_before, y->load_after,
		y->load_before, percent(y->load_after, y->load_before));
}

void weft__layers_report(const struct weft__layered *layered,
			 const struct weft_fabric *fabric, osm_log_t *log,
			 const char *engine)
{
	const struct weft_layering *y = &layered->layering;

	if (!layered->ran)
		return;
	osm_log(log, OSM_LOG_INFO, "%s: against credit loops: %u of %u lane%s "
		"in use%s%s\n", engine, y->lanes, layered->lanes.each,
		layered->lanes.each == 1 ? "" : "s",
		y->lanes > 1 ? ", by method " : "",
		y->lanes > 1 ? weft_layering_method_name(y->method) : "");
	if (y->rerouted)
		report_rerouted(y, fabric, log, engine);
}
