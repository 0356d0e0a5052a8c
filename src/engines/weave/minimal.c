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
#include <math.h>

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
	if (!weft__orders_choose(&orders, &routes.ways, &w->close, w->lanes,
				 w->arena))
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

#define ANY_CABLE 512	/* power of the share of pairs that whatever is missing tells on */

/* Returns how likely it is that hosts' ways, which pass switches without hosts, close no
 * cycle, and leave room around them for what these switches send and get: not where
 * cables are missing, and not where such switches are joined in parts. */
static double has_room(const struct weft__weave *w)
{
	return w->facts.around == WEFT__AROUND_PARTS ? 0 : pow(w->facts.over, ANY_CABLE);
}

/* Promises less in one lane, where most ways would close cycles, and where
 * switches without hosts make a tree; or, if they make none, leave no room. */
static double promise(const struct weft__weave *w)
{
	double tree = w->facts.bare ? w->facts.straight : 0;
	double over = w->facts.bare ? weft__over_without_order(w) : 0;
	double most = 8 - 4 * tree, room = has_room(w);

	if (w->lanes == 1)
		most = 1 + (most - 1) * over * room;
	return most * (1 - over * (1 - room) * 3 / 4);
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
