// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: orders by the turns that trees need most
 *
 * An order of the switches forbids far more turns than it takes to leave no
 * cycle.  Here the turns that trees use are allowed one by one, those that carry
 * most first, unless one would close a cycle with those before it
 * (graph/order.h).  In a later lane a turn counts only for traffic that no
 * earlier lane allows.  The order of channels that results allows other turns,
 * too.  Each lane gets a tree that reaches every switch (orders_trees.c).
 *
 * In a symmetric fabric all turns are needed alike.  To go through them by number
 * then allows much the same ones as an order of the switches does, and ties that
 * are broken at random do not: on a Slim Fly in one lane uniform traffic gets twice
 * as much.
 */
#include "lanes/orders_by_turns.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TIES 1		/* seed */

struct turn {
	uint64_t load;		/* hosts that take it, over all destinations */
	uint32_t tie;		/* of equal ones the lowest comes first */
	uint32_t from, to;	/* edges */
};

struct chooser {
	const struct weft_fabric *f;
	const struct weft__turns_wanted *wanted;
	struct weft__orders *orders;
	struct weft__order order;
	uint16_t *legal;	/* [nsw] lanes that allow the way */
	uint32_t *through;	/* [nsw] hosts whose way passes a switch */
	uint64_t *load;		/* [size] of turns, in the order of the orders'
				 * turns */
	struct turn *turn;	/* [size] turns in use */
	size_t size;
	struct weft_rng *rng;	/* for ties; NULL: these go by number */
};

static uint32_t edge_of(const struct chooser *c, const struct weft__tree *t,
			uint32_t s)
{
	return c->f->adj_first[s] + t->choice[s];
}

static void find_legal(struct chooser *c, const struct weft__plan *plan,
		       const struct weft__tree *t, uint16_t lanes)
{
	c->legal[t->root] = lanes;
	for (uint32_t i = 1; i <= plan->n; i++) {
		uint32_t s = plan->order[i], e = edge_of(c, t, s);
		uint32_t next = c->wanted->ways->head[e];

		c->legal[s] = c->legal[next];
		if (next != t->root)
			c->legal[s] &= weft__turns_from(&c->orders->turns,
							e)[t->choice[next]];
	}
}

/* Loads the turns of a tree with those hosts whose way no lane of the set
 * allows. */
static void load_turns(struct chooser *c, const struct weft__tree *t,
		       uint16_t lanes)
{
	const struct weft__plan *plan =
		weft__ways_to(c->wanted->ways, t->root);

	find_legal(c, plan, t, lanes);
	for (uint32_t s = 0; s < c->f->nsw; s++)
		c->through[s] = c->legal[s] ? 0 : c->wanted->balance->sources[s];
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i], e = edge_of(c, t, s);
		uint32_t next = c->wanted->ways->head[e];

		c->through[next] += c->through[s];
		if (next != t->root)
			c->load[c->orders->turns.first[e] + t->choice[next]] +=
				(uint64_t)c->through[s] * t->weight;
	}
}

/* Compares turns; the highest load comes first. */
static int by_load(const void *x, const void *y)
{
	const struct turn *a = x, *b = y;

	if (a->load != b->load)
		return a->load > b->load ? -1 : 1;
	if (a->tie != b->tie)
		return a->tie < b->tie ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

static uint32_t draw_tie(const struct chooser *c)
{
	return c->rng ? weft_rng_below(c->rng, UINT32_MAX) : 0;
}

/* Lists the turns in use; returns how many. */
static size_t list_turns(struct chooser *c)
{
	const struct weft_fabric *f = c->f;
	size_t n = 0;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		const uint64_t *load = c->load + c->orders->turns.first[e];
		uint32_t t = c->wanted->ways->head[e];

		for (uint32_t g = f->adj_first[t]; g < f->adj_first[t + 1];
		     g++, load++)
			if (*load)
				c->turn[n++] = (struct turn){
					*load, draw_tie(c), e, g,
				};
	}
	qsort(c->turn, n, sizeof(*c->turn), by_load);
	return n;
}

/* Allows a lane the turns that are needed most by traffic that no earlier lane
 * allows. */
static void fill_lane(struct chooser *c, unsigned lane)
{
	const struct weft_fabric *f = c->f;
	const struct weft__trees *trees = c->wanted->trees;
	size_t n;

	memset(c->load, 0, c->size * sizeof(*c->load));
	for (uint32_t d = 0; d < trees->nendports; d++)
		load_turns(c, &trees->tree[d], (1u << lane) - 1);
	n = list_turns(c);
	for (size_t i = 0; i < n; i++) {
		const struct turn *turn = &c->turn[i];
		uint32_t s = c->wanted->ways->head[turn->from];

		weft__order_add(&c->order, lane * c->order.cdg.nch +
				f->adj[turn->from],
				weft__port(f, s, f->adj[turn->to]));
	}
	weft__orders_adapt(c->orders, &c->order);
}

static bool alloc(struct chooser *c, struct weft_arena *arena)
{
	const struct weft__turns *turns = &c->orders->turns;
	uint32_t nsw = c->f->nsw, last = c->f->adj_first[nsw] - 1;

	if (!weft__turns_init(&c->orders->turns, c->f, arena))
		return false;
	c->size = turns->first[last] +
		  weft__turns_end(turns, c->wanted->ways->head[last]) + 1;
	c->legal = weft__arena_alloc(arena, nsw, sizeof(*c->legal));
	c->through = weft__arena_alloc(arena, nsw, sizeof(*c->through));
	c->load = weft__arena_alloc(arena, c->size, sizeof(*c->load));
	c->turn = weft__arena_alloc(arena, c->size, sizeof(*c->turn));
	return c->legal && c->through && c->load && c->turn;
}

static void fill_lanes(struct chooser *c)
{
	uint32_t top = c->wanted->close->by_place[0];

	for (unsigned k = 0; k < c->orders->n; k++) {
		c->orders->top[k] = top;
		fill_lane(c, k);
	}
}

int weft__orders_by_turns(struct weft__orders *orders, unsigned lanes,
			  const struct weft__turns_wanted *wanted,
			  struct weft_arena *arena, uint64_t *looked)
{
	const struct weft_fabric *f = wanted->ways->fabric;
	struct chooser c = { .f = f, .wanted = wanted, .orders = orders };
	int err;

	*orders = (struct weft__orders){ .fabric = f, .n = lanes };
	if (!alloc(&c, arena))
		return -ENOMEM;
	if (wanted->ties) {
		c.rng = weft_rng_new(TIES);
		if (!c.rng)
			return -ENOMEM;
	}
	err = weft__order_init(&c.order, f, lanes);
	if (!err) {
		c.order.work_limit = wanted->work;
		fill_lanes(&c);
		*looked += c.order.work +
			4ull * lanes * wanted->trees->nendports * f->nsw;
		weft__order_free(&c.order);
	}
	weft_rng_free(c.rng);
	if (!err && !weft__orders_grow(orders, arena))
		err = -ENOMEM;
	return err;
}
