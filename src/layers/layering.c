// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: layering, and what all methods share
 *
 * 1. If the dependencies of all routes have no cycle in one lane, one lane is
 *    used.
 * 2. If those of routes to hosts have none, the LIDs of switches and
 *    aggregation nodes are routed anew such that one lane is enough
 *    (management.c).
 * 3. Otherwise these LIDs share the routes to a host on their switch, and a
 *    search begins for the fewest lanes (search.c).
 *
 * Effort is counted in edges looked at, never in seconds.  A fabric in parts
 * that no cable joins gets its lanes part by part.
 */
#include "core/split.h"
#include "layers/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EFFORT (1ull << 26)

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

static int check_spec(const struct weft_layering_spec *spec,
		      struct weft_diag *diag)
{
	if (spec->lanes < 1 || spec->lanes > WEFT_MAX_LANES)
		return weft_fail(diag, EINVAL, "%u lanes: 1 to %u are "
				 "possible", spec->lanes, WEFT_MAX_LANES);
	if (spec->method >= WEFT_LAYERING_METHODS)
		return weft_fail(diag, EINVAL, "no such method of layering");
	if (spec->method == WEFT_LAYERING_DESTINATION && !spec->one_way)
		return weft_fail(diag, EINVAL, "method destination gives the "
				 "two directions of a pair SLs of their own: "
				 "ask for one way, or take another method");
	return 0;
}

/* Tells in *fits if all routes together are acyclic. */
static int fits_one_lane(struct weft__job *job, bool *fits)
{
	struct weft__order o;
	int err = weft__order_init(&o, job->fabric, 1);

	if (err)
		return err;
	for (uint32_t k = 0; k < job->traffic.ntrees; k++)
		weft__tree_collect(&job->traffic, k, &o.cdg, 0);
	*fits = weft__order_renew(&o);
	job->work += (uint64_t)job->traffic.ntrees * job->fabric->nsw;
	weft__order_free(&o);
	return 0;
}

/* Numbers the lanes that are in use from 0 up. */
static void close_gaps(struct weft__lanes_found *l, size_t n)
{
	uint8_t now[WEFT_MAX_LANES] = { 0 }, used = 0;

	for (size_t i = 0; i < n; i++)
		now[l->lane[i]] = 1;
	for (unsigned i = 0; i < WEFT_MAX_LANES; i++)
		if (now[i])
			now[i] = used++;
	for (size_t i = 0; i < n; i++)
		l->lane[i] = now[l->lane[i]];
	l->nlanes = used;
}

/* Chooses lanes and trees, into *o. */
static int find_all(struct weft__job *job, struct weft__outcome *o)
{
	size_t n = (size_t)job->fabric->nsw * job->fabric->nsw;
	bool fits;
	int err = fits_one_lane(job, &fits);

	if (!err && !fits)
		err = weft__route_management(job, &fits);
	if (err)
		return err;
	if (fits) {
		o->found.lane = calloc(n + 1, 1);
		o->found.nlanes = 1;
		if (!o->found.lane)
			err = -ENOMEM;
	} else {
		weft__share_thin(job);
		err = weft__traffic_list(&job->traffic);
		if (!err)
			err = weft__search(job, o);
		if (!err)
			close_gaps(&o->found, o->found.by_tree ?
				   job->traffic.ntrees : n);
	}
	if (!err && job->spec->balance)
		weft__balance(job, &o->found, job->spec->lanes);
	return err;
}

static int run_joined(const struct weft_fabric *fabric,
		      struct weft_routes *routes,
		      const struct weft_layering_spec *spec,
		      struct weft_layering *out, struct weft_diag *diag)
{
	struct weft__job job = {
		.fabric = fabric, .spec = spec,
		.one_way = spec->one_way,
		.effort = spec->effort ? spec->effort : EFFORT,
	};
	struct weft__outcome o = {
		.method = WEFT_LAYERING_AUTO, .root = WEFT_NONE,
	};
	int err = check_spec(spec, diag);

	if (err)
		return err;
	err = weft__traffic_init(&job.traffic, fabric, &routes->lft, diag);
	if (err)
		return err;
	err = find_all(&job, &o);
	if (!err)
		err = weft__outcome_finish(&job, &o, routes, out, diag);
	if (err == -ENOMEM)
		weft_diag_say(diag, WEFT_ERROR, "not enough memory to give out "
			      "lanes");
	free(o.found.lane);
	weft__updown_free(&job.updown);
	weft__traffic_free(&job.traffic);
	return err;
}

/* Copies the tables of one part out of those of the whole fabric. */
static int copy_tables(struct weft__part *part, const struct weft_lft *lft)
{
	const struct weft_fabric *f = part->fabric;
	int err = weft_lft_init(&part->routes.lft, f->nsw, f->max_lid);

	for (uint32_t s = 0; s < f->nsw && !err; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			if (weft_lid_owner(f, lid) != WEFT_NONE)
				weft_lft_row(&part->routes.lft, s)[lid] =
					weft_lft_get(lft, part->sw[s], lid);
	return err;
}

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

		err = copy_tables(part, &routes->lft);
		if (err)
			return weft_fail(diag, ENOMEM, "out of memory");
		weft_layers_init(&part->routes.layers);
		err = run_joined(part->fabric, &part->routes, spec, &one, diag);
		if (!err)
			add_outcome(&all, &one, part, &ports);
	}
	if (err)
		return err;
	if (weft__split_join(split, &joined))
		return weft_fail(diag, ENOMEM, "out of memory");
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
		weft_diag_say(diag, WEFT_ERROR, "not enough memory to give out "
			      "lanes");
	else if (split.n > 1)
		err = run_parts(&split, routes, spec, out, diag);
	else
		err = run_joined(fabric, routes, spec, out, diag);
	weft__split_free(&split);
	return err;
}
