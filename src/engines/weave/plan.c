// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: the plan of weave
 *
 * Strategies are asked whether they are for the fabric and how much work they
 * mean.  They run in the order of promise for their work until the budget is
 * spent, and one measure judges them all, the basket (weft/worth.h), by the
 * same rounds.  Routes replace the best so far if they are worth more, by more
 * than a margin and by more than twice the error of sampling; among equals
 * those with fewer lanes win.  The first routes that are found are taken in any
 * case.
 *
 * Work is counted in edges looked at, estimated from the facts, and never in
 * time, so that tables are the same on any machine.  The budget is what a
 * subnet manager can wait for: it grows with the hosts up to a limit; beyond
 * that with the work of minhop, and on large fabrics no faster than that of
 * psssp, which is in proportion to the tables.
 *
 * Estimates can be far off, so that what strategies really look at is counted,
 * too, and has a limit of its own, in proportion to what psssp looks at.  Near
 * the limit passes that only improve routes end, tree by tree: routes get a
 * little worse, and no strategy is given up for lack of work.
 */
#include "engines/weave/judge.h"


#include <weft/diag.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>


/* The budget, in edges looked at. */
#define WORK_PER_HOST 2e5
#define MANY_HOSTS 300	/* from so many hosts on, more for each of them */
#define MAX_WORK_BY_HOSTS 3e8
#define WORK_PER_MINHOP_PORT 4	/* for each port that minhop looks at, */
#define ALWAYS 6e8		/* beyond this only as much as */
#define TIMES_PSSSP 3		/* that many times the work of psssp */

#define ESTIMATED 4	/* times what is really looked at, about */

/* What may really be looked at: so much where Up*Down* loses many minimal ways,
 * or times what psssp looks at.  Where it loses few, as in a tree, strategies
 * find nearly the same, and what is needed grows with the square of the share
 * that is lost. */
#define FREELY 5e8
#define EASING_SHARE 0.2	/* of that much, beside it, for easing loads, and as
				 * much again for those of the tables that win,
				 * and for shifts */
#define REAL_TIMES_PSSSP 3
#define SMALL_TIMES 2	/* that, where it is less than FREELY */
#define LEAST_NEED (1.0 / 16)
#define NEED_BY_LOSS 8

#define LATER_VARIANTS 4	/* times less is promised by further variants */

/* What promises so many times less than others may take all that is left; what
 * promises still less, a part of it that is as much smaller. */
#define ALIKE 4

#define WEFT_STRATEGY(symbol) &weft__strategy_##symbol,
static const struct weft__strategy *const strategies[] = {
#include "engines/weave/strategies.def"
};
#undef WEFT_STRATEGY

#define NSTRATEGIES (sizeof(strategies) / sizeof(strategies[0]))

/* A strategy, and what became of it. */
struct outcome {
	const struct weft__strategy *strategy;
	const char *refused;	/* why it is not for the fabric; NULL: it is */
	double promise, work;	/* of the next variant */
	double least;		/* what it really looks at, at least */
	double spent;		/* on the variants before */
	unsigned next, variants;
	struct weft__entry entry;
};

struct plan {
	struct weft__weave *w;
	struct weft__contest contest;
	struct outcome outcome[NSTRATEGIES];
	double budget, spent;
};

/* Returns the most that a large fabric may take: a subnet manager holds its
 * lock meanwhile. */
static double most_work(const struct weft__weave *w)
{
	double psssp = w->facts.lids * (w->facts.edges / 2.0 + 2.0 * w->f->nsw);

	return psssp * TIMES_PSSSP > ALWAYS ? psssp * TIMES_PSSSP : ALWAYS;
}

/* Returns what one pass of psssp looks at. */
static double psssp_work(const struct weft__weave *w)
{
	const struct weft__facts *facts = &w->facts;

	return weft__planning_work(w) +
	       facts->lids * (facts->minimal +
			      2.0 * WEFT__SWITCH_WORK * w->f->nsw);
}

/* Returns what may be looked at on a fabric that is not large: the part of FREELY
 * that the fabric needs, and twice as much as on large ones as far as that goes. */
static double find_freely(const struct weft__weave *w, double large)
{
	double lost = 1 - w->facts.kept;
	double need = FREELY * (LEAST_NEED + NEED_BY_LOSS * lost * lost);

	if (need < SMALL_TIMES * large)
		need = SMALL_TIMES * large;
	return need < FREELY ? need : FREELY;
}

/* Returns what may really be looked at. */
static double find_limit(const struct weft__weave *w)
{
	double large = psssp_work(w) * REAL_TIMES_PSSSP;
	double freely = find_freely(w, large);

	return (large > freely ? large : freely) *
		weft_options_int(w->options, "effort") / 100;
}

/* Returns the budget in edges looked at. */
static double find_budget(const struct weft__weave *w)
{
	double hosts = w->f->nep * WORK_PER_HOST, minhop = 0;
	double estimated = psssp_work(w) * REAL_TIMES_PSSSP * ESTIMATED;
	double most = most_work(w);

	if (w->f->nep > MANY_HOSTS)
		hosts *= sqrt((double)w->f->nep / MANY_HOSTS);
	for (uint32_t s = 0; s < w->f->nsw; s++)
		minhop += w->f->sw[s].nports;
	minhop *= (w->f->nep + (double)w->f->nsw) * WORK_PER_MINHOP_PORT;
	minhop = minhop < most ? minhop : most;
	minhop = minhop > estimated ? minhop : estimated;
	hosts = hosts < MAX_WORK_BY_HOSTS ? hosts : MAX_WORK_BY_HOSTS;
	return (hosts > minhop ? hosts : minhop) *
		weft_options_int(w->options, "effort") / 100;
}

static const char not_asked_for[] = "not asked for";

/* Returns why a strategy is not to be tried; NULL: it is. */
static const char *refusal(const struct plan *p,
			   const struct weft__strategy *strategy)
{
	const char *only = weft_options_text(p->w->options, "strategy");

	if (strcmp(only, "best") && strcmp(only, strategy->name))
		return not_asked_for;
	return strategy->refuses ? strategy->refuses(p->w) : NULL;
}

static unsigned own_variants(const struct weft__strategy *strategy)
{
	return strategy->variants ? strategy->variants : 1;
}

static unsigned count_variants(const struct weft__weave *w,
			       const struct weft__strategy *strategy)
{
	return own_variants(strategy) *
		(strategy->orders ? w->facts.norders : 1);
}

/* Returns what a strategy really looks at, at least: much of what it estimates
 * is left out where the limit is near. */
static double least_work(const struct plan *p,
			 const struct weft__strategy *strategy)
{
	double work = strategy->work(p->w), least = psssp_work(p->w);

	if (strategy->limits)
		least += weft__assign_lanes_least(p->w);
	return (work < least ? work : least) + p->contest.judging;
}

static void ask_strategies(struct plan *p)
{
	for (unsigned i = 0; i < NSTRATEGIES; i++) {
		struct outcome *o = &p->outcome[i];

		o->strategy = strategies[i];
		o->entry.name = o->strategy->name;
		o->refused = refusal(p, o->strategy);
		if (!o->refused) {
			o->variants = count_variants(p->w, o->strategy);
			o->promise = o->strategy->promise(p->w);
			o->work = o->strategy->work(p->w) + p->contest.judging;
			o->least = least_work(p, o->strategy);
		}
		o->entry.verdict = "no budget";
	}
}

/* Returns the promise of the next variant. */
static double promise_of(const struct outcome *o)
{
	return o->promise / (o->next ? LATER_VARIANTS : 1);
}

/* Returns the most that a strategy promises, of those that may find routes. */
static double most_promised(const struct plan *p)
{
	double most = 0;

	for (unsigned i = 0; i < NSTRATEGIES; i++) {
		const struct outcome *o = &p->outcome[i];

		if (!o->refused && (!o->next || o->entry.found) &&
		    o->promise > most)
			most = o->promise;
	}
	return most;
}

/* True if the next variant fits into the budget, and what it really looks at
 * into what is left for something of its promise. */
static bool is_affordable(const struct plan *p, const struct outcome *o)
{
	double part = promise_of(o) * ALIKE / most_promised(p);
	double left = weft__weave_left(p->w, 0);

	return p->spent + o->work <= p->budget &&
	       o->least <= left * (part < 1 ? part : 1);
}

/*
 * Chooses the strategy to run next; NULL if all are done, or take more than is
 * left of the budget.  That does not count as long as none has found routes.
 */
static struct outcome *choose_strategy(struct plan *p, bool found)
{
	struct outcome *next = NULL;

	for (unsigned i = 0; i < NSTRATEGIES; i++) {
		struct outcome *o = &p->outcome[i];

		if (o->next >= o->variants ||
		    (found && !is_affordable(p, o)))
			continue;
		if (!next || promise_of(o) / o->work >
				     promise_of(next) / next->work)
			next = o;
	}
	return next;
}

/* Runs the next variant of a strategy.  If it finds nothing, neither do
 * others. */
static int run_variant(struct plan *p, struct outcome *o)
{
	struct weft_routes routes = { 0 };
	struct weft__weave *w = p->w;
	unsigned own = own_variants(o->strategy);
	double work = o->work;
	bool again;
	int err;

	w->variant = o->next % own;
	w->order = w->facts.order[o->next++ / own];
	if (!o->entry.found)
		o->entry.verdict = "found nothing";
	err = weft__build_within(w, o->strategy, &routes, &again);
	work *= err == -EALREADY ? 0 : 1 + again;
	p->spent += work;
	o->spent += work;
	if (!err)
		err = weft__contest_enter(&p->contest, &o->entry, &routes,
					  !choose_strategy(p, true));
	weft_routes_free(&routes);
	if (err == -ENOTSUP)
		o->next = o->variants;
	w->variant = o->next % own;
	o->work = o->strategy->work(w) + p->contest.judging;
	if (err == -EXDEV && !o->entry.found)
		o->entry.verdict = "a cable with few lanes closes a loop";
	return err == -ENOTSUP || err == -EXDEV || err == -EALREADY ? 0 : err;
}

/* True if only chance gains are left: all-to-all and shifts have full bandwidth
 * on a whole tree. */
static bool is_perfect(const struct plan *p)
{
	return p->w->facts.whole_tree && p->contest.judged &&
	       weft__worth_is_full(p->contest.basket, &p->contest.best->worth);
}

static void explain_outcome(const struct plan *p, const struct outcome *o)
{
	char parts[8 * WEFT_WORTH_PARTS];

	if (o->refused == not_asked_for)
		return;
	if (o->refused)
		weft_diag_explain(p->w->diag, "%-11s not for this fabric: %s",
				  o->strategy->name, o->refused);
	else if (!o->entry.found)
		weft_diag_explain(p->w->diag, "%-11s %6.0f M %s", o->strategy->name,
				  (o->next ? o->spent : o->work) / 1e6,
				  o->entry.verdict);
	if (!o->entry.found)
		return;
	weft__explain_parts(p->contest.basket, &o->entry.worth, parts, sizeof(parts));
	weft_diag_explain(p->w->diag, "%-11s %6.0f M %5u %s  %.4f %s",
			  o->strategy->name, o->spent / 1e6, o->entry.lanes,
			  parts, o->entry.worth.mean, o->entry.verdict);
}

/* Shows the table of strategies that were tried. */
static void explain_plan(const struct plan *p)
{
	char names[8 * WEFT_WORTH_PARTS] = "";
	size_t used = 0;

	if (!weft_diag_explains(p->w->diag))
		return;
	for (unsigned i = 0; p->contest.basket && i < weft_basket_parts(p->contest.basket) &&
	     used < sizeof(names); i++)
		used += snprintf(names + used, sizeof(names) - used, " %.5s",
				 weft_basket_part_name(p->contest.basket, i));
	weft_diag_explain(p->w->diag,
			  "%s, %s; work spent %.0f of %.0f M edges looked at",
			  WEFT_COUNT(p->w->f->nsw, "switch"),
			  WEFT_COUNT(p->w->f->nep, "endport"), p->spent / 1e6,
			  p->budget / 1e6);
	weft_diag_explain(p->w->diag,
			  "really looked at %.0f of %.0f M, psssp takes %.0f M; Up*/Down* keeps %.0f %% of the ways minimal",
			  p->w->looked / 1e6, p->w->limit / 1e6,
			  psssp_work(p->w) / 1e6, p->w->facts.straight * 100);
	weft_diag_explain(p->w->diag, "strategy      work  lanes %s   worth",
			  names);
	for (unsigned i = 0; i < NSTRATEGIES; i++)
		explain_outcome(p, &p->outcome[i]);
}

/* Fails as no routes were found; only a single strategy can fail to find
 * any. */
static int fail_not_found(const struct plan *p)
{
	explain_plan(p);
	return weft_fail(p->w->diag, ENOTSUP,
			 "strategy=%s finds no routes on this fabric; leave it out for one that does",
			 weft_options_text(p->w->options, "strategy"));
}

static void say_how(const struct plan *p, struct weft_routes *out)
{
	if (p->contest.judged)
		snprintf(out->how, sizeof(out->how),
			 "%s, worth %.3f, work %.0f of %.0f M edges",
			 p->contest.best->name, p->contest.best->worth.mean,
			 p->spent / 1e6, p->budget / 1e6);
	else
		snprintf(out->how, sizeof(out->how), "%s",
			 p->contest.best->name);
}

/* Builds variants until all are done, or take more than is left, or nothing can
 * be better than the best. */
static int run_strategies(struct plan *p)
{
	struct outcome *next;
	int err = 0;

	while (!err && (next = choose_strategy(p, p->contest.best))) {
		if (p->w->facts.whole_tree)
			err = weft__contest_judge(&p->contest);
		if (!err && is_perfect(p))
			return 0;
		if (!err)
			err = run_variant(p, next);
	}
	return err ? err : p->contest.best ? 0 : fail_not_found(p);
}

/* Judges the best routes if they are the only ones, for the user to know what
 * they are worth: if he wants explanations, or that takes little time. */
static int judge_for_user(struct plan *p)
{
	return weft_diag_explains(p->w->diag) || p->w->looked <= FREELY ?
		weft__contest_judge(&p->contest) : 0;
}

int weft__plan_run(struct weft__weave *w, struct weft_routes *out)
{
	struct plan p = {
		.w = w, .contest.w = w, .budget = find_budget(w),
	};
	int err = weft__engine_basket(w->f, w->options, false, &p.contest.basket,
				      &p.contest.judging, w->diag);

	w->budget = p.budget;
	w->looked = weft__planning_work(w) / 2;
	w->limit = find_limit(w);
	w->easing = w->finishing = FREELY * EASING_SHARE *
		weft_options_int(w->options, "effort") / 100;
	if (!err) {
		ask_strategies(&p);
		err = run_strategies(&p);
	}
	if (!err && !is_perfect(&p))
		err = weft__contest_finish(&p.contest);
	if (!err)
		err = judge_for_user(&p);
	for (unsigned i = 0; i < NSTRATEGIES && is_perfect(&p); i++)
		if (!p.outcome[i].next)
			p.outcome[i].entry.verdict = "no need";
	w->spent = p.spent;
	if (!err) {
		explain_plan(&p);
		*out = p.contest.routes;
		say_how(&p, out);
	} else {
		weft_routes_free(&p.contest.routes);
	}
	for (unsigned i = 0; i < NSTRATEGIES; i++)
		weft_worth_free(&p.outcome[i].entry.worth);
	weft_basket_free(p.contest.basket);
	return err;
}
