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
 * Effort is counted in edges looked at, never in seconds.
 */
#include "layers/search.h"
#include "layers/within.h"

#include <errno.h>
#include <stdlib.h>

#define EFFORT (1ull << 26)

static int check_spec(const struct weft_layering_spec *spec,
		      struct weft_diag *diag)
{
	if (spec->lanes < 1 || spec->lanes > WEFT_MAX_LANES)
		return weft_fail(diag, EINVAL,
				 "%u lanes: 1 to %u are possible",
				 spec->lanes, WEFT_MAX_LANES);
	if (spec->method >= WEFT_LAYERING_METHODS)
		return weft_fail(diag, EINVAL, "no such method of layering");
	if (spec->method == WEFT_LAYERING_DESTINATION && !spec->one_way)
		return weft_fail(diag, EINVAL,
				 "method destination gives the two directions of a pair SLs of their own: ask for one way, or take another method");
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

	if (!err && !fits && !job->spec->keep_thin)
		err = weft__route_management(job, &fits);
	if (err)
		return err;
	if (fits) {
		o->found.lane = calloc(n + 1, 1);
		o->found.nlanes = 1;
		if (!o->found.lane)
			err = -ENOMEM;
	} else {
		if (!job->spec->keep_thin)
			weft__share_thin(job);
		err = weft__traffic_list(&job->traffic);
		if (!err)
			err = weft__search(job, o);
		if (!err)
			close_gaps(&o->found, o->found.by_tree ?
				   job->traffic.ntrees : n);
	}
	if (!err && job->spec->balance && !job->traffic.room)
		weft__balance(job, &o->found, job->spec->lanes);
	return err;
}

int weft__layering_with(const struct weft_fabric *fabric,
			const uint8_t *room, struct weft_routes *routes,
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
	job.traffic.room = room;
	err = find_all(&job, &o);
	if (!err)
		err = weft__outcome_even(&job, &routes->lft, &o);
	if (!err)
		err = weft__outcome_finish(&job, &o, routes, out, diag);
	if (err == -ENOMEM)
		weft_diag_say(diag, WEFT_ERROR,
			      "not enough memory to give out lanes");
	free(o.found.lane);
	weft__updown_free(&job.updown);
	weft__traffic_free(&job.traffic);
	return err;
}
