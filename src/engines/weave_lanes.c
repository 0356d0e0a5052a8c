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
 *    Where the model promises little more of it than of the ordered trees,
 *    random bisections decide, up to 1000 endports: where hosts have several
 *    rates the model errs by some percent.
 * 3. If some do not, the orders of the lanes become orders of their channels
 *    that hold all turns in use, and others; trees are bent where they lack a
 *    lane then (weave_bend.c), or, where many do, grown anew before, with care
 *    for lanes.
 * 4. If that is in vain, layering looks for lanes pair by pair, and for other
 *    routes (weave_fit.c); with one lane, if the routes between endports alone
 *    have no cycle (weave_one.c).
 *
 * That takes time, more than minhop of opensm.  Above 1000 endports, therefore:
 * - Improvement knows the orders (legal.h), so that pairs keep a lane.  With 8
 *   lanes nearly all pairs can: all but 4 of 62500 of random:250x12,36, 38 of
 *   69696 of dragonfly:8,4,4,33, none of selene-compute have a minimal way that
 *   is legal in one of 8 orders.  What that share is of a sample is known before
 *   there are trees (with 2 lanes of dragonfly:8,4,4,33 8.6 %, random:250x12,24
 *   6.9 %): above 40 % it ends there; above 20 % what comes of it is compared with
 *   the order (a dragonfly+ of 288 switches with 4 lanes, 25 %: .453, the order
 *   .463); above 1.8 %, improvement leaves each pair two lanes where it can, and
 *   trees by port number, which leave three times as many pairs without, are not
 *   tried.
 * - Where no two switches with endports are more than two hops apart, a route
 *   makes one dependency at most, and lanes take nearly all pairs as they come,
 *   whatever the orders say: all 16194 without one of 56953 pairs of a Slim Fly
 *   (338 switches, 3380 hosts) with two lanes, .516 -> .666; a 12x12 HyperX .640,
 *   .730.  Two lanes of a 5x6x6 HyperX (5.8 % of the pairs, 931) .493, .534, of a
 *   random graph of 140 switches (6.5 %, 634) .311, .359.
 * - Bent routes are compared with the order by bisections where the model was
 *   asked about both.
 * - Pairs that share no lane are put in as they come, searched for as long as
 *   what is in vain takes no longer than twice the effort of improvement (with
 *   once, 1389 pairs of selene-compute are left in the end with 4 lanes); others,
 *   up to a tenth or 500, get other ways (pairs_mend.c), and the last ones do by
 *   orders that have become those of what is in use, with other pairs giving way
 *   (mend.c): with 2 lanes of dragonfly:8,4,4,33 1674 and 38 pairs, .462 -> .605
 *   in two thirds of minhop's time, of random:250x12,24 1559 and 12, .313 -> .384;
 *   with 3 of random:60x20,24 .084 -> .112, hypercube:8,hosts=5,fail-links=5%
 *   .353 -> .365; with 4 of dragonfly:8,4,4,33,fail-links=5% .430 -> .588.
 *   Before that searches move the order as they come, with half the effort: of
 *   688 pairs of selene-compute with 4 lanes 11 are left, without 133.  mend.c is
 *   given eight times the effort, and another round as long as half of the pairs
 *   find one: sparse random graphs, random:300x5,9, .082-.091 -> .194-.197
 *   (psssp, with loops, .200), a De Bruijn graph (256 switches, 1280 hosts)
 *   .077 -> .180 (.184), a Kautz graph (324, 1296) .193 -> .345 (.348).
 *   Only if a few in a thousand are left then, more care is taken, and all is
 *   done again; it never comes to layering, which took seconds and found nothing
 *   in the end.  A little care is tried first only where a handful is left: of 26
 *   of 51040 pairs of a Kautz graph (320 switches, 1280 hosts) it left 16, much
 *   care none, .448 either way, before mend.c; of a smaller one (243 switches) 39,
 *   13, none, .308.  But of 6 pairs of a De Bruijn graph (256 switches) it left
 *   none, .384, much care .367.
 *   Where the order makes few detours, and more than a tenth is left, care is
 *   taken once: a hypercube of 7 dimensions that lacks 28 switches .211, .227 (sssp
 *   .227), in 1.4 times the time.
 * - Where pairs are left in the end, and the order makes many detours, each lane
 *   is given a tree (orders_trees.c), trees grow anew such that most find a lane
 *   (regrow.c), and are bent until all do (settle.c).  What comes of it is compared
 *   with the order, which it was before; user time of weft route, both:
 *					lanes	before		now
 *	random:300x5,9			4	.091 .09	.177 .39
 *					2	.091 .09	.138 .33
 *	random:100x11,16		2	.132 .03	.173 .09
 *	random:400x5,8			8	.030 .16	.088 1.2
 *	Kautz graph, 320 switches	2	.311 .12	.391 .30
 *	torus:8x8x8,hosts=2,fail-links=2%
 *					4	.277 .31	.301 .94
 *					2	.277 .24	.322 .42
 *	torus:12x12,hosts=8,fail-links=5%
 *					2	.077 .06	.094 .09
 *	torus:12x12,hosts=2,fail-links=10%
 *					2	.197 .70	.239 .69
 *	a torus, each switch cabled otherwise, 10 of 192 out
 *					8	.241 .14	.292 .27
 *	a tree of meshes, 300 switches	8	.101 .24	.134 .54
 *   Without care for lanes before it 4 lanes of 8x8x8 .294, but the tree of meshes
 *   .139; much care .322, .123.  Not on trees: ranger,fail-links=3% with 2 lanes
 *   .360, eftree .658.
 * - What trees are worth after improvement, which takes as long to find out as
 *   half the improvement, is not asked: where trees by port number crowd no
 *   cable, bisections compare.  Two passes of balance before, not four (one
 *   where all switches have hosts), and orders by 128 destinations or half the
 *   switches, not 512: bandwidth the same to .2 %.
 * - Switches without endports are reached by the order at once, not only where
 *   minimal ways to them find no lanes; that, and to look first for lanes that
 *   need no search (pairs.c): juropa,fail-links=5% 4.0 s -> 2.3 s under the lock,
 *   fail-switches=5% 10.5 -> 4.5, ranger,fail-links=5% 6.3 -> 2.9; minhop 3.4, 3.2
 *   and 6.2.
 * - Where one lane holds what endports send, as on JuRoPA, it shall do, however
 *   many there are: to look for lanes for what switches send, too, took 1.3 s.
 * - With one lane minimal routes are left where one order makes many detours
 *   (random 21 %, dragonfly 37 % of the pairs), and where balanced ones close a
 *   cycle; the order is not judged where it makes some.
 * - Effort is a tenth of what minhop looks at, one pass at least.  More passes
 *   give little (bandwidth with 0, 1, 4 and 24 passes in one lane: 8x8x8 torus
 *   by the order .315 .324 .325 .325, random .591 .591 .592 .592, dragonfly
 *   .461 .462 .463 .464, selene-compute .649 .661 .663 .663).
 * Effective bisection bandwidth (200 patterns) with 8, 4, 2 and 1 lanes, where
 * layering was tried and care taken up to three times, and now:
 *	random:250x12,36	.677 .675 .666 .592	.677 .676 .664 .592
 *	random:250x12,24	.406 .393 .313 .313	.406 .404 .385 .313
 *	dragonfly:8,4,4,33	.635 .622 .463 .463	.635 .631 .605 .463
 *	dragonfly:8,8,4,17	.494 .492 .395 .395	.494 .493 .475 .395
 *	selene-compute		.665 .661 .661 .661	.664 .662 .660 .660
 * User time of weft route in seconds, the same:
 *	random:250x12,36	0.26 0.37 0.46 0.13	0.16 0.15 0.14 0.12
 *	random:250x12,24	0.34 0.42 1.15 0.12	0.17 0.15 0.16 0.10
 *	dragonfly:8,4,4,33	0.10 0.13 0.63 0.05	0.07 0.06 0.06 0.04
 *	dragonfly:8,8,4,17	0.05 0.05 0.39 0.03	0.03 0.03 0.04 0.03
 *	selene-compute		1.9  5.0  2.1  1.4	1.3  1.4  2.0  0.9
 *
 * Tried:
 * - Places for pairs of trees by port number one by one, as on tori, without
 *   orders: 17922 of 130816 pairs left on the 8x8x8 torus.
 * - Two lanes where many pairs have no minimal way: the shortest way that is
 *   legal in some lane, planned for each destination before balance.  Of 34716
 *   pairs of dragonfly:8,4,4,33 387 have no lane then, 14 after mending, none
 *   after two more rounds of care: .590, in three times the time of minhop;
 *   random:250x12,24 .381.  Mending minimal trees is better (.605, .384;
 *   dragonfly:8,4,4,33 with 3 lanes .618 and .606, dragonfly:8,8,4,17 with 2 .475
 *   and .462).
 * - For the last pairs searches that move the order as they come (pairs_mend.c),
 *   with ten and a hundred times the effort, dependencies that are no more taken
 *   out of the graph, and, in place of care, a lane that most ways of a pair have
 *   at first goes before others: with 2 lanes of dragonfly:8,4,4,33 106, 73, 13
 *   pairs are left in the end, 62, and with random:250x12,24 12, 3, 3.
 * - mend.c for all pairs that are left: .599 and .378, as it does not mind load.
 * - A lane for each pair of endports, not of switches: where a pair of switches has
 *   none, nearly all pairs of endports there have none (9.17 % and 9.10 % of
 *   dragonfly:8,4,4,33 with 2 lanes, 17.0 % and 9.6 % of a hypercube that lacks 28
 *   of 128 switches with 8).
 * - All pairs without a common lane by other ways at once, without insertion:
 *   dragonfly:8,4,4,33 with 3 lanes .609, and tori with gaps find none at all.
 */
#include "engines/weave_search.h"

#include "trees/worth.h"

#include <errno.h>

#define MANY_FARTHER 0.1	/* where so many routes of one order are longer,
				 * one lane cannot hold minimal ones */
#define SOME_FARTHER 0.05	/* where more are, minimal ones are better */
#define MANY_BENT 0.06	/* pairs, for whom trees may be crowded */
#define CLOSE 1.05	/* times as much is well beyond what the model errs */
#define PASSES 2	/* of balance before improvement */

/* Whether minimal trees, as they are, are worth the trouble: they promise more,
 * which goes without saying where the order makes detours; and if there is one
 * lane only, have no cycle in it. */
static int try_minimal(struct weft__search *s, bool *worth)
{
	struct weft__weave *w = s->w;
	int err;

	if (!s->few_detours && weft__weave_is_large(w->f))
		return 0;
	err = weft__weave_improve(w, s->out, 0, NULL);
	w->minimal = s->out->predicted;
	if (!err)
		weft_explain(w->diag, "minimal routes without regard to lanes: "
			     "predicted bandwidth %.4f", w->minimal);
	if (!err && s->few_detours) {
		err = weft__weave_judge_ordered(w);
		*worth = w->minimal >
			w->ordered.predicted * WEFT__WEAVE_GAIN;
	}
	return err;
}

/* Whether routes in lanes promise little more than the order. */
static int promise_little(struct weft__search *s, bool *little)
{
	struct weft__weave *w = s->w;
	int err = weft__weave_judge_ordered(w);

	if (!err && s->out->predicted < w->ordered.predicted * CLOSE)
		err = weft__weave_improve_ordered(w);
	*little = s->out->predicted < w->ordered.predicted * CLOSE;
	return err;
}

/* Whether it is open if they are better than the order: where it took a lot to
 * find lanes; where time is no matter, and they promise little; where it is, if
 * the model does not know them, bent or with care for lanes, and it is known what
 * the order promises. */
static int doubt(struct weft__search *s, bool *open)
{
	struct weft__weave *w = s->w;
	bool large = weft__weave_is_large(w->f);

	*open = true;
	if (s->doubtful || s->trial.bends > MANY_BENT) {
		int err = weft__weave_reroot(w);

		return err ? err : weft__weave_improve_ordered(w);
	}
	*open = large && w->ordered.judged &&
		(s->trial.bent || s->legal.care > 1);
	return large || s->trial.bent ? 0 : promise_little(s, open);
}

/* Whether they keep what they promise, where that is open. */
static int confirm(struct weft__search *s)
{
	bool open;
	int err = doubt(s, &open);

	if (!err && open)
		err = weft__weave_beats_order(s->w, &s->out->trees,
					      &s->trial.found);
	if (err || !s->trial.found)
		weft_layers_free(s->trial.layers);
	return err;
}

static int explain_taken(struct weft__search *s)
{
	struct weft__weave *w = s->w;
	double worth = s->out->predicted;
	int err = 0;

	if (!weft_explains(w->diag))
		return 0;
	if (s->trial.bent) {
		err = weft__trees_worth(w->f, &s->out->trees, &worth);
	} else if (!s->out->judged) {
		err = weft__weave_improve(w, s->out, 0, NULL);
		worth = s->out->predicted;
	}
	weft_explain(w->diag, "taken: %u lanes, %s bandwidth %.4f", s->orders.n,
		     s->trial.bent ? "bisections tried:" : "predicted", worth);
	return err;
}

/* Where time matters, and trees are not compared with those of the order, no
 * more balance than improvement needs. */
static long choose_passes(const struct weft__search *s)
{
	const struct weft__weave *w = s->w;

	if (weft__weave_is_direct(w))
		return 1;
	return weft__weave_is_large(w->f) && w->lanes > 1 && !s->few_detours &&
	       w->passes > PASSES ? PASSES : w->passes;
}

/* Whether there is one lane only, where time matters, and so many detours that
 * it cannot hold minimal routes: a sample leaves no doubt. */
static int is_vain(struct weft__weave *w, bool *vain)
{
	double farther = 0;
	int err = 0;

	if (w->lanes == 1 && weft__weave_is_large(w->f))
		err = weft__weave_guess_farther(w, &farther);
	*vain = farther > 2 * MANY_FARTHER;
	w->detours |= *vain;
	return err;
}

/* Whether minimal ways are others than the order's, and lanes may hold them. */
static int look(struct weft__search *s, bool *hopeful)
{
	struct weft__weave *w = s->w;
	struct weft__detours detours;
	bool vain;
	int err = is_vain(w, &vain);

	*hopeful = false;
	if (err || vain)
		return err;
	if (!weft__ways_init(&s->out->ways, w->f, w->arena, NULL))
		return -ENOMEM;
	err = weft__weave_detours(w, &s->out->ways, &detours);
	if (err || !detours.any)
		return err;
	w->detours = true;
	s->few_detours = detours.farther <= SOME_FARTHER;
	s->many_detours = detours.farther > MANY_FARTHER;
	*hopeful = w->lanes > 1 || !s->many_detours ||
		!weft__weave_is_large(w->f);
	return 0;
}

int weft__weave_lanes(struct weft__weave *w, struct weft__woven *out,
		      struct weft_layers *layers, bool *found)
{
	struct weft__search s = {
		.w = w, .out = out,
		.trial = { .orders = &s.orders, .layers = layers,
			   .least_left = 1 },
	};
	bool worth = true, hopeful;
	int err = look(&s, &hopeful);

	if (err || !hopeful)
		return err;
	err = weft__weave_balance(w, out, choose_passes(&s));
	if (!err)
		err = try_minimal(&s, &worth);
	if (!err && worth)
		err = weft__search_lanes(&s);
	if (!err && s.trial.found)
		err = confirm(&s);
	if (!err && s.trial.found)
		err = explain_taken(&s);
	*found = s.fitted || s.trial.found;
	return err;
}
