// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: mftree, fat-tree routing for nodes with several ports
 *
 * Idea: routes are balanced as in beft, and chosen such that those to the ports
 * of one node have no switch in common wherever the cabling allows (homes.c).
 * If a spine fails, a node is reached by its other port until the subnet
 * manager has routed anew.  Choices that balance leaves open are made such that
 * collective operations among first ports, and among second ones, collide least
 * (models.c, cables.c).
 *
 * Deadlock: as in beft.
 * Complexity: that of beft and O(switches) for each endport.
 * Limits: looks at shortest ways first; where these are not enough, single
 * routes may take longer ones (separate.c), and a note counts the nodes that
 * still depend on one switch.
 */
#include "engines/fattree/homes.h"

static int mftree_choose_trees(struct weft__fattree_run *run)
{
	return weft__homes_run(run, weft__chains_beft(run->options));
}

static int mftree_route(const struct weft_fabric *f,
			const struct weft_options *options,
			struct weft_routes *out, struct weft_diag *diag)
{
	return weft__fattree_route_lids(f, options, mftree_choose_trees, out,
					diag);
}

static const struct weft_option mftree_options[] = {
	WEFT__FATTREE_ENGINE_OPTIONS,
	WEFT__RACK_OPTION,
	WEFT__HOMES_OPTIONS,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_mftree = {
	.name = "mftree",
	.summary = "fat trees, disjoint routes to the ports of a node (mFtree)",
	.loopfree = WEFT_LOOPFREE_ALL,
	.options = mftree_options,
	.route = mftree_route,
};
