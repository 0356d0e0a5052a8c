// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lanes for the trees of strategies, within the work of a run; lanes/fit.c finds
 * them. */
#include "engines/weave/weave.h"

#include <errno.h>

double weft__assign_lanes_work(const struct weft__weave *w)
{
	return weft__fit_work(w->f, w->budget, w->lanes, w->facts.lids,
			      w->facts.edges);
}

double weft__assign_lanes_least(const struct weft__weave *w)
{
	return weft__fit_least(w->f, w->facts.lids, w->facts.minimal);
}

int weft__assign_lanes(struct weft__weave *w, struct weft__tree_routes *routes,
		       struct weft__orders *orders,
		       const struct weft__lanes_held *held,
		       struct weft_routes *out, bool *found)
{
	struct weft__fit fit = {
		.close = &w->close, .held = held, .keep = routes->shared,
		.straight = w->facts.straight >= WEFT__STRAIGHT,
		.budget = w->budget, .diag = w->diag, .arena = w->arena,
	};
	int err;

	routes->balance.limit = weft__weave_left(w, 0);
	if (w->limited) {
		/* each cable carries no more lanes than it has */
		fit.room = weft__vls_room(&w->vls, w->f, orders->n, w->arena);
		if (!fit.room)
			return -ENOMEM;
	}
	err = weft__fit_lanes(&fit, &routes->ways, &routes->trees,
			      &routes->balance, orders, &out->layers, found);
	if (!err && *found)
		err = weft__trees_fill(w->f, &routes->trees, &out->lft);
	weft__route_end(w, routes);
	return err;
}
