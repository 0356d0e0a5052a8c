// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: beft, balanced fat-tree routing
 *
 * Idea (Bogdanski, Sem-Jacobsen, Reinemo, Skeie, Holen, Huse: Achieving
 * predictable high performance in imbalanced fat trees, ICPADS 2010):
 * converging routes (chain.c) whose chain looks at the counters of the cable
 * and of the switch above, so that the distribution of hosts over the leaves
 * does not matter.  Of several ways from a rack to the chain, the one that
 * others take wins, else the least used.
 *
 * Deadlock: free of credit loops in one lane, with all switches reachable as
 * destinations, too (trees/valleys.c).  Where routes turn in a valley, the
 * tables are checked for loops.
 * Complexity: O(LIDs x switches) in a tree.
 * Limits: counters are of destinations; where cables are missing eftree, which
 * knows the loads, does better.
 */
#include "engines/fattree/chain.h"

static int beft_choose_trees(struct weft__fattree_run *run)
{
	return weft__chains_run(run, weft__chains_beft(run->options));
}

static int beft_route(const struct weft_fabric *f,
		      const struct weft_options *options,
		      struct weft_routes *out, struct weft_diag *diag)
{
	return weft__fattree_route_groups(f, options, beft_choose_trees, out,
					  diag);
}

static const struct weft_option beft_options[] = {
	WEFT__FATTREE_ENGINE_OPTIONS,
	WEFT__RACK_OPTION,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_beft = {
	.name = "beft",
	.summary = "fat trees, balanced for any distribution of hosts (BEFT)",
	.loopfree = WEFT_LOOPFREE_ALL,
	.options = beft_options,
	.route = beft_route,
};
