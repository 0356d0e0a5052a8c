// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the fat-tree engines have in common; see fattree_engine.h. */
#include "engines/fattree_engine.h"

#include "core/arena.h"
#include "engines/common.h"

#include <weft/list.h>
#include <weft/proof.h>
#include <weft/redundancy.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* The switch that option keep-off means. */
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

static int begin(struct weft__fattree_run *run)
{
	uint32_t keep_off;
	int err = find_keep_off(run, &keep_off);

	if (!err)
		err = weft__fattree_find(run->fabric, run->options,
					 run->arena, &run->tree, run->diag);
	if (err)
		return err;
	if (!run->order)
		run->order = weft__endports_by_port(run->fabric, run->arena);
	if (!run->order || !weft__joints_find(&run->joints, &run->tree, run->arena,
			       keep_off) ||
	    !weft__balance_init(&run->balance, run->fabric, run->arena) ||
	    !weft__trees_list(run->fabric, run->arena,
			      run->order, &run->trees))
		return weft_fail(run->diag, ENOMEM, "out of memory");
	return 0;
}

/* Routes switches' own LIDs, completes all trees and makes tables of them. */
static int end(struct weft__fattree_run *run, struct weft_lft *lft)
{
	for (uint32_t d = 0; d < run->trees.n; d++) {
		const struct weft__tree *tree = &run->trees.tree[d];
		const struct weft__plan *plan;

		plan = weft__ways_to(&run->tree.ways, tree->root);
		if (d >= run->trees.nendports)
			weft__balance_tree(&run->balance, plan, tree->choice,
					   false);
		weft__joints_complete(&run->joints, plan, tree);
	}
	if (weft__trees_fill(run->fabric, &run->trees, lft))
		return weft_fail(run->diag, ENOMEM, "out of memory");
	return 0;
}

/* 1: the tables have a credit loop, 0: they have none; -errno. */
static int is_cyclic(const struct weft__fattree_run *run,
		     const struct weft_lft *lft)
{
	struct weft_proof_spec spec = { .all_hosts = true, .switches = true,
					.between_switches = true,
					.credit_loops = true };
	struct weft_routes routes = { .lft = *lft };
	struct weft_proof proof;
	int err;

	weft_layers_init(&routes.layers);
	err = weft_proof_run(run->fabric, &routes, &spec, &proof, run->diag);
	if (err)
		return err;
	err = proof.cyclic_vls > 0;
	weft_proof_free(&proof);
	return err;
}

/* The same, by rules that allow for no loop. */
static int choose_again(struct weft__fattree_run *run,
			weft__fattree_choose_fn *choose, struct weft_lft *lft)
{
	int err;

	weft_lft_free(lft);
	run->joints.strict = true;
	if (run->joints.loose_joints)
		weft_diag_say(run->diag, WEFT_NOTE, "the tree is so broken "
			"that %" PRIu32 " of its cables are kept for traffic "
			"between switches without a common one above them",
			run->joints.loose_joints);
	if (!weft__joints_keep_loose(&run->joints, &run->tree.ways) ||
	    !weft__balance_init(&run->balance, run->fabric, run->arena))
		return weft_fail(run->diag, ENOMEM, "out of memory");
	err = choose(run);
	return err ? err : end(run, lft);
}

/* Nodes whose ports could not be kept apart, if there may be any. */
static void tell_homes(const struct weft__fattree_run *run,
		       const struct weft_lft *lft)
{
	struct weft_redundancy r = { 0 };
	bool sure = !run->weak && !run->joints.strict;

	if (!run->several ||
	    (!sure && weft_redundancy_find(run->fabric, lft, &r)))
		return;
	if (r.weak_nodes)
		weft_diag_say(run->diag, WEFT_NOTE, "%" PRIu32 " of %" PRIu32
			" nodes with several ports depend on one switch, from "
			"some place", r.weak_nodes, run->several);
	weft_explain(run->diag, "%" PRIu32 " nodes with several ports, %" PRIu32
		" depend on one switch, from some place; cables would allow "
		"better for %" PRIu32, run->several, r.weak_nodes,
		r.needless_nodes);
	weft_redundancy_free(&r);
}

static void explain(const struct weft__fattree_run *run,
		    const struct weft_lft *lft)
{
	const struct weft__joints *j = &run->joints;
	uint32_t n = 0, cables = 0, turn = j->turn;

	if (weft_explains(run->diag))
		weft__fattree_explain(&run->tree, run->diag);
	tell_homes(run, lft);
	if (!weft_explains(run->diag))
		return;
	for (uint32_t s = 0; s < run->fabric->nsw; s++)
		n += j->member[s];
	for (uint32_t e = 0; e < run->fabric->adj_first[run->fabric->nsw]; e++)
		cables += j->joint[e];
	if (!n)
		return;
	weft_explain(run->diag, "pairs without a common switch above, as two "
		"roots, go along %" PRIu32 " cables of %" PRIu32 " switches",
		cables / 2, n);
	if (turn != WEFT_NONE)
		weft_explain(run->diag, "these turn up at 0x%016" PRIx64
			     " (%s)", run->fabric->sw[turn].guid,
			     run->fabric->sw[turn].name);
	if (j->strict && j->loose_joints)
		weft_explain(run->diag, "to keep credit loops out %" PRIu32
			     " of these cables carry nothing else",
			     j->loose_joints);
}

static int route(struct weft__fattree_run *run, weft__fattree_choose_fn *choose,
		 struct weft_lft *lft)
{
	int err = begin(run);

	if (!err)
		err = choose(run);
	if (!err)
		err = end(run, lft);
	if (err || (!run->joints.loose_joints && !run->joints.bent))
		return err;
	err = is_cyclic(run, lft);
	if (err > 0)
		return choose_again(run, choose, lft);
	if (err)
		weft_lft_free(lft);
	return err;
}

int weft__fattree_route(const struct weft_fabric *f,
			const struct weft_options *options,
			weft__fattree_choose_fn *choose,
			struct weft_routes *out, struct weft_diag *diag)
{
	return weft__fattree_route_in_order(f, options, NULL, NULL, choose, out,
					    diag);
}

int weft__fattree_route_in_order(const struct weft_fabric *f,
				 const struct weft_options *options,
				 const uint32_t *order, void *context,
				 weft__fattree_choose_fn *choose,
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
		return weft_fail(diag, ENOMEM, "out of memory");
	*run = (struct weft__fattree_run){ .fabric = f, .options = options,
					   .order = order, .context = context,
					   .diag = diag };
	run->arena = weft__arena_new();
	err = run->arena ? route(run, choose, &lft) :
		weft_fail(diag, ENOMEM, "out of memory");
	if (!err) {
		explain(run, &lft);
		out->lft = lft;
		weft_layers_init(&out->layers);
	}
	weft__arena_free(run->arena);
	free(run);
	return err;
}
