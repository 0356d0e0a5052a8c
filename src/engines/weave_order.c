// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, the order
 *
 * Closeness, repaired (closeness.c), and valleys for who has no way.  Where many
 * hosts had no common ancestor, as on tori with gaps, the repair moves so much,
 * or hosts have to turn in the valley, that the order below one root may be
 * better; it is tried there, and the model says which.  12x12 with a tenth of
 * its cables missing: 0.136 by the repaired order, 0.207 below one root; 4x4x4
 * the same way 0.515 and 0.569, but Deimos 0.423 and 0.150.  Random graphs gain
 * a percent, too.
 * Above 1000 endports, where more than a tenth of the pairs of hosts had no
 * ancestor, it is taken at once, without repair or valley: on 10 tori and
 * hypercubes without cables the model promised 6 to 55 % more of it.  12x12
 * with 8 hosts and 5 % of its cables missing 0.075 and 0.077, 8x8x8 with 3 hosts
 * and 3 % of its switches 0.208 and 0.213.  Where it is a twentieth, it may be
 * worse: dragonfly:8,8,4,17,fail-links=10% 0.355 and 0.352.
 * On trees joined to one another, where it is a tenth or more, the levels below
 * are taken in one lane whatever the order was, and of several lanes only what
 * upper switches themselves send goes by it: a Dragonfly+ (9 groups, 1296 hosts)
 * .417 -> .466 with 8 lanes, .462 as before with one; orthogonal trees with
 * 1140 to 2926 hosts and a multi-layer full mesh with 1716 as before.  Repair and
 * valley took half to four fifths of the time there: CPU time to route and prove,
 * with 8 lanes and one, in ms: 433, 592 -> 143, 119; 297, 296 -> 55, 45 and 968,
 * 957 -> 437, 251; 426, 385 -> 144, 100.
 *
 * The top of a tree need not be close to the hosts: it is no closer than a leaf
 * where each of its switches sees few leaves (orthogonal trees), and a cable
 * between two spines, or a spine with few leaves left, draws the others down.
 * Where the model promises less of the order than of minimal ways, and the tree
 * of the fat-tree engines (fattree.h) is one, its order is tried.  Bandwidth in
 * one lane before and after: an orthogonal tree of 62 leaves and 31 spines .207,
 * .706; two trees joined by four cables between spines .243, .474; a tree with
 * spines that lack most leaves .663, .687; a Dragonfly+ .273, .312.
 */
#include "engines/weave.h"

#include "core/arena.h"
#include "engines/fattree.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* One pair of hosts in so many without an ancestor; of large fabrics. */
#define DOUBT 1000
#define LARGE_DOUBT 20
#define NO_DOUBT 10	/* there one root is better, or levels */

/* So much less than of minimal ways the model has to promise of the order. */
#define LOSS 0.999
#define LARGE_LOSS 0.97

static const char *name_of(const struct weft__weave *w, uint32_t s)
{
	return w->f->sw[s].name;
}

static void explain_order(const struct weft__weave *w)
{
	const struct weft__closeness *c = &w->close;
	uint32_t n = w->f->nsw < 8 ? w->f->nsw : 8;

	weft_explain(w->diag, "order: %" PRIu32 " switches by their hops to "
		     "%" PRIu32 " hosts; the first of them:", w->f->nsw,
		     w->f->nhosts ? w->f->nhosts : w->f->nep);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = c->by_place[i];

		weft_explain(w->diag, "  %2" PRIu32 ". 0x%016" PRIx64 " %s: "
			     "%.3f hops to a host", i + 1, w->f->sw[s].guid,
			     name_of(w, s), (double)c->remoteness[s] /
			     (w->f->nhosts ? w->f->nhosts : w->f->nep));
	}
}

static void explain_repair(const struct weft__weave *w)
{
	const struct weft__closeness *c = &w->close;

	if (!c->cut)
		weft_explain(w->diag, "repair: none, all hosts have common "
			     "ancestors");
	else
		weft_explain(w->diag, "repair: %" PRIu64 " pairs of hosts had "
			     "no common ancestor, %" PRIu64 " have none now; "
			     "%" PRIu32 " switches moved down:", c->cut,
			     c->cut_left, c->ndemoted);
	for (uint32_t i = 0; i < c->ndemoted; i++)
		weft_explain(w->diag, "  0x%016" PRIx64 " %s",
			     w->f->sw[c->demoted[i]].guid,
			     name_of(w, c->demoted[i]));
}

static void explain_valley(const struct weft__weave *w, uint64_t missing)
{
	const struct weft__ways *ways = &w->ordered.ways;

	if (!missing)
		weft_explain(w->diag, "valley: none, every switch has a way to "
			     "every other one");
	else
		weft_explain(w->diag, "valley: %" PRIu64 " pairs of switches "
			     "have no way that goes up, then down; they turn "
			     "in a tree of %" PRIu32 " switches around "
			     "0x%016" PRIx64 " %s", missing, ways->nvalley,
			     w->f->sw[ways->valley[0]].guid,
			     name_of(w, ways->valley[0]));
}

static bool order_anew(struct weft__weave *w)
{
	return weft__closeness_one_root(&w->close, w->arena) &&
	       weft__ways_init(&w->ordered.ways, w->f, w->arena,
			       w->close.place);
}

static uint64_t count_pairs(const struct weft_fabric *f)
{
	uint64_t n = f->nhosts ? f->nhosts : f->nep;

	return n * n / 2;
}

uint32_t weft__weave_hosts_on(const struct weft_fabric *f, uint32_t s)
{
	uint32_t n = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++)
		n += weft_counts_as_host(&f->ep[f->sw_endport[i]], !f->nhosts);
	return n;
}

bool weft__weave_may_have_levels(const struct weft_fabric *f)
{
	uint32_t s = 0;

	while (s < f->nsw && weft__weave_hosts_on(f, s))
		s++;
	return s < f->nsw;
}

/* Beyond how many pairs of hosts without a common ancestor an order below one
 * root goes without saying. */
static uint64_t most_cut(const struct weft__weave *w)
{
	return w->is_root || !weft__weave_is_large(w->f) ?
	       UINT64_MAX : count_pairs(w->f) / NO_DOUBT;
}

bool weft__weave_order(struct weft__weave *w)
{
	uint64_t most = most_cut(w), had_none, missing;
	struct weft__ways *ways = &w->ordered.ways;

	if (ways->fabric || !w->f->nsw)
		return true;
	if (!weft__closeness_init(&w->close, w->f, w->arena, w->is_root, most))
		return false;
	explain_order(w);
	explain_repair(w);
	if (w->close.cut > most) {
		weft_explain(w->diag, "too many to mend; ordered anew, below "
			     "the first switch");
		return order_anew(w);
	}
	if (!weft__ways_init(ways, w->f, w->arena, w->close.place) ||
	    !weft__ways_complete(ways, &had_none, &missing))
		return false;
	if (!missing) {
		explain_valley(w, had_none);
		return true;
	}
	weft_explain(w->diag, "valley: none without a cycle for %" PRIu64
		     " pairs of switches; ordered anew, below the first switch",
		     missing);
	return order_anew(w);
}

/* Whether so many pairs of hosts had no common ancestor that the repair may
 * have spoilt the order. */
static bool is_doubtful(const struct weft__weave *w)
{
	return !w->close.one_root && w->close.cut > count_pairs(w->f) /
	       (weft__weave_is_large(w->f) ? LARGE_DOUBT : DOUBT);
}

/* An order that may be better than the one there is. */
struct other {
	struct weft__closeness close;	/* a copy, changed */
	struct weft__woven out;
	const char *name;
};

static bool order_below(const struct weft__weave *w, uint32_t root,
			struct weft__closeness *close)
{
	uint32_t nsw = w->f->nsw;
	uint32_t *place = weft__arena_alloc(w->arena, nsw, sizeof(*place));
	uint32_t *by_place = weft__arena_alloc(w->arena, nsw,
					       sizeof(*by_place));

	if (!place || !by_place)
		return false;
	memcpy(by_place, w->close.by_place, nsw * sizeof(*by_place));
	by_place[w->close.place[root]] = by_place[0];
	by_place[0] = root;
	*close = w->close;
	close->place = place;
	close->by_place = by_place;
	return weft__closeness_one_root(close, w->arena);
}

int weft__weave_route_below(struct weft__weave *w, uint32_t root,
			    struct weft__closeness *close,
			    struct weft__woven *out)
{
	*out = (struct weft__woven){ .routed = false };
	if (!order_below(w, root, close) ||
	    !weft__ways_init(&out->ways, w->f, w->arena, close->place))
		return -ENOMEM;
	return weft__weave_balance(w, out, weft__weave_trial_passes(w));
}

/* *found: whether there are levels, by which endports have other ways. */
static int order_by_levels(struct weft__weave *w, struct other *o, bool *found)
{
	struct weft__fattree tree;
	bool same = true;
	int err = weft__fattree_find(w->f, NULL, w->arena, &tree, NULL);

	*found = false;
	if (err || !tree.is_tree)
		return err;
	*o = (struct other){ .close = w->close, .name = "by levels" };
	o->close.place = tree.place;
	o->close.by_place = tree.by_place;
	o->close.ndemoted = 0;
	o->close.one_root = false;
	o->out.ways = tree.ways;
	err = weft__weave_same_ways(w, &tree.ways, &w->ordered.ways, &same);
	*found = !same;
	return err;
}

/* *found: whether every switch gets a way to every other one. */
static int complete(struct other *o, bool *found)
{
	uint64_t had_none, missing;

	if (!weft__ways_complete(&o->out.ways, &had_none, &missing))
		return -ENOMEM;
	*found = !missing;
	return 0;
}

/* Takes another order if the model promises more of it. */
static void prefer(struct weft__weave *w, const struct other *o)
{
	weft_explain(w->diag, "1 lane, %s: predicted bandwidth %.4f, by the "
		     "order so far %.4f", o->name, o->out.predicted,
		     w->ordered.predicted);
	if (o->out.predicted <= w->ordered.predicted * WEFT__WEAVE_GAIN)
		return;
	w->close = o->close;
	w->ordered = o->out;
}

/* Where time matters there is no need to ask what trees are worth if not even
 * their loads are less: of 33 damaged tori and hypercubes all had less by one
 * root, by 15 % or more, whichever was better. */
static bool loads_less(const struct weft__weave *w, const struct other *o)
{
	double new = weft__balance_squares(&o->out.balance);
	double old = weft__balance_squares(&w->ordered.balance);

	if (!weft__weave_is_large(w->f) || new < old)
		return true;
	weft_explain(w->diag, "1 lane, %s: squares of loads are %.2f times "
		     "those by the order so far", o->name, new / old);
	return false;
}

/* The same before switches have all ways that they need, which endports do
 * not. */
static int try_loads(struct weft__weave *w, struct other *o, bool *less)
{
	int err = weft__weave_balance(w, &o->out, weft__weave_trial_passes(w));

	*less = !err && loads_less(w, o);
	return err;
}

int weft__weave_reorder(struct weft__weave *w)
{
	struct other other = { .name = "below the first switch" };
	int err;

	if (!is_doubtful(w))
		return 0;
	err = weft__weave_route_below(w, w->close.by_place[0], &other.close,
				      &other.out);
	if (err || !loads_less(w, &other))
		return err;
	err = weft__weave_improve(w, &w->ordered, 0, NULL);
	if (!err)
		err = weft__weave_improve(w, &other.out, 0, NULL);
	if (!err)
		prefer(w, &other);
	return err;
}

int weft__weave_relevel(struct weft__weave *w)
{
	double share = weft__weave_is_large(w->f) ? LARGE_LOSS : LOSS;
	struct other other;
	bool found;
	int err = 0;

	if (w->is_root || !w->detours || !weft__weave_may_have_levels(w->f))
		return 0;
	if (!w->ordered.judged)
		err = weft__weave_improve(w, &w->ordered, 0, NULL);
	if (err || w->ordered.predicted >= w->minimal * share)
		return err;
	err = order_by_levels(w, &other, &found);
	if (!err && found && weft__weave_is_large(w->f))
		err = try_loads(w, &other, &found);
	if (!err && found)
		err = complete(&other, &found);
	if (err || !found)
		return err;
	err = weft__weave_balance(w, &other.out, w->passes);
	if (!err)
		err = weft__weave_improve(w, &other.out, 0, NULL);
	if (!err)
		prefer(w, &other);
	return err;
}
