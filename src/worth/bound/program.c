// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Puts a flow into words that a solver of linear programs can use. */
#include "worth/bound/bound.h"

#include "core/arena.h"
#include "flow/net.h"

#include <errno.h>

struct program {
	const struct weft__flow_demand *d;
	struct weft__flow_net net;
	struct weft__flow_net_tree tree;
	uint64_t *one;		/* [nedges] the price of an edge */
	uint32_t *number;	/* [nsw] of a switch as goal, or WEFT_NONE */
	uint32_t *goal;		/* [ngoals] */
	uint32_t ngoals;
	double *send;		/* [ngoals][nsw] */
	double widest;		/* Mbit/s of the widest edge, which are 1 */
};

/* Goals at one switch are one. */
static void number_goals(struct program *p)
{
	for (uint32_t s = 0; s < p->net.nsw; s++)
		p->number[s] = WEFT_NONE;
	for (uint32_t g = 0; g < p->d->ngoals; g++) {
		uint32_t s = p->d->goal[g];

		if (p->number[s] != WEFT_NONE)
			continue;
		p->number[s] = p->ngoals;
		p->goal[p->ngoals++] = s;
	}
}

/* What has no way is left out. */
static void sum_demand(struct program *p)
{
	const struct weft__flow_demand *d = p->d;

	for (uint32_t g = 0; g < d->ngoals; g++) {
		double *send = p->send +
			       (size_t)p->number[d->goal[g]] * p->net.nsw;

		weft__flow_net_search(&p->net, d->goal[g], p->one, &p->tree);
		for (uint32_t i = d->first[d->row[g]];
		     i < d->first[d->row[g] + 1]; i++) {
			uint32_t s = d->source[i];

			if (s != d->goal[g] &&
			    p->tree.distance[s] != WEFT__FLOW_NET_FAR)
				send[s] += d->scale[g] * d->amount[i] /
					   p->widest;
		}
	}
}

static void scale_edges(struct program *p)
{
	for (uint32_t e = 0; e < p->net.nedges; e++)
		if (p->net.capacity[e] > p->widest)
			p->widest = p->net.capacity[e];
	for (uint32_t e = 0; e < p->net.nedges; e++) {
		p->net.capacity[e] /= p->widest;
		p->one[e] = 1;
	}
}

static int make(struct program *p, const struct weft_fabric *f,
		uint64_t solvable, struct weft_arena *arena)
{
	int err = weft__flow_net_init(&p->net, f, arena);

	if (!err)
		err = weft__flow_net_tree_init(&p->tree, &p->net, arena);
	p->one = weft__arena_alloc(arena, f->adj_first[f->nsw],
				   sizeof(*p->one));
	p->number = weft__arena_alloc(arena, f->nsw, sizeof(*p->number));
	p->goal = weft__arena_alloc(arena, f->nsw, sizeof(*p->goal));
	if (err || weft__arena_failed(arena))
		return -ENOMEM;
	number_goals(p);
	if ((uint64_t)p->ngoals * p->net.nedges > solvable)
		return -ENOTSUP;
	p->send = weft__arena_zalloc(arena, (size_t)p->ngoals * f->nsw,
				     sizeof(*p->send));
	if (weft__arena_failed(arena))
		return -ENOMEM;
	scale_edges(p);
	sum_demand(p);
	return 0;
}

int weft__bound_solve(const struct weft_fabric *f,
		      const struct weft_bound_spec *spec,
		      const struct weft__flow_demand *demand, double *share)
{
	struct weft_arena *arena;
	struct program p = { .d = demand };
	int err;

	if (!spec->solve)
		return -ENOTSUP;
	arena = weft__arena_new();
	err = make(&p, f, spec->solvable, arena);
	if (!err) {
		const struct weft_bound_problem problem = {
			.nsw = f->nsw, .nedges = p.net.nedges,
			.ngoals = p.ngoals, .first = p.net.first,
			.head = p.net.head, .capacity = p.net.capacity,
			.goal = p.goal, .send = p.send,
			.most = demand->hosts_allow,
		};

		err = spec->solve(spec->context, &problem, share);
	}
	weft__arena_free(arena);
	return err;
}
