// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds better tables; see osm_better.h. */
#include "plugins/standing/osm_better.h"

#include "engines/several/several.h"
#include "plugins/standing/osm_known.h"
#include "worth/basket/basket.h"

#include <weft/layering.h>
#include <weft/standing.h>

void weft__judge_both(const struct weft__held *now,
		      const struct weft__held *anew,
		      const struct weft_options *options,
		      struct weft__debt *debt)
{
	struct weft_basket *basket;
	struct weft_lft_diff d;
	double work;

	weft_lft_compare(&now->routes.lft, &anew->routes.lft, &d);
	*debt = (struct weft__debt){ .since = time(NULL), .entries = d.entries,
				     .blocks = d.blocks };
	if (weft__engine_basket(now->fabric, options, false, &basket, &work,
				NULL) || !basket)
		return;
	debt->known = !weft__basket_mean(basket, &now->routes, &debt->worth) &&
		      !weft__basket_mean(basket, &anew->routes, &debt->anew) &&
		      debt->worth > 0 && debt->anew > 0;
	weft_basket_free(basket);
}

struct weft__held *weft__route_anew(const struct weft_engine *engine,
				    const struct weft__held *now,
				    const struct weft_options *options,
				    unsigned lanes)
{
	struct weft__held *held = weft__held_new();
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_fabric *copy = NULL;
	struct weft_routes view;
	const struct weft_diff_side standing = weft__side_of(now, &view);

	if (held && !weft_fabric_without(now->fabric, NULL, 0, &copy, NULL) &&
	    !weft_route(engine, copy, options, &routes, NULL) &&
	    !weft_layering_if_cyclic(copy, &routes, lanes, NULL, NULL) &&
	    !weft_standing_liken(copy, &standing, true, &routes,
				 NULL)) {
		weft__held_fill(held, &copy, &routes);
		return held;
	}
	weft_fabric_free(copy);
	weft_routes_free(&routes);
	weft__let_go(held);
	return NULL;
}
