// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns the result of layering into tables, figures and messages. */
#include "layers/outcome.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
	[WEFT_LAYERING_AUTO] = "auto",
	[WEFT_LAYERING_LASH] = "lash",
	[WEFT_LAYERING_OFFLINE] = "offline",
	[WEFT_LAYERING_DESTINATION] = "destination",
};

const char *weft_layering_method_name(enum weft_layering_method method)
{
	return names[method];
}

enum weft_layering_method weft_layering_method_find(const char *name)
{
	unsigned i = 0;

	while (i < WEFT_LAYERING_METHODS && strcmp(names[i], name))
		i++;
	return i;
}

int weft__outcome_measure(const struct weft__traffic *t, struct weft__outcome *o)
{
	int err = weft__traffic_worth(t, &o->worth);

	return err ? err : weft__traffic_uniform(t, &o->uniform);
}

/* Of the six patterns of the basket all but uniform traffic are more or less
 * permutations, as bisections are. */
double weft__outcome_value(const struct weft__outcome *o)
{
	return pow(o->worth, 5.0 / 6) * pow(o->uniform, 1.0 / 6);
}

int weft__outcome_layers(const struct weft__job *job,
			 const struct weft__lanes_found *l,
			 struct weft_layers *out)
{
	const struct weft_fabric *f = job->fabric;
	uint32_t lids = f->max_lid + 1;
	size_t n = l->by_tree ? lids : (size_t)f->nsw * f->nsw;

	weft_layers_init(out);
	out->nvl = l->nlanes;
	if (l->nlanes < 2)
		return 0;
	out->nsw = f->nsw;
	out->nep = f->nep;
	out->max_lid = f->max_lid;
	out->table = calloc(n + 1, 1);
	if (!out->table)
		return -ENOMEM;
	if (!l->by_tree) {
		out->form = WEFT_SL_SWITCH_PAIR;
		memcpy(out->table, l->lane, n);
		return 0;
	}
	out->form = WEFT_SL_DESTINATION;
	for (uint32_t lid = 0; lid < lids; lid++)
		if (job->traffic.of_lid[lid] != WEFT_NONE)
			out->table[lid] = l->lane[job->traffic.of_lid[lid]];
	return 0;
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
		weft_diag_say(diag, WEFT_NOTE,
			      "new routes for %s, so that fewer lanes are needed",
			      WEFT_COUNT(r->rerouted, "LID"));
	else
		weft_diag_say(diag, WEFT_NOTE,
			      "new routes for %s, so that fewer lanes are needed, with Up*Down* below switch 0x%016" PRIx64 " (%s); hops: %" PRIu64
			      ", were %" PRIu64,
			      WEFT_COUNT(r->rerouted, "LID"),
			      f->sw[r->root].guid,
			      f->sw[r->root].name, r->hops_after,
			      r->hops_before);
	weft_diag_say(diag, WEFT_NOTE,
		      "bandwidth of symmetric bisections: %.3f, was %.3f; most routes over a cable: %" PRIu64 ", were %" PRIu64,
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
		weft_diag_say(diag, WEFT_NOTE,
			      "new routes for %s of switches and aggregation nodes",
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
		err = weft__traffic_compare(&job->traffic, &routes->lft, &r,
					    diag);
	if (!err)
		err = weft__outcome_layers(job, &o->found, &layers);
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

