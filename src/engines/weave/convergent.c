// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on trees, by routes that converge
 *
 * If all routes to a host come down from one root, ways down are free of
 * contention, and roots that are given out evenly leave little contention on
 * the way up.  The fat-tree engines do this (fattree/chain.c), for trees with
 * racks and gaps, too.  Here hosts go in the order of their ranks, and peaks of
 * loads stay, as what takes them down mostly costs shifts more than it gives.
 * The strategy "evened" has passes of balance and of relief (trees/relief.c), too.
 */
#include "engines/weave/weave.h"

#include "engines/fattree/chain.h"
#include "engines/fattree/apart.h"
#include "engines/fattree/homes.h"

#include <weft/worth.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#define RELIEF_ROUNDS 64	/* of peaks */

static const struct weft_option tree_options[] = {
	WEFT__FATTREE_ENGINE_OPTIONS,
	WEFT__RACK_OPTION,
	WEFT__HOMES_OPTIONS,
	{ .type = WEFT_OPT_END },
};

static struct weft__chain_rule rule_of(const struct weft_options *options)
{
	struct weft__chain_rule rule = weft__chains_beft(options);

	rule.capacity = rule.sides = true;
	return rule;
}

/* Chooses converging trees; *context says how many passes of balance follow, and
 * relief if there are any. */
static int choose_balanced(struct weft__fattree_run *run)
{
	struct weft__chain_rule rule = rule_of(run->options);
	const long *passes = run->context;
	struct weft__balance *b = &run->balance;
	uint64_t limit = b->limit;
	int err;

	if (!run->tree.is_tree)
		return -ENOTSUP;
	rule.load = true;
	err = weft__chains_run(run, rule);
	if (err)
		return err;
	if (b->looked < limit)
		b->limit -= (limit - b->looked) / 2;
	weft__balance_improve(b, &run->tree.ways, &run->trees, *passes);
	b->limit = limit;
	err = weft__fattree_lead_back(run);
	if (err)
		return err;
	if (*passes)
		weft__balance_relieve(b, &run->tree.ways, &run->trees,
				      RELIEF_ROUNDS);
	return 0;
}

static int choose_trees(struct weft__fattree_run *run)
{
	if (weft__homes_any(run->fabric))
		return weft__fattree_apart(run, rule_of(run->options),
					   choose_balanced, RELIEF_ROUNDS);
	return choose_balanced(run);
}

static int choose_chains(struct weft__fattree_run *run)
{
	return run->tree.is_tree ?
		weft__chains_run(run, weft__chains_beft(run->options)) :
		-ENOTSUP;
}

static const char *refuses(const struct weft__weave *w)
{
	return w->facts.bare ? NULL : "all switches have hosts";
}

static int build_with(struct weft__weave *w, weft__fattree_choose_fn *choose,
		      long passes, struct weft_routes *out)
{
	const struct weft__fattree_chooser chooser = {
		.choose = choose,
		.context = &passes,
		.order = w->order,
		.limit = weft__weave_left(w, 0) + 1,
		.looked = &w->looked,
	};
	struct weft_options *options;
	int err = weft_options_new(&options, tree_options);

	if (err)
		return err;
	if (w->is_root)
		err = weft_options_copy(options, w->options, "roots");
	if (!err)
		err = weft_options_copy(options, w->options, "switches");
	if (!err)
		err = weft__fattree_route_in_order(w->f, options, &chooser, out,
						   NULL);
	weft_options_free(options);
	return err;
}

static double work(const struct weft__weave *w)
{
	return (double)w->facts.lids * w->f->nsw * 48 +
	       2.0 * w->f->nsw * w->facts.edges;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	return build_with(w, choose_trees, 0, out);
}

#define DAMAGE 16	/* power of the share of pairs whose ways are not missing: the others
			 * all turn in one valley */

/* Returns what these strategies promise where Up*Down* by closeness does not keep
 * ways minimal, and hosts' ways pass switches without hosts alone, as in a tree. */
static double promise_over(const struct weft__weave *w)
{
	return pow(w->facts.over, DAMAGE) * (1 - w->facts.straight) *
	       (4 - 3.75 * w->facts.room);
}

static double promise(const struct weft__weave *w)
{
	return 9 * weft__tree_promise(w) + promise_over(w);
}

const struct weft__strategy weft__strategy_convergent = {
	.name = "convergent",
	.about = "trees with failures: shifts",
	.promise = promise,
	.refuses = refuses,
	.work = work,
	.build = build,
	.orders = true,
};

static double work_evened(const struct weft__weave *w)
{
	return weft__route_work(w) + (double)w->facts.lids * w->f->nsw * 12 +
	       2.0 * w->f->nsw * w->facts.edges;
}

static int build_evened(struct weft__weave *w, struct weft_routes *out)
{
	return build_with(w, choose_trees, w->passes - 1, out);
}

static double promise_evened(const struct weft__weave *w)
{
	return 30 * weft__tree_promise(w) + promise_over(w);
}

const struct weft__strategy weft__strategy_evened = {
	.name = "evened",
	.about = "racks, and trees with many failures",
	.promise = promise_evened,
	.refuses = refuses,
	.work = work_evened,
	.build = build_evened,
	.orders = true,
};

/* The basket has uniform traffic, too, which loads decide. */
static const char *refuses_chains(const struct weft__weave *w)
{
	const char *objective = weft_options_text(w->options, "objective");
	const char *strategy = weft_options_text(w->options, "strategy");

	return weft_objective_is_usual(objective) && !strcmp(strategy, "best") ?
		"the objective is the basket" : refuses(w);
}

static double work_chains(const struct weft__weave *w)
{
	return (double)w->facts.lids * w->f->nsw * 20 +
	       2.0 * w->f->nsw * w->facts.edges;
}

static int build_chains(struct weft__weave *w, struct weft_routes *out)
{
	return build_with(w, choose_chains, 0, out);
}

const struct weft__strategy weft__strategy_chains = {
	.name = "chains",
	.about = "trees with failures: shifts alone",
	.promise = promise,
	.refuses = refuses_chains,
	.work = work_chains,
	.build = build_chains,
	.orders = true,
};
