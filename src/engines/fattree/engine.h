/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the fat-tree engines have in common: all but the choice of ways. */
#ifndef WEFT_ENGINES_FATTREE_ENGINE_H
#define WEFT_ENGINES_FATTREE_ENGINE_H
#include <weft/engine.h>

#include "shapes/fattree.h"
#include "trees/balance.h"
#include "trees/trees.h"

/* One run of an engine. */
struct weft__fattree_run {
	const struct weft_fabric *fabric;
	const struct weft_options *options;
	const uint32_t *order;	/* of endports, [nep] */
	void *context;		/* of who chooses */
	struct weft_diag *diag;
	struct weft_arena *arena;
	struct weft__fattree tree;
	struct weft__balance balance;	/* all endports are sources */
	struct weft__trees trees;	/* switch by switch */
	bool plain;		/* ways are balanced, whatever was chosen */
	uint32_t several, weak;	/* nodes with several ports that are to be kept
				 * apart, and those where that may have failed
				 * from some switch with hosts */
};

/*
 * Chooses for the trees of all endports, for all switches in their plans.  What
 * is loaded into run->balance is known to the trees of switches' own LIDs; they
 * come afterwards.  0 or -errno with an error.
 */
typedef int weft__fattree_choose_fn(struct weft__fattree_run *run);

/*
 * Finds the tree, with ways for everybody (weft__fattree_complete()), has
 * choose() choose, and fills in the tables and one lane.  Where what it chose
 * closes a credit loop, as it can in a broken tree, the ways are balanced
 * instead.  As weft_engine.route.
 */
int weft__fattree_route(const struct weft_fabric *fabric,
			const struct weft_options *options,
			weft__fattree_choose_fn *choose,
			struct weft_routes *out, struct weft_diag *diag);

/*
 * Gives ways to pairs without a common switch above them, over a valley, a tree
 * of switches below others in which routes turn upwards (trees/valleys.c); below
 * one root where none does without a cycle.  To be called again when ways were
 * planned anew.  0 or -ENOMEM with an error.
 */
int weft__fattree_complete(struct weft__fattree_run *run);

/* The same for who has an order of the endports, [nep], and a context of its
 * own; NULL: switch by switch and port by port. */
int weft__fattree_route_in_order(const struct weft_fabric *fabric,
				 const struct weft_options *options,
				 const uint32_t *order, void *context,
				 weft__fattree_choose_fn *choose,
				 struct weft_routes *out,
				 struct weft_diag *diag);

/* The options that all fat-tree engines have. */
#define WEFT__FATTREE_ENGINE_OPTIONS \
	WEFT__FATTREE_OPTIONS, \
	{ .name = "keep-off", .type = WEFT_OPT_LIST, .choices = "PORT", \
	  .help = "a switch or endport by GUID or name: traffic between " \
		  "spines does not turn there" }

#endif
