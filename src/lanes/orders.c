// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Chooses an order of the switches for each lane; see orders.h. */
#include "lanes/orders.h"

#include "core/arena.h"
#include "lanes/order_candidates.h"

#include <string.h>

#define MAX_AROUND 24		/* candidates by closeness to hosts nearby */
#define SAMPLED (1u << 16)	/* switches times sampled destinations, */
#define LEAST_SAMPLES 64	/* but at least so many destinations, */
#define MOST_SAMPLES 512	/* and at most so many */

struct chooser {
	const struct weft_fabric *f;
	struct weft__ways *ways;
	struct weft__orders *orders;
	struct weft__order_candidates list;
	uint16_t *chosen_up;	/* [edges] bit: lane in which it climbs */
	uint64_t *legal, *down;	/* [nsw] candidates by which a switch has a
				 * legal way, and one that only descends, to the
				 * current destination */
	uint64_t *pair;		/* [npairs] candidates that serve the pair */
	uint64_t npairs;
	uint8_t *served;	/* [npairs] chosen candidates that serve it */
	uint32_t nsamples;	/* destinations sampled, at most */
};

static void list_candidates(struct weft__order_candidates *c)
{
	weft__candidates_close(c, MAX_AROUND);
	weft__candidates_hops(c, WEFT__CANDIDATES);
}

/* Finds the candidates by which each switch has a legal minimal way to the root
 * of the plan. */
static void find_legal(struct chooser *c, const struct weft__plan *plan)
{
	const struct weft__run *run = plan->run;

	c->legal[plan->order[0]] = c->down[plan->order[0]] = UINT64_MAX;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];
		uint64_t down = 0, legal = 0;

		for (unsigned n = plan->nruns[i]; n; n--, run++) {
			uint32_t e = c->f->adj_first[s] + run->start;

			for (uint32_t end = e + run->length; e < end; e++) {
				uint32_t t = c->ways->head[e];

				down |= c->down[t] & ~c->list.up[e];
				legal |= c->legal[t] & c->list.up[e];
			}
		}
		c->down[s] = down;
		c->legal[s] = down | legal;
	}
}

static void list_pairs(struct chooser *c)
{
	const struct weft_fabric *f = c->f;
	uint32_t step = c->list.nhomes / c->nsamples + 1;

	for (uint32_t i = 0; i < c->list.nhomes; i += step) {
		find_legal(c, weft__ways_to(c->ways, c->list.home[i]));
		for (uint32_t s = 0; s < f->nsw; s++)
			if (c->list.close->hosts[s])
				c->pair[c->npairs++] = c->legal[s];
	}
}

/* Returns the candidate that serves most pairs.  A pair that k chosen
 * candidates serve already counts 4^-k. */
static unsigned best_candidate(const struct chooser *c, uint64_t chosen)
{
	uint64_t score[WEFT__CANDIDATES] = { 0 };
	unsigned best = 0;

	for (uint64_t i = 0; i < c->npairs; i++)
		for (uint64_t left = c->pair[i] & ~chosen; left;
		     left &= left - 1)
			score[__builtin_ctzll(left)] +=
				UINT64_C(1) << 30 >> 2 * c->served[i];
	while (best + 1 < c->list.n && chosen >> best & 1)
		best++;
	for (unsigned i = 0; i < c->list.n; i++)
		if (!(chosen >> i & 1) && score[i] > score[best])
			best = i;
	return best;
}

static void choose_orders(struct chooser *c)
{
	uint32_t nedges = c->f->adj_first[c->f->nsw];
	uint64_t chosen = 0;

	for (unsigned k = 0; k < c->orders->n; k++) {
		unsigned best = k ? best_candidate(c, chosen) : 0;

		chosen |= UINT64_C(1) << best;
		c->orders->top[k] = c->list.top[best];
		for (uint64_t i = 0; i < c->npairs; i++)
			c->served[i] += c->pair[i] >> best & 1;
		for (uint32_t e = 0; e < nedges; e++)
			c->chosen_up[e] |= (c->list.up[e] >> best & 1) << k;
	}
}

static bool alloc(struct chooser *c, const struct weft__closeness *close,
		  struct weft_arena *arena)
{
	uint32_t nsw = c->f->nsw, nedges = c->f->adj_first[nsw], nhomes;
	size_t npairs;

	if (!weft__candidates_init(&c->list, c->f, close, arena))
		return false;
	nhomes = c->list.nhomes;
	npairs = (size_t)nhomes * (nhomes < c->nsamples ? nhomes : c->nsamples);
	c->chosen_up = weft__arena_zalloc(arena, nedges,
					  sizeof(*c->chosen_up));
	c->legal = weft__arena_alloc(arena, nsw, sizeof(*c->legal));
	c->down = weft__arena_alloc(arena, nsw, sizeof(*c->down));
	c->pair = weft__arena_alloc(arena, npairs, sizeof(*c->pair));
	c->served = weft__arena_zalloc(arena, npairs, 1);
	return c->chosen_up && c->legal && c->down && c->pair && c->served;
}

void weft__orders_adapt(struct weft__orders *o, const struct weft__order *now)
{
	const struct weft_fabric *f = o->fabric;
	uint32_t nch = now->cdg.nch;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		uint16_t *turn = weft__turns_from(&o->turns, e);
		uint32_t t = f->peer[f->adj[e]];
		const uint32_t *to = f->adj + f->adj_first[t];
		uint32_t n = f->adj_first[t + 1] - f->adj_first[t];

		memset(turn, 0, n * sizeof(*turn));
		for (uint32_t k = 0; k < o->n; k++) {
			const uint32_t *position = now->position + k * nch;
			uint32_t from = position[f->adj[e]];

			for (uint32_t i = 0; i < n; i++)
				turn[i] |= (from < position[to[i]]) << k;
		}
		for (uint32_t i = 0; i < n; i++)
			turn[i] &= weft__turns_room(&o->turns, e);
	}
}

/* Returns how many destinations make about the same work on any fabric. */
static uint32_t count_samples(const struct weft_fabric *f)
{
	uint32_t n = SAMPLED / (f->nsw + 1);

	n = n < LEAST_SAMPLES ? LEAST_SAMPLES : n;
	return n < MOST_SAMPLES ? n : MOST_SAMPLES;
}

double weft__orders_work(const struct weft_fabric *f)
{
	double edges = f->adj_first[f->nsw], homes = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		homes += f->sw_ep_first[s] != f->sw_ep_first[s + 1];
	/* searches from all switches; the sums of hops of some candidates;
	 * ways to the samples and edges of all candidates */
	return homes * (edges + MAX_AROUND / 8.0 * f->nsw) +
	       edges * (count_samples(f) + WEFT__CANDIDATES);
}

bool weft__orders_choose(struct weft__orders *orders,
			 struct weft__ways *minimal,
			 const struct weft__closeness *close, unsigned lanes,
			 struct weft_arena *arena)
{
	struct chooser c = {
		.f = minimal->fabric, .ways = minimal, .orders = orders,
		.nsamples = count_samples(minimal->fabric),
	};

	*orders = (struct weft__orders){ .fabric = c.f, .n = lanes };
	if (!alloc(&c, close, arena) ||
	    !weft__turns_init(&orders->turns, c.f, arena))
		return false;
	list_candidates(&c.list);
	list_pairs(&c);
	if (orders->n > c.list.n)
		orders->n = c.list.n;
	choose_orders(&c);
	weft__turns_climb(&orders->turns, c.chosen_up);
	return true;
}
