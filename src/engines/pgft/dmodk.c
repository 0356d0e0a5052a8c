// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: dmodk, destination-mod-k on fat trees
 *
 * Idea (Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for Shift
 * Permutations on Real Life Fat Trees", CCIT 776, 2010; "destination-mod-k" in
 * Nienaber, Mahapatra, Yuan): hosts are numbered leaf by leaf.  A route to host
 * d leaves level l upwards by port d / (w_2 ... w_l) mod w_l+1 p_l+1, where
 * ports are numbered parent first, parallel cable second.  On two levels with m
 * top switches that is top switch d mod m.  So all routes to one host meet in
 * one top switch, and hosts in a row are spread over all top switches.
 *
 * With LMC > 0 the LID at offset i takes the way of number d + i: base LIDs are
 * routed as without LMC, the others over the next top switches.
 *
 * Structures: the form of the tree (shapes/pgft.h), in an arena of the run.
 * Deadlock: routes between endports on leaves climb, then descend, so that they
 * are free of credit loops in one lane.
 * Complexity: O(switches x LIDs) time.
 * Limits: refuses all but exact PGFTs.  Routes to LIDs that are not on leaves,
 * such as aggregation nodes on upper switches, are shortest paths.
 */
#include "engines/pgft/tables.h"

static uint32_t dmodk_way(const void *context, uint32_t number, unsigned offset)
{
	(void)context;
	return number + offset;
}

static int dmodk_route(const struct weft_fabric *f,
		       const struct weft_options *options,
		       struct weft_routes *out, struct weft_diag *diag)
{
	static const struct weft__pgft_rule rule = { .way = dmodk_way };

	(void)options;
	return weft__pgft_route(f, &rule, out, diag);
}

const struct weft_engine weft__engine_dmodk = {
	.name = "dmodk",
	.summary = "destination-mod-k on fat trees (D-mod-k)",
	.needs = WEFT_NEEDS_TREE,
	.minimal = true,
	.loopfree = WEFT_LOOPFREE_HOSTS,
	.route = dmodk_route,
};
