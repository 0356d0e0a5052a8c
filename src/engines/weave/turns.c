// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, by the turns that minimal routes need most
 *
 * Orders allow the turns that minimal trees use most (lanes/orders_by_turns.c).
 * Trees are rerouted where they find no lane, or grow anew, and a pair without any
 * other way goes by a tree that reaches every switch (lanes/fit.c).  With one lane
 * all variants but the first break ties among turns at random.
 */
#include "engines/weave/weave.h"

#include "lanes/orders_by_turns.h"

#include <weft/engine.h>

#include <errno.h>

#define INSERTING_SHARE 0.1	/* of the budget; orders are final then */

/*
 * Trees are shared out or balanced, and then grow anew or are kept where the
 * orders allow them.  The variants, in their order, are with one lane: shared
 * out and grown anew, balanced and grown anew, shared out and kept, balanced without
 * relief of peaks and grown anew; with several: balanced and kept, shared out and
 * kept, balanced and grown anew.
 */
#define VARIANTS 4	/* the last one with one lane only */

/* Chooses an order of channels for each lane, with a tree in each. */
static int choose_orders(struct weft__weave *w,
			 struct weft__tree_routes *routes,
			 struct weft__orders *orders)
{
	const struct weft__turns_wanted wanted = {
		.ways = &routes->ways, .trees = &routes->trees,
		.balance = &routes->balance, .close = &w->close,
		.work = w->budget * INSERTING_SHARE,
		.ties = w->lanes == 1 && w->variant,
	};

	return weft__orders_by_turns(orders, w->lanes, &wanted, w->arena,
				     &w->looked);
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__tree_routes routes = { .trees = { 0 } };
	struct weft__lanes_held held = { .min_common_lanes = 1 };
	struct weft__orders orders;
	bool found, one = w->lanes == 1;
	bool balanced = one ? w->variant & 1 : w->variant != 1;
	bool kept = one ? w->variant == 2 : w->variant != 2;
	int err;

	routes.unrelieved = w->variant == VARIANTS - 1;
	if (routes.unrelieved && !one)
		return -EALREADY;
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
