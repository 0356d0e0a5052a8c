// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: sftree, fully connected fat-tree routing
 *
 * Idea (Bogdanski, Reinemo, Sem-Jacobsen, Gran: sFtree, ACM TACO 8(4), 2012): a
 * known fat-tree routing, with one subtree in which routes turn upwards for
 * pairs without a common switch above them.  All fat-tree engines here are
 * completed like this (trees/valleys.c tells how the paper's subtree is
 * generalised, and why there is no loop); this one adds nothing else: all other
 * routes are those of eft or beft.  As in the paper, the subtree is not that of
 * the subnet manager's switch where there is another: a plugin sets keep-off.
 *
 * Deadlock, complexity: those of beft.
 */
#include "engines/fattree/chain.h"

#include <string.h>

static int sftree_choose_trees(struct weft__fattree_run *run)
{
	const char *base = weft_options_text(run->options, "base");

	return weft__chains_run(run, strcmp(base, "eft") ?
				weft__chains_beft(run->options) :
				weft__chains_eft());
}

static int sftree_route(const struct weft_fabric *f,
			const struct weft_options *options,
			struct weft_routes *out, struct weft_diag *diag)
{
	return weft__fattree_route(f, options, sftree_choose_trees, out, diag);
}

static const struct weft_option sftree_options[] = {
	WEFT__FATTREE_ENGINE_OPTIONS,
	{ .name = "base", .type = WEFT_OPT_ENUM, .preset = "eft",
	  .choices = "eft|beft",
	  .help = "whose routes, where there is a common switch above" },
	WEFT__RACK_OPTION,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_sftree = {
	.name = "sftree",
	.summary = "fat trees, every switch reachable (sFtree)",
	.loopfree = WEFT_LOOPFREE_ALL,
	.options = sftree_options,
	.sm_endport = "keep-off",
	.route = sftree_route,
};
