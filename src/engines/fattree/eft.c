// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: eft, the enhanced fat-tree routing for reference
 *
 * Idea (Zahavi, Johnson, Kerbyson, Lang: Optimized InfiniBand fat-tree routing
 * for shift all-to-all communication patterns, 2009; OpenSM's ftree):
 * converging routes by the counters of port groups alone, and leaves with fewer
 * hosts than others count as if they had as many.  It is what the other engines
 * of its kind are measured against; the tree it works on is theirs, which takes
 * what the original refuses.  See chain.c. Deadlock, complexity,
 * limits: those of beft.
 */
#include "engines/fattree/chain.h"

static int choose(struct weft__fattree_run *run)
{
	return weft__chains_run(run, weft__chains_eft());
}

static int eft_route(const struct weft_fabric *f,
		     const struct weft_options *options,
		     struct weft_routes *out, struct weft_diag *diag)
{
	return weft__fattree_route(f, options, choose, out, diag);
}

static const struct weft_option eft_options[] = {
	WEFT__FATTREE_ENGINE_OPTIONS,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_eft = {
	.name = "eft",
	.summary = "fat trees by port counters (like OpenSM's ftree)",
	.needs = WEFT_OFFLINE,
	.loopfree = WEFT_LOOPFREE_ALL,
	.options = eft_options,
	.route = eft_route,
};
