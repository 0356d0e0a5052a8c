// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Judges what strategies make, and what easing makes of that; see judge.h. */
#include "engines/weave/judge.h"

#include "loads/ease.h"
#include "worth/basket/basket.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Uniform traffic counts besides, as it is known exactly, and so is how much there
 * could be: so much of what is gained there.  That may not cost more than so much
 * of what the best tables are worth as a strategy made them. */
#define UNIFORM_MORE (1.0 / 8)
#define MOST_LOSS 0.004

#define HOPELESS 0.83	/* times the best is too little to be eased, */
#define WORTH_EASING 0.93	/* and this to be eased step by step; */
#define BEHIND 10	/* times less work for what is worth less */
#define EASINGS 7	/* steps of easing, before all that is left */
#define LONGER_GAIN 0.01	/* what tables are worth more by, where longer ways are
				 * taken for that alone */

/* How routes came about. */
enum made { BY_STRATEGY, EASED, LONGER };

/* By how much more of uniform traffic is carried (ln b / a); 0 if the basket has
 * none. */
static double uniform_gain(const struct weft__contest *c,
			   const struct weft_worth *a,
			   const struct weft_worth *b)
{
	double before = weft_basket_uniform(c->basket, a);
	double after = weft_basket_uniform(c->basket, b);

	return before > 0 && after > 0 ? log(after / before) : 0;
}

/* What tables are worth to all but uniform traffic: where hosts are of several
 * kinds, to what each kind does by itself. */
static double worth_to_kinds(const struct weft__contest *c,
			     const struct weft_worth *worth)
{
	double sum = 0, weights = 0;

	for (unsigned i = 0; i < weft_basket_parts(c->basket); i++) {
		double weight = weft_basket_part_weight(c->basket, i);

		if (!strcmp(weft_basket_part_name(c->basket, i), WEFT__UNIFORM))
			continue;
		sum += weight * log(worth->part[i]);
		weights += weight;
	}
	return weights > 0 ? exp(sum / weights) : 1;
}

/* True if easing has evened out all traffic at the cost of a kind's own. */
static bool costs_kinds(const struct weft__contest *c,
			const struct weft_worth *worth)
{
	return c->w->f->ngroups > 1 &&
		worth_to_kinds(c, worth) < c->plain_to_kinds * (1 - MOST_LOSS);
}

/* True if tables are worth too little beside those that strategies made. */
static bool loses(const struct weft__contest *c, const struct weft_worth *worth)
{
	return worth->mean < c->plain * (1 - MOST_LOSS);
}

/* True if routes are better than the best so far. */
static bool is_better(const struct weft__contest *c, const struct weft_worth *worth,
		      unsigned lanes, enum made made)
{
	const struct weft_worth *best = &c->best->worth;
	double margin = made == LONGER ? LONGER_GAIN : WEFT__WORTH_MARGIN;
	double error, gain, with;

	if (!c->basket)
		return false;
	if (loses(c, worth) || loses(c, best))
		return !loses(c, worth);
	gain = weft_worth_gain(c->basket, best, worth, &error);
	with = gain + uniform_gain(c, best, worth) * UNIFORM_MORE;
	if (with > margin && with > 2 * error)
		return true;
	return with >= -WEFT__WORTH_MARGIN && gain >= -WEFT__WORTH_MARGIN &&
	       lanes < c->best->lanes;
}

static void store(struct weft__entry *e, struct weft_worth *worth,
			  unsigned lanes, const char *verdict)
{
	weft_worth_free(&e->worth);
	e->worth = *worth;
	e->lanes = lanes;
	e->verdict = verdict;
	e->found = true;
	*worth = (struct weft_worth){ .mean = 0 };
}

/* Notes what tables are worth as a strategy made them. */
static void note_plain(struct weft__contest *c, const struct weft_worth *worth)
{
	if (worth->mean <= c->plain)
		return;
	c->plain = worth->mean;
	c->plain_to_kinds = worth_to_kinds(c, worth);
}

int weft__contest_judge(struct weft__contest *c)
{
	int err;

	if (!c->best || c->judged || !c->basket)
		return 0;
	err = weft_basket_judge(c->basket, &c->routes, &c->best->worth);
	c->judged = !err;
	if (!err)
		note_plain(c, &c->best->worth);
	return err;
}

/* Keeps the first routes that are found. */
static void keep_first(struct weft__contest *c, struct weft__entry *e,
		       struct weft_routes *routes, unsigned lanes)
{
	struct weft_worth none = { .mean = 0 };

	store(e, &none, lanes, "taken");
	c->best = e;
	c->routes = *routes;
	*routes = (struct weft_routes){ 0 };
}

/* Judges routes and keeps them if they are the best.  Of the variants of a
 * strategy, the table shows the one that is taken, or the best. */
static int judge_routes(struct weft__contest *c, struct weft__entry *e,
			struct weft_routes *routes, enum made made)
{
	unsigned lanes = routes->layers.nvl ? routes->layers.nvl : 1;
	struct weft_worth worth = { .mean = 0 };
	int err;

	if (!c->best) {
		keep_first(c, e, routes, lanes);
		return 0;
	}
	err = weft__contest_judge(c);
	if (!err && c->basket)
		err = weft_basket_judge(c->basket, routes, &worth);
	if (err)
		return err;
	c->last = worth.mean;
	if (made == BY_STRATEGY)
		note_plain(c, &worth);
	if (is_better(c, &worth, lanes, made) &&
	    !(made != BY_STRATEGY && costs_kinds(c, &worth))) {
		c->best->verdict = "worth less";
		store(e, &worth, lanes, "taken");
		c->best = e;
		weft_routes_free(&c->routes);
		c->routes = *routes;
		*routes = (struct weft_routes){ 0 };
	} else if (e != c->best && (!e->found ||
				    worth.mean > e->worth.mean)) {
		store(e, &worth, lanes, "worth less");
	}
	weft_worth_free(&worth);
	return 0;
}

struct eased {
	struct weft__contest *contest;
	struct weft__entry *entry;	/* of what is eased */
};

static int judge_eased(void *whom, struct weft_routes *routes)
{
	const struct eased *eased = whom;
	struct weft__contest *c = eased->contest;
	int err = weft__weave_prove(c->w, routes);

	if (!err)
		err = judge_routes(c, eased->entry, routes, EASED);
	if (!err && c->last < c->best->worth.mean * WORTH_EASING)
		err = -EALREADY;
	return err;
}

/*
 * Eases routes that were judged, fall by fall of the peak, and at last as far as
 * it goes, and judges each step: the first ones often gain everywhere, later ones
 * carry more uniform traffic at the cost of other kinds.  Routes that are far behind
 * are eased as far as a part of the work goes, and judged once: how much easing
 * brings them cannot be told before.  Others take half of the work that is left, as
 * there may be more of them.
 */
static int ease_and_judge(struct weft__contest *c, struct weft__entry *e,
			  const struct weft_routes *routes, bool behind)
{
	struct eased eased = { c, e };
	struct weft__ease_spec spec = {
		.work = UINT64_MAX, .ask = judge_eased, .whom = &eased,
		.falls = behind ? 0 : EASINGS, .asking = c->judging,
	};

	if (behind)
		spec.work = c->w->finishing / BEHIND;
	else if (!c->finished)
		spec.work = c->w->easing / 2;
	return weft__weave_ease(c->w, routes, &spec, &e->cut);
}

/* Whether what was judged last is worth too little to be eased step by step. */
static bool is_behind(const struct weft__contest *c)
{
	return c->last && c->last < c->best->worth.mean * WORTH_EASING;
}

/* Eases the best routes with all the work that is left. */
static int ease_best(struct weft__contest *c)
{
	c->w->easing += c->w->finishing;
	c->finished = true;
	return ease_and_judge(c, c->best, &c->routes, false);
}

int weft__contest_enter(struct weft__contest *c, struct weft__entry *e,
			struct weft_routes *routes, bool last)
{
	int err;

	c->w->looked += c->judging;
	err = judge_routes(c, e, routes, BY_STRATEGY);
	if (err || !c->basket ||
	    (c->last && c->last < c->best->worth.mean * HOPELESS))
		return err;
	if (routes->lft.port)
		return ease_and_judge(c, e, routes, is_behind(c));
	/* these routes were taken, and are the best now */
	return last ? ease_best(c) : ease_and_judge(c, e, &c->routes, false);
}

/* Has streams of shifts meet less often in the best routes. */
static int shift_best(struct weft__contest *c, enum weft__longer longer,
		      bool other_lanes, bool *cut)
{
	struct weft_routes routes = { 0 };
	int err = weft__weave_shift(c->w, &c->routes, longer, other_lanes,
				    &routes, cut);

	if (!err)
		err = judge_routes(c, c->best, &routes,
				   longer == WEFT__LONGER_SPARINGLY ? LONGER :
								      EASED);
	weft_routes_free(&routes);
	return err == -EALREADY ? 0 : err;
}

/* Does so by longer ways, and when all of these are found that the lanes in use
 * allow, by those that others do. */
static int lengthen_best(struct weft__contest *c, enum weft__longer longer)
{
	bool cut;
	int err = shift_best(c, longer, false, &cut);

	return err || cut ? err : shift_best(c, longer, true, &cut);
}

int weft__contest_finish(struct weft__contest *c)
{
	const char *objective;
	bool cut;
	int err = 0;

	if (!c->basket)
		return 0;
	if (!c->finished && c->best->cut &&
	    c->w->finishing >= weft__ease_least(c->w->f))
		err = ease_best(c);
	if (!err)
		err = shift_best(c, WEFT__NOT_LONGER, false, &cut);
	/* beyond what random traffic can do without, longer ways are for what somebody
	 * said that runs */
	objective = weft_options_text(c->w->options, "objective");
	if (!err && !weft_objective_is_usual(objective))
		return lengthen_best(c, WEFT__LONGER);
	if (!err && c->w->facts.odd)
		err = lengthen_best(c, WEFT__LONGER_SPARINGLY);
	return err;
}
