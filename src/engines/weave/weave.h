/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of weave share: facts, strategies, the plan. */
#ifndef WEFT_ENGINES_WEAVE_WEAVE_H
#define WEFT_ENGINES_WEAVE_WEAVE_H
#include "graph/closeness.h"
#include "lanes/orders.h"
#include "shapes/rings.h"
#include "trees/balance.h"

#include <weft/engine.h>
#include <weft/worth.h>

struct weft_arena;

/*
 * What is known of a fabric before anything is routed.  Computed once, read by
 * all strategies.
 */
struct weft__facts {
	uint32_t edges;		/* channels between switches */
	uint32_t lids;		/* of endports */
	uint32_t homes;		/* switches with endports */
	uint32_t bare;		/* switches without hosts */
	bool homed;		/* some node has several ports */
	bool whole_tree;	/* it is an exact generalized fat tree */
	bool rings;		/* it is a product of rings and paths, or part
				 * of one: */
	struct weft__rings product;
	const uint32_t *rank;	/* [nep] of an endport, in the order that people
				 * count hosts in; those that are no hosts come
				 * last */
	/* [nep] endports switch by switch: both by the lowest rank; and, where
	 * that is not the same, switches by GUID and ports by number. */
	const uint32_t *order[2];
	unsigned norders;
};

/* One run of the engine. */
struct weft__weave {
	const struct weft_fabric *f;	/* base LIDs alone */
	struct weft_diag *diag;
	const struct weft_options *options;
	struct weft_arena *kept;	/* for facts, as long as the run */
	struct weft_arena *arena;	/* of the strategy at hand */
	struct weft__facts facts;
	struct weft__closeness close;	/* not for whole products */
	const uint8_t *is_root;		/* [nsw] given ones; NULL = none are */
	unsigned lanes;
	long passes;
	double budget;		/* of all strategies, in edges looked at */
	const uint32_t *order;	/* of endports, one of the facts' */
	unsigned variant;	/* of the strategy at hand that is asked for */
};

/* 0 or -ENOMEM. */
int weft__facts_find(struct weft__weave *w);

/*
 * A way to tables.  One file each, with one of these at its end; strategies do
 * not know each other.
 */
struct weft__strategy {
	const char *name;
	const char *about;	/* where it earns its place, one line */
	/* How likely it is to be worth most, compared with others: for the
	 * order in which they are tried. */
	double (*promise)(const struct weft__weave *w);
	/* Why it is not for this fabric; NULL: it is. */
	const char *(*refuses)(const struct weft__weave *w);
	/* Edges that it will look at, about; never a clock. */
	double (*work)(const struct weft__weave *w);
	/*
	 * Routes every LID, free of credit loops in the lanes there are.  0;
	 * -ENOTSUP: did not find any; -ENOMEM and the like.  *out is set on
	 * success only; it is zeroed.
	 */
	int (*build)(struct weft__weave *w, struct weft_routes *out);
	unsigned variants;	/* that build() knows, by w->variant, the most
				 * promising one first; 0 = 1 */
	bool orders;		/* each of these in all orders of endports */
};

#define WEFT_STRATEGY(symbol) \
	extern const struct weft__strategy weft__strategy_##symbol;
#include "engines/weave/strategies.def"
#undef WEFT_STRATEGY

/* The best tables of all strategies within the budget.  0 or -errno with an
 * error. */
int weft__plan_run(struct weft__weave *w, struct weft_routes *out);

/* --- what several strategies need ----------------------------------------- */

/* Trees, the ways they were chosen from, and the loads that makes. */
struct weft__tree_routes {
	struct weft__ways ways;
	struct weft__trees trees;
	struct weft__balance balance;
};

/* Balances the trees of all LIDs over out->ways, takes down their peaks.  0 or
 * -ENOMEM. */
int weft__route_balanced(struct weft__weave *w, struct weft__tree_routes *out);
/*
 * The same, but every switch shares out destinations evenly over its ports,
 * whatever the loads are farther on; peaks alone are taken down.  Balance sends
 * all that goes from one part of the fabric to another by the channel between
 * these, if there is one, which shifts and neighbours crowd while others are
 * idle: on dragonflies even shares are worth 2 to 11 % more.
 */
int weft__route_shared_out(struct weft__weave *w,
			   struct weft__tree_routes *out);
/* Edges looked at for either, where ways have so many edges on the whole. */
double weft__route_work(const struct weft__weave *w);
/* Up*Down* over an order of switches: ways that reach everybody, turning in a
 * valley if need be (*complete: that was found).  0 or -ENOMEM. */
int weft__route_ordered(struct weft__weave *w, const uint32_t *place,
			struct weft__tree_routes *out, bool *complete);
/* Tables of trees in one lane.  0 or -ENOMEM. */
int weft__route_tables(const struct weft__weave *w,
		       const struct weft__tree_routes *routes,
		       struct weft_routes *out);

/* Orders that are known to have a way for each pair in each lane. */
struct weft__lanes_held {
	const uint32_t *up;	/* as for weft__settle_pairs() */
	const uint16_t *first;	/* and as for weft__regrow_all() */
	unsigned min_common_lanes;
	bool keep;		/* trees keep what has a lane */
};

/*
 * Lanes for the trees of endports, which go along minimal ways and are loaded,
 * by the turns that the orders allow.  held: trees grow anew by these at once;
 * NULL: they stay as they are, or are bent where they lack a lane, and the
 * orders change.  Routes the switches' own LIDs, too. *found: lanes for all,
 * and *out is set.  0 or -ENOMEM.
 */
int weft__fit(struct weft__weave *w, struct weft__tree_routes *routes,
	      struct weft__orders *orders, const struct weft__lanes_held *held,
	      struct weft_routes *out, bool *found);
double weft__fit_work(const struct weft__weave *w);

/* The fabric, its ports with their base LIDs alone; for as long as f and the
 * arena.  false without memory. */
bool weft__base_lids(const struct weft_fabric *f, struct weft_arena *arena,
		     struct weft_fabric *base);
/* Routes the other LIDs of f, too: as the base LIDs of their ports, or, apart,
 * as those of other endports on the switch.  false without memory. */
bool weft__other_lids(const struct weft_fabric *f, bool apart,
		      struct weft_arena *arena, struct weft_lft *lft);

#endif
