// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: the maximum concurrent flow by prices that grow with what is crowded
 *
 * A flow for each goal, over as many ways as it takes, fixes how crowded each
 * edge is: u, what it carries at a share of 1 over its capacity.  The share
 * that all can have is 1 / max u.  An edge costs exp(a u) / capacity, so that
 * with a large a only those cost anything that are nearly the most crowded. For
 * one goal after the other (several at a time, where memory is short) a part of
 * the flow moves to cheaper ways: as much as makes the sum of exp(a u) least.
 * Once the flow is nearly the best one for this a, a doubles.
 *
 * Moves are of two kinds.  One is all at once to the very cheapest way from
 * each source: it is sure to help where any move does, but needs many rounds to
 * split a flow evenly over many ways.  The other begins with the parts in which
 * each switch sends on now, and shifts from each of its edges to the best one
 * what makes them cost the same, by how much dearer edges get with more flow
 * (Gallager, "A Minimum Delay Routing Algorithm Using Distributed Computation",
 * IEEE Trans. Commun. 25(1), 1977).  It keeps to edges that lead nearer to the
 * goal, by prices, which do not make circles.
 *
 * At prices p, the flow at a share x pays x (sum of demand x cheapest way) at
 * least, and no more than the sum of capacity x p: that bounds x for any flow
 * there is, whatever the prices (the dual of the linear program).  So both
 * bounds are exact however the flow came about, and how near they are to each
 * other decides when to end.
 *
 * Prices that grow exponentially, and a bound from their cheapest ways:
 * Shahrokhi and Matula, "The Maximum Concurrent Flow Problem", J. ACM 37(2),
 * 1990; one commodity at a time, several of one end as one: Klein, Plotkin,
 * Stein, Tardos, "Faster Approximation Algorithms for the Unit Capacity
 * Concurrent Flow Problem", SIAM J. Comput. 23(3), 1994; Fleischer,
 * "Approximating Fractional Multicommodity Flow Independent of the Number of
 * Commodities", SIAM J. Discrete Math. 13(4), 2000.  Those move a fixed part of
 * a flow, which their proofs of run time want; moving the best part takes far
 * fewer rounds.
 *
 * The first flow splits over all ways with the fewest cables; where a fabric is
 * as regular as a torus, that is the best one, and prices prove it at once.
 */
#include "flow/flow.h"

#include "core/arena.h"
#include "flow/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define STEEP_FIRST 16.0 /* a x max u, at first */
#define STEEP_MOST 1e6

/* Sends it on, split over all edges that lead nearer, by their capacities. */
static void spread_tree(struct weft__solver *s, float *flow)
{
	const struct weft__flow_net *net = &s->net;
	const uint64_t *distance = s->tree.distance;

	for (uint32_t i = s->tree.n; --i;) {
		uint32_t at = s->tree.order[i];
		double room = 0;

		for (uint32_t e = net->first[at]; e < net->first[at + 1]; e++)
			if (distance[net->head[e]] < distance[at])
				room += net->capacity[e];
		for (uint32_t e = net->first[at]; e < net->first[at + 1]; e++)
			if (distance[net->head[e]] < distance[at]) {
				double part =
					s->passes[at] / room * net->capacity[e];

				flow[e] += part;
				s->passes[net->head[e]] += part;
			}
	}
}

/* Finds how crowded edges are from the flows, without what rounding adds up to.
 */
static double sum_up(struct weft__solver *s)
{
	const struct weft__flow_net *net = &s->net;
	double most = 0;

	memset(s->u, 0, net->nedges * sizeof(*s->u));
	for (uint32_t b = 0; b < s->nblocks; b++) {
		const float *flow = s->flow + (size_t)b * net->nedges;

		for (uint32_t e = 0; e < net->nedges; e++)
			s->u[e] += flow[e];
	}
	for (uint32_t e = 0; e < net->nedges; e++) {
		s->u[e] *= s->inverse[e];
		if (s->u[e] > most)
			most = s->u[e];
	}
	return most;
}

/* The first flow. */
static void start(struct weft__solver *s)
{
	const struct weft__flow_demand *d = s->demand;
	double sent = 0, lost = 0;

	for (uint32_t e = 0; e < s->net.nedges; e++)
		s->price_back[e] = 1;
	for (uint32_t g = 0; g < d->ngoals; g++) {
		lost += weft__solver_put(s, g, &sent);
		spread_tree(s, s->flow + (size_t)(g / s->per_block) *
						 s->net.nedges);
	}
	s->out->lost = sent > 0 ? lost / sent : 0;
}

/* Finds the bound by the prices there are, and keeps it if it is the best. */
static void look_at_bound(struct weft__solver *s)
{
	const struct weft__flow_demand *d = s->demand;
	const struct weft__flow_net *net = &s->net;
	double all = 0, paid = 0, pays = 0;

	for (uint32_t e = 0; e < net->nedges; e++) {
		double costs = net->capacity[e] * s->price_back[net->back[e]];

		all += costs;
		pays += costs * s->u[e];
	}
	for (uint32_t g = 0; g < d->ngoals; g++) {
		double sum = 0;

		weft__flow_net_search(net, d->goal[g], s->price_back, &s->tree);
		for (uint32_t i = d->first[d->row[g]];
		     i < d->first[d->row[g] + 1]; i++)
			if (s->tree.distance[d->source[i]] !=
			    WEFT__FLOW_NET_FAR)
				sum += d->amount[i] *
				       s->tree.distance[d->source[i]];
		paid += d->scale[g] * sum;
	}
	s->soft = s->top * all / pays;
	s->slack = pays / paid;
	if (!(all < s->out->most * paid))
		return;
	s->out->most = all / paid;
	for (uint32_t e = 0; e < net->nedges; e++)
		s->best[e] = s->price_back[net->back[e]] / all;
}

/* Finds what the flows are good for, and keeps it if it is the best. */
static void look_at_flow(struct weft__solver *s)
{
	s->top = sum_up(s);
	if (!(s->top * s->out->least < 1))
		return;
	s->out->least = 1 / s->top;
	for (uint32_t e = 0; e < s->net.nedges; e++)
		s->best_load[e] = s->u[e] / s->top;
}

static int make_room(struct weft__solver *s, size_t memory,
		     struct weft_arena *scratch)
{
	size_t edges = s->net.nedges;
	size_t rows = memory / ((edges + 1) * sizeof(*s->flow));
	uint32_t ngoals = s->demand->ngoals;

	rows = rows < 1 ? 1 : rows;
	s->per_block = (ngoals + rows - 1) / rows;
	s->per_block += !s->per_block;
	s->nblocks = (ngoals + s->per_block - 1) / s->per_block;
	s->flow = weft__arena_zalloc(scratch, s->nblocks * edges,
				     sizeof(*s->flow));
	s->u = weft__arena_alloc(scratch, edges, sizeof(*s->u));
	s->inverse = weft__arena_alloc(scratch, edges, sizeof(*s->inverse));
	s->weight = weft__arena_alloc(scratch, edges, sizeof(*s->weight));
	s->price_back =
		weft__arena_alloc(scratch, edges, sizeof(*s->price_back));
	s->passes = weft__arena_alloc(scratch, s->net.nsw, sizeof(*s->passes));
	s->cost = weft__arena_alloc(scratch, s->net.nsw, sizeof(*s->cost));
	s->bend = weft__arena_alloc(scratch, s->net.nsw, sizeof(*s->bend));
	s->sum = weft__arena_alloc(scratch, s->net.nsw, sizeof(*s->sum));
	s->best_by =
		weft__arena_alloc(scratch, s->net.nsw, sizeof(*s->best_by));
	s->fresh = weft__arena_alloc(scratch, edges, sizeof(*s->fresh));
	s->moved = weft__arena_alloc(scratch, edges + 1, sizeof(*s->moved));
	s->by = weft__arena_alloc(scratch, edges + 1, sizeof(*s->by));
	s->best = weft__arena_zalloc(scratch, edges, sizeof(*s->best));
	s->best_load =
		weft__arena_zalloc(scratch, edges, sizeof(*s->best_load));
	if (weft__arena_failed(scratch))
		return -ENOMEM;
	for (uint32_t e = 0; e < edges; e++) {
		double room = s->net.capacity[e];

		s->inverse[e] = 1 / room;
		s->scale = room > s->scale ? room : s->scale;
	}
	return 0;
}

#define ROUNDS_BETWEEN 3 /* looks at the bound */

static void run(struct weft__solver *s, const struct weft__flow_budget *budget)
{
	const struct weft__flow_demand *d = s->demand;
	uint64_t each = (uint64_t)d->ngoals * (s->net.nedges + s->net.nsw);
	double steep = STEEP_FIRST;

	for (;;) {
		s->steep = steep / s->top;
		for (uint32_t e = 0; e < s->net.nedges; e++)
			weft__solver_price(s, e);
		look_at_bound(s);
		s->out->rounds++;
		s->out->work += each;
		if (fmin(s->out->most, s->known) <=
			    s->out->least * (1 + budget->gap) ||
		    s->out->work + ROUNDS_BETWEEN * each > budget->work)
			return;
		if (s->slack < s->soft && steep < STEEP_MOST)
			steep *= 2;
		s->steep = steep / s->top;
		for (uint32_t e = 0; e < s->net.nedges; e++)
			weft__solver_price(s, e);
		for (unsigned i = 0; i < ROUNDS_BETWEEN; i++)
			for (uint32_t b = 0; b < s->nblocks; b++)
				weft__solver_move(s, b, !i);
		s->out->rounds += ROUNDS_BETWEEN;
		s->out->work += ROUNDS_BETWEEN * each;
		look_at_flow(s);
	}
}

/* Tells of channels what was found of edges. */
static void tell(const struct weft__solver *s, const struct weft_fabric *f)
{
	struct weft__flow *out = s->out;
	double least = out->least;

	out->most = fmin(out->most, s->known);
	out->least = fmin(least, out->most);
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t e = s->net.edge[i];

		out->price[f->adj[i]] = s->best[e];
		out->load[f->adj[i]] = s->best_load[e] * (out->least / least);
	}
}

int weft__flow_solve(const struct weft_fabric *f,
		     const struct weft__flow_demand *demand,
		     const struct weft__flow_budget *budget,
		     struct weft_arena *arena, struct weft__flow *out)
{
	struct weft_arena *scratch = weft__arena_new();
	struct weft__solver s = { .demand = demand, .out = out };
	int err;

	*out = (struct weft__flow){
		.price = weft__arena_zalloc(arena, f->first_injection,
					    sizeof(*out->price)),
		.load = weft__arena_zalloc(arena, f->first_injection,
					   sizeof(*out->load)),
		.least = demand->hosts_allow,
		.most = demand->hosts_allow,
	};
	err = weft__arena_error(arena);
	if (!err)
		err = weft__flow_net_init(&s.net, f, scratch);
	if (!err)
		err = weft__flow_net_tree_init(&s.tree, &s.net, scratch);
	if (!err)
		err = make_room(&s, budget->memory, scratch);
	if (!err) {
		start(&s);
		s.top = sum_up(&s);
	}
	if (!err && s.top > 0) {
		out->least = 0;
		out->most = DBL_MAX;
		s.known = budget->known > 0 ?
			  fmin(budget->known, demand->hosts_allow) :
			  demand->hosts_allow;
		look_at_flow(&s);
		run(&s, budget);
		tell(&s, f);
	}
	weft__arena_free(scratch);
	return err;
}
