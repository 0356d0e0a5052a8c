// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layering, the room: lanes for tables as they are, whoever made them.  Trees
 * are rerouted only where no lane can help; then they grow around what lanes allow
 * (src/lanes), as those of engines do that choose their routes with the lanes.
 *
 * Any fabric is layered: one in parts that no cable joins gets its lanes part by
 * part, each by joined.c.
 */
#include "core/fabric/split.h"
#include "graph/vls.h"
#include "layers/within.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Adds the result of one part. *ports: endports of the parts so far that have
 * new routes, over which the bandwidth is averaged. */
static void add_outcome(struct weft_layering *all,
			const struct weft_layering *one,
			const struct weft__part *part, double *ports)
{
	double n = one->bandwidth_before > 0 ? part->fabric->nep : 0;

	if (one->lanes > all->lanes) {
		all->lanes = one->lanes;
		all->method = one->method;
	}
	if (all->root == WEFT_NONE && one->root != WEFT_NONE)
		all->root = part->sw[one->root];
	all->one_way |= one->one_way;
	all->moved += one->moved;
	all->shared |= one->shared;
	all->rerouted += one->rerouted;
	all->rerouted_thin += one->rerouted_thin;
	all->hops_before += one->hops_before;
	all->hops_after += one->hops_after;
	if (one->load_before > all->load_before)
		all->load_before = one->load_before;
	if (one->load_after > all->load_after)
		all->load_after = one->load_after;
	*ports += n;
	if (n > 0) {
		all->bandwidth_before += n / *ports *
			(one->bandwidth_before - all->bandwidth_before);
		all->bandwidth_after += n / *ports *
			(one->bandwidth_after - all->bandwidth_after);
	}
	all->work += one->work;
}

/* Gives out the lanes of each part by itself. */
static int run_parts(struct weft__split *split, struct weft_routes *routes,
		     const struct weft_layering_spec *spec,
		     struct weft_layering *out, struct weft_diag *diag)
{
	struct weft_layering all = { .root = WEFT_NONE };
	struct weft_routes joined = { 0 };
	double ports = 0;
	int err = 0;

	for (uint32_t i = 0; i < split->n && !err; i++) {
		struct weft__part *part = &split->part[i];
		struct weft_layering one;

		err = weft__split_cut_lft(part, &routes->lft);
		if (err)
			return weft_no_memory(diag);
		weft_layers_init(&part->routes.layers);
		err = weft__layering_within(part->fabric, &part->routes, spec,
					    &one, diag);
		if (!err)
			add_outcome(&all, &one, part, &ports);
	}
	if (err)
		return err;
	if (weft__split_join(split, &joined))
		return weft_no_memory(diag);
	weft_lft_free(&routes->lft);
	weft_layers_free(&routes->layers);
	routes->lft = joined.lft;
	routes->layers = joined.layers;
	*out = all;
	return 0;
}

int weft_layering_run(const struct weft_fabric *fabric,
		      struct weft_routes *routes,
		      const struct weft_layering_spec *spec,
		      struct weft_layering *out, struct weft_diag *diag)
{
	struct weft__split split;
	int err = weft__split_init(&split, fabric);

	if (!err && split.n > 1 && !weft__split_make(&split))
		err = -ENOMEM;
	if (err)
		weft_diag_say(diag, WEFT_ERROR,
			      "not enough memory to give out lanes");
	else if (split.n > 1)
		err = run_parts(&split, routes, spec, out, diag);
	else
		err = weft__layering_within(fabric, routes, spec, out, diag);
	weft__split_free(&split);
	if (!err && weft__vls_fold(fabric, &routes->layers))
		err = weft_no_memory(diag);
	return err;
}
