/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of weave share. */
#ifndef WEFT_ENGINES_WEAVE_H
#define WEFT_ENGINES_WEAVE_H

#include "engines/spread.h"
#include "trees/balance.h"
#include "trees/closeness.h"
#include "trees/legal.h"

struct weft_arena;
struct weft__improver;

#define WEFT__WEAVE_GAIN 1.001	/* less is not worth several lanes */
#define WEFT__WEAVE_SMALL 1000	/* endports up to which time is no matter */

/* Trees, the ways they were chosen from, and the loads that makes. */
struct weft__woven {
	struct weft__ways ways;
	struct weft__trees trees;
	struct weft__balance balance;
	struct weft__improver *improver;	/* of the trees; NULL = none yet */
	double predicted;	/* bandwidth, by the model of improve.h */
	bool routed;		/* there are trees */
	bool judged;		/* predicted is known */
	bool improved;		/* effort was spent on it */
};

struct weft__weave {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft_diag *diag;
	const uint32_t *order;	/* of endports; NULL = by id */
	long passes;
	uint64_t effort;	/* of improve.h */
	unsigned lanes;
	struct weft__closeness close;
	struct weft__woven ordered;	/* for one lane */
	const uint8_t *is_root;	/* [nsw] given ones; NULL = none are */
	bool detours;		/* it is known to leave minimal ways out */
	bool rerooted;		/* weft__weave_reroot() was called */
	double minimal;		/* bandwidth predicted of those; 1 = unknown */
};

/* Whether time matters. */
static inline bool weft__weave_is_large(const struct weft_fabric *f)
{
	return f->nep > WEFT__WEAVE_SMALL;
}

/* Orders the switches and makes the ways of w->ordered, unless that was done.
 * false without memory. */
bool weft__weave_order(struct weft__weave *w);
/* Hosts of a switch; any endport is one where there are no others. */
uint32_t weft__weave_hosts_on(const struct weft_fabric *f, uint32_t s);
/* Whether there may be levels: not all switches have hosts.  Aggregation nodes,
 * which may be on all, are none. */
bool weft__weave_may_have_levels(const struct weft_fabric *f);
/* Replaces w->ordered, which is routed, if the repair spoilt its order and
 * another one is better.  0 or -ENOMEM. */
int weft__weave_reorder(struct weft__weave *w);
/* The same where the order has been chosen, and is worth less than minimal ways:
 * tries the levels of a tree. */
int weft__weave_relevel(struct weft__weave *w);
/* Tries orders below other switches where one lane it may be, and no switch lacks
 * hosts; once. */
int weft__weave_reroot(struct weft__weave *w);

/* Orders anew, by the hops from that switch first, and routes endports by that.
 * 0 or -ENOMEM. */
int weft__weave_route_below(struct weft__weave *w, uint32_t root,
			    struct weft__closeness *close,
			    struct weft__woven *out);

/*
 * Lists the trees and routes those of endports by the ways that are there, in
 * so many passes.  Returns 0 or -ENOMEM.
 */
int weft__weave_balance(struct weft__weave *w, struct weft__woven *out,
			long passes);
/* Whether time matters, and one pass before improvement is as good as more, as
 * it is where all switches have hosts: dragonflies, tori and random graphs, but
 * not trees. */
bool weft__weave_is_direct(const struct weft__weave *w);
/* How many suffice to compare one order with another. */
long weft__weave_trial_passes(const struct weft__weave *w);
/* Improves them, as far as effort goes (0: finds out what they are worth), for
 * the lanes of legal, if that is not NULL; in large fabrics what they are worth
 * is not known then. */
int weft__weave_improve(struct weft__weave *w, struct weft__woven *out,
			uint64_t effort, struct weft__legal *legal);
/* Makes w->ordered what it can be, unless that was done: routed; judged, too; or
 * improved, too. */
int weft__weave_route_ordered(struct weft__weave *w);
int weft__weave_judge_ordered(struct weft__weave *w);
int weft__weave_improve_ordered(struct weft__weave *w);

/* Where the order's ways to endports are not the minimal ones. */
struct weft__detours {
	bool any;
	double farther;		/* share of pairs of hosts that are, by it */
};

/* Whether ways are the same wherever traffic of endports may pass.  0 or
 * -ENOMEM. */
int weft__weave_same_ways(struct weft__weave *w, const struct weft__ways *a,
			  const struct weft__ways *b, bool *same);

/* The share of pairs of hosts, of a sample.  Both return 0 or -ENOMEM. */
int weft__weave_guess_farther(struct weft__weave *w, double *farther);
int weft__weave_detours(struct weft__weave *w, const struct weft__ways *minimal,
			struct weft__detours *out);

/*
 * Looks for minimal routes that fit into the lanes there are and promise more
 * than w->ordered.  *found: whether there are; out and layers are set then.
 * Returns 0 or -ENOMEM.
 */
int weft__weave_lanes(struct weft__weave *w, struct weft__woven *out,
		      struct weft_layers *layers, bool *found);

/* Minimal trees by port number, by the ways of *out.  *crowded: some cables have
 * to carry far more than with the other trees.  0 or -ENOMEM. */
int weft__weave_by_port(struct weft__weave *w, struct weft__woven *out,
			const struct weft__woven *balanced, bool *crowded);

/* Lanes tried for trees. */
struct weft__trial {
	struct weft__orders *orders;
	struct weft_layers *layers;	/* set when found */
	bool several;		/* one lane is known not to hold what endports
				 * send */
	double bearable;	/* trees are bent if so few pairs, a share, or
				 * fewer find no lane; up to 1000 endports */
	uint64_t patience;	/* for that, in switches looked at */
	bool found;
	bool bent;		/* trees follow their ways no more: the model
				 * does not know them */
	double bends;		/* share of pairs that got other ways, where
				 * time matters */
	double left;		/* share of pairs without a lane, by the last */
	double least_left;	/* and by the best try */
};

/*
 * Tries to find lanes for trees of endports as they are, by the orders, or for
 * trees that are bent where they lack one.  Without success trees
 * of endports stay as they were, and the orders become more like them.  0 or
 * -ENOMEM.
 */
int weft__weave_try(struct weft__weave *w, struct weft__woven *out,
		    struct weft__trial *trial);

/*
 * Finds lanes for them for sure, unless far too many have none by the orders as
 * they were chosen: trees are bent for those that are left (settle.c).
 * O(LIDs x cables), and searches for those.  0 or -ENOMEM.
 */
int weft__weave_settle(struct weft__weave *w, struct weft__woven *out,
		       struct weft__trial *trial);

/*
 * Bends the trees of a spread, by its orders, until all pairs have lanes by its
 * masks.  *done: they have, and the trees are worth more than w->ordered, which
 * are improved for that; if not, they are as they were.  0 or -ENOMEM.
 */
int weft__weave_bend(struct weft__weave *w, struct weft__spread *spread,
		     uint64_t patience, bool *done);

struct weft__pairs;

/*
 * Bends trees for pairs that are left without a lane, by the spread's masks,
 * which follow; if they are many trees grow anew first.  up: as for
 * weft__settle_pairs(), all find a lane then; NULL: by weft__mend(), as many as
 * do.  0 or -ENOMEM.
 */
int weft__weave_bend_left(struct weft__pairs *pairs,
			  struct weft__spread *spread, const uint32_t *up,
			  uint64_t patience);

/*
 * Lanes for the trees of endports in *out, pair by pair, or new trees where
 * they do not suffice, taken over where random bisections find them better than
 * w->ordered, which are improved for that.  *found as above; if not, out is
 * left as it was but for trees of switches.  Returns 0 or -errno.
 */
int weft__weave_fit(struct weft__weave *w, struct weft__woven *out,
		    struct weft_layers *layers, bool *found);

/* The fabric, its ports with their base LIDs alone; for as long as f and the
 * arena.  false without memory. */
bool weft__weave_base_lids(const struct weft_fabric *f,
			   struct weft_arena *arena, struct weft_fabric *base);
/* Routes the other LIDs of f, too: as the base LIDs of their ports, or, apart, as
 * those of other endports on the switch.  false without memory. */
bool weft__weave_other_lids(const struct weft_fabric *f, bool apart,
			    struct weft_arena *arena, struct weft_lft *lft);

/* Trees as tables have them. */
void weft__weave_read(const struct weft_fabric *f, const struct weft_lft *lft,
		      struct weft__trees *trees);

/*
 * Whether one lane is better by eftree than by w->ordered, which is improved;
 * where that is so, *trees are eftree's.  O(what eftree takes); above
 * WEFT__WEAVE_SMALL endports it is asked only where no valley was found.
 * 0 or -errno.
 */
int weft__weave_tree(struct weft__weave *w, struct weft__trees *trees,
		     bool *better);

/* Tells of the most loaded cables; whatever ways the trees follow.  0 or
 * -ENOMEM. */
int weft__weave_explain_hottest(struct weft__weave *w,
				const struct weft__trees *trees);

/* Whether new trees are worth more than old ones, or than w->ordered, by random
 * bisections.  0 or -ENOMEM. */
int weft__weave_compare(struct weft__weave *w, const struct weft__trees *old,
			const struct weft__trees *new, bool *better);
int weft__weave_beats_order(struct weft__weave *w,
			    const struct weft__trees *new, bool *better);

/*
 * Routes a product of rings, paths and pairs by dimensions.  *found: it is one,
 * and that is worth more than w->ordered, which there need not be yet; out, but
 * for its ways, and layers are set then, and *sure says whether other ways are no
 * better.  Returns 0 or -ENOMEM.
 */
int weft__weave_rings(struct weft__weave *w, struct weft__woven *out,
		      struct weft_layers *layers, bool *found, bool *sure);

struct weft__rings;

/* The same where only part of a product is there: see weave_part.c. */
int weft__weave_part(struct weft__weave *w, const struct weft__rings *rings,
		     struct weft__woven *out, struct weft_layers *layers,
		     bool *found, bool *sure);

/*
 * Whether one lane holds what endports send along the trees of endports.  Bends
 * these where only switches' own traffic goes, so that it holds that, too.
 * *done: it does; if not, the trees may have changed all the same.  Both return 0
 * or -ENOMEM.
 */
int weft__weave_one_holds(struct weft__weave *w, struct weft__woven *out,
			  bool *done);
int weft__weave_one(struct weft__weave *w, struct weft__woven *out,
		    bool *done);

#endif
