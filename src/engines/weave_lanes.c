// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave with several lanes
 *
 * With lanes to spare routes need not follow one order: minimal routes are
 * shorter, and on what is no tree they do not crowd the middle.  In this order:
 * 1. Minimal trees, balanced and improved regardless of lanes.  If the model
 *    does not promise more of them than of the ordered ones, that is it.  Those
 *    that go by port numbers alone come first where they promise more still, as
 *    on hypercubes.
 * 2. Each lane gets an order (orders.c), and each pair of switches a lane
 *    (pairs.c).  On fabrics that are nearly trees everybody finds one.
 * 3. If few do not: their LIDs are routed by the order of one lane alone.  The
 *    order must be one without a valley: that of closeness, or if it has one, the
 *    order from one root takes the last lane.  Then all pairs look for a lane
 *    again.  This may cut off others; when half of the switches follow one order
 *    it is given up.
 * 4. If that costs too much, or they are many, minimal trees are made anew that
 *    keep to the orders (spread.c), and the rest as in step 3.
 * 5. What comes out must still promise more than one lane; improved as well, if
 *    the trees of step 1 had to be given up.
 */
#include "engines/weave.h"

#include "core/arena.h"
#include "engines/pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define GAIN 1.001		/* less is not worth several lanes */
#define FEW 200			/* one pair in so many may be routed anew */
#define INSERTING (UINT64_C(1) << 27)	/* edges looked at */
#define ROUNDS 16
#define LOSS 0.97		/* more is not worth it */

struct laner {
	struct weft__weave *w;
	struct weft__woven *out;
	struct weft__orders orders;
	struct weft__spread spread;
	struct weft__pairs pairs;
	struct weft__closeness close;	/* the order from one root */
	struct weft__ways *single;	/* ways without a valley */
	struct weft__ways one_root;
	uint8_t *member;	/* [nsw] routed by single */
	uint32_t nmembers;
	bool strict;		/* trees must stay as they are */
	bool anew;		/* trees are not those that were improved */
	uint32_t *left;		/* [nsw] pairs without a lane */
	struct weft__plan *plan;	/* [nsw] minimal, as they were */
};

/* Ways of an order that needs no valley; its lane has that order. */
static int prepare_single(struct laner *l)
{
	struct weft__weave *w = l->w;
	uint32_t n = w->f->nsw;

	if (l->single)
		return 0;
	l->single = &w->ordered.ways;
	if (!w->ordered.ways.nvalley)
		return 0;
	l->close = w->close;
	l->close.place = weft__arena_alloc(w->arena, n, sizeof(uint32_t));
	l->close.by_place = weft__arena_alloc(w->arena, n, sizeof(uint32_t));
	if (!l->close.place || !l->close.by_place)
		return -ENOMEM;
	memcpy(l->close.by_place, w->close.by_place, n * sizeof(uint32_t));
	if (!weft__closeness_one_root(&l->close, w->arena) ||
	    !weft__ways_init(&l->one_root, w->f, w->arena, l->close.place))
		return -ENOMEM;
	l->single = &l->one_root;
	weft__orders_set(&l->orders, l->orders.n - 1, l->close.place);
	return 0;
}

static void count_left(struct laner *l)
{
	uint32_t n = l->w->f->nsw;

	memset(l->left, 0, n * sizeof(*l->left));
	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = 0; y < n; y++)
			if (x != y && l->pairs.lane[(size_t)x * n + y] ==
			    WEFT__NO_LANE)
				l->left[x]++;
}

/* The switch with most pairs left, each endport counting against it; those
 * without endports first. */
static uint32_t worst(const struct laner *l)
{
	const struct weft_fabric *f = l->w->f;
	uint32_t best = WEFT_NONE;
	double most = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t endports = f->sw_ep_first[s + 1] - f->sw_ep_first[s];
		double x = endports ? (double)l->left[s] / endports :
			(double)l->left[s] * f->nsw;

		if (!l->member[s] && x > most) {
			most = x;
			best = s;
		}
	}
	return best;
}

/* Routes the LIDs of a switch by the single order. */
static int join(struct laner *l, uint32_t s)
{
	struct weft__woven *out = l->out;
	const struct weft__plan *old = weft__ways_to(&out->ways, s);
	struct weft__plan plan;

	if (!weft__ways_keep(&out->ways, weft__ways_to(l->single, s), &plan))
		return -ENOMEM;
	for (uint32_t i = l->spread.first[s]; i < l->spread.first[s + 1]; i++) {
		uint32_t d = l->spread.list[i];
		const struct weft__tree *tree = &out->trees.tree[d];
		bool loads = d < out->trees.nendports;

		if (loads)
			weft__balance_load(&out->balance, old, tree->choice,
					   -UINT64_C(1));
		weft__balance_tree(&out->balance, &plan, tree->choice, false);
		if (loads)
			weft__balance_load(&out->balance, &plan, tree->choice,
					   1);
	}
	out->ways.plan[s] = plan;
	l->member[s] = 1;
	l->nmembers++;
	return 0;
}

/* A cover of the pairs left joins those that are routed by one order. */
static int join_cover(struct laner *l)
{
	uint32_t n = l->w->f->nsw, s;

	count_left(l);
	while ((s = worst(l)) != WEFT_NONE) {
		int err = join(l, s);

		if (err)
			return err;
		for (uint32_t y = 0; y < n; y++)
			if (l->left[y] && l->pairs.lane[(size_t)s * n + y] ==
			    WEFT__NO_LANE)
				l->left[y]--;
		l->left[s] = 0;
	}
	return 0;
}

/* Those without a lane, if no more than few, are routed anew; not more than
 * half of all switches, for then one order for all is better. */
static int settle(struct laner *l, uint64_t few)
{
	for (unsigned i = 0; l->pairs.left && l->pairs.left <= few &&
	     i < ROUNDS && l->nmembers <= l->w->f->nsw / 2; i++) {
		int err = prepare_single(l);

		if (!err)
			err = join_cover(l);
		if (err)
			return err;
		weft__spread_look(&l->spread, l->out->trees.n);
		weft__pairs_assign(&l->pairs, INSERTING);
	}
	return 0;
}

static void explain_lanes(const struct laner *l, const char *what)
{
	const struct weft__pairs *p = &l->pairs;

	weft_explain(l->w->diag, "%u lanes, %s: of %" PRIu64 " pairs of "
		     "switches %" PRIu64 " share a lane by its order, %" PRIu64
		     " as it comes, %" PRIu64 " have none; %" PRIu32
		     " switches routed by one order", l->orders.n, what,
		     p->npairs, p->npairs - p->inserted - p->left, p->inserted,
		     p->left, l->nmembers);
}

static bool has_bare(const struct weft_fabric *f)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			return true;
	return false;
}

/* Switches without endports are reached by the order: minimal ways to them turn
 * wherever it suits, and close cycles for what is hardly any traffic. */
static int order_bare(struct laner *l)
{
	const struct weft_fabric *f = l->w->f;
	struct weft__ways *ordered = &l->w->ordered.ways;
	struct weft__plan *plan = l->out->ways.plan;

	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1] &&
		    f->sw[s].lid &&
		    !weft__ways_keep(&l->out->ways, weft__ways_to(ordered, s),
				     &plan[s]))
			return -ENOMEM;
	return 0;
}

/* Minimal trees as they are, switches' LIDs this way or that. */
static int try_minimal(struct laner *l)
{
	const char *what = "minimal routes";
	bool bare = has_bare(l->w->f);
	uint64_t effort = l->orders.n > 1 ? INSERTING : INSERTING / 64;
	int err = 0;

	weft__spread_look(&l->spread, l->out->trees.nendports);
	for (unsigned i = 0; i < 2 && !err; i++) {
		weft__spread_switches(&l->spread);
		weft__pairs_assign(&l->pairs, bare && !i ? effort / 8 : effort);
		explain_lanes(l, what);
		if (!l->pairs.left || i || !bare)
			break;
		what = "switches by the order";
		err = order_bare(l);
	}
	return err;
}

/* Who is left over is routed by one order, if they are few. */
static int try_rest(struct laner *l)
{
	double promised = l->out->predicted;
	int err;

	l->anew = true;
	err = settle(l, l->pairs.npairs / FEW);

	if (!err && !l->pairs.left) {
		explain_lanes(l, "the rest by one order");
		err = weft__weave_improve(l->w, l->out, 0);
		if (l->out->predicted < promised * LOSS)
			l->pairs.left = 1;
	}
	return err;
}

/* Trees that keep to the lanes from the beginning. */
static int try_spread(struct laner *l)
{
	uint32_t n = l->w->f->nsw;
	int err;

	memcpy(l->out->ways.plan, l->plan, n * sizeof(*l->plan));
	memset(l->member, 0, n);
	l->nmembers = 0;
	weft__spread_route(&l->spread, l->w->passes);
	weft__spread_switches(&l->spread);
	weft__pairs_assign(&l->pairs, INSERTING);
	err = settle(l, l->pairs.npairs);
	if (!err)
		explain_lanes(l, "minimal routes that keep to the lanes");
	return err;
}

static int find_lanes(struct laner *l)
{
	int err = try_minimal(l);

	if (l->strict)
		return err;
	if (!err && l->pairs.left && l->orders.n > 1)
		err = try_rest(l);
	if (!err && l->pairs.left && l->orders.n > 1)
		err = try_spread(l);
	return err;
}

static int init(struct laner *l)
{
	struct weft__weave *w = l->w;

	if (!weft__orders_choose(&l->orders, &l->out->ways, &w->close,
				 w->lanes, w->arena) ||
	    !weft__spread_init(&l->spread, &l->orders, &l->out->ways,
			       &l->out->trees, &l->out->balance, w->arena))
		return -ENOMEM;
	l->member = weft__arena_zalloc(w->arena, w->f->nsw, 1);
	l->left = weft__arena_alloc(w->arena, w->f->nsw, sizeof(*l->left));
	l->plan = weft__arena_alloc(w->arena, w->f->nsw, sizeof(*l->plan));
	if (!l->member || !l->left || !l->plan)
		return -ENOMEM;
	memcpy(l->plan, l->out->ways.plan, w->f->nsw * sizeof(*l->plan));
	return weft__pairs_init(&l->pairs, &l->spread, w->arena);
}

/* Lanes for the minimal trees, and what they are worth then. */
static int lay(struct laner *l, struct weft_layers *layers, bool *found)
{
	struct weft__weave *w = l->w;
	int err = find_lanes(l);

	if (err || l->pairs.left)
		return err;
	if (l->anew && w->effort)
		err = weft__weave_improve(w, &w->ordered, w->effort);
	if (!err)
		err = weft__weave_improve(w, l->out, 0);
	if (err)
		return err;
	*found = l->out->predicted > w->ordered.predicted * GAIN;
	weft_explain(w->diag, "%u lanes: predicted bandwidth %.4f: %s",
		     l->orders.n, l->out->predicted,
		     *found ? "taken" : "not taken");
	return *found ? weft__pairs_layers(&l->pairs, layers) : 0;
}

/* Tries to find lanes for trees; strict: as they are. */
static int attempt(struct weft__weave *w, struct weft__woven *out, bool strict,
		   struct weft_layers *layers, bool *found)
{
	struct laner l = { .w = w, .out = out, .strict = strict };
	int err = init(&l);

	if (!err)
		err = lay(&l, layers, found);
	if (!err && !*found)
		memcpy(out->ways.plan, l.plan, w->f->nsw * sizeof(*l.plan));
	weft__pairs_free(&l.pairs);
	return err;
}

/* The lowest port of each switch that is on a way of the plan. */
static void choose_ports(const struct weft_fabric *f,
			 const struct weft__plan *plan, uint8_t *choice)
{
	const struct weft__run *run = plan->run;

	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1], best = UINT32_MAX;
		const uint32_t *adj = f->adj + f->adj_first[s];

		for (unsigned n = plan->nruns[i]; n; n--, run++) {
			unsigned k = run->start, end = k + run->length;

			for (; k < end; k++) {
				if (adj[k] >= best)
					continue;
				best = adj[k];
				choice[s] = k;
			}
		}
	}
}

/* Minimal trees by port number: where ports follow dimensions, they take one
 * dimension after the other, so that streams that meet stay together. */
static int route_by_port(struct weft__weave *w, struct weft__woven *out)
{
	if (!weft__trees_list(w->f, w->arena, w->order, &out->trees) ||
	    !weft__balance_init(&out->balance, w->f, w->arena))
		return -ENOMEM;
	for (uint32_t d = 0; d < out->trees.nendports; d++) {
		const struct weft__tree *tree = &out->trees.tree[d];
		const struct weft__plan *plan = weft__ways_to(&out->ways,
							      tree->root);

		choose_ports(w->f, plan, tree->choice);
		weft__balance_load(&out->balance, plan, tree->choice, 1);
	}
	return weft__weave_improve(w, out, 0);
}

int weft__weave_lanes(struct weft__weave *w, struct weft__woven *out,
		      struct weft_layers *layers, bool *found)
{
	struct weft__woven plain;
	int err;

	if (!weft__ways_init(&out->ways, w->f, w->arena, NULL))
		return -ENOMEM;
	err = weft__weave_balance(w, out);
	if (!err)
		err = weft__weave_improve(w, out, 0);
	if (err)
		return err;
	weft_explain(w->diag, "minimal routes without regard to lanes: "
		     "predicted bandwidth %.4f", out->predicted);
	if (out->predicted <= w->ordered.predicted * GAIN)
		return 0;
	if (w->effort)
		err = weft__weave_improve(w, out, w->effort);
	plain = (struct weft__woven){ .ways = out->ways };
	if (!err)
		err = route_by_port(w, &plain);
	if (err)
		return err;
	weft_explain(w->diag, "improved: %.4f; by port number instead: %.4f",
		     out->predicted, plain.predicted);
	if (plain.predicted > out->predicted * GAIN)
		err = attempt(w, &plain, true, layers, found);
	if (*found)
		*out = plain;
	return err || *found ? err : attempt(w, out, false, layers, found);
}
