/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Declarations that the files of weave share: facts, strategies, the plan. */
#ifndef WEFT_ENGINES_WEAVE_WEAVE_H
#define WEFT_ENGINES_WEAVE_WEAVE_H

#include "graph/closeness.h"
#include "graph/vls.h"
#include "engines/several/several.h"
#include "lanes/fit.h"
#include "loads/shifts.h"
#include "shapes/hyperx.h"
#include "shapes/pgft.h"
#include "shapes/rings.h"
#include "trees/balance.h"

#include <weft/engine.h>
#include <weft/worth.h>

struct weft_arena;

#define WEFT__STRAIGHT 0.5	/* share of ways that Up*Down* by closeness
				 * keeps minimal, for it to be of use */

/* The facts about a fabric, found once before anything is routed and read by
 * all strategies. */
struct weft__facts {
	uint32_t edges;		/* channels between switches */
	uint32_t lids;		/* of endports */
	uint32_t homes;		/* switches with endports */
	uint32_t bare;		/* switches without hosts */
	double minimal;		/* edges on minimal ways to a switch with
				 * endports, about */
	double kept;		/* share of these edges on Up*Down* ways by
				 * closeness, about */
	double straight;	/* share of the pairs of such switches that
				 * Up*Down* by closeness keeps minimal, about */
	double over;		/* share of these pairs whose minimal ways all pass
				 * switches without endports alone, about */
	double room;		/* how likely it is that such ways close no cycle, and
				 * leave room around them for what such switches send
				 * and get: not where cables are missing, and not where
				 * the switches are in parts */
	bool odd;		/* cables close an odd circle: ways may be longer by one */
	bool tree;		/* it is a generalized fat tree, but for some
				 * cables or switches: */
	struct weft__pgft_form form;
	bool whole_tree;	/* nothing is missing */
	bool rings;		/* it is a product of rings and paths, or part
				 * of one: */
	struct weft__rings product;
	bool meshes;		/* it is a product of full meshes, but for some
				 * cables: */
	struct weft__hyperx hyperx;
	const uint32_t *rank;	/* [nep] ranks of endports, in the order in
				 * which people count hosts; endports that are
				 * no hosts come last */
	/*
	 * [nep] endports, group by group and then switch by switch.  The first
	 * order has switches, and endports on a switch, by the lowest rank;
	 * the last one, if it differs, has switches by GUID and ports by
	 * number.  Where there are several groups, one between them is like the
	 * first, but not by group, so that all are balanced as one.
	 */
	const uint32_t *order[3];
	unsigned norders;
};

/* One run of the engine. */
struct weft__weave {
	const struct weft_fabric *f;	/* the fabric, with base LIDs alone */
	struct weft_diag *diag;
	const struct weft_options *options;
	struct weft_arena *kept;	/* for facts; lives as long as the
					 * run */
	struct weft_arena *arena;	/* of the current strategy */
	struct weft__facts facts;
	struct weft__closeness close;	/* an order by closeness to the hosts */
	const uint8_t *is_root;		/* [nsw] given roots; NULL: none are
					 * given */
	unsigned lanes;
	struct weft__vls vls;	/* cables with fewer lanes than others */
	bool limited;		/* each cable is to carry no more lanes than it
				 * has */
	long passes;
	double budget;		/* of all strategies, in edges looked at, as
				 * they estimate it */
	double spent;		/* of it, in the end */
	uint64_t looked;	/* edges and switches that were really looked
				 * at so far; */
	uint64_t limit;		/* beyond so many, whatever only improves
				 * routes ends */
	double easing;		/* what easing may still look at, beside the
				 * limit, judging what it makes included */
	double finishing;	/* what easing the tables that win further may look at,
				 * beside that, and as much again for shifts */
	const uint32_t *order;	/* of endports: one of the facts' orders */
	unsigned variant;	/* the variant that the current strategy is to
				 * build */
};

/* Finds the facts.  Returns 0 or -ENOMEM. */
int weft__facts_find(struct weft__weave *w);

/* A strategy: one way to make tables.  Each has a file of its own, with one of
 * these at its end; strategies do not know each other. */
struct weft__strategy {
	const char *name;
	const char *about;	/* fabrics that it is good for, one line */
	/* Returns how likely it is to be worth most, compared with others.  The
	 * more it promises for its work, the earlier it is tried. */
	double (*promise)(const struct weft__weave *w);
	/* Returns why it is not for this fabric; NULL: it is. */
	const char *(*refuses)(const struct weft__weave *w);
	/* Returns about how many edges it will look at, left to itself; never
	 * a time. */
	double (*work)(const struct weft__weave *w);
	/*
	 * Routes every LID, free of credit loops in the lanes there are.
	 * Returns 0; -ENOTSUP: it found no routes; -EALREADY: the variant would
	 * have the tables of an earlier one; -ENOMEM and the like.  *out is
	 * zeroed before, and set on success only.
	 */
	int (*build)(struct weft__weave *w, struct weft_routes *out);
	unsigned variants;	/* variants that build() knows, chosen by
				 * w->variant, the most promising one first; 0
				 * means 1 */
	bool orders;		/* each of these is tried in all orders of
				 * endports */
	bool limits;		/* build() knows how to do with w->limited, and
				 * gives out lanes by weft__assign_lanes() */
};

#define WEFT_STRATEGY(symbol) \
	extern const struct weft__strategy weft__strategy_##symbol;
#include "engines/weave/strategies.def"
#undef WEFT_STRATEGY

/*
 * Has a strategy build its current variant, in an arena of its own, such that
 * cables with fewer lanes close no credit loop.  *again: it was built a second
 * time for that.  Returns 0, -EXDEV if these cables close a loop, or what
 * build() does.
 */
int weft__build_within(struct weft__weave *w,
		       const struct weft__strategy *strategy,
		       struct weft_routes *out, bool *again);

struct weft__ease_spec;

/* Returns 0; -EALREADY: lanes that cables share close a loop; -errno. */
int weft__weave_prove(const struct weft__weave *w,
		      const struct weft_routes *routes);

/*
 * Eases loads in a copy of routes, as far as spec->work and w->easing last.  *cut: that was not to the end.  Returns 0, also where ask() returned
 * -EALREADY, or -errno.
 */
int weft__weave_ease(struct weft__weave *w, const struct weft_routes *routes,
		     struct weft__ease_spec *spec, bool *cut);

/* Makes a copy of routes in which streams of shifts meet less often (loads/shifts.h),
 * by longer ways, too, or by these in other lanes, if that is said.  *cut: the work
 * that is left did not last to the end.  Returns 0; -EALREADY: it would be the same,
 * or there is too little work left; -ENOMEM. */
int weft__weave_shift(struct weft__weave *w, const struct weft_routes *routes,
		      enum weft__longer longer, bool other_lanes,
		      struct weft_routes *out, bool *cut);

/* Runs strategies within the budget and returns the best tables.  Returns 0, or
 * -errno with an error. */
int weft__plan_run(struct weft__weave *w, struct weft_routes *out);

/* --- helpers of several strategies ---------------------------------------- */

#define WEFT__WHOLE_TREE 15	/* times less is promised on whole trees, where
				 * residue.c leaves little to be found */

/* Returns what Up*Down* promises, by the share of ways that it keeps minimal. */
static inline double weft__tree_promise(const struct weft__weave *w)
{
	return w->facts.straight /
		(w->facts.tree ? WEFT__WHOLE_TREE : 1);
}

/* Returns the share of pairs that hosts' traffic joins over switches without
 * endports, as in a tree, although Up*Down* does not keep their ways minimal. */
static inline double weft__over_without_order(const struct weft__weave *w)
{
	return w->facts.over * (1 - w->facts.straight);
}

/* Trees, the ways they were chosen from, and the loads they make. */
struct weft__tree_routes {
	struct weft__ways ways;
	struct weft__trees trees;
	struct weft__balance balance;
	bool shared;		/* the ports of each switch have even shares */
	double reserve;		/* work that is to be left for what follows the
				 * balance; see weft__route_begin() */
	bool apart;		/* endports share no trees */
	bool unrelieved;	/* peaks of loads stay as balance leaves them */
};

/*
 * Lists the trees of all LIDs, in the order of the run, and prepares a balance
 * whose passes end at the limit of the run, or earlier by the reserve.  If
 * there is a reserve, and it takes more than the limit leaves, some endports of
 * a switch share a tree, unless they are to be apart.  The ways must have been
 * planned.  Returns 0 or -ENOMEM.
 */
int weft__route_begin(struct weft__weave *w, struct weft__tree_routes *out);
/* Returns what planning minimal ways takes. */
uint64_t weft__planning_work(const struct weft__weave *w);
/* Returns how many edges and switches may be looked at to improve routes, if so
 * many are reserved for something else. */
uint64_t weft__weave_left(const struct weft__weave *w, double reserve);
/* Adds what was looked at to that of the run.  weft__route_tables() and
 * weft__assign_lanes() do so. */
void weft__route_end(struct weft__weave *w, struct weft__tree_routes *routes);

/* Balances the trees of all LIDs over out->ways, and takes down the peaks of
 * loads.  Returns 0 or -ENOMEM. */
int weft__route_balanced(struct weft__weave *w, struct weft__tree_routes *out);
/*
 * Has every switch share out destinations evenly over its ports, whatever the
 * loads are farther on, and takes down peaks alone.  Balance would send all
 * traffic from one part of the fabric to another by the channel between these,
 * if there is one, which shifts and neighbours crowd while other channels are
 * idle, as on dragonflies.  Returns 0 or -ENOMEM.
 */
int weft__route_shared_out(struct weft__weave *w,
			   struct weft__tree_routes *out);
/* Returns the edges looked at by either of these. */
double weft__route_work(const struct weft__weave *w);
/*
 * Plans Up*Down* ways over an order of switches.  Ways that reach all switches
 * turn in a valley if need be; *complete: one was found, or none is needed.
 * Returns 0 or -ENOMEM.
 */
int weft__route_ordered(struct weft__weave *w, const uint32_t *place,
			struct weft__tree_routes *out, bool *complete);
/* Makes tables of trees in one lane.  Returns 0 or -ENOMEM. */
int weft__route_tables(struct weft__weave *w, struct weft__tree_routes *routes,
		       struct weft_routes *out);

/*
 * Finds lanes for trees by weft__fit_lanes(), with whatever work is left of the
 * run.  *found: all pairs have a lane, and *out is set.  Returns 0 or -ENOMEM.
 */
int weft__assign_lanes(struct weft__weave *w, struct weft__tree_routes *routes,
		       struct weft__orders *orders,
		       const struct weft__lanes_held *held,
		       struct weft_routes *out, bool *found);
/* Returns the edges it looks at, about: left to itself, and at least. */
double weft__assign_lanes_work(const struct weft__weave *w);
double weft__assign_lanes_least(const struct weft__weave *w);

#endif
