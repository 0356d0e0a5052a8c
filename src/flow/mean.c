// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: what streams get in the mean
 *
 * Streams that have no more than their weight each of a link's bandwidth get
 * the most together if the short ones go first.  By prices that sum up to 1
 * over all capacity, at any level t of them: what a stream gets either pays for
 * the cables it takes, t in all, or is given to it, up to its weight, where its
 * cheapest way costs less than it is worth (the dual of the linear program).
 * That bounds the sum for every t; the best t is taken.
 */
#include "flow/flow.h"

#include "core/arena.h"
#include "flow/net.h"

#include <math.h>

#define STEPS 80	/* of the search, each of which leaves 2/3 */

/* The price of an edge as an integer; what the sum of all is. */
static double to_integers(const struct weft_fabric *f,
			  const struct weft__flow_net *net, const double *price,
			  double *of_edge, uint64_t *price_back)
{
	double most = 0, all = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		of_edge[net->edge[i]] = price[f->adj[i]];
		most = fmax(most, price[f->adj[i]]);
	}
	for (uint32_t e = 0; e < net->nedges; e++) {
		uint64_t p = 1;

		if (most > 0)
			p += of_edge[e] / most * 0x1p40;
		price_back[net->back[e]] = p;
		all += p * net->capacity[e];
	}
	return all;
}

struct streams {
	double *cost;		/* [n] of all that a stream sends at a share of
				 * 1 by the cheapest way; INFINITY: no way */
	double *weight;		/* [n] both in the order of by_sw[] */
	uint32_t *by_sw;	/* [n] which stream it is, by switches sent
				 * to: */
	uint32_t *first;	/* [nsw + 1] */
	uint32_t n;
};

/* The bound at a level of prices. */
static double bound_at(const struct streams *s, double t)
{
	double sum = t;

	for (uint32_t i = 0; i < s->n; i++)
		sum += fmax(0, s->weight[i] - t * s->cost[i]);
	return sum;
}

/* It is convex in t: the least is found by thirds. */
static double least_bound(const struct streams *s, double all)
{
	double low = 0, high = all;

	for (unsigned i = 0; i < STEPS; i++) {
		double a = low + (high - low) / 3, b = high - (high - low) / 3;

		if (bound_at(s, a) <= bound_at(s, b))
			high = b;
		else
			low = a;
	}
	return fmin(all, bound_at(s, low));
}

/* Finds what each stream costs, by the switches they go to. */
static void find_costs(const struct weft_fabric *f, struct streams *s,
		       const struct weft__flow_pair *pair,
		       const struct weft__flow_net *net,
		       struct weft__flow_net_tree *tree,
		       const uint64_t *price_back, double all)
{
	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		if (s->first[sw] == s->first[sw + 1])
			continue;
		weft__flow_net_search(net, sw, price_back, tree);
		for (uint32_t k = s->first[sw]; k < s->first[sw + 1]; k++) {
			const struct weft__flow_pair *p = &pair[s->by_sw[k]];
			uint64_t d = tree->distance[f->ep[p->from].sw];

			s->weight[k] = p->weight;
			/* where no cable is, all is 0, too */
			s->cost[k] = !d ? 0 :
				d == WEFT__FLOW_NET_FAR ? INFINITY :
				p->weight * d / all *
				weft__flow_rate(f, p->from, p->to);
		}
	}
}

/* Lists streams by the switch that they go to. */
static void sort_streams(const struct weft_fabric *f, struct streams *s,
			 const struct weft__flow_pair *pair)
{
	for (uint32_t i = 0; i < s->n; i++)
		s->first[f->ep[pair[i].to].sw + 1]++;
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		s->first[sw + 1] += s->first[sw];
	for (uint32_t i = 0; i < s->n; i++)
		s->by_sw[s->first[f->ep[pair[i].to].sw]++] = i;
	for (uint32_t sw = f->nsw; sw; sw--)
		s->first[sw] = s->first[sw - 1];
	s->first[0] = 0;
}

int weft__flow_mean(const struct weft_fabric *f,
		    const struct weft__flow_pair *pair, uint32_t n,
		    const double *price, double *share)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft__flow_net net;
	struct weft__flow_net_tree tree;
	size_t edges = f->adj_first[f->nsw];
	struct streams s = {
		.n = n,
		.cost = weft__arena_alloc(arena, n, sizeof(*s.cost)),
		.weight = weft__arena_alloc(arena, n, sizeof(*s.weight)),
		.by_sw = weft__arena_alloc(arena, n, sizeof(*s.by_sw)),
		.first = weft__arena_zalloc(arena, f->nsw + 1ull,
					    sizeof(*s.first)),
	};
	uint64_t *price_back = weft__arena_alloc(arena, edges,
						 sizeof(*price_back));
	double *of_edge = weft__arena_alloc(arena, edges, sizeof(*of_edge));
	double all, sum = 0;
	int err = weft__arena_error(arena);

	if (!err)
		err = weft__flow_net_init(&net, f, arena);
	if (!err)
		err = weft__flow_net_tree_init(&tree, &net, arena);
	if (!err) {
		all = to_integers(f, &net, price, of_edge, price_back);
		sort_streams(f, &s, pair);
		find_costs(f, &s, pair, &net, &tree, price_back, all);
		for (uint32_t i = 0; i < n; i++)
			sum += pair[i].weight;
		*share = sum > 0 ? least_bound(&s, sum) / sum : 1;
	}
	weft__arena_free(arena);
	return err;
}
