// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: auto, and what all methods share
 *
 * 1. If the dependencies of all routes, in one lane, have no cycle, that is it.
 * 2. If those of routes to hosts have none, LIDs of switches and aggregation
 *    nodes are routed anew and one lane does (management.c).
 * 3. These LIDs share the routes to a host on their switch, and the method
 *    that was asked for runs; auto runs lash, then, if it took more than two
 *    lanes, offline, and with one_way destination, each until its effort is
 *    spent, and takes the fewest lanes, of equals the first.
 * 4. If lanes do not suffice, all LIDs get new trees of shortest ways that are
 *    made to need fewer (narrow.c): hops stay, and mostly bandwidth, too.
 * 5. If that is too many still, Up*Down* takes over for as many destinations as
 *    it must (fallback.c).
 * With fewest, 4 comes before 3, with fewer and fewer lanes, as long as the new
 * routes are worth nearly as much as the old ones.
 * Effort is counted in edges looked at, never in seconds.
 */
#include "layers/narrow.h"
#include "layers/outcome.h"


#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EFFORT (1ull << 26)
#define WORTH 0.98	/* of the routes that were given, or they stay */

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

/* Whether all routes together are acyclic. */
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

static int (*const methods[])(struct weft__job *, unsigned,
			      struct weft__lanes_found *) = {
	[WEFT_LAYERING_LASH] = weft__lash,
	[WEFT_LAYERING_OFFLINE] = weft__offline,
	[WEFT_LAYERING_DESTINATION] = weft__by_destination,
};

/* What rerouting would have to take care of: with one_way, trees of which
 * something has no place; else, pairs. */
static uint64_t left_over(const struct weft__job *job,
			  const struct weft__lanes_found *l)
{
	const struct weft__traffic *t = &job->traffic;
	uint64_t trees = 0;

	if (l->by_tree || !job->one_way)
		return l->unplaced;
	for (uint32_t b = 0; b < t->nsw; b++) {
		uint32_t a = 0;

		while (a < t->nsw &&
		       l->lane[(size_t)a * t->nsw + b] != WEFT__UNPLACED)
			a++;
		if (a < t->nsw)
			trees += t->first[b + 1] - t->first[b];
	}
	return trees;
}

/* Runs a method and keeps the better outcome. */
static int attempt(struct weft__job *job, enum weft_layering_method method,
		   unsigned limit, struct weft__outcome *best)
{
	struct weft__lanes_found l;
	uint64_t left, least;
	int err = methods[method](job, limit, &l);

	if (err)
		return err;
	left = left_over(job, &l);
	least = best->found.lane ? left_over(job, &best->found) : UINT64_MAX;
	if (left > least || (left == least &&
			     (left || l.nlanes >= best->found.nlanes))) {
		free(l.lane);
		return 0;
	}
	free(best->found.lane);
	best->found = l;
	best->method = method;
	return 0;
}

/* Gives out lanes by the method asked for. */
static int find_lanes(struct weft__job *job, unsigned limit,
		      struct weft__outcome *out)
{
	enum weft_layering_method method = job->spec->method;
	int err;

	free(out->found.lane);
	out->found.lane = NULL;
	if (method != WEFT_LAYERING_AUTO)
		return attempt(job, method, limit, out);
	err = attempt(job, WEFT_LAYERING_LASH, limit, out);
	if (!err && out->found.nlanes > 2)
		err = attempt(job, WEFT_LAYERING_OFFLINE, limit, out);
	if (!err && out->found.nlanes > 2 && job->one_way)
		err = attempt(job, WEFT_LAYERING_DESTINATION, limit, out);
	return err;
}

/* New routes that need fewer lanes than those that were given. */
struct search {
	struct weft__job *job;
	struct weft__near ways;
	size_t size;		/* of all trees */
	uint8_t *given, *best;	/* trees */
	double value;		/* of those that were given */
	unsigned needed;	/* lanes, by the last try; 0 = more than there
				 * were */
};

static int search_init(struct search *s, struct weft__job *job)
{
	const struct weft__traffic *t = &job->traffic;
	int err;

	*s = (struct search){ .job = job,
			      .size = (size_t)t->ntrees * t->nsw };
	err = weft__near_init(&s->ways, job->fabric);
	s->given = malloc(s->size + 1);
	s->best = malloc(s->size + 1);
	if (!s->given || !s->best)
		err = -ENOMEM;
	if (!err)
		err = weft__traffic_worth(t, &s->value);
	if (!err)
		memcpy(s->given, t->tree, s->size);
	return err;
}

static void search_free(struct search *s)
{
	weft__near_free(&s->ways);
	free(s->given);
	free(s->best);
}

/* New trees and their lanes; takes them over if they are worth a share of those
 * that were given, and says how many lanes, or 0 if some pair has none. */
static int try_lanes(struct search *s, unsigned limit, bool spread,
		     double share, struct weft__outcome *out)
{
	const struct weft__narrow_spec spec = {
		.ways = &s->ways, .limit = limit, .spread = spread,
	};
	struct weft__lanes_found l;
	double value;
	int err;

	memcpy(s->job->traffic.tree, s->given, s->size);
	err = weft__narrow(s->job, &spec, &l, &value);
	if (err)
		return err;
	s->needed = l.unplaced ? 0 : l.nlanes;
	if (l.unplaced || value < s->value * share) {
		free(l.lane);
		return 0;
	}
	free(out->found.lane);
	*out = (struct weft__outcome){
		.method = WEFT_LAYERING_LASH, .found = l, .shared = true,
		.root = WEFT_NONE,
	};
	memcpy(s->best, s->job->traffic.tree, s->size);
	return 0;
}

/* The fewest lanes with routes that are worth it: *out stays as it is if there
 * are none. */
static int search_fewest(struct search *s, struct weft__outcome *out)
{
	unsigned limit = s->job->spec->lanes, needed;
	int err = try_lanes(s, limit, false, WORTH, out);

	needed = s->needed;
	if (!out->shared)
		for (unsigned lanes = needed + 1; !err && needed &&
		     lanes <= limit && !out->shared; lanes++)
			err = try_lanes(s, lanes, true, WORTH, out);
	else
		while (!err && needed > 1 && out->found.nlanes == needed) {
			err = try_lanes(s, needed - 1, false, WORTH, out);
			needed = s->needed;
		}
	return err;
}

/* Up*Down* for what finds no place in all lanes but one. */
static int search_with_updown(struct search *s, struct weft__outcome *out,
			      struct weft_diag *diag)
{
	const struct weft__narrow_spec spec = {
		.ways = &s->ways, .limit = s->job->spec->lanes - 1,
		.partly = true,
	};
	double value;
	int err = 0;

	if (spec.limit) {
		free(out->found.lane);
		out->found.lane = NULL;
		out->method = WEFT_LAYERING_LASH;
		s->job->one_way = false;
		err = weft__narrow(s->job, &spec, &out->found, &value);
	}
	if (!err)
		err = weft__fall_back(s->job, &out->found, &out->root, diag);
	return err;
}

static bool has_hosts(const struct weft__traffic *t, uint32_t s)
{
	for (uint32_t i = t->first[s]; i < t->first[s + 1]; i++)
		if (!t->thin[t->live[i]])
			return true;
	return false;
}

/* Whether all pairs of switches with hosts have a lane. */
static bool hosts_placed(const struct search *s, const struct weft__outcome *o)
{
	const struct weft__traffic *t = &s->job->traffic;

	if (o->found.by_tree)
		return !o->found.unplaced;
	for (uint32_t a = 0; a < t->nsw; a++)
		for (uint32_t b = 0; b < t->nsw && has_hosts(t, a); b++)
			if (o->found.lane[(size_t)a * t->nsw + b] ==
			    WEFT__UNPLACED && has_hosts(t, b))
				return false;
	return true;
}

/* Where only management traffic lacks lanes, that alone gets Up*Down*. */
static int search_with_thin(struct search *s, struct weft__outcome *out,
			    struct weft_diag *diag)
{
	struct weft__job *job = s->job;
	int err;

	job->first_gap_ends = false;
	err = find_lanes(job, job->spec->lanes - 1, out);
	job->first_gap_ends = true;
	if (!err && out->found.unplaced && hosts_placed(s, out))
		err = weft__fall_back(job, &out->found, &out->root, diag);
	return err;
}

static int search(struct search *s, struct weft__outcome *out,
		  struct weft_diag *diag)
{
	struct weft__job *job = s->job;
	int err = 0;

	if (job->spec->fewest)
		err = search_fewest(s, out);
	memcpy(job->traffic.tree, s->given, s->size);
	if (!err && !out->shared)
		err = find_lanes(job, job->spec->lanes, out);
	if (!err && out->found.unplaced && job->spec->lanes > 1 &&
	    hosts_placed(s, out)) {
		err = search_with_thin(s, out, diag);
		if (!err && !out->found.unplaced)
			return 0;
	}
	if (!err && out->found.unplaced)
		err = try_lanes(s, job->spec->lanes, true, 0, out);
	memcpy(job->traffic.tree, out->shared ? s->best : s->given, s->size);
	if (out->shared)
		job->one_way = false;
	if (!err && out->found.unplaced)
		err = search_with_updown(s, out, diag);
	return err;
}

/* One lane is not enough. */
static int find_layers(struct weft__job *job, struct weft__outcome *out,
		       struct weft_diag *diag)
{
	struct search s = { 0 };
	int err;

	weft__share_thin(job);
	job->first_gap_ends = true;
	err = weft__traffic_list(&job->traffic);
	if (!err)
		err = search_init(&s, job);
	if (!err)
		err = search(&s, out, diag);
	search_free(&s);
	return err;
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

/* Decides on lanes and trees; what is found is in *o. */
static int find_all(struct weft__job *job, struct weft__outcome *o,
		    struct weft_diag *diag)
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
		err = find_layers(job, o, diag);
		if (!err)
			close_gaps(&o->found, o->found.by_tree ?
				   job->traffic.ntrees : n);
	}
	if (!err && job->spec->balance)
		weft__balance(job, &o->found, job->spec->lanes);
	return err;
}

int weft_layering_run(const struct weft_fabric *fabric,
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
	err = find_all(&job, &o, diag);
	if (!err)
		err = weft__outcome_finish(&job, &o, routes, out, diag);
	if (err == -ENOMEM)
		weft_diag_say(diag, WEFT_ERROR, "not enough memory to give out "
			      "lanes");
	free(o.found.lane);
	weft__traffic_free(&job.traffic);
	return err;
}
