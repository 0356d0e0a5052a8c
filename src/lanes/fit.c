// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: lanes for trees that may change
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
#include "lanes/fit.h"

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
	const struct weft__fit *spec;
	const struct weft_fabric *f;
	struct weft__ways *ways;
	struct weft__trees *trees;
	struct weft__balance *balance;
	struct weft__orders *orders;
	struct weft__lane_masks masks;
	struct weft__lane_assignment assignment;
	const uint32_t *up;
	const uint16_t *first;
	unsigned min_common_lanes;
	unsigned passes;	/* in which trees grow anew */
	bool keep;		/* loads are not to be evened out */
};

/* Plans ways to switches without endports over an order that reaches them all.
 * Where that keeps few ways minimal they are found later (lanes/
 * orders_around.c). */
static int order_bare(struct fitting *t)
{
	const struct weft_fabric *f = t->f;
	struct weft__closeness close = *t->spec->close;
	struct weft__ways ordered, *ways = t->ways;
	bool tree;

	if (!weft__any_bare(f))
		return 0;
	tree = t->up || t->spec->straight;
	if (tree && !weft__ways_by_closeness(&ordered, &close, t->spec->arena))
		return -ENOMEM;
	t->balance->looked += tree ? ordered.looked : 0;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (weft__is_bare(f, s) && f->sw[s].lid &&
		    !weft__ways_keep(ways, weft__ways_to(tree ? &ordered : ways,
							 s), &ways->plan[s]))
			return -ENOMEM;
	return 0;
}

/* Inserts pairs as long as the budget allows.  That is brief where work is so
 * short that many endports share trees. */
static void insert_pairs(struct fitting *t)
{
	const struct weft__balance *b = t->balance;
	double effort = t->spec->budget * INSERTING_SHARE;
	double left = b->looked < b->limit ? b->limit - b->looked : 0;

	if (effort > left * INSERTING_SHARE_LEFT)
		effort = left * INSERTING_SHARE_LEFT;
	t->assignment.brief = t->trees->ntwins * SHARING >
			      t->trees->nendports;
	weft__assignment_insert(&t->assignment, effort);
}

/* Grows trees again within some lanes, where pairs have none. */
static int regrow_within(struct fitting *t, uint16_t lanes)
{
	int err;

	t->masks.all = lanes;
	weft__masks_look(&t->masks, t->trees->n);
	err = weft__regrow(&t->masks, PASSES);
	weft__assignment_place(&t->assignment);
	return err;
}

static int grow_lane_trees(struct fitting *t)
{
	if (!weft__orders_grow(t->orders, t->spec->arena))
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
				 t->spec->close, t->spec->arena, &how))
		return -ENOMEM;
	t->assignment.rerouted = true;
	if (how == WEFT__AROUND_PARTS)
		err = grow_lane_trees(t);
	if (!err)
		err = regrow_within(t, how == WEFT__AROUND_ASIDE ? lanes | 1 :
				    lanes);
	weft__assignment_explain(&t->assignment, "around", t->spec->diag);
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
	weft__masks_look(&t->masks, t->trees->nendports);
	weft__masks_switches(&t->masks);
	if (t->up && !t->keep)
		err = weft__regrow_all(&t->masks, t->min_common_lanes,
				       t->first);
	t->assignment.rerouted = t->up;
	t->assignment.around = !t->up &&
			       !t->spec->straight;
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
	if (!weft__orders_grow(t->orders, t->spec->arena))
		return -ENOMEM;
	t->up = t->orders->parent;
	if (t->assignment.left < FAR_TOO_MANY * t->assignment.npairs) {
		weft__masks_look(&t->masks, t->trees->n);
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
	weft__assignment_explain(&t->assignment, "grown anew", t->spec->diag);
	return err;
}

/* True if rerouting for all pairs that are left would exceed the budget. */
static bool exceeds_budget(const struct fitting *t)
{
	return (double)t->assignment.left * t->orders->n * t->f->nsw *
		       TRIES_PER_PAIR >
	       t->spec->budget * REROUTING_SHARE;
}

/* Returns what searches for ways may look at where there are others: the trees
 * of the lanes.  What switches without endports send and get is worth fewer. */
static uint64_t searching_effort(const struct fitting *t)
{
	const struct weft__balance *b = t->balance;
	double effort = t->spec->budget * REROUTING_SHARE;
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
	weft__masks_look(&t->masks, t->trees->n);
	err = weft__settle_pairs(&t->masks, NULL,
				 t->spec->budget * REROUTING_SHARE);
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
	const struct weft__balance *b = t->balance;
	int err;

	if (b->looked > b->limit)
		return 0;
	weft__assignment_place(&t->assignment);
	if (t->assignment.left) {
		weft__orders_adapt(t->orders, &t->assignment.order);
		weft__masks_look(&t->masks, t->trees->n);
	}
	err = weft__regrow_relieve(&t->masks, !t->keep, RELIEF_ROUNDS);
	weft__assignment_place(&t->assignment);
	return err;
}

double weft__fit_work(const struct weft_fabric *f, double budget, unsigned lanes,
		      uint32_t lids, uint32_t edges)
{
	double pairs = (double)f->nsw * f->nsw;

	return budget * INSERTING_SHARE + pairs * lanes * 8 +
	       (double)lids * GROWTHS_PER_TREE * (2.0 * edges + 8.0 * f->nsw);
}

double weft__fit_least(const struct weft_fabric *f, uint32_t lids, double minimal)
{
	return lids * (minimal + (double)LEAST_PER_ENTRY * f->nsw);
}

/* Finds lanes in the steps above. */
static int fit(struct fitting *t)
{
	struct weft_diag *diag = t->spec->diag;
	int err = place_pairs(t);

	weft__assignment_explain(&t->assignment, "minimal routes", diag);
	if (!err && t->assignment.left) {
		err = reroute_left(t);
		weft__assignment_explain(&t->assignment, "some routes bent",
					 diag);
	}
	if (!err && !t->assignment.left && t->assignment.rerouted)
		err = relieve_peaks(t);
	return err;
}

int weft__fit_lanes(const struct weft__fit *spec, struct weft__ways *ways,
		    struct weft__trees *trees, struct weft__balance *balance,
		    struct weft__orders *orders, struct weft_layers *layers,
		    bool *found)
{
	struct fitting t = {
		.spec = spec, .f = ways->fabric, .ways = ways, .trees = trees,
		.balance = balance, .orders = orders, .passes = PASSES,
		.keep = spec->keep,
	};
	int err;

	if (spec->held) {
		t.up = spec->held->up;
		t.first = spec->held->first;
		t.min_common_lanes = spec->held->min_common_lanes;
		t.keep = spec->held->keep;
	}
	if (spec->room) {
		weft__turns_limit(&orders->turns, spec->room);
		orders->last_first = true;
	}
	if (!weft__masks_init(&t.masks, orders, ways, trees, balance,
			      spec->arena))
		return -ENOMEM;
	t.masks.along = true;
	err = weft__assignment_init(&t.assignment, &t.masks, spec->arena);
	if (!err)
		err = fit(&t);
	*found = !err && !t.assignment.left;
	if (*found)
		err = weft__assignment_layers(&t.assignment, layers);
	weft__assignment_free(&t.assignment);
	return err;
}
