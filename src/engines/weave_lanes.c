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
 *   6.9 %): above 10 % it ends there, up to 1000 pairs above 15 %; above 1.8 %,
 *   improvement leaves each pair two lanes where it can, and trees by port number,
 *   which leave three times as many pairs without, are not tried.
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
#include "engines/weave.h"

#include "trees/worth.h"

#include <errno.h>

#define MANY_FARTHER 0.1	/* where so many routes of one order are longer,
				 * one lane cannot hold minimal ones */
#define FEW 0.1			/* pairs without a lane that care may help, */
#define VERY_FEW 0.002		/* and where time matters, */
#define HANDFUL 0.0004		/* that a little care helps */
#define TOO_MANY 0.175		/* or up to so many that are not mended */
#define NEAR 2			/* hops: nearly all pairs find a lane as they
				 * come */
#define HOPELESS 0.1		/* pairs without a minimal way by the orders that
				 * are too many to find others, */
#define HARD 0.15		/* or, of small fabrics, */
#define HARD_PAIRS 1000		/* up to so many pairs, */
#define SCARCE 0.018		/* and that call for care from the start */
#define MANY 0.05		/* pairs without a lane that are a hopeless lot
				 * where time matters */
#define ROUNDS 3	/* with care, where many pairs lack a lane */
#define PATIENCE (UINT64_C(1) << 23)	/* switches looked at */
#define CAREFUL 16	/* lanes that care is taken for at most */
#define CLOSE 1.05	/* times as much is well beyond what the model errs */
#define PASSES 2	/* of balance before improvement */
#define SOME_FARTHER 0.05	/* where more are, minimal ones are better */

/* The search for lanes. */
struct search {
	struct weft__weave *w;
	struct weft__woven *out;	/* minimal trees */
	struct weft__orders orders;
	struct weft__legal legal;
	struct weft__trial trial;
	double farther;		/* pairs of hosts are, by the order: a share */
	bool careful;		/* improvement minds the orders from the start */
	bool fitted;		/* lanes were found pair by pair */
};

/* Whether more care may help those that have no lane, by the last try.  Where
 * time matters, very few, or, where the order makes few detours, more than are
 * mended, but not many more. */
static bool may_care(const struct search *s)
{
	double left = s->trial.left;

	if (!s->careful)
		return left < FEW;
	return left < VERY_FEW || (left > FEW && left < TOO_MANY &&
				   s->farther <= SOME_FARTHER);
}

/* Trees with more and more care for the lanes that they leave, from that one
 * on, until all pairs have one, if few had none. */
static int take_care(struct search *s, unsigned care)
{
	int err = 0;

	for (; care <= CAREFUL && !err && !s->trial.found && may_care(s);
	     care *= care > 1 ? 8 : 2) {
		s->legal.care = care;
		err = weft__weave_improve(s->w, s->out, s->w->effort,
					  &s->legal);
		if (!err)
			err = weft__weave_try(s->w, s->out, &s->trial);
	}
	return err;
}

/* Lanes for the trees as they are, or bent where they lack one; where many do,
 * or that is in vain, for trees with care for lanes. */
static int mend(struct search *s)
{
	int err;

	s->legal.care = CAREFUL;
	s->trial.patience = PATIENCE;
	s->trial.bearable = FEW;
	err = weft__weave_try(s->w, s->out, &s->trial);
	for (unsigned i = 1; i <= ROUNDS && !err && !s->trial.found; i++) {
		err = weft__weave_improve(s->w, s->out, s->w->effort,
					  &s->legal);
		if (i == ROUNDS)
			s->trial.bearable = 1;
		if (!err)
			err = weft__weave_try(s->w, s->out, &s->trial);
	}
	return err;
}

/* How much care to begin with, where time matters: each try takes as long as
 * the first one without. */
static unsigned next_care(const struct search *s)
{
	return s->legal.care > 1 || s->trial.left > HANDFUL ? CAREFUL : 2;
}

/* Lanes by the orders for trees that need fewer, or pair by pair.  Where time
 * matters, only if there is a reason to hope. */
static int find_fewer(struct search *s)
{
	struct weft__weave *w = s->w;
	bool fits = w->lanes > 1;
	int err = 0;

	if (s->careful)
		return w->effort ? take_care(s, next_care(s)) : 0;
	if (!fits || weft__weave_is_large(w->f))
		err = weft__weave_one(w, s->out, &fits);
	if (!err && fits)
		err = weft__weave_fit(w, s->out, s->trial.layers, &s->fitted);
	return err;
}

/* Lanes for the minimal trees, or for trees that need fewer. */
static int find_lanes(struct search *s)
{
	struct weft__weave *w = s->w;
	bool large = weft__weave_is_large(w->f);
	int err = 0;

	if (w->lanes > 1 && w->effort && !large)
		err = mend(s);
	else
		err = weft__weave_try(w, s->out, &s->trial);
	return err || s->trial.found ? err : find_fewer(s);
}

/* Whether minimal trees, as they are, are worth the trouble: they promise more,
 * which goes without saying where the order makes detours; and if there is one
 * lane only, have no cycle in it. */
static int try_minimal(struct weft__weave *w, struct weft__woven *out,
		       double farther, bool *worth)
{
	int err;

	if (farther > SOME_FARTHER && weft__weave_is_large(w->f))
		return 0;
	err = weft__weave_improve(w, out, 0, NULL);
	w->minimal = out->predicted;
	if (!err)
		weft_explain(w->diag, "minimal routes without regard to lanes: "
			     "predicted bandwidth %.4f", out->predicted);
	if (!err && farther <= SOME_FARTHER) {
		err = weft__weave_judge_ordered(w);
		*worth = out->predicted >
			w->ordered.predicted * WEFT__WEAVE_GAIN;
	}
	return err;
}

/* Whether trees by port number are better than the improved ones; where these
 * are not judged, bisections tell. */
static int prefer_ports(struct search *s, struct weft__woven *plain,
			bool *better)
{
	int err;

	if (!s->out->judged)
		return weft__weave_compare(s->w, &s->out->trees, &plain->trees,
					   better);
	err = weft__weave_improve(s->w, plain, 0, NULL);
	weft_explain(s->w->diag, "improved: %.4f; by port number instead: %.4f",
		     s->out->predicted, plain->predicted);
	*better = plain->predicted > s->out->predicted * WEFT__WEAVE_GAIN;
	return err;
}

/* Trees by port number, if they are better and find lanes. */
static int try_ports(struct search *s)
{
	struct weft__woven plain = { .ways = s->out->ways };
	bool crowded, better = false;
	int err = weft__weave_by_port(s->w, &plain, s->out, &crowded);

	if (!err && !crowded)
		err = prefer_ports(s, &plain, &better);
	if (!err && better)
		err = weft__weave_try(s->w, &plain, &s->trial);
	if (!err && s->trial.found)
		*s->out = plain;
	return err;
}

/* Improved trees or others by port number, and lanes for them. */
static int improve_minimal(struct search *s)
{
	struct weft__weave *w = s->w;
	int err = w->effort ?
		weft__weave_improve(w, s->out, w->effort,
				    s->careful ? &s->legal : NULL) : 0;

	if (!err && s->legal.care <= 1)
		err = try_ports(s);
	if (err || s->trial.found ||
	    (s->careful && s->trial.least_left < 1 && s->trial.left > MANY))
		return err;
	return find_lanes(s);
}

/* Whether lanes can be hoped for where time matters. */
static bool set_care(struct search *s)
{
	double pairs = s->w->f->nsw * (s->w->f->nsw - 1.0) / 2;
	double unserved = s->orders.unserved;

	weft_explain(s->w->diag, "%u lanes by their orders: no minimal way for "
		     "%.2f %% of the pairs of switches, which are up to %u "
		     "hops apart", s->orders.n, unserved * 100,
		     s->orders.farthest);
	s->legal.care = unserved > SCARCE ? 2 : 1;
	if (unserved <= HOPELESS || s->orders.farthest <= NEAR)
		return true;
	return unserved <= HARD && unserved * pairs <= HARD_PAIRS;
}

/* Improved trees where one lane holds what endports send: it shall do. */
static int improve_one(struct search *s)
{
	struct weft__weave *w = s->w;
	int err = w->effort ?
		weft__weave_improve(w, s->out, w->effort, NULL) : 0;

	return err ? err : find_fewer(s);
}

/* Minimal trees, improved, and lanes for them: where time is no matter without
 * regard to lanes first, for that gives the most bandwidth, if they fit. */
static int weave_minimal(struct search *s)
{
	struct weft__weave *w = s->w;
	bool large = weft__weave_is_large(w->f);
	bool fits = !large || s->farther <= MANY_FARTHER;
	int err = 0;

	if (large && fits)
		err = weft__weave_one_holds(w, s->out, &fits);
	if (!err && large && fits)
		err = improve_one(s);
	if (err || s->fitted || (large && w->lanes == 1))
		return err;
	if (!weft__orders_choose(&s->orders, &s->out->ways, &w->close,
				 w->lanes, w->arena) ||
	    !weft__legal_init(&s->legal, &s->orders.turns, s->orders.n,
			      w->arena))
		return -ENOMEM;
	s->careful = large;
	s->trial.several = !fits;
	if (s->careful && !set_care(s))
		return 0;
	err = improve_minimal(s);
	if (err || s->fitted || s->trial.found || large || w->lanes == 1 ||
	    !w->effort)
		return err;
	return take_care(s, 1);
}

/* Whether routes in lanes promise little more than the order. */
static int promise_little(struct search *s, bool *little)
{
	struct weft__weave *w = s->w;
	int err = weft__weave_judge_ordered(w);

	if (!err && s->out->predicted < w->ordered.predicted * CLOSE)
		err = weft__weave_improve_ordered(w);
	*little = s->out->predicted < w->ordered.predicted * CLOSE;
	return err;
}

/* Whether they keep what they promise, where that is open: where time is no
 * matter and it is little; where it is, if the model does not know them, bent or
 * with care for lanes, and it is known what the order promises. */
static int confirm(struct search *s)
{
	struct weft__weave *w = s->w;
	bool large = weft__weave_is_large(w->f);
	bool open = large && w->ordered.judged &&
		(s->trial.bent || s->legal.care > 1);
	int err = 0;

	if (!large && !s->trial.bent)
		err = promise_little(s, &open);
	if (!err && open)
		err = weft__weave_beats_order(w, &s->out->trees,
					      &s->trial.found);
	if (err || !s->trial.found)
		weft_layers_free(s->trial.layers);
	return err;
}

static int explain_taken(struct search *s)
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
static long choose_passes(const struct weft__weave *w, double farther)
{
	if (weft__weave_is_direct(w))
		return 1;
	return weft__weave_is_large(w->f) && w->lanes > 1 &&
	       farther > SOME_FARTHER && w->passes > PASSES ?
		PASSES : w->passes;
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

int weft__weave_lanes(struct weft__weave *w, struct weft__woven *out,
		      struct weft_layers *layers, bool *found)
{
	struct search s = {
		.w = w, .out = out,
		.trial = { .orders = &s.orders, .layers = layers,
			   .least_left = 1 },
	};
	struct weft__detours detours;
	bool worth = true, vain;
	int err = is_vain(w, &vain);

	if (err || vain)
		return err;
	if (!weft__ways_init(&out->ways, w->f, w->arena, NULL))
		return -ENOMEM;
	err = weft__weave_detours(w, &out->ways, &detours);
	if (err || !detours.any)
		return err;
	w->detours = true;
	if (w->lanes == 1 && detours.farther > MANY_FARTHER &&
	    weft__weave_is_large(w->f))
		return 0;
	s.farther = detours.farther;
	err = weft__weave_balance(w, out, choose_passes(w, detours.farther));
	if (!err)
		err = try_minimal(w, out, detours.farther, &worth);
	if (!err && worth)
		err = weave_minimal(&s);
	if (!err && s.trial.found)
		err = confirm(&s);
	if (!err && s.trial.found)
		err = explain_taken(&s);
	*found = s.fitted || s.trial.found;
	return err;
}
