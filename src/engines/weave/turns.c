// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, by the turns that minimal routes need most
 *
 * An order of the switches forbids far more turns than it takes to leave no
 * cycle.  Here the turns that minimal trees use are allowed one by one, those
 * that carry most first, unless one would close a cycle with those before it
 * (graph/order.h).  In a later lane a turn counts only for traffic that no
 * earlier lane allows.  The order of channels that results allows other turns,
 * too.  Trees are rerouted where they find no lane, or grow anew, and a pair
 * without any other way goes by a tree that reaches every switch
 * (lanes/orders_trees.c, lanes.c).
 *
 * In a symmetric fabric all turns are needed alike.  To go through them by number
 * then allows much the same ones as an order of the switches does, so that with one
 * lane all variants but the first break ties at random: on a Slim Fly uniform
 * traffic gets twice as much.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"
#include "graph/entries.h"
#include "graph/order.h"

#include <weft/engine.h>
#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define INSERTING_SHARE 0.1	/* of the budget; orders are final then */

/*
 * Trees are shared out or balanced, and then grow anew or are kept where the
 * orders allow them.  The variants, in their order, are with one lane: shared
 * out and grown anew, balanced and grown anew, shared out and kept; with
 * several: balanced and kept, shared out and kept, balanced and grown anew.
 */
#define VARIANTS 3

#define TIES 1		/* seed */

struct turn {
	uint64_t load;		/* hosts that take it, over all destinations */
	uint32_t tie;		/* of equal ones the lowest comes first */
	uint32_t from, to;	/* edges */
};

struct chooser {
	const struct weft_fabric *f;
	struct weft__tree_routes *routes;
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
		uint32_t next = c->routes->ways.head[e];

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
		weft__ways_to(&c->routes->ways, t->root);

	find_legal(c, plan, t, lanes);
	for (uint32_t s = 0; s < c->f->nsw; s++)
		c->through[s] = c->legal[s] ? 0 : c->routes->balance.sources[s];
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i], e = edge_of(c, t, s);
		uint32_t next = c->routes->ways.head[e];

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
		uint32_t t = c->routes->ways.head[e];

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
	const struct weft__trees *trees = &c->routes->trees;
	size_t n;

	memset(c->load, 0, c->size * sizeof(*c->load));
	for (uint32_t d = 0; d < trees->nendports; d++)
		load_turns(c, &trees->tree[d], (1u << lane) - 1);
	n = list_turns(c);
	for (size_t i = 0; i < n; i++) {
		const struct turn *turn = &c->turn[i];
		uint32_t s = c->routes->ways.head[turn->from];

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
		  weft__turns_end(turns, c->routes->ways.head[last]) + 1;
	c->legal = weft__arena_alloc(arena, nsw, sizeof(*c->legal));
	c->through = weft__arena_alloc(arena, nsw, sizeof(*c->through));
	c->load = weft__arena_alloc(arena, c->size, sizeof(*c->load));
	c->turn = weft__arena_alloc(arena, c->size, sizeof(*c->turn));
	return c->legal && c->through && c->load && c->turn;
}

/* Chooses an order of channels for each lane, with a tree in each. */
static int choose_orders(struct weft__weave *w,
			 struct weft__tree_routes *routes,
			 struct weft__orders *orders)
{
	struct chooser c = { .f = w->f, .routes = routes, .orders = orders };
	int err;

	*orders = (struct weft__orders){ .fabric = w->f, .n = w->lanes };
	if (!alloc(&c, w->arena))
		return -ENOMEM;
	if (w->lanes == 1 && w->variant) {
		c.rng = weft_rng_new(TIES);
		if (!c.rng)
			return -ENOMEM;
	}
	err = weft__order_init(&c.order, w->f, w->lanes);
	if (err) {
		weft_rng_free(c.rng);
		return err;
	}
	c.order.work_limit = w->budget * INSERTING_SHARE;
	for (unsigned k = 0; k < w->lanes; k++) {
		orders->top[k] = w->close.by_place[0];
		fill_lane(&c, k);
	}
	w->looked += c.order.work + 4.0 * w->lanes * w->facts.lids * w->f->nsw;
	weft__order_free(&c.order);
	weft_rng_free(c.rng);
	return weft__orders_grow(orders, w->arena) ? 0 : -ENOMEM;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__tree_routes routes = { .trees = { 0 } };
	struct weft__lanes_held held = { .min_common_lanes = 1 };
	struct weft__orders orders;
	bool found, one = w->lanes == 1;
	bool balanced = one ? w->variant == 1 : w->variant != 1;
	bool kept = one ? w->variant == 2 : w->variant != 2;
	int err;

	if (!weft__ways_init(&routes.ways, w->f, w->arena, NULL))
		return -ENOMEM;
	routes.reserve = weft__assign_lanes_least(w);
	err = balanced ? weft__route_balanced(w, &routes) :
			 weft__route_shared_out(w, &routes);
	if (!err)
		err = choose_orders(w, &routes, &orders);
	if (err)
		return err;
	held.up = orders.parent;
	err = weft__assign_lanes(w, &routes, &orders, kept ? NULL : &held, out,
				 &found);
	return err ? err : found ? 0 : -ENOTSUP;
}

static double work(const struct weft__weave *w)
{
	return weft__route_work(w) + weft__assign_lanes_work(w) +
	       2.0 * w->f->nsw * w->facts.edges +
	       w->budget * INSERTING_SHARE / 2;
}

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root)
		return "roots are given";
	return w->facts.edges ? NULL : "there are no turns";
}

/* Promises less with several lanes, as minimal routes stay minimal there
 * (minimal.c), and where switches without hosts make a tree. */
static double promise(const struct weft__weave *w)
{
	return (w->facts.bare ? 2.0 : 8.0) / w->lanes;
}

const struct weft__strategy weft__strategy_turns = {
	.name = "turns",
	.about = "whatever is no tree, in one lane or two",
	.promise = promise,
	.refuses = refuses,
	.work = work,
	.build = build,
	.variants = VARIANTS,
	.orders = true,
	.limits = true,
};
