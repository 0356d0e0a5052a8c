// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layers: what becomes of tables that have a credit loop.
 *
 * The proof comes first, as it is needed anyhow: on a tree it finds no credit
 * loop, and nobody has to look at the dependencies a second time.
 */
#include "plugins/lanes/osm_layers.h"

#include "standing/proven.h"

#include <errno.h>

/* Whether what changed since a proof is as it should be. */
static bool holds_again(const struct weft__settling *s,
			struct weft__verdict *verdict)
{
	uint32_t lids;
	bool holds;

	if (weft__prove_again(s->proven, s->snapshot->fabric, s->routes, &holds,
			      &lids) || !holds)
		return false;
	*verdict = (struct weft__verdict){ .partly = true, .lids = lids };
	return true;
}

/* Proves routes, with the SL2VL tables as they will be. */
static int verify(const struct weft__settling *s,
		  const struct weft__lanes *lanes,
		  struct weft__verdict *verdict)
{
	s->log->code = WEFT__ERR_LANES;
	if (weft__lanes_real(lanes, s->subnet, s->snapshot,
			     &s->routes->layers))
		return weft_fail(s->diag, ENOMEM, "out of memory");
	if (s->proven && holds_again(s, verdict))
		return 0;
	return weft__verify(s->snapshot->fabric, s->routes, s->log, s->diag,
			    verdict);
}

static int find_lanes(const struct weft__settling *s, struct weft__layered *out)
{
	s->log->code = WEFT__ERR_LANES;
	return out->lanes.levels ? 0 :
		weft__lanes_find(s->subnet, s->snapshot, s->conf, &out->lanes,
				 s->diag);
}

/* Lanes that an engine asks for by itself: left out where they are too many. */
static int check_own_lanes(const struct weft__settling *s,
			   struct weft__layered *out)
{
	unsigned used = s->routes->layers.nvl;
	int err;

	if (used < 2)
		return 0;
	err = find_lanes(s, out);
	if (err || used <= out->lanes.each)
		return err;
	weft_diag_say(s->diag, WEFT_WARNING,
		      "its service levels are left out: they need %s, and there %s %u",
		      WEFT_COUNT(used, "virtual lane"),
		      out->lanes.each == 1 ? "is" : "are", out->lanes.each);
	weft_layers_free(&s->routes->layers);
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

/* Gives lanes to tables that cannot do with one, and proves the outcome. */
static int layer(const struct weft__settling *s,
		 const struct weft_layering_spec *spec,
		 struct weft__verdict *verdict, struct weft__layered *out)
{
	int err;

	s->log->code = WEFT__ERR_LANES;
	err = weft_layering_run(s->snapshot->fabric, s->routes, spec,
				&out->layering, s->diag);
	if (err)
		return err;
	out->ran = true;
	return verify(s, &out->lanes, verdict);
}

int weft__settle(const struct weft__settling *s, struct weft__verdict *verdict,
		 struct weft__layered *out)
{
	struct weft_layering_spec spec = { .keep = s->conf->keep_routes };
	int err;

	s->log->code = WEFT__ERR_LANES;
	err = check_own_lanes(s, out);
	if (!err)
		err = verify(s, &out->lanes, verdict);
	if (err || !verdict->cycle[0])
		return err;
	if (s->conf->deadlock == WEFT__LAYERS) {
		err = find_lanes(s, out);
		spec.lanes = out->lanes.each;
		if (!err)
			err = layer(s, &spec, verdict, out);
		spec.lanes = 1;
		if (!err && verdict->cycle[0])
			err = layer(s, &spec, verdict, out);
		if (err || !verdict->cycle[0])
			return err;
	}
	s->log->code = WEFT__ERR_CYCLE;
	return judge(verdict, s->conf->deadlock, s->diag);
}

int weft__settle_as_they_are(const struct weft__settling *s,
			     struct weft__verdict *verdict,
			     struct weft__layered *out)
{
	unsigned used = s->routes->layers.nvl;
	int err;

	out->stand = used > 1 ? used : 1;
	if (out->stand > out->lanes.each)
		return -EDEADLK;
	err = verify(s, &out->lanes, verdict);
	if (err)
		return err;
	if (!verdict->cycle[0])
		return 0;
	if (s->conf->deadlock != WEFT__LAYERS ||
	    !weft__hosts_wait_in_order(s->snapshot->fabric, s->routes))
		return judge(verdict, s->conf->deadlock, s->diag);
	weft_diag_say(s->diag, WEFT_WARNING,
		      "what switches themselves send or get, such as answers to who reads their counters, has a credit loop, what hosts send to each other has none: %s",
		      verdict->cycle);
	return 0;
}

int weft__settle_keeping(const struct weft__settling *s,
			 struct weft__verdict *verdict,
			 struct weft__layered *out)
{
	const struct weft_layering_spec spec = {
		.lanes = out->lanes.each, .keep = true, .keep_thin = true,
	};
	int err;

	if (s->conf->deadlock != WEFT__LAYERS)
		return -EDEADLK;
	err = layer(s, &spec, verdict, out);
	return !err && (out->layering.rerouted || verdict->cycle[0]) ?
		-EDEADLK : err;
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
	char how[200] = "have new routes";

	if (y->root != WEFT_NONE)
		snprintf(how, sizeof(how),
			 "are routed with Up*/Down* below switch 0x%016" PRIx64 " (%s)", f->sw[y->root].guid,
			 f->sw[y->root].name);
	osm_log(log, OSM_LOG_INFO,
		"%s: for fewer lanes %u LIDs %s; hops %+.1f %%, symmetric bisections %.3f, were %.3f, forwarding index %" PRIu64 ", was %" PRIu64 " (%+.1f %%)\n", engine, y->rerouted,
		how, percent(y->hops_after, y->hops_before),
		y->bandwidth_after, y->bandwidth_before, y->load_after,
		y->load_before, percent(y->load_after, y->load_before));
}

void weft__layers_report(const struct weft__layered *layered,
			 const struct weft_fabric *fabric, osm_log_t *log,
			 const char *engine)
{
	const struct weft_layering *y = &layered->layering;
	unsigned lanes = layered->stand ? layered->stand : y->lanes;
	bool named = !layered->stand && lanes > 1;

	if (!layered->ran && !layered->stand)
		return;
	osm_log(log, OSM_LOG_INFO,
		"%s: against credit loops: %u of %u lane%s in use%s%s\n",
		engine, lanes, layered->lanes.each,
		layered->lanes.each == 1 ? "" : "s",
		named ? ", by method " : "",
		named ? weft_layering_method_name(y->method) : "");
	if (y->rerouted)
		report_rerouted(y, fabric, log, engine);
}
