// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, minimal routes in lanes
 *
 * With several lanes routes need not follow one order: minimal routes are
 * shorter, and on fabrics that are no trees they do not crowd the middle.  They
 * are balanced in passes as by psssp, and their peaks are taken down.  Each
 * lane gets an order of the switches such that nearly all pairs find a lane
 * (lanes/orders.c), and the others get other ways (lanes.c).  A variant has
 * trees that every switch shares out evenly (routes.c); it comes first on
 * what is no tree.
 */
#include "engines/weave/weave.h"

#include <errno.h>

#define MANY_LANES 8

/* Where ways can be longer, one of many lanes is left to these (loads/shifts.c), and to
 * what is mended. */
static unsigned lanes_to_fill(const struct weft__weave *w)
{
	return w->facts.odd && w->lanes >= MANY_LANES ? w->lanes - 1 : w->lanes;
}

static double work(const struct weft__weave *w)
{
	return weft__route_work(w) + weft__assign_lanes_work(w) +
	       2.0 * w->f->nsw * w->facts.edges;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__tree_routes routes = { .trees = { 0 } };
	struct weft__orders orders;
	bool tree = w->facts.bare && w->facts.straight >= WEFT__STRAIGHT;
	bool found, shares = (w->variant != 0) == tree;
	int err;

	if (!weft__ways_init(&routes.ways, w->f, w->arena, NULL))
		return -ENOMEM;
	routes.reserve = weft__assign_lanes_least(w);
	err = shares ? weft__route_shared_out(w, &routes) :
		       weft__route_balanced(w, &routes);
	if (err)
		return err;
	if (!weft__orders_choose(&orders, &routes.ways, &w->close,
				 lanes_to_fill(w), w->arena))
		return -ENOMEM;
	w->looked += weft__orders_work(w->f);
	err = weft__assign_lanes(w, &routes, &orders, NULL, out, &found);
	return err ? err : found ? 0 : -ENOTSUP;
}

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root && w->lanes == 1)
		return "roots are given";
	return w->facts.lids < 2 ? "there are no pairs" : NULL;
}

/* Promises less in one lane, where most ways would close cycles, and where
 * switches without hosts make a tree.  One lane does where hosts' ways pass such
 * switches alone, and leave room. */
static double promise(const struct weft__weave *w)
{
	double tree = w->facts.bare ? w->facts.straight : 0;
	double room = w->facts.bare ? weft__over_without_order(w) * w->facts.room : 0;
	double most = 8 - 4 * tree;

	return w->lanes == 1 ? 1 + (most - 1) * room : most;
}

const struct weft__strategy weft__strategy_minimal = {
	.name = "minimal",
	.about = "whatever is no tree, in several lanes",
	.promise = promise,
	.refuses = refuses,
	.work = work,
	.build = build,
	.variants = 2,
	.orders = true,
	.limits = true,
};
