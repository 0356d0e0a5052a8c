// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks at tables that were committed; see osm_known.h. */
#include "plugins/standing/osm_known.h"

#include "diff/match.h"
#include "standing/base.h"

struct weft_diff_side weft__side_of(const struct weft__held *held,
				    struct weft_routes *view)
{
	*view = held->routes;
	view->layers.sl2vl = NULL;
	view->layers.base = NULL;
	return (struct weft_diff_side){ held->fabric, view };
}

bool weft__held_is_of(const struct weft__held *held,
		      const struct weft_fabric *fabric)
{
	struct weft__match m;
	bool equal = !weft__match_make(&m, held->fabric, fabric) && m.equal;

	weft__match_free(&m);
	return equal;
}

void weft__known_begin(struct weft__known *known, struct weft__held *held,
		       unsigned lanes)
{
	weft__known_forget(known);
	known->held = weft__hold(held);
	known->lanes = lanes;
}

void weft__known_find(struct weft__known *known)
{
	const struct weft__held *held = known->held;
	const struct weft_diff_side side = weft__side_of(held, &known->view);

	if (weft__prove(held->fabric, &held->routes, &known->proven, NULL))
		known->proven.holds = false;
	if (weft_standing_prepare(&side, known->lanes, &known->base, NULL))
		known->base = NULL;
	weft__proven_rank(&known->proven, known->base ?
			  weft__base_order(known->base, &known->proven.graph) :
			  NULL);
	known->found = true;
}

void weft__known_forget(struct weft__known *known)
{
	weft_standing_base_free(known->base);
	weft__proven_free(&known->proven);
	weft__let_go(known->held);
	*known = (struct weft__known){ .held = NULL };
}
