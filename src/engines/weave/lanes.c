// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, lanes for minimal trees
 *
 * Each lane allows the turns of an order of its channels.  A pair of switches
 * may use a lane in which all ways between them, in both directions and to all
 * LIDs, are legal.  Lanes are found in steps, each for the pairs that the steps
 * before have left:
 * 1. Place: all pairs are put in one lane, if that closes no cycle; else each
 *    pair in the first lane whose order holds it (lanes/assignment.c).
 * 2. Insert: a pair is put in a lane where no cycle comes of the dependencies
 *    that are really there.
 * 3. Regrow: the orders become those of the turns in use, with a tree in each
 *    lane; then trees grow anew so that most pairs find a lane
 *    (lanes/regrow.c).
 * 4. Settle: trees are rerouted for the pairs that are left, until all pairs
 *    have a lane, which is certain to succeed (lanes/settle.c), unless it
 *    would exceed the budget.
 *
 * Switches without endports are reached by Up*Down* over closeness: minimal
 * ways to them turn anywhere, and would close cycles for hardly any traffic.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"
#include "lanes/assignment.h"
#include "lanes/regrow.h"
#include "lanes/settle.h"

#include <weft/diag.h>

#include <errno.h>

#define INSERTING_SHARE 0.04	/* of the budget, for step 2 */
#define REROUTING_SHARE 0.3	/* of the budget, to search ways in step 4 */
#define GROWTHS_PER_TREE 5	/* times that a tree grows, on an average */
#define TRIES_PER_PAIR 4	/* tries for a pair in a lane, on an average */
#define RELIEF_ROUNDS 32	/* of peaks */
#define MIN_COMMON_LANES 2	/* that a way had better leave to a pair */

/* Share of pairs without a lane up to which ways are changed within the orders
 * there are; beyond it all trees grow anew. */
#define MAX_REROUTED_SHARE 0.1
/* Share of pairs without a lane beyond which their trees grow anew before they
 * are rerouted. */
#define REGROW_SHARE 0.01

struct fitting {
	struct weft__weave *w;
	struct weft__tree_routes *routes;
	struct weft__orders *orders;
	struct weft__lane_masks masks;
	struct weft__lane_assignment assignment;
	const uint32_t *up;
	const uint16_t *first;
	unsigned min_common_lanes;
	bool keep;
};

static bool is_bare(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] == f->sw_ep_first[s + 1];
}

/* Plans ways to switches without endports over an order that reaches them
 * all. */
static int order_bare(struct fitting *t)
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

/* Has each cable carry no more lanes than it has. */
static bool limit_lanes(struct weft__weave *w, struct weft__orders *orders)
{
	const uint16_t *room;

	if (!w->limited)
		return true;
	room = weft__vls_room(&w->vls, w->f, orders->n, w->arena);
	if (!room)
		return false;
	weft__turns_limit(&orders->turns, room);
	orders->last_first = true;
	return true;
}

/* Finds lanes for pairs as they are routed: steps 1 and 2. */
static int place_pairs(struct fitting *t)
{
	int err = order_bare(t);

	if (err)
		return err;
	weft__masks_look(&t->masks, t->routes->trees.nendports);
	weft__masks_switches(&t->masks);
	if (t->up && !t->keep)
		err = weft__regrow_all(&t->masks, t->min_common_lanes,
				       t->first);
	t->assignment.rerouted = t->up;
	weft__assignment_insert(&t->assignment, t->w->budget * INSERTING_SHARE);
	return err;
}

/* Makes orders with a tree in each lane. */
static int grow_orders(struct fitting *t)
{
	int err;

	if (t->up)
		return 0;
	weft__orders_adapt(t->orders, &t->assignment.order);
	if (!weft__orders_grow(t->orders, t->w->arena))
		return -ENOMEM;
	t->up = t->orders->parent;
	weft__masks_look(&t->masks, t->routes->trees.n);
	weft__assignment_place(&t->assignment);
	if (t->assignment.left <= MAX_REROUTED_SHARE * t->assignment.npairs)
		return 0;
	err = weft__regrow_all(&t->masks, MIN_COMMON_LANES, NULL);
	weft__assignment_place(&t->assignment);
	weft__assignment_explain(&t->assignment, "grown anew", t->w->diag);
	return err;
}

/* True if rerouting for all pairs that are left would exceed the budget. */
static bool exceeds_budget(const struct fitting *t)
{
	return (double)t->assignment.left * t->orders->n * t->w->f->nsw *
		       TRIES_PER_PAIR >
	       t->w->budget * REROUTING_SHARE;
}

/* Reroutes for a few pairs within the orders of the turns in use. */
static int reroute_few(struct fitting *t)
{
	int err;

	if (t->up ||
	    t->assignment.left > MAX_REROUTED_SHARE * t->assignment.npairs ||
	    exceeds_budget(t))
		return 0;
	weft__orders_adapt(t->orders, &t->assignment.order);
	weft__masks_look(&t->masks, t->routes->trees.n);
	err = weft__settle_pairs(&t->masks, NULL,
				 t->w->budget * REROUTING_SHARE);
	t->assignment.rerouted = true;
	weft__assignment_place(&t->assignment);
	return err;
}

/* Finds lanes for the pairs that are left: steps 3 and 4. */
static int reroute_left(struct fitting *t)
{
	int err = reroute_few(t);

	if (!err && t->assignment.left)
		err = grow_orders(t);
	weft__assignment_place(&t->assignment);
	if (!err && t->assignment.left > REGROW_SHARE * t->assignment.npairs)
		err = weft__regrow(&t->masks);
	weft__assignment_place(&t->assignment);
	t->assignment.rerouted = true;
	if (err || !t->assignment.left || exceeds_budget(t))
		return err;
	if (!err)
		err = weft__settle_pairs(&t->masks, t->up,
					 t->w->budget * REROUTING_SHARE);
	weft__assignment_place(&t->assignment);
	return err;
}

/*
 * Takes down the peaks of loads of the trees as they have become, within orders
 * that hold all pairs: those of the turns in use, where the present ones do
 * not.
 */
static int relieve_peaks(struct fitting *t)
{
	int err;

	weft__assignment_place(&t->assignment);
	if (t->assignment.left) {
		weft__orders_adapt(t->orders, &t->assignment.order);
		weft__masks_look(&t->masks, t->routes->trees.n);
	}
	err = weft__regrow_relieve(&t->masks, !t->keep, RELIEF_ROUNDS);
	weft__assignment_place(&t->assignment);
	return err;
}

double weft__assign_lanes_work(const struct weft__weave *w)
{
	double pairs = (double)w->f->nsw * w->f->nsw;

	return w->budget * INSERTING_SHARE + pairs * w->lanes * 8 +
	       w->facts.lids * GROWTHS_PER_TREE *
		       (2.0 * w->facts.edges + 8.0 * w->f->nsw);
}

int weft__assign_lanes(struct weft__weave *w, struct weft__tree_routes *routes,
		       struct weft__orders *orders,
		       const struct weft__lanes_held *held,
		       struct weft_routes *out, bool *found)
{
	struct fitting t = { .w = w, .routes = routes, .orders = orders };
	int err;

	if (held) {
		t.up = held->up;
		t.first = held->first;
		t.min_common_lanes = held->min_common_lanes;
		t.keep = held->keep;
	}
	if (!limit_lanes(w, orders) ||
	    !weft__masks_init(&t.masks, orders, &routes->ways, &routes->trees,
			      &routes->balance, w->arena))
		return -ENOMEM;
	err = weft__assignment_init(&t.assignment, &t.masks, w->arena);
	if (!err)
		err = place_pairs(&t);
	weft__assignment_explain(&t.assignment, "minimal routes", w->diag);
	if (!err && t.assignment.left) {
		err = reroute_left(&t);
		weft__assignment_explain(&t.assignment, "some routes bent",
					 w->diag);
	}
	if (!err && !t.assignment.left && t.assignment.rerouted)
		err = relieve_peaks(&t);
	*found = !err && !t.assignment.left;
	if (*found)
		err = weft__trees_fill(w->f, &routes->trees, &out->lft);
	if (!err && *found)
		err = weft__assignment_layers(&t.assignment, &out->layers);
	weft__assignment_free(&t.assignment);
	return err;
}
