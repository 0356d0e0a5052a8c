// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lanes for minimal trees as they are, by the orders; see weave_lanes.c. */
#include "engines/weave.h"

#include "core/arena.h"
#include "engines/mend.h"
#include "engines/pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define INSERTING (UINT64_C(1) << 25)	/* edges looked at in vain */
#define MENDABLE 0.1	/* pairs left that may find other ways, */
#define MENDABLE_PAIRS 500	/* or up to so many */
#define PATIENCE 8	/* times the effort of improvement, for other ways */
#define UNSETTLED 0.4	/* pairs left, of which too many would go by trees */

struct laner {
	struct weft__weave *w;
	struct weft__woven *out;
	struct weft__trial *trial;
	struct weft__spread spread;
	struct weft__pairs pairs;
	struct weft__plan *plan;	/* [nsw] minimal, as they were */
};

static void explain_lanes(const struct laner *l, const char *what)
{
	weft__pairs_explain(&l->pairs, what, l->w->diag);
}

static bool is_bare(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] == f->sw_ep_first[s + 1];
}

static bool has_bare(const struct weft_fabric *f)
{
	uint32_t s = 0;

	while (s < f->nsw && !is_bare(f, s))
		s++;
	return s < f->nsw;
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

/* Where time matters no more than for improvement. */
static uint64_t choose_effort(const struct laner *l)
{
	if (weft__weave_is_large(l->w->f))
		return 2 * l->w->effort;
	return l->trial->orders->n > 1 ? INSERTING : INSERTING / 64;
}

static void assign(struct laner *l, const char *what, uint64_t effort)
{
	weft__spread_switches(&l->spread);
	weft__pairs_assign(&l->pairs, effort);
	explain_lanes(l, what);
}

/* Minimal trees as they are; switches' LIDs minimal, too, or by the order, at
 * once where time matters. */
static int find_lanes(struct laner *l)
{
	bool bare = has_bare(l->w->f);
	uint64_t effort = choose_effort(l);
	int err;

	weft__spread_look(&l->spread, l->out->trees.nendports);
	if (!bare || !weft__weave_is_large(l->w->f)) {
		assign(l, "minimal routes", bare ? effort / 8 : effort);
		if (!bare || !l->pairs.left)
			return 0;
	}
	err = order_bare(l);
	if (!err)
		assign(l, "switches by the order", effort);
	return err;
}

static int init(struct laner *l)
{
	struct weft__weave *w = l->w;
	int err;

	if (!weft__spread_init(&l->spread, l->trial->orders, &l->out->ways,
			       &l->out->trees, &l->out->balance, w->arena))
		return -ENOMEM;
	l->plan = weft__arena_alloc(w->arena, w->f->nsw, sizeof(*l->plan));
	if (!l->plan)
		return -ENOMEM;
	memcpy(l->plan, l->out->ways.plan, w->f->nsw * sizeof(*l->plan));
	err = weft__pairs_init(&l->pairs, &l->spread, w->arena);
	l->pairs.several = l->trial->several;
	return err;
}

/* Bends trees that lack lanes, by orders that have become more like them. */
static int bend(struct laner *l)
{
	bool done;
	int err;

	weft__orders_adapt(l->trial->orders, &l->pairs.order);
	if (l->pairs.left > l->trial->bearable * l->pairs.npairs)
		return 0;
	err = weft__weave_bend(l->w, &l->spread, l->trial->patience, &done);
	if (err || !done)
		return err;
	weft__pairs_place(&l->pairs);
	l->trial->bent = true;
	explain_lanes(l, "some routes bent");
	return 0;
}

/* Other ways by orders that have become those of what is in use, which moves
 * other pairs, too; again as long as that leaves half as many at most. */
static int mend_anew(struct laner *l)
{
	uint64_t left, before = l->pairs.left * 2;
	int err = 0;

	l->pairs.several = true;
	l->pairs.bent = true;
	while (!err && l->pairs.left && l->pairs.left * 2 <= before) {
		before = l->pairs.left;
		weft__orders_adapt(l->trial->orders, &l->pairs.order);
		weft__spread_look(&l->spread, l->out->trees.n);
		err = weft__mend(&l->spread, l->w->effort * PATIENCE, &left);
		if (err)
			break;
		weft__pairs_assign(&l->pairs, choose_effort(l));
		explain_lanes(l, "some routes bent");
	}
	return err;
}

/* Where time matters: other ways for the pairs that are left, if they are few.
 * Trees stay as they were unless all find one. */
static int mend(struct laner *l)
{
	struct weft__weave *w = l->w;
	const struct weft__trees *trees = &l->out->trees;
	double lacked = l->pairs.left;
	uint32_t nsw = w->f->nsw;
	uint8_t *copy;
	int err;

	if (l->pairs.left > MENDABLE * l->pairs.npairs &&
	    l->pairs.left > MENDABLE_PAIRS)
		return 0;
	copy = weft__arena_alloc(w->arena, trees->n, nsw);
	if (!copy)
		return -ENOMEM;
	weft__trees_save(trees, trees->n, nsw, copy);
	err = weft__pairs_mend(&l->pairs, w->effort / 2, w->arena);
	weft_explain(w->diag, "%" PRIu64 " pairs have one by other ways, %"
		     PRIu64 " have none", l->pairs.mended, l->pairs.left);
	if (!err && l->pairs.left)
		err = mend_anew(l);
	if (err || l->pairs.left)
		weft__trees_restore(trees, trees->n, nsw, copy);
	else
		l->trial->bent = true;
	l->trial->bends = lacked / l->pairs.npairs;
	return err;
}

/* Other ways for all that are left, by orders of channels with a tree in each
 * lane. */
static int settle(struct laner *l)
{
	int err = weft__weave_bend_left(&l->pairs, &l->spread,
					l->trial->orders->parent,
					l->w->effort * PATIENCE);

	if (err)
		return err;
	l->trial->bent = true;
	weft__pairs_place(&l->pairs);
	explain_lanes(l, "some routes bent");
	return 0;
}

int weft__weave_settle(struct weft__weave *w, struct weft__woven *out,
		       struct weft__trial *t)
{
	struct laner l = { .w = w, .out = out, .trial = t };
	int err = init(&l);

	if (!err && !weft__orders_grow(t->orders, w->arena))
		err = -ENOMEM;
	if (!err && has_bare(w->f))
		err = order_bare(&l);
	if (!err) {
		weft__spread_look(&l.spread, out->trees.nendports);
		weft__spread_switches(&l.spread);
		weft__pairs_place(&l.pairs);
		explain_lanes(&l, "a tree in each");
	}
	if (!err && l.pairs.left && l.pairs.left < UNSETTLED * l.pairs.npairs)
		err = settle(&l);
	t->found = !err && !l.pairs.left;
	if (t->found)
		err = weft__pairs_layers(&l.pairs, t->layers);
	weft__pairs_free(&l.pairs);
	return err;
}

int weft__weave_try(struct weft__weave *w, struct weft__woven *out,
		    struct weft__trial *t)
{
	struct laner l = { .w = w, .out = out, .trial = t };
	int err = init(&l);

	t->bends = 0;
	if (!err)
		err = find_lanes(&l);
	if (!err && l.pairs.left && t->orders->n > 1)
		err = weft__weave_is_large(w->f) ? mend(&l) : bend(&l);
	if (!err && l.pairs.left)
		memcpy(out->ways.plan, l.plan, w->f->nsw * sizeof(*l.plan));
	else if (!err)
		err = weft__pairs_layers(&l.pairs, t->layers);
	t->found = !err && !l.pairs.left;
	t->left = (double)l.pairs.left / (l.pairs.npairs + 1);
	if (t->left < t->least_left)
		t->least_left = t->left;
	weft__pairs_free(&l.pairs);
	return err;
}
