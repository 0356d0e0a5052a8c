// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: psssp, globally balanced shortest paths
 *
 * Idea (Hoefler, Schneider, Lumsdaine: Optimized Routing for Large-Scale
 * InfiniBand Networks, HOTI 2009, section III.A): destinations are routed one
 * after the other; each gets the tree of shortest paths towards it over edges
 * weighted by the number of routes that use them already, and then adds its
 * own routes to the weights.  Weights are per direction.  The initial weight is
 * so high (the paper: P^2) that a path of fewer hops always wins, so every
 * route is minimal.
 *
 * What the paper leaves open, and what is done here:
 * - Order: by ascending GUID of the switch an endport hangs on, then of the
 *   endport; so neighbours on one switch are routed in a row and spread over the
 *   switches above it.  order=guid takes the port GUIDs alone, which where they
 *   are not sorted by place leaves more to later passes (one pass: rack648 0.653
 *   instead of 0.713, avakas 0.782 instead of 0.822; never more than 0.3 %
 *   better).  With LMC > 0 first come the base LIDs of all, then all base LIDs
 *   + 1, and so on, so that base LIDs are routed as with LMC 0.
 * - Ties: among equally loaded ways the neighbour with the lowest GUID, then
 *   the lowest port; in later passes first of all the way taken before.
 *   Parallel cables are edges like any others and so share the load.
 * - The initial weight need not be a number: hop counts from a breadth-first
 *   search decide first, loads only between ways of equal hops.
 * - Sources and destinations that count: all endports, aggregation nodes and
 *   routers included (they do send and receive).  A route from an endport on
 *   the destination's own switch uses no edge.  Switches' own LIDs are routed
 *   last, over the least loaded shortest paths, and add nothing: management
 *   traffic is thin.
 * - Unequal links: the weight of an edge is its load times (fastest link's
 *   rate / its own), so that a link of half the rate carries half the routes.
 * - passes=N: in each further pass every destination's routes are taken out of
 *   the weights and it is routed anew, in the same order, until a pass changes
 *   nothing or no edge weighs over 3 % more than the mean.  The first
 *   destinations were routed when there was no load to avoid; later passes mend
 *   that.  passes=1 is the paper.  Three is the
 *   default in a subnet manager: on every fabric measured it is within some 0.1 % of
 *   where more passes end (selene-compute 0.597, 0.645, 0.653, 0.654 with 1, 2,
 *   3, 4 passes; 3,456 hosts with shuffled GUIDs 0.613, 0.676, 0.686, 0.686).
 *
 * Structures, all owned by one run (struct psssp): edges are the fabric's
 * adjacency entries (adj index).  For every switch with endports there is a
 * plan: the other switches in order of hops, and for each the edges that lead
 * one hop nearer.  Destinations on one switch share its plan.  choice[]
 * remembers each destination's tree for the next pass and for the tables.
 *
 * Deadlock: not addressed; on anything but trees the result can have credit
 * loops.
 * Complexity: O(switches x cables) for the plans and O(passes x LIDs x E) for
 * the trees, E = the cables that lie on shortest paths to one switch.
 * Memory: at most 2 E bytes per switch with endports, switches bytes per LID.
 */
#include "engines/common.h"

#include "core/arena.h"
#include "engines/trees.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Edges next to each other in a switch's adjacency, all leading nearer. */
struct run {
	uint8_t start, length;
};

/* The shortest-path edges towards one switch. */
struct plan {
	uint32_t n;		/* switches but for the root itself */
	uint32_t *order;	/* [n + 1] the root, then nearest first */
	uint8_t *nruns;		/* [n] runs of each */
	struct run *run;	/* [total] of all, one after the other */
	uint32_t total;
};

struct psssp {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	struct plan *plan;	/* [nsw], empty but for those with endports */
	struct weft__trees trees;
	struct plan scratch;	/* for a switch without endports */
	uint16_t *hops;		/* [nsw] scratch of make_plan() */
	uint32_t *head;		/* [edges] switch an edge leads to */
	uint64_t *weight;	/* [edges] routes over it x scale, plus its
				 * position in the switch's adjacency */
	uint32_t *scale;	/* [edges] what one route weighs */
	uint64_t *distance;	/* [nsw] weight on the way to the destination */
	uint32_t *through;	/* [nsw] routes that pass through a switch */
	uint32_t *sources;	/* [nsw] endports on a switch */
};

/* Below a route's weight is a byte for find_tree(), the edge's position. */
static bool prepare_edges(struct psssp *p)
{
	const struct weft_fabric *f = p->f;
	uint32_t nedges = f->adj_first[f->nsw];

	p->weight = weft__arena_alloc(p->arena, nedges, sizeof(*p->weight));
	if (!p->weight || !weft__edges_list(f, p->arena, &p->head, &p->scale))
		return false;
	for (uint32_t s = 0; s < f->nsw; s++) {
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			p->weight[e] = e - f->adj_first[s];
			p->scale[e] <<= 8;
		}
	}
	return true;
}

static bool prepare_switches(struct psssp *p)
{
	const struct weft_fabric *f = p->f;

	p->plan = weft__arena_zalloc(p->arena, f->nsw, sizeof(*p->plan));
	p->distance = weft__arena_alloc(p->arena, f->nsw,
					sizeof(*p->distance));
	p->through = weft__arena_alloc(p->arena, f->nsw, sizeof(*p->through));
	p->sources = weft__arena_alloc(p->arena, f->nsw, sizeof(*p->sources));
	if (!p->plan || !p->distance || !p->through || !p->sources)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		p->sources[s] = f->sw_ep_first[s + 1] - f->sw_ep_first[s];
	return true;
}

/* Writes the runs of switch s's edges that lead nearer; returns how many. */
static unsigned nearer_edges(const struct weft_fabric *f, const uint16_t *hops,
			     uint32_t s, struct run *run)
{
	const uint32_t *adj = f->adj + f->adj_first[s];
	uint32_t n = f->adj_first[s + 1] - f->adj_first[s];
	unsigned nruns = 0;
	bool inside = false;

	for (uint32_t i = 0; i < n; i++) {
		bool nearer = hops[f->peer[adj[i]]] < hops[s];

		if (nearer && !inside)
			run[nruns++] = (struct run){ .start = i };
		if (nearer)
			run[nruns - 1].length++;
		inside = nearer;
	}
	return nruns;
}

/* The plan for one switch, into p->scratch. */
static void make_plan(struct psssp *p, uint32_t root)
{
	const struct weft_fabric *f = p->f;
	struct plan *plan = &p->scratch;
	uint32_t total = 0;

	plan->n = weft__bfs(f, root, p->hops, plan->order) - 1;
	for (uint32_t i = 0; i < plan->n; i++) {
		plan->nruns[i] = nearer_edges(f, p->hops, plan->order[i + 1],
					      plan->run + total);
		total += plan->nruns[i];
	}
	plan->total = total;
}

/* Room for a plan of n switches and total runs. */
static bool alloc_plan(struct psssp *p, struct plan *plan, uint32_t n,
		       uint32_t total)
{
	plan->order = weft__arena_alloc(p->arena, n + 1ull,
					sizeof(*plan->order));
	plan->nruns = weft__arena_alloc(p->arena, n, 1);
	plan->run = weft__arena_alloc(p->arena, total, sizeof(*plan->run));
	return plan->order && plan->nruns && plan->run;
}

static bool keep_plan(struct psssp *p, struct plan *plan)
{
	const struct plan *from = &p->scratch;

	if (!alloc_plan(p, plan, from->n, from->total))
		return false;
	plan->n = from->n;
	plan->total = from->total;
	memcpy(plan->order, from->order, (from->n + 1) * sizeof(*plan->order));
	memcpy(plan->nruns, from->nruns, from->n);
	memcpy(plan->run, from->run, from->total * sizeof(*plan->run));
	return true;
}

static bool make_plans(struct psssp *p)
{
	const struct weft_fabric *f = p->f;

	p->hops = weft__arena_alloc(p->arena, f->nsw, sizeof(*p->hops));
	if (!p->hops ||
	    !alloc_plan(p, &p->scratch, f->nsw, f->adj_first[f->nsw]))
		return false;
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!p->sources[s])
			continue;
		make_plan(p, s);
		if (!keep_plan(p, &p->plan[s]))
			return false;
	}
	return true;
}

/*
 * The kernel: the least loaded shortest-path tree to a destination.  distance[]
 * of a switch is the sum of weights from there; the nearest come first, so that
 * the heads' distances are known.  A weight's low byte is the edge's position,
 * so that one minimum finds the least weight and its edge, the lowest among
 * equals, without a branch.  again: choice[] holds an earlier tree, whose edges
 * stay where they are among the best; returns whether one did not.
 */
static bool find_tree(struct psssp *p, const struct plan *plan, uint8_t *choice,
		      bool again)
{
	const struct run *run = plan->run;
	uint64_t *distance = p->distance;
	bool changed = false;

	distance[plan->order[0]] = 0;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];
		uint64_t best = UINT64_MAX;

		for (unsigned n = plan->nruns[i]; n; n--, run++) {
			uint32_t e = p->f->adj_first[s] + run->start;
			uint32_t end = e + run->length;

			for (; e < end; e++) {
				uint64_t d = distance[p->head[e]] +
					     p->weight[e];

				best = d < best ? d : best;
			}
		}
		distance[s] = best & ~(uint64_t)0xff;
		if (again) {
			uint32_t e = p->f->adj_first[s] + choice[s];

			if (((distance[p->head[e]] + p->weight[e]) ^ best) <=
			    UINT8_MAX)
				continue;
			changed = true;
		}
		choice[s] = best & 0xff;
	}
	return changed;
}

/* Adds (sign 1) or takes out (sign -1, modulo 2^64) the routes of a tree,
 * farthest switches first. */
static void add_routes(struct psssp *p, const struct weft__tree *dest,
		       uint64_t sign)
{
	const struct plan *plan = &p->plan[dest->root];
	uint32_t *through = p->through;

	memcpy(through, p->sources, p->f->nsw * sizeof(*through));
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i];
		uint32_t e = p->f->adj_first[s] + dest->choice[s];

		p->weight[e] += sign * through[s] * p->scale[e];
		through[p->head[e]] += through[s];
	}
}

/* Whether no edge weighs over 3 % more than the mean: nothing to mend. */
static bool even(const struct psssp *p)
{
	uint32_t nedges = p->f->adj_first[p->f->nsw];
	uint64_t most = 0, sum = 0;

	for (uint32_t e = 0; e < nedges; e++) {
		uint64_t w = p->weight[e] >> 8;

		most = w > most ? w : most;
		sum += w;
	}
	return most * 100.0 * nedges <= sum * 103.0;
}

static void route_endports(struct psssp *p, long passes)
{
	for (long pass = 0; pass < passes; pass++) {
		bool changed = false;

		for (uint32_t d = 0; d < p->trees.nendports; d++) {
			const struct weft__tree *dest = &p->trees.tree[d];

			if (pass)
				add_routes(p, dest, -UINT64_C(1));
			changed |= find_tree(p, &p->plan[dest->root],
					     dest->choice, pass);
			add_routes(p, dest, 1);
		}
		if ((pass && !changed) || even(p))
			break;
	}
}

static void route_switches(struct psssp *p)
{
	for (uint32_t d = p->trees.nendports; d < p->trees.n; d++) {
		const struct weft__tree *dest = &p->trees.tree[d];
		const struct plan *plan = &p->plan[dest->root];

		if (!p->sources[dest->root]) {
			make_plan(p, dest->root);
			plan = &p->scratch;
		}
		find_tree(p, plan, dest->choice, false);
	}
}

static int psssp_route(const struct weft_fabric *f,
		       const struct weft_options *options,
		       struct weft_routes *out, struct weft_diag *diag)
{
	struct psssp p = { .f = f };
	struct weft_lft lft;
	int err = weft__require_connected(f, diag);

	if (err)
		return err;
	p.arena = weft__arena_new();
	if (!p.arena || !prepare_edges(&p) || !prepare_switches(&p) ||
	    !weft__trees_list(f, p.arena, weft__endport_order(f, options),
			      &p.trees) || !make_plans(&p)) {
		err = -ENOMEM;
	} else {
		route_endports(&p, weft_options_int(options, "passes"));
		route_switches(&p);
		err = weft__trees_fill(f, &p.trees, &lft);
	}
	weft__arena_free(p.arena);
	if (err)
		return weft_fail(diag, -err, "out of memory");
	out->lft = lft;
	weft_layers_init(&out->layers);
	return 0;
}

static const struct weft_option psssp_options[] = {
	{ .name = "passes", .type = WEFT_OPT_INT, .preset = "1",
	  .min = 1, .max = 1000,
	  .help = "how often every destination is routed; 1 is the paper" },
	WEFT__ORDER_OPTION,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_psssp = {
	.name = "psssp",
	.summary = "globally balanced shortest paths (P-SSSP, 2009)",
	.options = psssp_options,
	.sm_preset = "passes=3",
	.route = psssp_route,
};
