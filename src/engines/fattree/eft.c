// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: eft, the enhanced fat-tree routing for reference
 *
 * Idea (Zahavi, Johnson, Kerbyson, Lang: Optimized InfiniBand fat-tree routing
 * for shift all-to-all communication patterns, 2009; OpenSM's ftree):
 * converging routes (chain.c) by the counters of port groups alone, where
 * leaves with fewer hosts than others count as if they had as many.  The other
 * fat-tree engines are measured against this one.  It works on the same tree as
 * they do, and so takes fabrics that the original refuses.
 *
 * Deadlock, complexity, limits: those of beft.
 */
#include "engines/fattree/chain.h"

static int eft_choose_trees(struct weft__fattree_run *run)
{
	return weft__chains_run(run, weft__chains_eft());
}

static int eft_route(const struct weft_fabric *f,
		     const struct weft_options *options,
		     struct weft_routes *out, struct weft_diag *diag)
{
	return weft__fattree_route(f, options, eft_choose_trees, out, diag);
}

static const struct weft_option eft_options[] = {
	WEFT__FATTREE_ENGINE_OPTIONS,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_eft = {
	.name = "eft",
	.summary = "fat trees by port counters (like OpenSM's ftree)",
	.needs = WEFT_REFERENCE,
	.loopfree = WEFT_LOOPFREE_ALL,
	.options = eft_options,
	.route = eft_route,
};
