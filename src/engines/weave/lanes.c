// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, lanes for minimal trees
 *
 * Each lane allows some turns, those of an order of its channels, and a pair of
 * switches may use a lane in which all ways between them, both directions and
 * all LIDs, are legal.  In steps, each for the pairs that are left by those
 * before:
 * 1. Place: all in one lane, if that closes no cycle; or each pair in the first
 *    lane whose order holds it (pairs.c).
 * 2. Insert: a pair is put where no cycle comes of the dependencies that are
 *    really there.
 * 3. Regrow: the orders become those of what is in use, with a tree in each
 *    lane; trees grow anew so that most pairs find a lane (regrow.c).
 * 4. Settle: trees are bent for those that are left, until all have one, for
 *    sure (settle.c).
 * Switches without endports are reached by Up*Down* over closeness: minimal
 * ways to them turn wherever it suits, and close cycles for what is hardly any
 * traffic.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"
#include "lanes/assignment.h"
#include "lanes/regrow.h"
#include "lanes/settle.h"

#include <weft/diag.h>

#include <errno.h>

#define INSERTING 0.04	/* of the budget, */
#define SETTLING 0.3	/* for as long as ways are searched for */
#define GROWING 5	/* times that a tree grows, on an average */
#define TRIES 4		/* at a pair in a lane, on an average */
#define ROUNDS 32	/* of relief */
#define FEW 0.1		/* pairs that get other ways by the orders there are; beyond
			 * that all trees grow anew */
#define MIN_COMMON_LANES 2		/* lanes that these had better leave */
#define MANY 0.01	/* pairs for which trees grow anew at once */

struct fit {
	struct weft__weave *w;
	struct weft__tree_routes *routes;
	struct weft__orders *orders;
	struct weft__lane_masks masks;
	struct weft__lane_assignment pairs;
	const uint32_t *up;
	const uint16_t *first;
	unsigned min_common_lanes;
	bool keep;
};

static bool is_bare(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] == f->sw_ep_first[s + 1];
}

/* Ways to switches without endports by an order that has them all. */
static int order_bare(struct fit *t)
{
	const struct weft_fabric *f = t->w->f;
	struct weft__closeness close = t->w->close;
	struct weft__ways ordered;

	if (t->w->facts.homes == f->nsw)
		return 0;
	if (!weft__ways_by_closeness(&ordered, &close, t->w->arena))
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (is_bare(f, s) && f->sw[s].lid &&
		    !weft__ways_keep(&t->routes->ways,
				     weft__ways_to(&ordered, s),
				     &t->routes->ways.plan[s]))
			return -ENOMEM;
	return 0;
}

static int place(struct fit *t)
{
	int err = order_bare(t);

	if (err)
		return err;
	weft__masks_look(&t->masks, t->routes->trees.nendports);
	weft__masks_switches(&t->masks);
	if (t->up && !t->keep)
		err = weft__regrow_all(&t->masks, t->min_common_lanes,
				       t->first);
	t->pairs.rerouted = t->up;
	weft__assignment_insert(&t->pairs, t->w->budget * INSERTING);
	return err;
}

/* Orders with a tree in each lane. */
static int grow_orders(struct fit *t)
{
	int err;

	if (t->up)
		return 0;
	weft__orders_adapt(t->orders, &t->pairs.order);
	if (!weft__orders_grow(t->orders, t->w->arena))
		return -ENOMEM;
	t->up = t->orders->parent;
	weft__masks_look(&t->masks, t->routes->trees.n);
	weft__assignment_place(&t->pairs);
	if (t->pairs.left <= FEW * t->pairs.npairs)
		return 0;
	err = weft__regrow_all(&t->masks, MIN_COMMON_LANES, NULL);
	weft__assignment_place(&t->pairs);
	weft__assignment_explain(&t->pairs, "grown anew", t->w->diag);
	return err;
}

/* Whether to bend trees for all that are left would cost more than there is. */
static bool is_hopeless(const struct fit *t)
{
	return (double)t->pairs.left * t->orders->n * t->w->f->nsw * TRIES >
	       t->w->budget * SETTLING;
}

/* Other ways for a few pairs, by the orders of what is in use. */
static int bend_few(struct fit *t)
{
	int err;

	if (t->up || t->pairs.left > FEW * t->pairs.npairs || is_hopeless(t))
		return 0;
	weft__orders_adapt(t->orders, &t->pairs.order);
	weft__masks_look(&t->masks, t->routes->trees.n);
	err = weft__settle_pairs(&t->masks, NULL, t->w->budget * SETTLING);
	t->pairs.rerouted = true;
	weft__assignment_place(&t->pairs);
	return err;
}

static int bend(struct fit *t)
{
	int err = bend_few(t);

	if (!err && t->pairs.left)
		err = grow_orders(t);
	weft__assignment_place(&t->pairs);
	if (!err && t->pairs.left > MANY * t->pairs.npairs)
		err = weft__regrow(&t->masks);
	weft__assignment_place(&t->pairs);
	t->pairs.rerouted = true;
	if (err || !t->pairs.left || is_hopeless(t))
		return err;
	if (!err)
		err = weft__settle_pairs(&t->masks, t->up,
					 t->w->budget * SETTLING);
	weft__assignment_place(&t->pairs);
	return err;
}

/* Takes down the peaks of trees as they have become, by orders that hold all
 * pairs: those of what is in use, where they did not. */
static int relieve(struct fit *t)
{
	int err;

	weft__assignment_place(&t->pairs);
	if (t->pairs.left) {
		weft__orders_adapt(t->orders, &t->pairs.order);
		weft__masks_look(&t->masks, t->routes->trees.n);
	}
	err = weft__regrow_relieve(&t->masks, !t->keep, ROUNDS);
	weft__assignment_place(&t->pairs);
	return err;
}

double weft__fit_work(const struct weft__weave *w)
{
	double pairs = (double)w->f->nsw * w->f->nsw;

	return w->budget * INSERTING + pairs * w->lanes * 8 + w->facts.lids *
	       GROWING * (2.0 * w->facts.edges + 8.0 * w->f->nsw);
}

int weft__fit(struct weft__weave *w, struct weft__tree_routes *routes,
	      struct weft__orders *orders, const struct weft__lanes_held *held,
	      struct weft_routes *out, bool *found)
{
	struct fit t = { .w = w, .routes = routes, .orders = orders };
	int err;

	if (held) {
		t.up = held->up;
		t.first = held->first;
		t.min_common_lanes = held->min_common_lanes;
		t.keep = held->keep;
	}
	if (!weft__masks_init(&t.masks, orders, &routes->ways, &routes->trees,
			      &routes->balance, w->arena))
		return -ENOMEM;
	err = weft__assignment_init(&t.pairs, &t.masks, w->arena);
	if (!err)
		err = place(&t);
	weft__assignment_explain(&t.pairs, "minimal routes", w->diag);
	if (!err && t.pairs.left) {
		err = bend(&t);
		weft__assignment_explain(&t.pairs, "some routes bent", w->diag);
	}
	if (!err && !t.pairs.left && t.pairs.rerouted)
		err = relieve(&t);
	*found = !err && !t.pairs.left;
	if (*found)
		err = weft__trees_fill(w->f, &routes->trees, &out->lft);
	if (!err && *found)
		err = weft__assignment_layers(&t.pairs, &out->layers);
	weft__assignment_free(&t.pairs);
	return err;
}
