// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, minimal routes in lanes
 *
 * With lanes to spare routes need not follow one order: minimal routes are
 * shorter, and on what is no tree they do not crowd the middle.  They are those
 * of psssp, balanced in passes, with their peaks taken down; each lane gets an
 * order of the switches such that nearly all pairs find a lane (orders.c), and
 * the others get other ways (lanes.c).
 * Trees that every switch shares out evenly are tried, too (routes.c).
 */
#include "engines/weave/weave.h"

#include <errno.h>

static double work(const struct weft__weave *w)
{
	return weft__route_work(w) + weft__fit_work(w) +
	       2.0 * w->f->nsw * w->facts.edges;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__tree_routes routes = { .trees = { 0 } };
	struct weft__orders orders;
	bool found;
	int err;

	if (!weft__ways_init(&routes.ways, w->f, w->arena, NULL))
		return -ENOMEM;
	err = w->variant ? weft__route_shared_out(w, &routes) :
			   weft__route_balanced(w, &routes);
	if (err)
		return err;
	if (!weft__orders_choose(&orders, &routes.ways, &w->close, w->lanes,
				 w->arena))
		return -ENOMEM;
	err = weft__fit(w, &routes, &orders, NULL, out, &found);
	return err ? err : found ? 0 : -ENOTSUP;
}

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root && w->lanes == 1)
		return "roots are given";
	return w->facts.lids < 2 ? "there are no pairs" : NULL;
}

/* Less in one lane, where most ways would close cycles, and where switches
 * without hosts make a tree. */
static double promise(const struct weft__weave *w)
{
	return w->lanes == 1 ? 1 : w->facts.bare ? 4 : 8;
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
};
