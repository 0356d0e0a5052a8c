// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lanes for minimal trees of one kind or another; see weave_lanes.c. */
#include "engines/weave_search.h"

#include <errno.h>

#define FEW 0.1			/* pairs without a lane that care may help, */
#define VERY_FEW 0.002		/* and where time matters, */
#define HANDFUL 0.0004		/* that a little care helps */
#define TOO_MANY 0.175		/* or up to so many that are not mended */
#define NEAR 2			/* hops: nearly all pairs find a lane as they
				 * come */
#define HOPELESS 0.4		/* pairs without a minimal way by the orders that
				 * are too many to find others, */
#define DOUBTFUL 0.2		/* or so many that the order may be better, */
#define SCARCE 0.018		/* and that call for care from the start */
#define MANY 0.05		/* pairs without a lane that are a hopeless lot
				 * where time matters */
#define ROUNDS 3	/* with care, where many pairs lack a lane */
#define PATIENCE (UINT64_C(1) << 23)	/* switches looked at */
#define CAREFUL 16	/* lanes that care is taken for at most */
#define LITTLE_CARE 2

/* Whether more care may help those that have no lane, by the last try.  Where
 * time matters, very few, or, where the order makes few detours, more than are
 * mended, but not many more. */
static bool may_care(const struct weft__search *s)
{
	double left = s->trial.left;

	if (!s->careful)
		return left < FEW;
	return left < VERY_FEW || (left > FEW && left < TOO_MANY &&
				   s->few_detours);
}

/* Trees with more and more care for the lanes that they leave, from that one
 * on, until all pairs have one, if few had none. */
static int take_care(struct weft__search *s, unsigned care)
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
static int mend(struct weft__search *s)
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
static unsigned next_care(const struct weft__search *s)
{
	return s->legal.care > 1 || s->trial.left > HANDFUL ?
		CAREFUL : LITTLE_CARE;
}

/* Lanes by the orders for trees that need fewer, or pair by pair.  Where time
 * matters, only if there is a reason to hope. */
static int find_fewer(struct weft__search *s)
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
static int find_lanes(struct weft__search *s)
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

/* Whether trees by port number are better than the improved ones; where these
 * are not judged, bisections tell. */
static int prefer_ports(struct weft__search *s, struct weft__woven *plain,
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
static int try_ports(struct weft__search *s)
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
static int improve_minimal(struct weft__search *s)
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
static bool set_care(struct weft__search *s)
{
	double unserved = s->orders.unserved;

	weft_explain(s->w->diag, "%u lanes by their orders: no minimal way for "
		     "%.2f %% of the pairs of switches, which are up to %u "
		     "hops apart", s->orders.n, unserved * 100,
		     s->orders.farthest);
	s->legal.care = unserved > SCARCE ? LITTLE_CARE : 1;
	if (s->orders.farthest <= NEAR)
		return true;
	s->doubtful = unserved > DOUBTFUL;
	return unserved <= HOPELESS;
}

/* Improved trees where one lane holds what endports send: it shall do. */
static int improve_one(struct weft__search *s)
{
	struct weft__weave *w = s->w;
	int err = w->effort ?
		weft__weave_improve(w, s->out, w->effort, NULL) : 0;

	return err ? err : find_fewer(s);
}

/* Lanes for sure. */
static int settle(struct weft__search *s)
{
	struct weft__weave *w = s->w;
	int err = 0;

	if (s->legal.care < LITTLE_CARE && w->effort) {
		s->legal.care = LITTLE_CARE;
		err = weft__weave_improve(w, s->out, w->effort, &s->legal);
	}
	if (!err)
		err = weft__weave_settle(w, s->out, &s->trial);
	s->doubtful = true;
	return err;
}

/* Minimal trees, improved, and lanes for them: where time is no matter without
 * regard to lanes first, for that gives the most bandwidth, if they fit. */
int weft__search_lanes(struct weft__search *s)
{
	struct weft__weave *w = s->w;
	bool large = weft__weave_is_large(w->f);
	bool fits = !large || !s->many_detours;
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
	if (!err && !s->fitted && !large && w->lanes > 1 && w->effort)
		err = take_care(s, 1);
	if (!err && !s->fitted && !s->trial.found && w->lanes > 1 &&
	    !s->few_detours)
		err = settle(s);
	return err;
}
