// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Chooses an order of the switches for each lane; see orders.h. */
#include "lanes/orders.h"

#include "core/arena.h"
#include "graph/bfs.h"

#include <string.h>

#define CANDIDATES 64
#define MAX_AROUND 24		/* candidates by closeness to hosts nearby */
#define SAMPLED (1u << 16)	/* switches times sampled destinations, */
#define LEAST_SAMPLES 64	/* but at least so many destinations, */
#define MOST_SAMPLES 512	/* and at most so many */
#define NEAR_WEIGHT 8		/* of hosts nearby; others weigh 1 */

struct chooser {
	const struct weft_fabric *f;
	struct weft__ways *ways;
	const struct weft__closeness *close;
	struct weft__orders *orders;
	uint64_t *up;		/* [edges] bit: candidate in which it climbs */
	uint32_t top[CANDIDATES];	/* first switch of each candidate */
	uint16_t *chosen_up;	/* [edges] bit: lane in which it climbs */
	unsigned n;
	uint64_t *legal, *down;	/* [nsw] candidates by which a switch has a
				 * legal way, and one that only descends, to the
				 * current destination */
	uint64_t *pair;		/* [npairs] candidates that serve the pair */
	uint64_t npairs;
	uint8_t *served;	/* [npairs] chosen candidates that serve it */
	uint32_t *home;		/* [nhomes] switches with hosts */
	uint32_t nhomes;
	uint32_t nsamples;	/* destinations sampled, at most */
	uint16_t *hops;		/* [nhomes * nsw] hops from each home */
	uint16_t *near;		/* [nsw] hops from the nearest center so far */
	uint16_t *from;		/* [nsw] hops from the current center */
	uint64_t *key;		/* [nsw] */
	uint32_t *queue;	/* [nsw] */
};

static bool is_above(const struct chooser *c, uint32_t a, uint32_t b)
{
	const uint32_t *place = c->close->place;

	return c->key[a] < c->key[b] ||
		(c->key[a] == c->key[b] && place[a] < place[b]);
}

/* Adds the order by keys as a candidate: an edge climbs where the key gets
 * lower; closeness decides between equal keys. */
static void add_candidate(struct chooser *c)
{
	const struct weft_fabric *f = c->f;
	uint64_t bit = UINT64_C(1) << c->n;
	uint32_t top = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (is_above(c, s, top))
			top = s;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++)
			if (is_above(c, c->ways->head[e], s))
				c->up[e] |= bit;
	}
	c->top[c->n++] = top;
}

/* Returns the next center, which is farthest from all before; of equals the one
 * of lowest id. */
static uint32_t next_center(struct chooser *c, uint32_t center)
{
	uint32_t best = 0;

	weft__bfs(c->f, center, c->from, c->queue);
	for (uint32_t s = 0; s < c->f->nsw; s++) {
		if (c->from[s] < c->near[s])
			c->near[s] = c->from[s];
		if (c->near[s] > c->near[best])
			best = s;
	}
	return best;
}

/* Sets the keys to hops to all hosts, those near the center weighing more. */
static void around_center(struct chooser *c)
{
	const uint32_t *hosts = c->close->hosts;
	uint64_t sum = 0, total = 0;

	for (uint32_t i = 0; i < c->nhomes; i++) {
		sum += (uint64_t)c->from[c->home[i]] * hosts[c->home[i]];
		total += hosts[c->home[i]];
	}
	memset(c->key, 0, c->f->nsw * sizeof(*c->key));
	for (uint32_t i = 0; i < c->nhomes; i++) {
		uint32_t h = c->home[i];
		uint64_t weight = hosts[h];
		const uint16_t *hops = c->hops + (size_t)i * c->f->nsw;

		if (c->from[h] * total <= sum)
			weight *= NEAR_WEIGHT;
		for (uint32_t s = 0; s < c->f->nsw; s++)
			c->key[s] += hops[s] * weight;
	}
}

static void list_candidates(struct chooser *c)
{
	uint32_t nsw = c->f->nsw, center = c->close->by_place[0];

	for (uint32_t i = 0; i < c->nhomes; i++)
		weft__bfs(c->f, c->home[i], c->hops + (size_t)i * nsw,
			  c->queue);
	memset(c->key, 0, nsw * sizeof(*c->key));
	add_candidate(c);
	memset(c->near, 0xff, nsw * sizeof(*c->near));
	for (uint32_t i = 0; i < MAX_AROUND && i < nsw; i++) {
		uint32_t next = next_center(c, center);

		around_center(c);
		add_candidate(c);
		center = next;
	}
	center = c->close->by_place[0];
	memset(c->near, 0xff, nsw * sizeof(*c->near));
	for (uint32_t i = 0; i < nsw && c->n < CANDIDATES; i++) {
		uint32_t next = next_center(c, center);

		for (uint32_t s = 0; s < nsw; s++)
			c->key[s] = c->from[s];
		add_candidate(c);
		center = next;
	}
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

				down |= c->down[t] & ~c->up[e];
				legal |= c->legal[t] & c->up[e];
			}
		}
		c->down[s] = down;
		c->legal[s] = down | legal;
	}
}

static void list_pairs(struct chooser *c)
{
	const struct weft_fabric *f = c->f;
	uint32_t step = c->nhomes / c->nsamples + 1;

	for (uint32_t i = 0; i < c->nhomes; i += step) {
		find_legal(c, weft__ways_to(c->ways, c->home[i]));
		for (uint32_t s = 0; s < f->nsw; s++)
			if (c->close->hosts[s])
				c->pair[c->npairs++] = c->legal[s];
	}
}

/* Returns the candidate that serves most pairs.  A pair that k chosen
 * candidates serve already counts 4^-k. */
static unsigned best_candidate(const struct chooser *c, uint64_t chosen)
{
	uint64_t score[CANDIDATES] = { 0 };
	unsigned best = 0;

	for (uint64_t i = 0; i < c->npairs; i++)
		for (uint64_t left = c->pair[i] & ~chosen; left;
		     left &= left - 1)
			score[__builtin_ctzll(left)] +=
				UINT64_C(1) << 30 >> 2 * c->served[i];
	while (best + 1 < c->n && chosen >> best & 1)
		best++;
	for (unsigned i = 0; i < c->n; i++)
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
		c->orders->top[k] = c->top[best];
		for (uint64_t i = 0; i < c->npairs; i++)
			c->served[i] += c->pair[i] >> best & 1;
		for (uint32_t e = 0; e < nedges; e++)
			c->chosen_up[e] |= (c->up[e] >> best & 1) << k;
	}
}

static bool alloc(struct chooser *c, struct weft_arena *arena)
{
	uint32_t nsw = c->f->nsw, nedges = c->f->adj_first[nsw];
	size_t npairs;

	c->home = weft__arena_alloc(arena, nsw, sizeof(*c->home));
	if (!c->home)
		return false;
	for (uint32_t s = 0; s < nsw; s++)
		if (c->close->hosts[s])
			c->home[c->nhomes++] = s;
	npairs = (size_t)c->nhomes *
		(c->nhomes < c->nsamples ? c->nhomes : c->nsamples);
	c->up = weft__arena_zalloc(arena, nedges, sizeof(*c->up));
	c->chosen_up = weft__arena_zalloc(arena, nedges,
					  sizeof(*c->chosen_up));
	c->legal = weft__arena_alloc(arena, nsw, sizeof(*c->legal));
	c->down = weft__arena_alloc(arena, nsw, sizeof(*c->down));
	c->pair = weft__arena_alloc(arena, npairs, sizeof(*c->pair));
	c->served = weft__arena_zalloc(arena, npairs, 1);
	c->hops = weft__arena_alloc(arena, (size_t)c->nhomes * nsw,
				    sizeof(*c->hops));
	c->near = weft__arena_alloc(arena, nsw, sizeof(*c->near));
	c->from = weft__arena_alloc(arena, nsw, sizeof(*c->from));
	c->key = weft__arena_alloc(arena, nsw, sizeof(*c->key));
	c->queue = weft__arena_alloc(arena, nsw, sizeof(*c->queue));
	return c->up && c->chosen_up && c->legal && c->down && c->pair &&
	       c->served && c->hops && c->near && c->from && c->key &&
	       c->queue;
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
	}
}

/* Returns how many destinations make about the same work on any fabric. */
static uint32_t count_samples(const struct weft_fabric *f)
{
	uint32_t n = SAMPLED / (f->nsw + 1);

	n = n < LEAST_SAMPLES ? LEAST_SAMPLES : n;
	return n < MOST_SAMPLES ? n : MOST_SAMPLES;
}

bool weft__orders_choose(struct weft__orders *orders,
			 struct weft__ways *minimal,
			 const struct weft__closeness *close, unsigned lanes,
			 struct weft_arena *arena)
{
	struct chooser c = {
		.f = minimal->fabric, .ways = minimal, .close = close,
		.orders = orders,
		.nsamples = count_samples(minimal->fabric),
	};

	*orders = (struct weft__orders){ .fabric = c.f, .n = lanes };
	if (!alloc(&c, arena) ||
	    !weft__turns_init(&orders->turns, c.f, arena))
		return false;
	list_candidates(&c);
	list_pairs(&c);
	if (orders->n > c.n)
		orders->n = c.n;
	choose_orders(&c);
	weft__turns_climb(&orders->turns, c.chosen_up);
	return true;
}
