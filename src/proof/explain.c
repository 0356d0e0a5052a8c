// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds the traffic that closes credit loops, and the routes whose move opens
 * them.
 *
 * All routes are walked three times.  First, the routes over each dependency
 * within a component are counted.  For each dependency of a cycle that is
 * shown, the best route over it is kept as an example.  The dependencies that
 * most routes make are then kept, as far as they close no cycle.  Second, only
 * those of them stay that are made by routes which make no others.  Third, each
 * other route stays if it closes no cycle with what stays; if it does, it is to
 * move.
 */
#include "proof/explain.h"

#include "core/grow.h"
#include "graph/stay.h"
#include "proof/walks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EFFORT (1ull << 28)

struct explain {
	struct weft__proof_run *r;
	const struct weft__knots *knots;
	uint32_t *place;	/* [nv] position in knots->vertex */
	struct weft__weighted graph;	/* graph of these positions */
	struct weft__stay stay;	/* the dependencies that can stay */
	bool *used;		/* [edges] scratch */
	uint32_t *added;	/* [nv] scratch: edges of the current route */

	/* the dependencies of all shown cycles, one after the other */
	uint32_t *shown;	/* [edges] WEFT_NONE: not in a shown cycle */
	struct weft_flow **by;	/* place for its example */
	enum weft__rank *rank;	/* rank of the example */

	struct weft__cdg moved;	/* the routes that are to move, in one lane */
	uint32_t *turn;		/* [edges] its number in the remedy, or
				 * WEFT_NONE */
	size_t room, turns;	/* room for routes and turns in the remedy */
	bool *switches;		/* [nsw] a route from there is to move */
};

/* Returns the dependency of w on v within a component, or WEFT_NONE. */
static uint32_t find_edge(const struct explain *x, uint32_t v, uint32_t w)
{
	const uint32_t *of = x->knots->of;

	if (of[v] == WEFT_NONE || of[v] != of[w])
		return WEFT_NONE;
	return x->graph.first[x->place[v]] +
		weft__cdg_rank(&x->r->cdg, v, w);
}

/* --- the graph ------------------------------------------------------------ */

static uint32_t count_edges(const struct explain *x)
{
	const struct weft__knots *k = x->knots;
	uint32_t edges = 0;

	for (uint32_t i = 0; i < x->graph.n; i++) {
		x->place[k->vertex[i]] = i;
		x->graph.first[i] = edges;
		for (uint32_t at = 0;
		     weft__cdg_next(&x->r->cdg, k->vertex[i], &at) !=
		     WEFT_NONE;)
			edges++;
	}
	x->graph.first[x->graph.n] = edges;
	return edges;
}

static void fill_edges(const struct explain *x)
{
	const struct weft__knots *k = x->knots;
	uint32_t e = 0;

	for (uint32_t i = 0; i < x->graph.n; i++) {
		uint32_t v = k->vertex[i];

		for (uint32_t at = 0, w;
		     (w = weft__cdg_next(&x->r->cdg, v, &at)) != WEFT_NONE;
		     e++) {
			x->graph.head[e] = k->of[w] == k->of[v] ?
				x->place[w] : WEFT_NONE;
			x->shown[e] = WEFT_NONE;
		}
	}
}

static int make_graph(struct explain *x)
{
	struct weft_arena *a = x->r->scratch;
	struct weft__weighted *g = &x->graph;
	uint32_t edges;

	g->n = x->knots->first[x->knots->n];
	x->place = weft__arena_alloc(a, x->r->cdg.nv, sizeof(*x->place));
	g->first = weft__arena_alloc(a, g->n + 1ull, sizeof(*g->first));
	if (weft__arena_failed(a))
		return -ENOMEM;
	edges = count_edges(x);
	g->head = weft__arena_alloc(a, edges, sizeof(*g->head));
	g->weight = weft__arena_zalloc(a, edges, sizeof(*g->weight));
	x->added = weft__arena_alloc(a, x->r->cdg.nv + 1ull,
				     sizeof(*x->added));
	x->shown = weft__arena_alloc(a, edges, sizeof(*x->shown));
	if (weft__arena_failed(a))
		return -ENOMEM;
	fill_edges(x);
	return 0;
}

/* --- the first walk ------------------------------------------------------- */

static uint32_t cycle_vertex(const struct explain *x,
			     const struct weft_cycle *c, uint32_t i)
{
	i %= c->n;
	return c->lane[i] * x->r->cdg.nch + c->channel[i];
}

static int show_cycles(struct explain *x)
{
	struct weft_proof *out = x->r->out;
	struct weft_arena *a = x->r->scratch;
	size_t all = 0, n = 0;

	for (uint32_t i = 0; i < out->ncycles; i++)
		all += out->cycle[i].n;
	x->by = weft__arena_alloc(a, all, sizeof(*x->by));
	x->rank = weft__arena_zalloc(a, all, sizeof(*x->rank));
	if (weft__arena_failed(a))
		return -ENOMEM;
	for (uint32_t i = 0; i < out->ncycles; i++) {
		struct weft_cycle *c = &out->cycle[i];

		c->by = calloc(c->n, sizeof(*c->by));
		if (!c->by)
			return -ENOMEM;
		for (uint32_t k = 0; k < c->n; k++) {
			uint32_t e = find_edge(x, cycle_vertex(x, c, k),
					       cycle_vertex(x, c, k + 1));

			x->shown[e] = n;
			x->by[n++] = &c->by[k];
		}
	}
	return 0;
}

static int count_way(const struct weft__proof_way *way, void *context)
{
	struct explain *x = context;

	x->r->out->remedy.routes++;
	for (uint32_t i = 1; i < way->n; i++) {
		uint32_t e = find_edge(x, way->vertex[i - 1], way->vertex[i]);
		uint32_t shown;

		if (e == WEFT_NONE)
			continue;
		x->graph.weight[e]++;
		shown = x->shown[e];
		if (shown == WEFT_NONE || x->rank[shown] >= way->rank)
			continue;
		x->rank[shown] = way->rank;
		*x->by[shown] = way->by;
	}
	return 0;
}

/* --- the choice ----------------------------------------------------------- */

/* Returns true if the route makes only dependencies that were kept. */
static bool stays(const struct explain *x, const struct weft__proof_way *way)
{
	for (uint32_t i = 1; i < way->n; i++) {
		uint32_t e = find_edge(x, way->vertex[i - 1], way->vertex[i]);

		if (e != WEFT_NONE && !x->stay.kept[e])
			return false;
	}
	return true;
}

static int use_way(const struct weft__proof_way *way, void *context)
{
	struct explain *x = context;

	if (!stays(x, way))
		return 0;
	for (uint32_t i = 1; i < way->n; i++) {
		uint32_t e = find_edge(x, way->vertex[i - 1], way->vertex[i]);

		if (e != WEFT_NONE)
			x->used[e] = true;
	}
	return 0;
}

/* Keeps the heaviest dependencies, and of these only those that are made by
 * routes which make no others. */
static int keep_heaviest(struct explain *x)
{
	const struct weft__weighted *g = &x->graph;
	uint32_t edges = g->first[g->n];
	int err = weft__stay_init(&x->stay, g, EFFORT, x->r->scratch);

	if (!err)
		err = weft__stay_heaviest(&x->stay, x->r->scratch);
	x->used = weft__arena_zalloc(x->r->scratch, edges, sizeof(*x->used));
	if (err || !x->used)
		return -ENOMEM;
	err = weft__proof_ways_each(x->r, use_way, x);
	memcpy(x->stay.kept, x->used, edges * sizeof(*x->used));
	return err;
}

/*
 * Keeps a route if it closes no cycle with those that are kept.  Returns 0 if
 * it stays, else the place on the way after its first dependency that cannot.
 */
static uint32_t try_way(struct explain *x, const struct weft__proof_way *way)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i < way->n; i++) {
		uint32_t v = way->vertex[i - 1];
		uint32_t e = find_edge(x, v, way->vertex[i]);

		if (e == WEFT_NONE || x->stay.kept[e])
			continue;
		if (weft__stay_keep(&x->stay, x->place[v], e)) {
			x->added[n++] = e;
			continue;
		}
		while (n)
			x->stay.kept[x->added[--n]] = false;
		return i;
	}
	return 0;
}

/* --- the list ------------------------------------------------------------- */

static int store_turn(struct explain *x, uint32_t e, uint32_t v, uint32_t w)
{
	struct weft_remedy *out = &x->r->out->remedy;
	uint32_t nch = x->r->cdg.nch;
	int err = weft__grow(&out->turn, &x->turns, out->nturns + 1ull);

	if (err)
		return err;
	x->turn[e] = out->nturns;
	out->turn[out->nturns++] = (struct weft_turn){
		.from = v % nch, .from_vl = v / nch,
		.to = w % nch, .to_vl = w / nch,
	};
	return 0;
}

static int store_route(struct explain *x, const struct weft_route *route,
		       uint32_t turn)
{
	struct weft_remedy *out = &x->r->out->remedy;
	int err = weft__grow(&out->moved, &x->room, out->nmoved + 1ull);

	if (err)
		return err;
	out->lids += !out->nmoved ||
		out->moved[out->nmoved - 1].lid != route->lid;
	out->switches += !x->switches[route->sw];
	x->switches[route->sw] = true;
	out->moved[out->nmoved] = *route;
	out->moved[out->nmoved++].turn = turn;
	out->turn[turn].routes++;
	return 0;
}

/* Adds a route to the lane of those that move. */
static void add_moved(struct explain *x, const struct weft__proof_way *way)
{
	const struct weft_fabric *f = x->r->fabric;
	uint32_t nch = x->r->cdg.nch;

	for (uint32_t i = 1; i < way->n; i++) {
		uint32_t v = way->vertex[i - 1] % nch;

		weft__cdg_add(&x->moved, v, 0, way->vertex[i] % nch -
			      f->first_channel[f->peer[v]]);
	}
}

static int list_way(const struct weft__proof_way *way, void *context)
{
	struct explain *x = context;
	uint32_t i = try_way(x, way), e;
	int err = 0;

	if (!i)
		return 0;
	e = find_edge(x, way->vertex[i - 1], way->vertex[i]);
	if (x->turn[e] == WEFT_NONE)
		err = store_turn(x, e, way->vertex[i - 1], way->vertex[i]);
	if (err)
		return err;
	add_moved(x, way);
	return store_route(x, &way->route, x->turn[e]);
}

static int list_moved(struct explain *x)
{
	struct weft_arena *a = x->r->scratch;
	uint32_t nch = x->r->cdg.nch, edges = x->graph.first[x->graph.n];
	uint32_t *rest = weft__arena_alloc(a, nch, sizeof(*rest));
	uint32_t *degree = weft__arena_alloc(a, nch, sizeof(*degree));
	int err;

	x->turn = weft__arena_alloc(a, edges, sizeof(*x->turn));
	x->switches = weft__arena_zalloc(a, x->r->fabric->nsw,
					 sizeof(*x->switches));
	if (!rest || !degree || !x->turn || !x->switches ||
	    weft__cdg_init(&x->moved, x->r->fabric, 1, false))
		return -ENOMEM;
	memset(x->turn, 0xff, edges * sizeof(*x->turn));
	err = weft__proof_ways_each(x->r, list_way, x);
	if (!err)
		x->r->out->remedy.one_lane =
			!weft__cdg_rest(&x->moved, rest, degree);
	weft__cdg_free(&x->moved);
	return err;
}

int weft__explain(struct weft__proof_run *r, const struct weft__knots *knots)
{
	struct explain x = { .r = r, .knots = knots };
	int err;

	if (!knots->n)
		return 0;
	err = make_graph(&x);
	if (!err)
		err = show_cycles(&x);
	if (!err)
		err = weft__proof_ways_each(r, count_way, &x);
	if (!err)
		err = keep_heaviest(&x);
	return err ? err : list_moved(&x);
}
