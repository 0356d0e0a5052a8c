// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, for any fabric, without credit loops
 *
 * Idea: Up*Down* need not cost bandwidth if "up" means towards the middle of the
 * fabric as its hosts see it, and if destinations are balanced over all legal
 * ways, again and again.
 * 1. The order (closeness.c, weave_order.c): switches by the sum of their hops
 *    to all hosts.
 * 2. The ways (ways.c): a switch that has a way down to the destination takes
 *    the shortest ways down, the others climb to where the rest is shortest.
 * 3. Completeness (valleys.c): upper switches, and what hangs on them, have no
 *    such way to one another.  They get one that goes down into a valley, always
 *    the same, and up again.
 * 4. Balance (balance.c): each destination takes the least loaded tree of its
 *    ways, in passes; each pass takes its loads out again first.  Then the trees
 *    are improved by what streams expect of each other (improve.c).
 * 5. Tori and the like go by dimensions (weave_rings.c).
 * 6. Minimal routes, if they promise more and the lanes hold them
 *    (weave_lanes.c), be it one (weave_one.c).
 * 7. In one lane the levels of a tree, where closeness is a bad order
 *    (weave_order.c), all that eftree does (weave_tree.c), and, on what is no
 *    tree, the best of several roots (weave_roots.c).
 * All that with one LID for each port; other LIDs (LMC) take the same routes
 * (weave_lids.c).
 *
 * Deadlock: free of credit loops in a single lane, for all traffic of endports
 * and switches, whatever is chosen among the ways: those of step 2 never turn
 * from down to up, and those of step 3 are taken only if the dependencies of all
 * ways of all destinations stay acyclic.  If no valley does (large trees with
 * gaps), the switches are ordered anew by their hops from one root, which
 * everyone can climb to, so that no valley is needed.
 *
 * Structures: all of one run, in one arena.
 * Complexity: O(switches x cables) for the ways, O(passes x LIDs x E) for the
 * trees, E = the cables on ways to one switch.
 * Above 1000 endports time matters, and less is done where that shows little, all
 * of it within .001 of bandwidth on 29 fabrics of up to 5000 hosts:
 * - Orders are compared after one pass of balance, not four; the better one gets
 *   the rest, until a pass takes off less than .2 % of the sum of squares of
 *   loads (dragonfly:8,8,4,17: 1.7, .1 and .03 %; selene-compute stops after its
 *   second pass, .6604 in place of .6608).
 * - What trees are worth is estimated from a quarter of them, unless prices are
 *   needed: .001 off, for both sides of a comparison alike.
 * - Where all switches have hosts, one pass of balance goes before improvement,
 *   and first prices are of a quarter of the trees, too: bandwidth within .003 of
 *   itself on 12 tori, dragonflies and random graphs.  The same on trees: one
 *   pass selene-compute .648 instead of .665, juropa,fail-links=5% .594 instead
 *   of .605; such prices juropa .634 instead of .685.
 * CPU time of the span under the lock in one lane, before these two, one root at
 * once (weave_order.c) and dimensions at once (weave_rings.c), and now, minhop
 * behind, in ms: torus:12x12,hosts=8 26, 13, 20 without 5 % of its cables, whole
 * 15, 5, 20; dragonfly:8,8,4,17 18, 14, 22; hypercube:8,hosts=5,fail-links=5% 97,
 * 57, 95; torus:8x8x8,hosts=2,fail-links=5% 155, 70, 220; random:60x20,36 12, 8,
 * 12.
 * What there is to be had on selene-compute, .665 with 8 lanes, .661 with one:
 * the first cable up alone leaves .822 at most, by the hosts and cables of each
 * leaf.  A tree of that shape without a fault (15 groups of 14 leaves with its 15
 * to 21 endports, 20 spines, 7 cores above each of these, by two cables) has
 * .698, and with an aggregation node on each spine and core, as there, .668 with
 * 8 lanes, .665 with one (200 patterns; eftree .697 and .666).  So faults cost
 * .003, and 5 % above the .653 of minimal trees is more than a faultless tree
 * has.
 */
#include "engines/common.h"

#include "core/arena.h"
#include "trees/improve.h"
#include "engines/weave.h"

#include <errno.h>
#include <string.h>

#define MILLION UINT64_C(1000000)
#define SMALL_EFFORT (90 * MILLION)
#define WORTH_A_PASS 0.002	/* of the squares of loads, of large fabrics */
#define ONE_IN 4	/* trees are weighed, of large fabrics */
#define MINHOP_SHARE 10	/* of what minhop looks at */

/* *is_root: NULL if no roots are given. */
static int read_roots(struct weft__weave *w, const struct weft_options *options,
		      uint8_t **is_root)
{
	bool any;
	int err;

	*is_root = weft__arena_zalloc(w->arena, w->f->nsw, 1);
	if (!*is_root)
		return weft_fail(w->diag, ENOMEM, "out of memory");
	err = weft__listed_switches(w->f, options, "roots", *is_root, &any,
				    w->diag);
	if (!any)
		*is_root = NULL;
	return err;
}

/* One pass more; whether another one may be worth it. */
static bool pass_pays(struct weft__woven *out)
{
	struct weft__balance *b = &out->balance;
	double before = weft__balance_squares(b);

	weft__balance_improve(b, &out->ways, &out->trees, 1);
	return before - weft__balance_squares(b) > before * WORTH_A_PASS;
}

/* Passes of large fabrics end where they give little. */
static void rebalance(struct weft__weave *w, struct weft__woven *out,
		      long passes)
{
	if (!weft__weave_is_large(w->f))
		weft__balance_improve(&out->balance, &out->ways, &out->trees,
				      passes);
	else
		while (passes-- > 0 && pass_pays(out))
			;
}

int weft__weave_balance(struct weft__weave *w, struct weft__woven *out,
			long passes)
{
	if (!weft__trees_list(w->f, w->arena, w->order, &out->trees) ||
	    !weft__balance_init(&out->balance, w->f, w->arena))
		return -ENOMEM;
	weft__balance_endports(&out->balance, &out->ways, &out->trees, 1);
	rebalance(w, out, passes - 1);
	out->routed = true;
	return 0;
}

/* After improve.c has changed trees. */
static void count_loads(struct weft__woven *out)
{
	weft__balance_reset(&out->balance);
	for (uint32_t d = 0; d < out->trees.nendports; d++) {
		const struct weft__tree *tree = &out->trees.tree[d];

		weft__balance_load(&out->balance,
				   weft__ways_to(&out->ways, tree->root),
				   tree->choice, 1);
	}
}

int weft__weave_improve(struct weft__weave *w, struct weft__woven *out,
			uint64_t effort, struct weft__legal *legal)
{
	struct weft__improve run = {
		.effort = effort, .seed = 1, .legal = legal,
		.blind = legal && weft__weave_is_large(w->f),
	};
	int err;

	out->predicted = 1;
	out->judged = !run.blind;
	if (w->f->nep < 2)
		return 0;
	if (!out->improver)
		out->improver = weft__improver_new(w->f, w->arena, false,
				weft__weave_is_large(w->f) ? ONE_IN : 1,
				weft__weave_is_direct(w));
	err = out->improver ? weft__improver_run(out->improver, &out->ways,
						 &out->trees, &run) : -ENOMEM;
	if (err)
		return err;
	out->predicted = effort ? run.after : run.before;
	out->improved = effort;
	if (effort)
		count_loads(out);
	return 0;
}

bool weft__weave_is_direct(const struct weft__weave *w)
{
	return weft__weave_is_large(w->f) && w->effort &&
	       !weft__weave_may_have_levels(w->f);
}

long weft__weave_trial_passes(const struct weft__weave *w)
{
	return weft__weave_is_large(w->f) ? 1 : w->passes;
}

/* By the order, after it was compared with others. */
static int settle_order(struct weft__weave *w)
{
	struct weft__woven *out = &w->ordered;
	long passes = weft__weave_trial_passes(w);
	int err = weft__weave_balance(w, out, passes);

	if (!err)
		err = weft__weave_reorder(w);
	if (err || passes >= w->passes || weft__weave_is_direct(w))
		return err;
	rebalance(w, out, w->passes - passes);
	out->judged = false;
	if (out->improver)
		weft__improver_forget(out->improver);
	return 0;
}

int weft__weave_route_ordered(struct weft__weave *w)
{
	int err;

	if (w->ordered.routed)
		return 0;
	err = settle_order(w);
	return err ? err : weft__weave_relevel(w);
}

int weft__weave_judge_ordered(struct weft__weave *w)
{
	int err = weft__weave_route_ordered(w);

	if (err || w->ordered.judged)
		return err;
	err = weft__weave_improve(w, &w->ordered, 0, NULL);
	if (!err)
		weft_explain(w->diag, "1 lane, by the order: predicted "
			     "bandwidth %.4f", w->ordered.predicted);
	return err;
}

int weft__weave_improve_ordered(struct weft__weave *w)
{
	int err = weft__weave_route_ordered(w);

	if (err || !w->effort || w->ordered.improved)
		return err;
	return weft__weave_improve(w, &w->ordered, w->effort, NULL);
}

/* In one lane, by the order or by levels. */
static int route_one_lane(struct weft__weave *w, struct weft__woven *out)
{
	struct weft__trees trees;
	bool better = false;
	int err = weft__weave_reroot(w);

	if (!err)
		err = weft__weave_improve_ordered(w);
	if (!err)
		err = weft__weave_judge_ordered(w);
	if (!err)
		err = weft__weave_tree(w, &trees, &better);
	if (err)
		return err;
	*out = w->ordered;
	if (better) {
		out->trees = trees;
		weft_explain(w->diag, "taken: 1 lane, the routes of eftree");
		return 0;
	}
	weft__balance_switches(&out->balance, &out->ways, &out->trees);
	weft_explain(w->diag, "taken: 1 lane, predicted bandwidth %.4f after "
		     "improvement", out->predicted);
	return 0;
}

/* In lanes if that promises more than the order. */
static int route_any(struct weft__weave *w, struct weft__woven *out,
		     struct weft_layers *layers)
{
	bool found = false;
	int err = 0;

	if (w->f->nep > 1)
		err = weft__weave_lanes(w, out, layers, &found);
	return err || found ? err : route_one_lane(w, out);
}

/* Takes other trees if they are worth more; frees the lanes of the worse. */
static int prefer(struct weft__weave *w, struct weft__woven *out,
		  struct weft_layers *layers, const struct weft__woven *other,
		  struct weft_layers *other_layers)
{
	bool better = false;
	int err = weft__weave_compare(w, &out->trees, &other->trees, &better);

	weft_layers_free(better ? layers : other_layers);
	if (better) {
		*out = *other;
		*layers = *other_layers;
	}
	return err;
}

/* By dimensions, if there are any, or else by all other means; by both where it
 * is open which is better. */
static int route_best(struct weft__weave *w, bool dimensions,
		      struct weft__woven *out, struct weft_layers *layers)
{
	struct weft__woven rings = { .routed = false };
	struct weft_layers rings_layers;
	bool found = false, sure = false;
	int err = dimensions ? weft__weave_rings(w, &rings, &rings_layers,
						 &found, &sure) : 0;

	if (err)
		return err;
	if (found && sure) {
		*out = rings;
		*layers = rings_layers;
		return 0;
	}
	err = weft__weave_order(w) ? route_any(w, out, layers) : -ENOMEM;
	if (!found)
		return err;
	if (!err)
		return prefer(w, out, layers, &rings, &rings_layers);
	weft_layers_free(&rings_layers);
	return err;
}

static int route_all(struct weft__weave *w, const struct weft_options *options,
		     struct weft_routes *routes)
{
	struct weft_layers layers;
	struct weft__woven out = { .routed = false };
	uint8_t *is_root;
	int err = read_roots(w, options, &is_root);

	if (err)
		return err;
	w->is_root = is_root;
	weft_layers_init(&layers);
	err = route_best(w, w->f->nep > 1 && !is_root, &out, &layers);
	if (!err && weft_explains(w->diag))
		err = weft__weave_explain_hottest(w, &out.trees);
	if (!err)
		err = weft__trees_fill(w->f, &out.trees, &routes->lft);
	if (err) {
		weft_layers_free(&layers);
		return weft_fail(w->diag, -err, "out of memory");
	}
	routes->layers = layers;
	return 0;
}

/*
 * What improving the routes may cost, in cables looked at.  An engine that
 * takes as long as a stock one is welcome, and minhop looks at each port of a
 * switch for each LID; small fabrics may take as long as they like.
 */
static uint64_t choose_effort(const struct weft_fabric *f, long option)
{
	uint64_t ports = 0;

	if (option >= 0)
		return option * MILLION;
	if (!weft__weave_is_large(f))
		return SMALL_EFFORT;
	for (uint32_t s = 0; s < f->nsw; s++)
		ports += f->sw[s].nports;
	return ports * (f->nep + (uint64_t)f->nsw) / MINHOP_SHARE + 1;
}

/* Base LIDs first, then the others by these. */
static int route_lids(struct weft__weave *w, const struct weft_fabric *f,
		      const struct weft_options *options,
		      struct weft_routes *out)
{
	bool apart = !strcmp(weft_options_text(options, "lids"), "apart");
	struct weft_routes routes = { 0 };
	struct weft_fabric base;
	int err;

	if (!weft__weave_base_lids(f, w->arena, &base))
		return weft_fail(w->diag, ENOMEM, "out of memory");
	w->f = &base;
	err = route_all(w, options, &routes);
	if (err)
		return err;
	if (!weft__weave_other_lids(f, apart, w->arena, &routes.lft)) {
		weft_routes_free(&routes);
		return weft_fail(w->diag, ENOMEM, "out of memory");
	}
	*out = routes;
	return 0;
}

static int weave_route(const struct weft_fabric *f,
		       const struct weft_options *options,
		       struct weft_routes *out, struct weft_diag *diag)
{
	struct weft__weave w = {
		.diag = diag,
		.order = weft__endport_order(f, options),
		.passes = weft_options_int(options, "passes"),
		.effort = choose_effort(f, weft_options_int(options, "effort")),
		.lanes = weft_options_int(options, "lanes"),
		.minimal = 1,
	};
	int err = weft__require_connected(f, diag);

	if (err)
		return err;
	w.arena = weft__arena_new();
	if (!w.arena)
		return weft_fail(diag, ENOMEM, "out of memory");
	err = route_lids(&w, f, options, out);
	weft__arena_free(w.arena);
	return err;
}

static const struct weft_option weave_options[] = {
	{ .name = "lanes", .type = WEFT_OPT_INT, .preset = "8",
	  .min = 1, .max = 15,
	  .help = "lanes that may be used; in a subnet manager no more than "
		  "the hardware has" },
	{ .name = "passes", .type = WEFT_OPT_INT, .preset = "4",
	  .min = 1, .max = 1000,
	  .help = "how often every destination is routed at most" },
	{ .name = "effort", .type = WEFT_OPT_INT, .preset = "-1",
	  .min = -1, .max = 1000000,
	  .help = "work on improving the routes, in millions of cables looked "
		  "at, some 10 ms each; -1: 90 up to 1000 hosts, for more "
		  "what takes no longer than a stock engine" },
	{ .name = "lids", .type = WEFT_OPT_ENUM, .preset = "apart",
	  .choices = "apart|together",
	  .help = "whether LIDs after the base LID (LMC) take the routes of "
		  "other endports on the switch, or those of the base LID" },
	WEFT__ROOTS_OPTION,
	WEFT__ORDER_OPTION,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_weave = {
	.name = "weave",
	.summary = "any fabric, any number of lanes, no credit loop",
	.needs = WEFT_NEEDS_VLS,
	.options = weave_options,
	.route = weave_route,
};
