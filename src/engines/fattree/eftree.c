// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: eftree, fat trees as they are
 *
 * Idea: levels are found from the hosts (shapes/fattree_levels.c), and an order
 * of all switches from the levels (shapes/fattree_order.c).  Of all Up*Down*
 * ways over that order, those of beft are taken first, with counters per
 * capacity (chain.c); this balances a whole tree.  In one that has lost little
 * routes follow the numbers of hosts as if nothing were missing, wherever these
 * lead to them (nearly.c).  In other trees every
 * destination is then routed anew over the least loaded ways, as in later
 * passes of psssp (trees/balance.h): these take account of the traffic through
 * a switch whose cables are missing.  That is left out where loads are even, as
 * in a tree that is whole but has fewer cables at the top.  At last the peaks of
 * loads are taken down (trees/relief.c).
 *
 * Racks that join parts of the fabric send by both sides (sides.c).  Pairs
 * without an Up*Down* way turn in one valley (trees/valleys.c).  A fabric that
 * is no tree is ordered by closeness and routed in the same way, so that no
 * connected fabric is refused.  Where machines have several ports, routes to
 * these are kept apart, as by mftree or after balance (apart.c).
 *
 * With LMC base LIDs are routed alone, and the others take what is worth most
 * to streams that use all of them (engines/several).
 *
 * Deadlock: free of credit loops in one lane, with switches as sources and
 * destinations, too; where routes turn in a valley, the tables are checked for
 * loops.
 * Complexity: O(LIDs x switches) time in a whole tree, else O((passes + relief)
 * x LIDs x cables); for memory see trees/ways.h and trees/trees.h.
 * Paper: Bogdanski, Optimized Routing for Fat-Tree Topologies, Oslo 2014.
 */
#include "engines/fattree/apart.h"
#include "engines/fattree/homes.h"
#include "engines/fattree/nearly.h"

#include <errno.h>

#define RELIEF_ALONE 2 /* times the work of relief where no pass comes before it */

/* Takes peaks down until as much is looked at as by so many passes of psssp. */
static void relieve_peaks(struct weft__fattree_run *run, unsigned passes)
{
	const struct weft_fabric *f = run->fabric;
	struct weft__balance *b = &run->balance;
	uint64_t each = f->adj_first[f->nsw] / 2 +
			2ull * WEFT__SWITCH_WORK * f->nsw;
	uint64_t limit = b->limit;

	b->limit = b->looked + passes * run->trees.nendports * each;
	weft__balance_relieve(b, &run->tree.ways, &run->trees,
			      weft_options_int(run->options, "relief"));
	b->limit = limit;
}

static struct weft__chain_rule rule_of(const struct weft_options *options)
{
	struct weft__chain_rule rule = weft__chains_beft(options);

	rule.capacity = true;
	rule.sides = weft_options_bool(options, "sides");
	return rule;
}

static int choose_balanced(struct weft__fattree_run *run)
{
	struct weft__chain_rule rule = rule_of(run->options);
	long passes = weft_options_int(run->options, "passes");
	int err;

	if (!run->tree.is_tree) {
		weft__balance_endports(&run->balance, &run->tree.ways,
				       &run->trees, passes);
		relieve_peaks(run, 1);
		return 0;
	}
	err = weft__fattree_nearly(run);
	if (!err)
		relieve_peaks(run, RELIEF_ALONE);
	if (err != -ENOTSUP)
		return err;
	rule.load = true;
	err = weft__chains_run(run, rule);
	if (err)
		return err;
	weft__balance_improve(&run->balance, &run->tree.ways, &run->trees,
			      passes);
	relieve_peaks(run, 1);
	return 0;
}

static int eftree_choose_trees(struct weft__fattree_run *run)
{
	if (weft__homes_any(run->fabric) &&
	    weft_options_bool(run->options, "homes"))
		return weft__fattree_apart(run, rule_of(run->options),
					   choose_balanced,
					   weft_options_int(run->options,
							    "relief"));
	return choose_balanced(run);
}

static int eftree_route(const struct weft_fabric *f,
			const struct weft_options *options,
			struct weft_routes *out, struct weft_diag *diag)
{
	return weft__fattree_route_lids(f, options, eftree_choose_trees, out,
					diag);
}

static const struct weft_option eftree_options[] = {
	WEFT__FATTREE_ENGINE_OPTIONS,
	WEFT__RACK_OPTION,
	{ .name = "homes", .type = WEFT_OPT_BOOL, .preset = "yes",
	  .help = "keep routes to the ports of one host apart" },
	WEFT__HOMES_OPTIONS,
	{ .name = "sides", .type = WEFT_OPT_BOOL, .preset = "yes",
	  .help = "hosts of racks between two parts of the fabric send by both"
		  },
	{ .name = "passes", .type = WEFT_OPT_INT, .preset = "1",
	  .min = 0, .max = 1000,
	  .help = "how often every destination is routed anew at most" },
	{ .name = "relief", .type = WEFT_OPT_INT, .preset = "64",
	  .min = 0, .max = 1000,
	  .help = "rounds, at most, that take down the peaks of loads" },
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_eftree = {
	.name = "eftree",
	.summary = "fat trees: balanced, everyone reachable, one lane",
	.loopfree = WEFT_LOOPFREE_ALL,
	.options = eftree_options,
	.route = eftree_route,
};
