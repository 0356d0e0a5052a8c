// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Deals roles in new tables so that they are close to those in force; see
 * weft/standing.h. */
#include "standing/alike.h"

#include "core/arena.h"
#include "core/tables/layers.h"
#include "core/tables/routes.h"
#include "standing/carried.h"
#include "worth/basket/basket.h"

#include <weft/standing.h>
#include <weft/worth.h>
#include <errno.h>
#include <string.h>

/* What tables may lose in worth to be closer. */
#define LOSS .005

/* Has a copy of the tables in the place of what became of them. */
static void take_back(struct weft_routes *routes, struct weft_routes *copy)
{
	memcpy(routes->lft.port, copy->lft.port,
	       (size_t)copy->lft.nsw * copy->lft.stride);
	if (copy->layers.table)
		memcpy(routes->layers.table, copy->layers.table,
		       weft__layers_size(&copy->layers));
}

/* Deals trees, unless that costs too much, or nobody can tell what it costs. */
static int deal_trees(const struct weft__alike *a)
{
	const struct weft_basket_spec spec = { .seed = 1 };
	struct weft_routes before = { .lid_offset = NULL };
	struct weft_basket *basket = NULL;
	double was = 0, is = 0;
	int err = weft__routes_copy(a->routes, &before);

	if (!err)
		err = weft_basket_new(a->fabric, &spec, &basket, NULL);
	if (!err)
		err = weft__basket_mean(basket, &before, &was);
	if (!err) {
		err = weft__alike_trees(a);
		if (!err)
			err = weft__basket_mean(basket, a->routes, &is);
		if (err || is < was * (1 - LOSS))
			take_back(a->routes, &before);
	}
	weft_basket_free(basket);
	weft_routes_free(&before);
	return err;
}

static uint64_t differ(const struct weft__alike *a)
{
	struct weft_lft_diff d;

	weft_lft_compare(a->standing, &a->routes->lft, &d);
	return d.entries;
}

int weft_standing_liken(const struct weft_fabric *fabric,
			const struct weft_diff_side *standing, bool trees,
			struct weft_routes *routes, struct weft_likeness *out)
{
	struct weft_likeness like;
	struct weft_arena *arena = weft__arena_new();
	struct weft__carried now = { .broken = NULL };
	const struct weft__alike a = {
		.fabric = fabric, .standing = &now.routes.lft,
		.routes = routes,
	};
	int err = weft__carry(&now, standing, fabric, arena);

	if (!err)
		like.before = differ(&a);
	if (!err && routes->layers.form == WEFT_SL_ONE &&
	    !routes->layers.sl2vl)
		err = weft__alike_twins(&a);
	if (!err && trees)
		err = deal_trees(&a);
	if (!err)
		like.after = differ(&a);
	if (!err && out)
		*out = like;
	weft__carried_free(&now);
	weft__arena_free(arena);
	return err;
}
