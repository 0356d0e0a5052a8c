// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: eftree, fat trees as they are
 *
 * Idea: levels from the hosts (fattree_levels.c), an order of all switches from
 * the levels (fattree_order.c), and of all Up*Down* ways over that order the
 * least loaded ones (balance.h).  Pairs without such a way turn in one subtree
 * (fattree_complete.c).  What is no tree is ordered by closeness and routed
 * alike, so that no connected fabric is refused.
 * Deadlock: one lane without credit loop, switches as sources and destinations
 * included; see fattree_complete.c.
 * Complexity: O(passes x LIDs x cables) time; for memory see ways.h and trees.h.
 * Papers: Bogdanski, Optimized Routing for Fat-Tree Topologies, Oslo 2014.
 */
#include "engines/fattree_engine.h"

static int choose(struct weft__fattree_run *run)
{
	long passes = weft_options_int(run->options, "passes");

	weft__balance_endports(&run->balance, &run->tree.ways, &run->trees,
			       passes);
	weft__balance_switches(&run->balance, &run->tree.ways, &run->trees);
	return 0;
}

static int eftree_route(const struct weft_fabric *f,
			const struct weft_options *options,
			struct weft_routes *out, struct weft_diag *diag)
{
	return weft__fattree_route(f, options, choose, out, diag);
}

static const struct weft_option eftree_options[] = {
	WEFT__FATTREE_ENGINE_OPTIONS,
	{ .name = "passes", .type = WEFT_OPT_INT, .preset = "3",
	  .min = 1, .max = 1000,
	  .help = "how often every destination is routed at most" },
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_eftree = {
	.name = "eftree",
	.summary = "fat trees: balanced, everyone reachable, one lane",
	.options = eftree_options,
	.route = eftree_route,
};
