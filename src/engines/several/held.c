// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds turns for lanes in which base LIDs stay and others have many ways; see
 * several.c. */
#include "engines/several/parts.h"

#include "core/arena.h"
#include "lanes/assignment.h"
#include "lanes/orders_wide.h"
#include "lanes/settle.h"

#include <errno.h>

#define MAX_BASE_LOSS 0.008 /* of the worth of base LIDs */
#define SETTLING_SHARE 0.1  /* of the budget, to reroute base ways */
#define ENOUGH_PER_LID 2    /* ways that a lane should leave a pair */

static unsigned lanes_of(const struct weft_layers *layers)
{
	return layers->nvl ? layers->nvl : 1;
}

/* True if each lane that is kept allows all ways of its pairs. */
static bool all_legal(const struct weft__held *h)
{
	uint32_t nsw = h->masks.fabric->nsw;

	for (uint32_t s = 0; s < nsw; s++)
		for (uint32_t t = 0; t < s; t++)
			if (!weft__masks_pair(&h->masks, s, t))
				return false;
	return true;
}

/* Allows the only lane of the base LIDs the turns of Up*Down* by closeness, if
 * all of their ways are legal then. *legal: they are. */
static int climb_by_closeness(struct weft__several *v, struct weft__held *h,
			      bool *legal)
{
	const struct weft_fabric *f = v->spec->base;
	const uint32_t *place = v->spec->place;
	uint16_t *up = weft__arena_zalloc(v->arena, f->adj_first[f->nsw] + 1ull,
					  sizeof(*up));

	if (!up)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			up[e] = place[f->peer[f->adj[e]]] < place[s];
	weft__turns_climb(&h->orders.turns, up);
	weft__masks_look(&h->masks, h->trees.n);
	*legal = all_legal(h);
	return 0;
}

/* Allows the lanes of the base LIDs the turns that lead forward in an order of
 * the channels that holds all of their ways. */
static int keep_order(struct weft__several *v, struct weft__held *h)
{
	const struct weft_layers *layers = &v->base->layers;
	struct weft__lane_assignment pairs;
	uint32_t nsw = v->spec->base->nsw;
	int err = weft__assignment_init(&pairs, &h->masks, v->arena);

	if (err)
		return err;
	pairs.rerouted = true;
	for (uint32_t s = 0; s < nsw; s++)
		for (uint32_t t = 0; t < nsw; t++)
			*weft__assignment_lane(&pairs, s, t) =
				layers->form == WEFT_SL_SWITCH_PAIR ?
					layers->table[(size_t)s * nsw + t] :
					0;
	if (weft__assignment_enter(&pairs)) {
		weft__order_by_id(&pairs.order);
		weft__orders_adapt(&h->orders, &pairs.order);
	} else {
		err = -ENOTSUP;
	}
	weft__assignment_free(&pairs);
	weft__masks_look(&h->masks, h->trees.n);
	return err;
}

/* Finds the base LIDs' trees and the turns of the lanes that they are in. */
static int hold_base(struct weft__several *v, struct weft__held *h)
{
	const struct weft__several_spec *spec = v->spec;
	bool legal = false;
	int err;

	*h = (struct weft__held){ .kept = lanes_of(&v->base->layers) };
	h->orders = (struct weft__orders){ .fabric = spec->base, .n = h->kept };
	if (!weft__turns_init(&h->orders.turns, spec->base, v->arena) ||
	    !weft__trees_list(spec->base, v->arena, spec->order, &h->trees) ||
	    !weft__balance_init(&h->balance, spec->base, v->arena) ||
	    !weft__masks_init(&h->masks, &h->orders, &v->ways, &h->trees,
			      &h->balance, v->arena))
		return -ENOMEM;
	weft__trees_read(spec->base, &v->base->lft, &h->trees);
	err = h->kept == 1 ? climb_by_closeness(v, h, &legal) : 0;
	return err || legal ? err : keep_order(v, h);
}

/* Gives the lanes from kept on orders that leave pairs many ways; *legal: all
 * base ways are legal in some lane. */
static int widen(struct weft__several *v, struct weft__held *h, unsigned longer,
		 bool *legal)
{
	struct weft__wide_spec spec = {
		.kept = h->kept,
		.longer = longer,
		.enough = ENOUGH_PER_LID * v->lids,
	};
	uint64_t bare = 0;
	int err = 0;

	h->orders.n = v->spec->lanes;
	h->masks.all = (1u << h->orders.n) - 1;
	if (h->kept < v->spec->lanes &&
	    !weft__orders_widen(&h->orders, &h->masks, v->spec->close, &spec,
				v->arena, &bare))
		return -ENOMEM;
	weft__masks_look(&h->masks, h->trees.n);
	if (bare) {
		h->changed = true;
		err = weft__settle_pairs(&h->masks, NULL,
					 v->spec->budget * SETTLING_SHARE);
	}
	*legal = all_legal(h);
	return err;
}

int weft__judge_base(struct weft__several *v)
{
	int err = 0;

	if (v->base_worth.round)
		return 0;
	if (!v->base_basket)
		err = weft__engine_basket(v->spec->base, v->spec->options,
					  false, &v->base_basket,
					  &v->base_judging, v->spec->diag);
	v->spent += v->base_judging;
	return err ? err :
		     weft_basket_judge(v->base_basket, v->base, &v->base_worth);
}

/* Finds out whether rerouted base LIDs are worth as much as before. */
static int judge_base(struct weft__several *v, const struct weft__held *h,
		      bool *good)
{
	struct weft_routes routes = { 0 };
	struct weft_worth worth = { .mean = 0 };
	double error;
	int err;

	*good = true;
	if (!h->changed)
		return 0;
	weft_layers_init(&routes.layers);
	err = weft__trees_fill(v->spec->base, &h->trees, &routes.lft);
	if (!err)
		err = weft__judge_base(v);
	v->spent += v->base_judging;
	if (!err)
		err = weft_basket_judge(v->base_basket, &routes, &worth);
	if (!err)
		*good = weft_worth_gain(v->base_basket, &v->base_worth, &worth,
					&error) >= -MAX_BASE_LOSS;
	weft_worth_free(&worth);
	weft_routes_free(&routes);
	return err;
}

/* For longer ways all lanes get new orders, if the base LIDs can do with
 * these. */
int weft__held_find(struct weft__several *v, unsigned longer,
		    struct weft__held *h)
{
	bool legal = false;
	int err = 0;

	if (longer && v->spec->lanes > 1) {
		err = hold_base(v, h);
		h->kept = 0;
		if (!err)
			err = widen(v, h, longer, &legal);
		if (!err && legal)
			err = judge_base(v, h, &legal);
	}
	if (err || legal)
		return err;
	err = hold_base(v, h);
	return err ? err : widen(v, h, longer, &legal);
}
