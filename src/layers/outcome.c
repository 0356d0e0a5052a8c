// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns the result of layering into tables, figures and messages. */
#include "layers/outcome.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Makes SLs of lanes.  Takes over the table of pairs, but only reads that of
 * trees. */
static int make_layers(const struct weft__job *job,
		       struct weft__lanes_found *l, struct weft_layers *out)
{
	const struct weft_fabric *f = job->fabric;
	uint32_t lids = f->max_lid + 1;

	weft_layers_init(out);
	out->nvl = l->nlanes;
	if (l->nlanes < 2)
		return 0;
	out->nsw = f->nsw;
	out->nep = f->nep;
	out->max_lid = f->max_lid;
	if (!l->by_tree) {
		out->form = WEFT_SL_SWITCH_PAIR;
		out->table = l->lane;
		l->lane = NULL;
		return 0;
	}
	out->table = calloc(lids, 1);
	if (!out->table)
		return -ENOMEM;
	out->form = WEFT_SL_DESTINATION;
	for (uint32_t lid = 0; lid < lids; lid++)
		if (job->traffic.of_lid[lid] != WEFT_NONE)
			out->table[lid] = l->lane[job->traffic.of_lid[lid]];
	return 0;
}

/* Counts the hops of all routes between endports, and finds the highest
 * load. */
static int measure_routes(const struct weft__traffic *t, uint64_t *hops,
			  uint64_t *load)
{
	const struct weft_fabric *f = t->fabric;
	uint64_t *loads = calloc(f->first_injection + 1ull, sizeof(*loads));

	if (!loads)
		return -ENOMEM;
	*hops = *load = 0;
	for (unsigned lid = 0; lid <= f->max_lid; lid++)
		if (f->lid_owner[lid] != WEFT_NONE &&
		    weft_is_endport(f->lid_owner[lid]))
			*hops += weft__tree_measure(t, t->of_lid[lid], loads);
	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		if (loads[ch] > *load)
			*load = loads[ch];
	free(loads);
	return 0;
}

/* Compares the new routes with those before. */
static int compare_routes(const struct weft__job *job,
			  const struct weft_lft *lft,
			  struct weft_layering *out, struct weft_diag *diag)
{
	struct weft__traffic before;
	int err = weft__traffic_init(&before, job->fabric, lft, diag);

	if (err)
		return err;
	err = measure_routes(&before, &out->hops_before, &out->load_before);
	if (!err)
		err = measure_routes(&job->traffic, &out->hops_after,
				     &out->load_after);
	if (!err)
		err = weft__traffic_worth(&before, &out->bandwidth_before);
	if (!err)
		err = weft__traffic_worth(&job->traffic,
					  &out->bandwidth_after);
	weft__traffic_free(&before);
	return err;
}

static uint64_t count_moved(const struct weft_layers *y)
{
	size_t n = 0;
	uint64_t moved = 0;

	if (y->form == WEFT_SL_SWITCH_PAIR)
		n = (size_t)y->nsw * y->nsw;
	else if (y->form == WEFT_SL_DESTINATION)
		n = y->max_lid + 1ull;
	for (size_t i = 0; i < n; i++)
		moved += y->table[i] != 0;
	return moved;
}

static void report_rerouted(const struct weft_fabric *f,
			    const struct weft_layering *r,
			    struct weft_diag *diag)
{
	if (r->root == WEFT_NONE)
		weft_diag_say(diag, WEFT_NOTE, "new routes for %s, so that "
			      "fewer lanes are needed, of shortest ways",
			      WEFT_COUNT(r->rerouted, "LID"));
	else
		weft_diag_say(diag, WEFT_NOTE, "new routes for %s, so that "
			      "fewer lanes are needed, with Up*Down* below switch "
			      "0x%016" PRIx64 " (%s); hops: %" PRIu64
			      ", were %" PRIu64,
			      WEFT_COUNT(r->rerouted, "LID"),
			      f->sw[r->root].guid,
			      f->sw[r->root].name, r->hops_after,
			      r->hops_before);
	weft_diag_say(diag, WEFT_NOTE,
		      "bandwidth of symmetric bisections: %.3f, was %.3f; "
		      "most routes over a cable: %" PRIu64 ", were %" PRIu64,
		      r->bandwidth_after, r->bandwidth_before,
		      r->load_after, r->load_before);
}

static void report(const struct weft_fabric *f, const struct weft_layering *r,
		   struct weft_diag *diag)
{
	weft_diag_say(diag, WEFT_NOTE, "layers: %s, %u lane%s in use%s",
		      weft_layering_method_name(r->method), r->lanes,
		      r->lanes == 1 ? "" : "s", r->one_way && r->lanes > 1 ?
		      "; the directions of a pair differ" : "");
	if (r->rerouted_thin)
		weft_diag_say(diag, WEFT_NOTE, "new routes for %s of switches "
			      "and aggregation nodes",
			      WEFT_COUNT(r->rerouted_thin, "LID"));
	if (r->rerouted)
		report_rerouted(f, r, diag);
}

/* Does everything that can fail first, then sets the outputs. */
int weft__outcome_finish(struct weft__job *job, struct weft__outcome *o,
			 struct weft_routes *routes, struct weft_layering *out,
			 struct weft_diag *diag)
{
	struct weft_layering r = {
		.method = o->method, .one_way = job->one_way,
		.lanes = o->found.nlanes, .root = o->root,
		.shared = o->shared, .work = job->work,
	};
	struct weft_layers layers;
	int err = 0;

	if (o->shared || o->root != WEFT_NONE)
		err = compare_routes(job, &routes->lft, &r, diag);
	if (!err)
		err = make_layers(job, &o->found, &layers);
	if (err)
		return err;
	r.moved = count_moved(&layers);
	weft__traffic_store(&job->traffic, &routes->lft, &r.rerouted,
			    &r.rerouted_thin);
	weft_layers_free(&routes->layers);
	routes->layers = layers;
	report(job->fabric, &r, diag);
	*out = r;
	return 0;
}

