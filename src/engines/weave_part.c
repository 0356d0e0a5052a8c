// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on damaged tori
 *
 * Where more is missing of a product of rings and paths than a cable in a ring
 * (weave_rings.c), lanes are given turns such that nearly all minimal ways are
 * forward in one (rings_lanes.c), and trees are grown to fit:
 * 1. Each pair of switches begins with the lanes that its ways by dimensions
 *    have in common, if there are some.  Minimal trees are improved
 *    (improve.c) such that pairs keep a lane (legal.h), and better more of
 *    these.  Without the first, trees choose sides of even rings as it comes,
 *    and what is behind inherits them: 2 % of the pairs of 8x8x8 have no lane
 *    even if it is whole. Without datelines trees by port number are tried,
 *    too.
 * 2. Where there are lanes beyond those that datelines take, pairs that have none
 *    are put in where no cycle comes of what is there, and orders become those of
 *    the channels by then.
 * 3. Trees grow anew such that others find a lane (regrow.c), if they are many,
 *    and are bent for who is left: with the orders of 2 by mend.c.  If that is in
 *    vain it goes on from 2, as long as at most half as many are left each time.
 *    In the end, or at once where 2 is left out, the orders are those that there
 *    were at first, in which every pair has a way in every lane (lane_tree.c), and
 *    all find one (settle.c).
 * Above 1000 endports, or with MANY switches, that is it; below, what others
 * find is compared.
 *
 * Effective bisection bandwidth (300 patterns): the best without regard to
 * credit loops, psssp or minhop, by the order, which was taken before, and
 * this with 8 and 4 lanes; user time of weft route with 8:
 *
 *				loops	order	8	4	s
 *	torus:12x10,hosts=9,links=2,fail-switches=1
 *				.189	.152	.202	.202	.03
 *	torus:12x12,hosts=8,fail-links=5%
 *				.110	.075	.110	.101	.06
 *	torus:16x16,hosts=5,fail-switches=2
 *				.126	.087	.132	.132	.05
 *	torus:8x8x4,hosts=4,fail-links=3%
 *				.268	.217	.276	.276	.08
 *	torus:8x8x8,hosts=2,fail-switches=2
 *				.365	.303	.395		.18
 *	  fail-links=2%		.361	.278	.386		.23
 *	  fail-links=5%		.354	.265	.370		.31
 *	  fail-links=10%	.342	.244	.341		.49
 *	torus:8x8x8,hosts=3 without 2x2 columns of 8 switches
 *				.286		.304		.18
 *	hypercube:8,hosts=4,fail-links=10%
 *				.379	.329	.398	.397	.10
 *	mesh:16x16,hosts=5,fail-links=5%
 *				.078	.060	.081	.079	.07
 *
 * 10x10x10 with one host each, without 3 %: .334 before, after 12 s, and .474
 * after 5 s (psssp .435).  12x12x12 with one each, without 5 % and 10 %: .258 and
 * .238 in one lane, .388 and .302 here, in 15 and 29 s.  What is left when
 * PATIENCE is at its end goes by the lanes' trees alone; half of it gives .337
 * without 5 %, in the same time.
 *
 * Eight seeds of 8x8x8 without 3, 5 and 10 % of cables all have lanes, and from
 * 1.058 to 1.065, 1.041 to 1.047 and .992 to .999 times the bandwidth of psssp.
 * Before trees grew anew, and in each lane, two of these went below one root, .244
 * without 10 %, and it took three times as long: 2 was done first, and of 6787
 * pairs found a lane for 2311 in a third of the time.  Where datelines take all
 * lanes these are full; 12x12 has two for each of the four: .1092 with 2,
 * .1080 without.
 *
 * Without datelines up to four in ten pairs find one: hypercube:8,hosts=5 without
 * 10 % (seed 3) .348 instead of .328, of 9 dimensions with 2 hosts without 20 %
 * .503 instead of .461.  With datelines more than one in four had better go by
 * other means: .206, but .188, on 10x10x4 without 20 % with 4 lanes.
 *
 * Tried: less care for lanes where there are datelines: .268 on 8x8x4, .198 on
 * 12x10; as much of it on meshes: .078 and .086 instead of .081 and .087 (16x16,
 * 5 % of cables, 3 switches).
 *
 * In two dimensions with datelines every second tree is polished in the end: 12x12
 * with 8 hosts without 5 % .1098 -> .1112 (seed 2; sssp .1102) in .10 s, not .07,
 * all of them .1120 in .12 s; 10x10 with 12 hosts without 8 % .0911, .0925, .0931
 * (sssp .0933).  In three, or without datelines, it takes half as long again as
 * all else and gives .4 %: 8x8x8 without 5 % .3688, .3702 and .3707.
 */
#include "engines/weave.h"

#include "core/arena.h"
#include "engines/pairs.h"
#include "engines/polish.h"
#include "engines/rings_lanes.h"

#include <errno.h>
#include <inttypes.h>

#define PASSES 2	/* of balance before improvement */
#define CARE 16		/* lanes that are better than fewer */
#define LITTLE_CARE 2	/* without datelines there are plenty */
#define FEW 4		/* lanes: fewer leave nothing for detours */
#define MANY 300	/* switches: other ways take seconds to find there */
#define HOPELESS 0.25	/* pairs without a lane that are too many to find other
			 * ways for, */
#define TOO_HOPELESS 0.4	/* without datelines */
#define FLAT 2		/* dimensions: polish is worth its time */
#define PROGRESS 0.5	/* of them that another round is worth */
#define LOOKS 4		/* at switches, for each pair of these */
#define INSERTION 32	/* times the effort of improvement to find lanes, */
#define PATIENCE 128	/* and other ways */

struct part {
	struct weft__weave *w;
	struct weft__woven *out;
	const struct weft__rings *rings;
	struct weft__rings_lanes lanes;
	struct weft__turns first;	/* as they were, if there is room */
	struct weft__orders orders;
	struct weft__spread spread;
	struct weft__pairs pairs;
	uint64_t effort;	/* of the search for lanes */
	bool room;		/* for ways that no lane is meant for */
};

static int route(struct part *p)
{
	struct weft__weave *w = p->w;
	struct weft__legal legal;
	int err;

	if (!weft__ways_init(&p->out->ways, w->f, w->arena, NULL) ||
	    !weft__legal_init(&legal, &p->lanes.turns, w->lanes, w->arena))
		return -ENOMEM;
	legal.care = p->lanes.nlong ? CARE : LITTLE_CARE;
	legal.first = p->lanes.common;
	err = weft__weave_balance(w, p->out, PASSES);
	return err || !w->effort ? err :
		weft__weave_improve(w, p->out, w->effort, &legal);
}

static void explain(const struct part *p, const char *what)
{
	weft__pairs_explain(&p->pairs, what, p->w->diag);
}

/* Lanes for pairs that have none yet where no cycle comes of it; orders follow
 * what is there. */
static void insert(struct part *p)
{
	weft__pairs_assign(&p->pairs, p->effort * INSERTION);
	weft__orders_adapt(&p->orders, &p->pairs.order);
	weft__spread_look(&p->spread, p->out->trees.n);
}

/* Lanes for the pairs that have none yet, by other ways: for all if lanes are as
 * they were at first, which is sure then. */
static int bend(struct part *p, bool sure)
{
	int err = weft__weave_bend_left(&p->pairs, &p->spread,
					sure ? p->lanes.up : NULL,
					p->effort * PATIENCE);

	if (!err && p->lanes.nlong && p->rings->n <= FLAT && p->w->effort)
		err = weft__polish(&p->spread, 1, true);
	if (err)
		return err;
	weft__pairs_place(&p->pairs);
	explain(p, "some routes bent");
	return 0;
}

/* That of improvement; where it is not limited by time, so much for each pair
 * of switches. */
static uint64_t choose_effort(const struct weft__weave *w)
{
	uint64_t most = (uint64_t)w->f->nsw * w->f->nsw * LOOKS;

	return weft__weave_is_large(w->f) || w->effort < most ? w->effort :
		most;
}

/* The orders that there were at first, in which all pairs have ways. */
static int renew(struct part *p)
{
	weft__turns_copy(&p->orders.turns, &p->first);
	weft__spread_look(&p->spread, p->out->trees.n);
	return bend(p, true);
}

static int find_lanes(struct part *p)
{
	struct weft__pairs *q = &p->pairs;
	double most = q->npairs * (p->lanes.nlong ? HOPELESS :
				   TOO_HOPELESS), hopeless = most;
	int err = 0;

	weft__spread_look(&p->spread, p->out->trees.nendports);
	weft__spread_switches(&p->spread);
	weft__pairs_place(q);
	explain(p, "by dimensions");
	while (!err && q->left && q->left < hopeless) {
		hopeless = q->left * PROGRESS;
		if (p->room)
			insert(p);
		if (q->left)
			err = bend(p, !p->room);
	}
	if (!err && p->room && q->bent && q->left && q->left < most)
		err = renew(p);
	return err;
}

static int fit(struct part *p, struct weft__woven *out,
	       struct weft_layers *layers, bool *found)
{
	struct weft__weave *w = p->w;
	int err;

	p->out = out;
	p->orders = (struct weft__orders){
		.fabric = w->f, .n = w->lanes, .turns = p->lanes.turns,
	};
	if (!weft__spread_init(&p->spread, &p->orders, &p->out->ways,
			       &p->out->trees, &p->out->balance, w->arena))
		return -ENOMEM;
	err = weft__pairs_init(&p->pairs, &p->spread, w->arena);
	p->pairs.several = true;
	if (!err)
		err = find_lanes(p);
	*found = !err && !p->pairs.left;
	if (*found)
		err = weft__pairs_layers(&p->pairs, layers);
	weft__pairs_free(&p->pairs);
	return err;
}

/* Trees by port number, if they are better and find lanes. */
static int try_ports(struct part *p, struct weft_layers *layers, bool *found)
{
	struct weft__woven *out = p->out;
	struct weft__woven plain = { .ways = out->ways };
	bool crowded, better = false;
	int err = weft__weave_by_port(p->w, &plain, out, &crowded);

	*found = false;
	if (!err && !crowded)
		err = weft__weave_compare(p->w, &out->trees, &plain.trees,
					  &better);
	if (!err && better)
		err = fit(p, &plain, layers, found);
	if (!err && *found)
		*out = plain;
	return err;
}

int weft__weave_part(struct weft__weave *w, const struct weft__rings *rings,
		     struct weft__woven *out, struct weft_layers *layers,
		     bool *found, bool *sure)
{
	struct part p = {
		.w = w, .out = out, .rings = rings, .effort = choose_effort(w),
	};
	int err;

	*found = w->lanes >= FEW;
	if (!*found)
		return 0;
	if (!weft__rings_lanes(&p.lanes, rings, w->lanes, w->arena, found))
		return -ENOMEM;
	if (!*found)
		return 0;
	weft_explain(w->diag, "part of a product of rings and paths: %u "
		     "dimensions, %" PRIu64 " pairs of switches without a way "
		     "by them", rings->n, p.lanes.broken);
	p.room = 2u << p.lanes.nlong <= w->lanes;
	if (p.room && !weft__turns_init(&p.first, w->f, w->arena))
		return -ENOMEM;
	if (p.room)
		weft__turns_copy(&p.first, &p.lanes.turns);
	err = route(&p);
	*found = false;
	if (!err && !p.lanes.nlong)
		err = try_ports(&p, layers, found);
	if (!err && !*found)
		err = fit(&p, out, layers, found);
	*sure = weft__weave_is_large(w->f) || w->f->nsw > MANY;
	return err;
}
