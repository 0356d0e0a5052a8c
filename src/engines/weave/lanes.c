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
 *    Where switches without endports alone keep all from one lane, these get
 *    other ways, mostly in the same lane (lanes/orders_around.c).
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
#include "lanes/orders_around.h"
#include "lanes/regrow.h"
#include "lanes/settle.h"

#include <weft/diag.h>

#include <errno.h>

#define INSERTING_SHARE 0.04	/* of the budget, for step 2 */
#define INSERTING_SHARE_LEFT 0.03	/* of what is left then, at most */
#define REROUTING_SHARE 0.3	/* of the budget, to search ways in step 4 */
#define REROUTING_SHARE_LEAST 0.4	/* of the limit, for that in any case */
#define APART 30	/* times fewer searches where that is for switches
			 * without endports alone */
#define GROWTHS_PER_TREE 5	/* times that a tree grows, on an average */
#define TRIES_PER_PAIR 4	/* tries for a pair in a lane, on an average */
#define LEAST_PER_ENTRY 120	/* edges and switches that all steps look at
				 * for a switch and LID, at least */
#define SHARING 4	/* if one in so many endports shares a tree, work is
			 * short */
#define RELIEF_ROUNDS 32	/* of peaks */
#define MIN_COMMON_LANES 2	/* that a way had better leave to a pair */

/* Share of pairs without a lane up to which ways are changed within the orders
 * there are; */
#define MAX_REROUTED_SHARE 0.1
/* and up to which trees keep the ways that have a lane, which are balanced;
 * beyond it all grow anew from nothing. */
#define MAX_REGROWN_SHARE 0.2
#define PASSES 2	/* in which trees grow anew; one, if they do for more
			 * than MAX_REROUTED_SHARE: another one gains nothing
			 * for what it takes */
/* Share of pairs without a lane that no change of orders lowers that far. */
#define FAR_TOO_MANY 0.25
/* Share of pairs without a lane beyond which their trees grow anew before they
 * are rerouted. */
#define REGROW_SHARE 0.05

struct fitting {
	struct weft__weave *w;
	struct weft__tree_routes *routes;
	struct weft__orders *orders;
	struct weft__lane_masks masks;
	struct weft__lane_assignment assignment;
	const uint32_t *up;
	const uint16_t *first;
	unsigned min_common_lanes;
	unsigned passes;	/* in which trees grow anew */
	bool keep;		/* loads are not to be evened out */
};

static bool is_bare(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] == f->sw_ep_first[s + 1];
}

/* Plans ways to switches without endports over an order that reaches them all.
 * Where that keeps few ways minimal they are found later (lanes/
 * orders_around.c). */
static int order_bare(struct fitting *t)
{
	const struct weft_fabric *f = t->w->f;
	struct weft__closeness close = t->w->close;
	struct weft__ways ordered, *ways = &t->routes->ways;
	bool tree;

	if (t->w->facts.homes == f->nsw)
		return 0;
	tree = t->up || t->w->facts.straight >= WEFT__STRAIGHT;
	if (tree && !weft__ways_by_closeness(&ordered, &close, t->w->arena))
		return -ENOMEM;
	t->routes->balance.looked += tree ? ordered.looked : 0;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (is_bare(f, s) && f->sw[s].lid &&
		    !weft__ways_keep(ways, weft__ways_to(tree ? &ordered : ways,
							 s), &ways->plan[s]))
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

/* Inserts pairs as long as the budget allows.  That is brief where work is so
 * short that many endports share trees. */
static void insert_pairs(struct fitting *t)
{
	const struct weft__balance *b = &t->routes->balance;
	double effort = t->w->budget * INSERTING_SHARE;
	double left = b->looked < b->limit ? b->limit - b->looked : 0;

	if (effort > left * INSERTING_SHARE_LEFT)
		effort = left * INSERTING_SHARE_LEFT;
	t->assignment.brief = t->routes->trees.ntwins * SHARING >
			      t->routes->trees.nendports;
	weft__assignment_insert(&t->assignment, effort);
}

/* Grows trees again within some lanes, where pairs have none. */
static int regrow_within(struct fitting *t, uint16_t lanes)
{
	int err;

	t->masks.all = lanes;
	weft__masks_look(&t->masks, t->routes->trees.n);
	err = weft__regrow(&t->masks, PASSES);
	weft__assignment_place(&t->assignment);
	return err;
}

static int grow_lane_trees(struct fitting *t)
{
	if (!weft__orders_grow(t->orders, t->w->arena))
		return -ENOMEM;
	t->up = t->orders->parent;
	return 0;
}

/*
 * Finds other ways from and to switches without endports, as those between the
 * others take one lane: in that lane, too, or in one more, or else in any.
 */
static int reroute_bare(struct fitting *t)
{
	uint16_t all = t->masks.all, lanes = 1u << (t->orders->n - 1);
	enum weft__around how;
	int err = 0;

	if (!weft__orders_around(t->orders, &t->assignment.order,
				 &t->w->close, t->w->arena, &how))
		return -ENOMEM;
	t->assignment.rerouted = true;
	if (how == WEFT__AROUND_PARTS)
		err = grow_lane_trees(t);
	if (!err)
		err = regrow_within(t, how == WEFT__AROUND_ASIDE ? lanes | 1 :
				    lanes);
	weft__assignment_explain(&t->assignment, "around", t->w->diag);
	if (!err && t->assignment.left && !t->up)
		err = grow_lane_trees(t);
	return err || !t->assignment.left ? err : regrow_within(t, all);
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
	t->assignment.around = !t->up &&
			       t->w->facts.straight < WEFT__STRAIGHT;
	insert_pairs(t);
	if (!err && t->assignment.around && t->assignment.apart &&
	    t->assignment.left)
		err = reroute_bare(t);
	return err;
}

/* Makes orders with a tree in each lane. */
static int grow_orders(struct fitting *t)
{
	int err;

	if (t->up) {
		weft__assignment_place(&t->assignment);
		return 0;
	}
	if (t->assignment.entered)
		weft__orders_adapt(t->orders, &t->assignment.order);
	if (!weft__orders_grow(t->orders, t->w->arena))
		return -ENOMEM;
	t->up = t->orders->parent;
	if (t->assignment.left < FAR_TOO_MANY * t->assignment.npairs) {
		weft__masks_look(&t->masks, t->routes->trees.n);
		weft__assignment_place(&t->assignment);
		if (t->assignment.left <=
		    MAX_REROUTED_SHARE * t->assignment.npairs)
			return 0;
		if (t->assignment.left <=
		    MAX_REGROWN_SHARE * t->assignment.npairs) {
			t->passes = 1;
			return 0;
		}
	}
	t->keep = false;
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

/* Returns what searches for ways may look at where there are others: the trees
 * of the lanes.  What switches without endports send and get is worth fewer. */
static uint64_t searching_effort(const struct fitting *t)
{
	const struct weft__balance *b = &t->routes->balance;
	double effort = t->w->budget * REROUTING_SHARE;
	double left = b->looked < b->limit ? b->limit - b->looked : 0;
	double least = b->limit * REROUTING_SHARE_LEAST;

	left = left > least ? left : least;
	if (t->assignment.apart)
		left /= APART;
	return effort < left ? effort : left;
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
	if (!err && t->assignment.left > REGROW_SHARE * t->assignment.npairs) {
		err = weft__regrow(&t->masks, t->passes);
		weft__assignment_place(&t->assignment);
	}
	t->assignment.rerouted = true;
	if (!err && t->assignment.left) {
		err = weft__settle_pairs(&t->masks, t->up,
					 searching_effort(t));
		weft__assignment_place(&t->assignment);
	}
	return err;
}

/*
 * Takes down the peaks of loads of the trees as they have become, within orders
 * that hold all pairs: those of the turns in use, where the present ones do
 * not.
 */
static int relieve_peaks(struct fitting *t)
{
	const struct weft__balance *b = &t->routes->balance;
	int err;

	if (b->looked > b->limit)
		return 0;
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

double weft__assign_lanes_least(const struct weft__weave *w)
{
	return w->facts.lids * (w->facts.minimal +
				(double)LEAST_PER_ENTRY * w->f->nsw);
}

int weft__assign_lanes(struct weft__weave *w, struct weft__tree_routes *routes,
		       struct weft__orders *orders,
		       const struct weft__lanes_held *held,
		       struct weft_routes *out, bool *found)
{
	struct fitting t = {
		.w = w, .routes = routes, .orders = orders, .passes = PASSES,
	};
	int err;

	t.keep = routes->shared;
	if (held) {
		t.up = held->up;
		t.first = held->first;
		t.min_common_lanes = held->min_common_lanes;
		t.keep = held->keep;
	}
	routes->balance.limit = weft__weave_left(w, 0);
	if (!limit_lanes(w, orders) ||
	    !weft__masks_init(&t.masks, orders, &routes->ways, &routes->trees,
			      &routes->balance, w->arena))
		return -ENOMEM;
	t.masks.along = true;
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
	weft__route_end(w, routes);
	return err;
}
