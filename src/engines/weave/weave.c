// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, for any fabric, without credit loops
 *
 * No algorithm is best on all fabrics.  weave has several strategies, each a
 * file of this folder and a line in strategies.def.  It tries those that suit
 * the fabric, as far as a budget goes (plan.c), and takes the routes that are
 * worth most to all kinds of traffic (weft/worth.h):
 *
 *	residue		whole fat trees: D-mod-K, hosts numbered by rank
 *	dimensions	tori, meshes, hypercubes: one dimension after the other
 *	shared		the same, where datelines share a lane
 *	meshes		HyperX: one dimension after the other
 *	damaged		damaged tori and meshes: lanes by dimensions
 *	ecube		damaged hypercubes: the lowest dimension first
 *	convergent	trees with gaps: routes to a host meet in one root
 *	evened		the same, then balanced in passes: racks
 *	chains		the same without balance, for shifts alone
 *	minimal		shortest ways, balanced, in lanes: whatever is no tree
 *	turns		one lane: the turns that shortest ways need most
 *	closeness	Up*Down* towards the middle, one lane
 *	roots		Up*Down* below one switch, one lane: always possible
 *
 * Deadlock: every strategy ensures that its routes have no credit loop, for all
 * traffic of endports and switches, in the lanes it uses: by an order of the
 * channels in each lane, or by dependencies that are entered one by one.
 *
 * All strategies route one LID for each port; other LIDs (LMC) take routes that
 * are there by then, or get trees of their own (engines/several).
 *
 * Complexity: that of the strategies, within the budget.  Each has an arena
 * that is freed when its tables have been judged.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"
#include "core/listed.h"
#include "graph/bfs.h"

#include <weft/diag.h>
#include <weft/engine.h>

#include <errno.h>
#include <string.h>

/* Reads option roots into w->is_root, which stays NULL if none are given. */
static int read_roots(struct weft__weave *w)
{
	uint8_t *is_root = weft__arena_zalloc(w->kept, w->f->nsw + 1ull, 1);
	bool any;
	int err;

	if (!is_root)
		return weft_no_memory(w->diag);
	err = weft__listed_switches(w->f, w->options, "roots", is_root, &any,
				    w->diag);
	w->is_root = any ? is_root : NULL;
	return err;
}

/* Routes a fabric of one switch or none, where there is nothing to choose. */
static int route_trivial(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__trees trees;
	int err = weft__trees_list(w->f, w->kept, NULL, &trees) ? 0 : -ENOMEM;

	if (!err)
		err = weft__trees_fill(w->f, &trees, &out->lft);
	weft_layers_init(&out->layers);
	return err;
}

static int route_base(struct weft__weave *w, struct weft_routes *out)
{
	int err;

	if (w->f->nsw < 2)
		return route_trivial(w, out);
	if (!weft__vls_find(&w->vls, w->f, w->kept))
		return weft_no_memory(w->diag);
	if (w->lanes > w->vls.most)
		w->lanes = w->vls.most;
	err = weft__facts_find(w);
	return err ? err : weft__plan_run(w, out);
}

/* Finds what is best for streams that use all LIDs of a host. */
static int route_best_lids(struct weft__weave *w, const struct weft_fabric *f,
			   struct weft_routes *routes)
{
	const struct weft__several_spec spec = {
		.fabric = f,
		.base = w->f,
		.options = w->options,
		.order = w->facts.order[0],
		.place = w->close.place,
		.close = &w->close,
		.lanes = w->lanes,
		.budget = w->budget,
		.spent = w->spent,
		.arena = w->kept,
		.diag = w->diag,
	};

	return weft__several_lids(&spec, routes);
}

/* Routes base LIDs first, then the other LIDs by their routes. */
static int route_all_lids(struct weft__weave *w, const struct weft_fabric *f,
			  struct weft_routes *out)
{
	const char *lids = weft_options_text(w->options, "lids");
	struct weft_routes routes = { 0 };
	struct weft_fabric base;
	int err;

	if (!weft__base_lids(f, w->kept, &base))
		return weft_no_memory(w->diag);
	w->f = &base;
	err = read_roots(w);
	if (err)
		return err;
	err = route_base(w, &routes);
	if (!err && !weft__other_lids(f, strcmp(lids, "together") ? 1 : 0,
				      w->kept, &routes.lft))
		err = -ENOMEM;
	if (!err && !strcmp(lids, "best") && f->nsw > 1)
		err = route_best_lids(w, f, &routes);
	if (err == -ENOMEM)
		weft_diag_say(w->diag, WEFT_ERROR, "out of memory");
	if (err) {
		weft_routes_free(&routes);
		return err;
	}
	*out = routes;
	return 0;
}

static int weave_route(const struct weft_fabric *f,
		       const struct weft_options *options,
		       struct weft_routes *out, struct weft_diag *diag)
{
	struct weft__weave w = {
		.diag = diag, .options = options,
		.passes = weft_options_int(options, "passes"),
		.lanes = weft_options_int(options, "lanes"),
	};
	int err = weft__require_connected(f, diag);

	if (err)
		return err;
	w.kept = weft__arena_new();
	if (!w.kept)
		return weft_no_memory(diag);
	err = route_all_lids(&w, f, out);
	weft__arena_free(w.kept);
	return err;
}

static const struct weft_option weave_options[] = {
	{ .name = "lanes", .type = WEFT_OPT_INT, .preset = "8",
	  .min = 1, .max = 15,
	  .help = "lanes that may be used; in a subnet manager no more than the hardware has"
		  },
	{ .name = "passes", .type = WEFT_OPT_INT, .preset = "4",
	  .min = 1, .max = 1000,
	  .help = "how often every destination is routed at most" },
	{ .name = "effort", .type = WEFT_OPT_INT, .preset = "100",
	  .min = 0, .max = 1000000,
	  .help = "work to spend on finding better routes, in per cent of what is usual; 0: the first ones"
		  },
	{ .name = "lids", .type = WEFT_OPT_ENUM, .preset = "best",
	  .choices = "best|apart|together",
	  .help = "routes of LIDs after the base LID (LMC): those worth most where all LIDs are used at once, those of other endports on the switch, or those of the base LID"
		  },
	{ .name = "objective", .type = WEFT_OPT_OBJECTIVE, .preset = "basket",
	  .help = "what tables shall be good at: a basket, hpc (the same as basket) or ai, a pattern, a file of patterns with weights or of pairs of ranks, or redundancy: ways to the LIDs of a host apart"
		  },
	{ .name = "jobs", .type = WEFT_OPT_JOBS,
	  .help = "a file of jobs that run, or one job: what they get together counts as much as the objective"
		  },
	{ .name = "strategy", .type = WEFT_OPT_ENUM, .preset = "best",
	  .choices = "best"
#define WEFT_STRATEGY(symbol) "|" #symbol
#include "engines/weave/strategies.def"
#undef WEFT_STRATEGY
	  ,
	  .help = "the one that is worth most, or a certain one, for research"
		  },
	WEFT__SWITCHES_OPTION,
	WEFT__ROOTS_OPTION,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_weave = {
	.name = "weave",
	.summary = "any fabric, any number of lanes, no credit loop",
	.needs = WEFT_NEEDS_VLS,
	.loopfree = WEFT_LOOPFREE_ALL,
	.options = weave_options,
	.route = weave_route,
};
