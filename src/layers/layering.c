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
 * 4. If lanes do not suffice, the LIDs on each switch share fewer and fewer
 *    different trees, half as many each time, then twice as many again on as
 *    many switches as can be: all routes keep their hops, only balance is
 *    lost.  What most helps is that the two directions of a pair are then alike
 *    more often.
 * 5. If one tree for each switch is still too many, Up*Down* takes over for as
 *    many destinations as it must (fallback.c), with all trees as they were.
 * Effort is counted in edges looked at, never in seconds.
 */
#include "layers/job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EFFORT (1ull << 26)
#define REFINING 2	/* efforts after which sharing is left as it is */

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

struct outcome {
	enum weft_layering_method method;
	struct weft__lanes_found found;
	bool shared;
	uint32_t root;
};

/* What rerouting would have to take care of: with one_way, trees of which
 * something has no place; else, pairs. */
static uint64_t left_over(const struct weft__job *job,
			  const struct weft__lanes_found *l)
{
	const struct weft__traffic *t = &job->traffic;
	uint64_t trees = 0;

	if (l->by_tree || !job->spec->one_way)
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
		   unsigned limit, struct outcome *best)
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
		      struct outcome *out)
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
	if (!err && out->found.nlanes > 2 && job->spec->one_way)
		err = attempt(job, WEFT_LAYERING_DESTINATION, limit, out);
	return err;
}

/* The largest number of trees to one switch. */
static uint32_t most_trees(const struct weft__traffic *t)
{
	uint32_t most = 0;

	for (uint32_t s = 0; s < t->nsw; s++)
		if (t->first[s + 1] - t->first[s] > most)
			most = t->first[s + 1] - t->first[s];
	return most;
}

/* How trees are shared: at most so many different ones to the LIDs on a switch,
 * on some twice as many. */
struct sharing {
	uint32_t most;
	uint8_t *twice;		/* [nsw] */
	const uint32_t *of_lid;	/* before any sharing */
};

/* LIDs beyond the most take turns with those before them. */
static int share_trees(struct weft__traffic *t, const struct sharing *how)
{
	uint32_t lids = t->fabric->max_lid + 1;
	int err;

	memcpy(t->of_lid, how->of_lid, lids * sizeof(*t->of_lid));
	err = weft__traffic_list(t);
	for (uint32_t lid = 0; !err && lid < lids; lid++) {
		uint32_t k = t->of_lid[lid], i = 0, other;
		const uint32_t *live;

		if (k == WEFT_NONE)
			continue;
		live = &t->live[t->first[t->home[k]]];
		while (live[i] != k)
			i++;
		i %= how->most << how->twice[t->home[k]];
		other = live[i];
		if (weft__tree_is_whole(t, other))
			t->of_lid[lid] = other;
	}
	return err ? err : weft__traffic_list(t);
}

/*
 * Gives switches first .. end - 1 twice as many trees if the lanes allow it, or
 * else, one half after the other, as many of them as can be.
 */
static int refine_sharing(struct weft__job *job, struct sharing *how,
			  uint32_t first, uint32_t end, struct outcome *out)
{
	struct outcome next = { .shared = true, .root = WEFT_NONE };
	uint32_t middle = first + (end - first) / 2;
	int err;

	if (first == end || job->work > REFINING * job->effort)
		return 0;
	memset(how->twice + first, 1, end - first);
	err = share_trees(&job->traffic, how);
	if (!err)
		err = attempt(job, out->method, job->spec->lanes, &next);
	if (!err && !next.found.unplaced) {
		free(out->found.lane);
		*out = next;
		return 0;
	}
	free(next.found.lane);
	memset(how->twice + first, 0, end - first);
	if (!err && end - first > 1)
		err = refine_sharing(job, how, first, middle, out);
	if (!err && end - first > 1)
		err = refine_sharing(job, how, middle, end, out);
	return err;
}

/* With fewer and fewer trees for a switch, until the lanes suffice. */
static int find_with_shared_trees(struct weft__job *job,
				  const uint32_t *of_lid, struct outcome *out)
{
	uint32_t n = job->fabric->nsw;
	struct sharing how = { .most = most_trees(&job->traffic),
			       .twice = calloc(n + 1ull, 1),
			       .of_lid = of_lid };
	int err = how.twice ? find_lanes(job, job->spec->lanes, out) : -ENOMEM;

	while (!err && out->found.unplaced && how.most > 1) {
		how.most /= 2;
		out->shared = true;
		err = share_trees(&job->traffic, &how);
		if (!err)
			err = find_lanes(job, job->spec->lanes, out);
	}
	if (!err && !out->found.unplaced && out->shared) {
		err = refine_sharing(job, &how, 0, n, out);
		if (!err)
			err = share_trees(&job->traffic, &how);
	}
	free(how.twice);
	return err;
}

/* Up*Down* for what finds no place in all lanes but one. */
static int find_with_updown(struct weft__job *job, struct outcome *out,
			    struct weft_diag *diag)
{
	int err = weft__traffic_list(&job->traffic);

	out->shared = false;
	job->first_gap_ends = false;
	if (!err)
		err = find_lanes(job, job->spec->lanes - 1, out);
	if (!err)
		err = weft__fall_back(job, &out->found, &out->root, diag);
	return err;
}

/* One lane is not enough. */
static int find_layers(struct weft__job *job, struct outcome *out,
		       struct weft_diag *diag)
{
	struct weft__traffic *t = &job->traffic;
	size_t size = (job->fabric->max_lid + 1ull) * sizeof(*t->of_lid);
	uint32_t *of_lid = malloc(size);
	int err;

	if (!of_lid)
		return -ENOMEM;
	weft__share_thin(job);
	memcpy(of_lid, t->of_lid, size);
	job->first_gap_ends = true;
	err = weft__traffic_list(t);
	if (!err)
		err = find_with_shared_trees(job, of_lid, out);
	if (!err && out->found.unplaced) {
		memcpy(t->of_lid, of_lid, size);
		err = find_with_updown(job, out, diag);
	}
	free(of_lid);
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

/* SLs from lanes; the table of pairs is taken over, that of trees read. */
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

/* Hops of what all endports send along a tree; loads are added up. */
static uint64_t measure_tree(const struct weft__traffic *t, uint32_t k,
			     uint64_t *loads)
{
	const struct weft_fabric *f = t->fabric;
	const uint8_t *tree = weft__tree(t, k);
	uint64_t hops = 0;

	for (uint32_t a = 0; a < t->nsw; a++) {
		uint32_t n = f->sw_ep_first[a + 1] - f->sw_ep_first[a];

		for (uint32_t s = a; n && tree[s]; hops += n) {
			uint32_t ch = weft_channel(f, s, tree[s]);

			loads[ch] += n;
			s = f->peer[ch];
		}
	}
	return hops;
}

/* Hops of all routes between endports, and the largest load. */
static int measure(const struct weft__traffic *t, uint64_t *hops,
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
			*hops += measure_tree(t, t->of_lid[lid], loads);
	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		if (loads[ch] > *load)
			*load = loads[ch];
	free(loads);
	return 0;
}

/* Fills in what new routes cost. */
static int compare_routes(const struct weft__job *job,
			  const struct weft_lft *lft,
			  struct weft_layering *out, struct weft_diag *diag)
{
	struct weft__traffic before;
	int err = weft__traffic_init(&before, job->fabric, lft, diag);

	if (err)
		return err;
	err = measure(&before, &out->hops_before, &out->load_before);
	if (!err)
		err = measure(&job->traffic, &out->hops_after,
			      &out->load_after);
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

static void tell_rerouted(const struct weft_fabric *f,
			  const struct weft_layering *r,
			  struct weft_diag *diag)
{
	if (r->root == WEFT_NONE)
		weft_diag_say(diag, WEFT_NOTE, "lanes ran out: %u LIDs share "
			      "the routes of others on their switch; most "
			      "routes over a cable: %" PRIu64 ", were %" PRIu64,
			      r->rerouted, r->load_after, r->load_before);
	else
		weft_diag_say(diag, WEFT_NOTE, "lanes ran out: %u LIDs are "
			      "routed with Up*Down* from switch 0x%016" PRIx64
			      " (%s); hops: %" PRIu64 ", were %" PRIu64
			      "; most routes over a cable: %" PRIu64
			      ", were %" PRIu64, r->rerouted,
			      f->sw[r->root].guid, f->sw[r->root].name,
			      r->hops_after, r->hops_before, r->load_after,
			      r->load_before);
}

static void tell(const struct weft_fabric *f, const struct weft_layering *r,
		 struct weft_diag *diag)
{
	weft_diag_say(diag, WEFT_NOTE, "layers: %s, %u lane%s in use%s",
		      weft_layering_method_name(r->method), r->lanes,
		      r->lanes == 1 ? "" : "s", r->one_way && r->lanes > 1 ?
		      "; the directions of a pair differ" : "");
	if (r->rerouted_thin)
		weft_diag_say(diag, WEFT_NOTE, "%u LIDs of switches and "
			      "aggregation nodes have new routes",
			      r->rerouted_thin);
	if (r->rerouted)
		tell_rerouted(f, r, diag);
}

/* Decides on lanes and trees; what is found is in *o. */
static int find_all(struct weft__job *job, struct outcome *o,
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
		weft__balance(job, &o->found);
	return err;
}

/* Everything that can fail, then the outputs. */
static int finish(struct weft__job *job, struct outcome *o,
		  struct weft_routes *routes, struct weft_layering *out,
		  struct weft_diag *diag)
{
	struct weft_layering r = {
		.method = o->method, .one_way = job->spec->one_way,
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
	tell(job->fabric, &r, diag);
	*out = r;
	return 0;
}

int weft_layering_run(const struct weft_fabric *fabric,
		      struct weft_routes *routes,
		      const struct weft_layering_spec *spec,
		      struct weft_layering *out, struct weft_diag *diag)
{
	struct weft__job job = {
		.fabric = fabric, .spec = spec,
		.effort = spec->effort ? spec->effort : EFFORT,
	};
	struct outcome o = { .method = WEFT_LAYERING_AUTO, .root = WEFT_NONE };
	int err = check_spec(spec, diag);

	if (err)
		return err;
	err = weft__traffic_init(&job.traffic, fabric, &routes->lft, diag);
	if (err)
		return err;
	err = find_all(&job, &o, diag);
	if (!err)
		err = finish(&job, &o, routes, out, diag);
	if (err == -ENOMEM)
		weft_diag_say(diag, WEFT_ERROR, "not enough memory to give out "
			      "lanes");
	free(o.found.lane);
	weft__traffic_free(&job.traffic);
	return err;
}
