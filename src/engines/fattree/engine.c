// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The parts that all fat-tree engines share; see engine.h. */
#include "engines/fattree/engine.h"
#include "engines/fattree/whole.h"

#include "core/arena.h"
#include "engines/kinds.h"
#include "graph/bfs.h"
#include "trees/loops.h"

#include <weft/engine.h>
#include <weft/list.h>
#include <weft/redundancy.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define LOOP_WORK 4	/* edges that the dependency of a switch counts for */

/* Finds the switch that option keep-off names; WEFT_NONE if there is none. */
static int find_keep_off(struct weft__fattree_run *run, uint32_t *sw)
{
	const struct weft_list *list;
	int err = weft_options_list(run->options, "keep-off", &list, run->diag);

	*sw = WEFT_NONE;
	if (err || !list || !list->n)
		return err;
	if (list->n > 1)
		return weft_fail(run->diag, EINVAL, "keep-off: %" PRIu32
				 " nodes; it takes one", list->n);
	err = weft_list_find(list, run->fabric,
			     WEFT_LIST_SWITCHES | WEFT_LIST_ENDPORTS, sw,
			     run->diag);
	if (!err && *sw != WEFT_NONE && *sw & WEFT_ENDPORT)
		*sw = run->fabric->ep[*sw & ~WEFT_ENDPORT].sw;
	return err;
}

int weft__fattree_complete(struct weft__fattree_run *run)
{
	uint64_t had_none, missing;

	if (!weft__ways_complete(&run->tree.ways, &had_none, &missing) ||
	    (missing && !weft__fattree_one_root(&run->tree, run->arena)))
		return weft_no_memory(run->diag);
	return 0;
}

/* Finds the tree with its ways, and lists the trees to be chosen. */
static int begin_run(struct weft__fattree_run *run)
{
	uint32_t keep_off;
	int err = find_keep_off(run, &keep_off);

	if (!err)
		err = weft__fattree_find(run->fabric, run->options,
					 run->arena, &run->tree, run->diag);
	if (err)
		return err;
	run->tree.ways.keep_off = keep_off;
	if (!run->order)
		run->order = weft__endports_by_port(run->fabric, run->arena);
	if (!run->order ||
	    !weft__balance_init(&run->balance, run->fabric, run->arena) ||
	    !weft__trees_list(run->fabric, run->arena, run->order,
			      &run->trees))
		return weft_no_memory(run->diag);
	run->balance.switches = weft_options_bool(run->options, "switches");
	err = weft__fattree_complete(run);
	if (run->limit)
		run->balance.limit = run->limit;
	run->balance.looked = run->tree.ways.looked;
	run->tree.ways.looked = 0;
	return err;
}

static int fill_tables(const struct weft__fattree_run *run,
		       struct weft_lft *lft)
{
	if (weft__trees_fill(run->fabric, &run->trees, lft))
		return weft_no_memory(run->diag);
	return 0;
}

/* Returns 1 if the first n trees close a credit loop, 0 if they close none, or
 * -errno. */
static int is_cyclic(struct weft__fattree_run *run, uint32_t n)
{
	int err = weft__trees_cyclic(run->fabric, &run->trees, n, run->arena);

	run->balance.looked += LOOP_WORK * (uint64_t)n * run->fabric->nsw;
	return err < 0 ? weft_fail(run->diag, -err, "out of memory") : err;
}

static void lead_back(struct weft__fattree_run *run)
{
	run->led_back = true;
	weft_diag_say(run->diag, WEFT_NOTE,
		      "in this tree routes that converge close a credit loop; those that leave the shortest ways up and down take these instead");
	weft__balance_lead_back(&run->balance, &run->tree.ways, &run->trees);
}

int weft__fattree_lead_back(struct weft__fattree_run *run)
{
	int err = run->tree.ways.nvalley ?
		is_cyclic(run, run->trees.nendports) : 0;

	if (err > 0)
		lead_back(run);
	return err < 0 ? err : 0;
}

/* Reports nodes whose ports could not be kept apart, if there are any, and somebody
 * listens. */
static void report_homes(const struct weft__fattree_run *run,
			 const struct weft_lft *lft)
{
	struct weft_redundancy r = { 0 };
	bool sure = !run->weak && !run->led_back;

	if (!run->several || !run->diag ||
	    (!sure && weft_redundancy_find(run->fabric, lft, &r)))
		return;
	if (r.weak_machines)
		weft_diag_say(run->diag, WEFT_NOTE,
			"of %s with several ports %" PRIu32 " depend on one switch, from some place",
			WEFT_COUNT(run->several, "node"),
			r.weak_machines);
	weft_diag_explain(run->diag,
		"%s with several ports: depend on one switch, from some place, %" PRIu32 "; cables would allow better for %" PRIu32, WEFT_COUNT(run->several, "node"), r.weak_machines,
		r.needless_machines);
	weft_redundancy_free(&r);
}

static void explain_run(const struct weft__fattree_run *run,
			const struct weft_lft *lft)
{
	const struct weft__ways *w = &run->tree.ways;

	if (weft_diag_explains(run->diag))
		weft__fattree_explain(&run->tree, run->diag);
	report_homes(run, lft);
	if (w->nvalley)
		weft_diag_explain(
			run->diag,
			"pairs without a common switch above, as two roots, turn up in a tree of %" PRIu32
			" switches above 0x%016" PRIx64 " (%s)",
			w->nvalley, run->fabric->sw[w->valley[0]].guid,
			run->fabric->sw[w->valley[0]].name);
}

/* Routes all LIDs.  Where routes turn in a valley, checks for credit loops,
 * unless all of them have been led back to ways that close none. */
static int route_run(struct weft__fattree_run *run,
		     weft__fattree_choose_fn *choose, struct weft_lft *lft)
{
	int err = begin_run(run);

	if (!err)
		err = choose(run);
	if (err)
		return err;
	weft__balance_switches(&run->balance, &run->tree.ways, &run->trees);
	if (run->tree.ways.nvalley && !run->led_back)
		err = is_cyclic(run, run->trees.n);
	if (err < 0)
		return err;
	if (err)
		lead_back(run);
	return fill_tables(run, lft);
}

int weft__fattree_route(const struct weft_fabric *f,
			const struct weft_options *options,
			weft__fattree_choose_fn *choose,
			struct weft_routes *out, struct weft_diag *diag)
{
	const struct weft__fattree_chooser chooser = { .choose = choose };

	return weft__fattree_route_in_order(f, options, &chooser, out, diag);
}

int weft__fattree_route_groups(const struct weft_fabric *f,
			       const struct weft_options *options,
			       weft__fattree_choose_fn *choose,
			       struct weft_routes *out, struct weft_diag *diag)
{
	int err = weft__fattree_route(f, options, choose, out, diag);

	return err ? err : weft__shift_groups(f, true, out, diag);
}

int weft__fattree_route_in_order(const struct weft_fabric *f,
				 const struct weft_options *options,
				 const struct weft__fattree_chooser *chooser,
				 struct weft_routes *out,
				 struct weft_diag *diag)
{
	struct weft__fattree_run *run;
	struct weft_lft lft;
	int err = weft__require_connected(f, diag);

	if (err)
		return err;
	run = calloc(1, sizeof(*run));
	if (!run)
		return weft_no_memory(diag);
	*run = (struct weft__fattree_run){
		.fabric = f,
		.options = options,
		.order = chooser->order,
		.context = chooser->context,
		.limit = chooser->limit,
		.diag = diag,
	};
	run->arena = weft__arena_new();
	err = run->arena ? route_run(run, chooser->choose, &lft) :
			   weft_no_memory(diag);
	if (!err) {
		explain_run(run, &lft);
		out->lft = lft;
		weft_layers_init(&out->layers);
		err = weft__fattree_make_whole(f, out, diag);
		if (err)
			weft_routes_free(out);
	}
	if (chooser->looked)
		*chooser->looked += run->balance.looked +
				    run->tree.ways.looked;
	weft__arena_free(run->arena);
	free(run);
	return err;
}
