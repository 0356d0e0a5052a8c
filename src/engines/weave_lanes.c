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
 * 3. If some do not, layering looks for lanes pair by pair, and for other
 *    routes (weave_fit.c); with one lane, if the routes between endports alone
 *    have no cycle (weave_one.c).
 */
#include "engines/weave.h"

#include "core/arena.h"
#include "engines/pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define INSERTING (UINT64_C(1) << 25)	/* edges looked at */

struct laner {
	struct weft__weave *w;
	struct weft__woven *out;
	struct weft__orders orders;
	struct weft__spread spread;
	struct weft__pairs pairs;
	struct weft__plan *plan;	/* [nsw] minimal, as they were */
};

static void explain_lanes(const struct laner *l, const char *what)
{
	const struct weft__pairs *p = &l->pairs;

	weft_explain(l->w->diag, "%u lanes, %s: of %" PRIu64 " pairs of "
		     "switches %" PRIu64 " share a lane by its order, %" PRIu64
		     " as it comes, %" PRIu64 " have none", l->orders.n, what,
		     p->npairs, p->npairs - p->inserted - p->left, p->inserted,
		     p->left);
}

static bool is_bare(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] == f->sw_ep_first[s + 1];
}

static bool has_bare(const struct weft_fabric *f)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		if (is_bare(f, s))
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
		if (is_bare(f, s) && f->sw[s].lid &&
		    !weft__ways_keep(&l->out->ways, weft__ways_to(ordered, s),
				     &plan[s]))
			return -ENOMEM;
	return 0;
}

/* Minimal trees as they are, switches' LIDs this way or that. */
static int find_lanes(struct laner *l)
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

static int init(struct laner *l)
{
	struct weft__weave *w = l->w;

	if (!weft__orders_choose(&l->orders, &l->out->ways, &w->close,
				 w->lanes, w->arena) ||
	    !weft__spread_init(&l->spread, &l->orders, &l->out->ways,
			       &l->out->trees, &l->out->balance, w->arena))
		return -ENOMEM;
	l->plan = weft__arena_alloc(w->arena, w->f->nsw, sizeof(*l->plan));
	if (!l->plan)
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
	weft_explain(w->diag, "taken: %u lanes, predicted bandwidth %.4f",
		     l->orders.n, l->out->predicted);
	*found = true;
	return weft__pairs_layers(&l->pairs, layers);
}

/* Tries to find lanes for trees as they are. */
static int attempt(struct weft__weave *w, struct weft__woven *out,
		   struct weft_layers *layers, bool *found)
{
	struct laner l = { .w = w, .out = out };
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

/* Lanes for the trees that promise more of two, or for the others; else for
 * trees that need fewer. */
static int choose_lanes(struct weft__weave *w, struct weft__woven *plain,
			struct weft__woven *out, struct weft_layers *layers,
			bool *found)
{
	bool fits = w->lanes > 1;
	int err = 0;

	if (plain->predicted > out->predicted * WEFT__WEAVE_GAIN) {
		err = attempt(w, plain, layers, found);
		if (*found)
			*out = *plain;
	}
	if (!err && !*found)
		err = attempt(w, out, layers, found);
	if (!err && !*found && !fits)
		err = weft__weave_one(w, out, &fits);
	if (!err && !*found && fits)
		err = weft__weave_fit(w, out, layers, found);
	return err;
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
	if (out->predicted <= w->ordered.predicted * WEFT__WEAVE_GAIN)
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
	return choose_lanes(w, &plain, out, layers, found);
}
