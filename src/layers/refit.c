// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: refit, different routes within the same lanes
 *
 * One tree for each switch has found its lanes.  If all LIDs on the switch
 * shared it, few cables would carry what many could.  So each LID gets a tree
 * of its own, grown from the switch outwards: of its ports on a shortest way, a
 * switch sends by the one whose way has the least load, added up over channels,
 * if the lane of the pair stays acyclic with that, else by the next one.  If
 * there is none, all switches on the way along the switch's own tree are pinned
 * to that tree, and the LID's tree grows anew; pinned ways are in the lanes
 * already.  After a few such rounds the LID takes the switch's tree.
 *
 * Most of the time goes into changing the order of the CDG edge by edge.  After
 * a share of the effort it stays as it is, and edges must run forward in it.
 *
 * Deadlock: each lane is acyclic after each route added.
 *
 * Complexity: O(LIDs x switches x hops) insertions into the CDG for each round,
 * most of them of edges that are there.
 */
#include "graph/bfs.h"
#include "layers/narrow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 6
#define ORDER_SHARE 16	/* part of the effort to change the order */

struct refit {
	const struct weft__job *job;
	struct weft__base *base;
	const struct weft_fabric *f;
	uint32_t n;
	uint64_t *load;		/* [channels] routes of LIDs so far */
	uint8_t *pinned;	/* [n] sends as the switch's own tree does */
	uint8_t *added;		/* [n] its route is in a lane */

	/* of the current LID */
	uint32_t b;		/* its switch */
	const uint8_t *shared;	/* [n] the switch's tree */
	uint8_t *tree;		/* [n] */
	uint64_t *cost;		/* [n] loads on the way to b, added up */
};

static bool add_route(struct refit *r, uint32_t s, uint8_t port)
{
	r->tree[s] = port;
	return weft__packing_add(&r->base->packing, r->tree, s,
				 r->base->found.lane[(size_t)s * r->n + r->b]);
}

/* Returns the least loaded port that was not tried yet, or 0. */
static uint8_t next_best(const struct refit *r, uint32_t s,
			 const uint64_t *tried)
{
	const struct weft_fabric *f = r->f;
	uint32_t best = 0, first = f->first_channel[s];
	uint64_t least = UINT64_MAX;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t ch = f->adj[e], port = ch - first;
		uint64_t cost = r->load[ch] + r->cost[f->peer[ch]];

		if (tried[port / 64] >> port % 64 & 1 ||
		    !weft__is_nearer(r->base->ways, f, ch, s, r->b) ||
		    cost >= least)
			continue;
		best = port;
		least = cost;
	}
	return best;
}

/* Has s send by the best port that its lane allows. */
static bool choose_port(struct refit *r, uint32_t s)
{
	uint64_t tried[4] = { 0 };
	uint8_t port;

	if (r->pinned[s])
		return add_route(r, s, r->shared[s]);
	while ((port = next_best(r, s, tried))) {
		if (add_route(r, s, port))
			return true;
		tried[port / 64] |= 1ull << port % 64;
	}
	r->tree[s] = r->shared[s];
	return false;
}

static void pin_way(struct refit *r, uint32_t s)
{
	for (; r->shared[s] && !r->pinned[s];
	     s = r->f->peer[weft_channel(r->f, s, r->shared[s])])
		r->pinned[s] = 1;
}

static void remove_all(struct refit *r)
{
	for (uint32_t s = 0; s < r->n; s++)
		if (r->added[s])
			weft__packing_remove(
				&r->base->packing, r->tree, s,
				r->base->found.lane[(size_t)s * r->n + r->b]);
}

/* Tries to grow the tree.  If that fails, pins more switches and returns
 * false. */
static bool grow_tree(struct refit *r)
{
	const struct weft__near *w = r->base->ways;
	const uint16_t *hops = w->hops + (size_t)r->b * r->n;
	const uint32_t *order = w->order + (size_t)r->b * r->n;
	bool whole = true;

	memset(r->tree, 0, r->n);
	memset(r->added, 0, r->n);
	r->cost[r->b] = 0;
	for (uint32_t i = 1; i < r->n && hops[order[i]] != WEFT__FAR; i++) {
		uint32_t s = order[i], ch;

		if (r->base->found.lane[(size_t)s * r->n + r->b] ==
		    WEFT__UNPLACED) {
			r->tree[s] = r->shared[s];
		} else if (choose_port(r, s)) {
			r->added[s] = 1;
		} else {
			pin_way(r, s);
			whole = false;
		}
		ch = weft_channel(r->f, s, r->tree[s]);
		r->cost[s] = r->load[ch] + r->cost[r->f->peer[ch]];
	}
	if (!whole)
		remove_all(r);
	return whole;
}

static void fit_tree(struct refit *r, uint32_t k)
{
	unsigned round = 0;

	r->b = r->job->traffic.home[k];
	r->tree = weft__tree_ports(&r->job->traffic, k);
	r->shared = weft__tree_ports(&r->base->job.traffic, r->b);
	memset(r->pinned, 0, r->n);
	while (round < MAX_ROUNDS && !grow_tree(r))
		round++;
	if (round == MAX_ROUNDS)
		memcpy(r->tree, r->shared, r->n);
}

/* Fits the i-th tree of each switch that has that many.  Returns true if there
 * was one. */
static bool fit_some(struct refit *r, uint32_t i)
{
	const struct weft__traffic *t = &r->job->traffic;
	bool any = false;

	for (uint32_t s = 0; s < t->nsw; s++) {
		uint32_t k;

		if (t->first[s] + i >= t->first[s + 1])
			continue;
		any = true;
		k = t->live[t->first[s] + i];
		fit_tree(r, k);
		if (!t->thin[k])
			weft__tree_measure(t, k, r->load);
	}
	return any;
}

int weft__refit(struct weft__job *job, struct weft__base *base)
{
	size_t n = job->fabric->nsw;
	struct refit r = {
		.job = job, .base = base, .f = job->fabric, .n = n,
		.pinned = malloc(n + 1), .added = malloc(n + 1),
		.cost = malloc((n + 1) * sizeof(*r.cost)),
		.load = calloc(job->fabric->first_injection + 1ull,
			       sizeof(*r.load)),
	};
	int err = r.pinned && r.added && r.cost && r.load ? 0 : -ENOMEM;

	base->packing.order.work_limit =
		base->packing.order.work + job->effort / ORDER_SHARE;
	for (uint32_t i = 0; !err && fit_some(&r, i); i++)
		;
	free(r.pinned);
	free(r.added);
	free(r.cost);
	free(r.load);
	return err;
}
