/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts that all fat-tree engines share: everything but the choice of
 * ways. */
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
	const uint32_t *order;	/* [nep] of endports */
	void *context;		/* of the engine that chooses */
	uint64_t limit;		/* of what passes that improve may look at */
	struct weft_diag *diag;
	struct weft_arena *arena;
	struct weft__fattree tree;
	struct weft__balance balance;	/* all endports are sources */
	struct weft__trees trees;	/* switch by switch */
	bool led_back;		/* choices gave way to the ways */
	uint32_t several, weak;	/* nodes with several ports, which are to be
				 * kept apart, and those among them where
				 * this may have failed from some switch with
				 * hosts */
	uint8_t *hopeless;	/* [nmachines] cables do not allow that; NULL:
				 * nobody has tried */
};

/*
 * Chooses ways for the trees of all endports, for all switches in their plans.
 * Loads that it adds to run->balance are taken into account when the trees of
 * switches' own LIDs are routed, which come afterwards.  Returns 0, or -errno
 * with an error.
 */
typedef int weft__fattree_choose_fn(struct weft__fattree_run *run);

/*
 * Finds the tree, with ways for all pairs (weft__fattree_complete()), has
 * choose() choose among them, and fills in the tables, in one lane.  Where the
 * choice closes a credit loop, as it can in a broken tree, routes that leave the
 * ways are put back on them.  Parameters and result are those of
 * weft_engine.route.
 */
int weft__fattree_route(const struct weft_fabric *fabric,
			const struct weft_options *options,
			weft__fattree_choose_fn *choose,
			struct weft_routes *out, struct weft_diag *diag);

/* The same; where hosts are of several kinds, streams of each meet less often
 * then (weft__shift_groups()), but on ways to machines with several ports. */
int weft__fattree_route_groups(const struct weft_fabric *fabric,
			       const struct weft_options *options,
			       weft__fattree_choose_fn *choose,
			       struct weft_routes *out, struct weft_diag *diag);

/*
 * Does so for base LIDs alone, and has the further LIDs of ports take what is
 * worth most to streams that use all of them (engines/several).  Where nodes
 * have several ports, choose() routes all LIDs instead.
 */
int weft__fattree_route_lids(const struct weft_fabric *fabric,
			     const struct weft_options *options,
			     weft__fattree_choose_fn *choose,
			     struct weft_routes *out, struct weft_diag *diag);

/*
 * Gives ways to pairs without a common switch above them, through a valley: a
 * tree of switches below others in which routes turn upwards (trees/valleys.c).
 * Where every valley closes a cycle, orders all switches below one root
 * instead.  Has to be called again when ways were planned anew.  Returns 0, or
 * -ENOMEM with an error.
 */
int weft__fattree_complete(struct weft__fattree_run *run);

/*
 * Has choices for endports give way to the ways where they close a credit loop,
 * for an engine that moves them from way to way afterwards.  That is also done
 * at the end.  Returns 0, or -errno with an error.
 */
int weft__fattree_lead_back(struct weft__fattree_run *run);

/* The choice of ways by an engine that has a context or an order of its own. */
struct weft__fattree_chooser {
	weft__fattree_choose_fn *choose;
	void *context;		/* becomes run->context */
	const uint32_t *order;	/* [nep] of the endports; NULL: switch by
				 * switch and port by port */
	uint64_t limit;		/* passes that improve loads end beyond so many
				 * edges and switches; 0: never */
	uint64_t *looked;	/* those that were looked at are added, if not
				 * NULL */
};

/* Does as weft__fattree_route(), with the chooser's order and context. */
int weft__fattree_route_in_order(const struct weft_fabric *fabric,
				 const struct weft_options *options,
				 const struct weft__fattree_chooser *chooser,
				 struct weft_routes *out,
				 struct weft_diag *diag);

/* The options that all fat-tree engines have. */
#define WEFT__FATTREE_ENGINE_OPTIONS \
	WEFT__FATTREE_OPTIONS, \
	{ .name = "keep-off", .type = WEFT_OPT_LIST, .choices = "PORT", \
	  .help = "a switch or endport by GUID or name: traffic between " \
		  "spines does not turn there" }, \
	WEFT__SWITCHES_OPTION

#endif
