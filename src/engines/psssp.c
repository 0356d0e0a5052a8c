// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: psssp, globally balanced shortest paths
 *
 * Idea (Hoefler, Schneider, Lumsdaine: Optimized Routing for Large-Scale
 * InfiniBand Networks, HOTI 2009, section III.A): destinations are routed one
 * after the other.  Each gets the tree of shortest paths towards it, over edges
 * weighted by the number of routes that use them already, and then adds its own
 * routes to the weights.  Weights are per direction.  The initial weight is so
 * high (the paper: P^2) that a path of fewer hops always wins, so every route
 * is minimal.
 *
 * The paper leaves some points open.  Here they are:
 * - Order: destinations are ordered by the GUID of their switch, then by the
 *   port there; so neighbours on one switch are routed in a row and spread over
 *   the switches above it.  order=guid takes the port GUIDs alone; where these
 *   are not sorted by place, more is left to later passes.  With LMC > 0 the
 *   base LIDs of all come first, in all passes, so that they are routed as with
 *   LMC 0; then the further LIDs of each port, apart from each other
 *   (lanes/spread.c).
 * - Ties: among equally loaded ways the lowest GUID of the neighbour decides,
 *   then the lowest port.  In later passes the way taken before comes first of
 *   all.  Parallel cables are edges like any others and so share the load.
 * - The initial weight need not be a number: hop counts from a breadth-first
 *   search decide first, and loads only between ways of equal hops.
 * - Sources and destinations that count: all endports, including aggregation
 *   nodes and routers, as these do send and receive.  A route from an endport
 *   on the destination's own switch uses no edge.  Switches' own LIDs are
 *   routed last, over the least loaded shortest paths, and add no load, as
 *   there is little management traffic; with switches=yes they do.
 * - Unequal links: the weight of an edge is its load times (fastest link's rate
 *   / its own), so that a link of half the rate carries half the routes.
 * - passes=N: in each further pass every destination's routes are taken out of
 *   the weights and it is routed anew, in the same order, until a pass changes
 *   nothing or no edge weighs over 3 % more than the mean.  The first
 *   destinations were routed when there was no load to avoid, and later passes
 *   make up for that.  passes=1 is the paper.  The default in a subnet manager
 *   is 3, as further passes add hardly anything.
 * - relief=N: at the end N rounds take down the peaks of loads
 *   (trees/relief.c); 0 is the paper.
 * - initial=N: the paper's first variant starts at weight 1.  Routes then take
 *   longer ways around what is loaded more (trees/detours.c), in one pass.
 *
 * Structures: edges are the fabric's adjacency entries (adj index).  For every
 * switch with endports there is a plan (trees/ways.h): the other switches in
 * order of hops, and for each the edges that lead one hop nearer.  Destinations
 * on one switch share its plan.  trees/balance.c holds the loads and finds the
 * trees.
 *
 * Deadlock: not addressed; on anything but trees the result can have credit
 * loops.
 * Complexity: O(switches x cables) for the plans and O(passes x LIDs x E) for
 * the trees, E = the cables that lie on shortest paths to one switch.
 * Memory: at most 2 E bytes per switch with endports, switches bytes per LID.
 */
#include "core/arena.h"
#include "engines/kinds.h"
#include "graph/bfs.h"
#include "lanes/spread.h"
#include "trees/detours.h"

#include <weft/engine.h>

#include <errno.h>

/* Of further LIDs: what sharing costs, and how often their trees grow. */
#define APART 0.1
#define PASSES 3

/* Gives the further LIDs of ports trees that keep apart, once the base LIDs'
 * trees have been balanced.  All turns are allowed. */
static bool route_further(struct weft__balance *b, struct weft__ways *ways,
			  const struct weft__trees *trees,
			  struct weft_arena *arena)
{
	const struct weft_fabric *f = b->fabric;
	struct weft__orders any = { .fabric = f, .n = 1 };
	struct weft__lane_masks masks;
	const struct weft__spread_spec spec = {
		.from = trees->nbase,
		.apart = APART,
		.afresh = true,
		.passes = PASSES,
		.lane = weft__arena_zalloc(arena, f->nsw, f->nsw),
	};

	for (uint32_t d = trees->nbase; d < trees->nendports; d++) {
		const struct weft__tree *t = &trees->tree[d];

		weft__balance_tree(b, weft__ways_to(ways, t->root), t->choice);
	}
	if (!spec.lane || !weft__turns_init(&any.turns, f, arena) ||
	    !weft__masks_init(&masks, &any, ways, trees, b, arena))
		return false;
	weft__masks_look(&masks, trees->nendports);
	return !weft__spread_grow(&masks, &spec);
}

/* Balances minimal routes. */
static bool route_minimal(struct weft__balance *b, struct weft_arena *arena,
			  const struct weft__trees *trees,
			  const struct weft_options *options)
{
	struct weft__trees base = *trees;
	struct weft__ways ways;

	if (!weft__ways_init(&ways, b->fabric, arena, NULL))
		return false;
	base.nendports = trees->nbase;
	weft__balance_endports(b, &ways, &base,
			       weft_options_int(options, "passes"));
	weft__balance_relieve(b, &ways, &base,
			      weft_options_int(options, "relief"));
	if (trees->nbase < trees->nendports &&
	    !route_further(b, &ways, trees, arena))
		return false;
	weft__balance_switches(b, &ways, trees);
	return true;
}

static bool route_trees(struct weft__balance *b, struct weft_arena *arena,
			const struct weft__trees *trees,
			const struct weft_options *options)
{
	long initial = weft_options_int(options, "initial");

	b->switches = weft_options_bool(options, "switches");
	return initial ? weft__detours_route(b, arena, trees, initial) :
			 route_minimal(b, arena, trees, options);
}

static int psssp_route(const struct weft_fabric *f,
		       const struct weft_options *options,
		       struct weft_routes *out, struct weft_diag *diag)
{
	struct weft_arena *arena;
	struct weft__trees trees;
	struct weft__balance balance;
	const uint32_t *order;
	struct weft_lft lft;
	int err = weft__require_connected(f, diag);

	if (err)
		return err;
	arena = weft__arena_new();
	if (!arena || !weft__balance_init(&balance, f, arena) ||
	    !weft__endport_order(f, options, arena, &order) ||
	    !weft__trees_list(f, arena, order, &trees) ||
	    !route_trees(&balance, arena, &trees, options))
		err = -ENOMEM;
	else
		err = weft__trees_fill(f, &trees, &lft);
	weft__arena_free(arena);
	if (err)
		return weft_fail(diag, -err, "out of memory");
	out->lft = lft;
	weft_layers_init(&out->layers);
	return weft__shift_groups(f, false, out, diag);
}

static const struct weft_option psssp_options[] = {
	{ .name = "passes", .type = WEFT_OPT_INT, .preset = "1",
	  .min = 1, .max = 1000,
	  .help = "how often every destination is routed; 1 is the paper" },
	{ .name = "relief", .type = WEFT_OPT_INT, .preset = "0",
	  .min = 0, .max = 1000,
	  .help = "rounds that take down the peaks of loads; 0 is the paper" },
	WEFT__SWITCHES_OPTION,
	WEFT__INITIAL_OPTION,
	WEFT__ORDER_OPTION,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_psssp = {
	.name = "psssp",
	.summary = "globally balanced shortest paths (P-SSSP, 2009)",
	.minimal = true,
	.options = psssp_options,
	.sm_preset = "passes=3",
	.route = psssp_route,
};
