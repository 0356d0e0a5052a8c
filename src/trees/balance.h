/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Balancing of destination trees over all ways: each tree takes the least
 * loaded ones, then loads them.  This is the kernel of psssp and weave.
 */
#ifndef WEFT_TREES_BALANCE_H
#define WEFT_TREES_BALANCE_H

#include "trees/trees.h"
#include "trees/ways.h"

/* Edges that choosing or loading one switch's way counts for. */
#define WEFT__SWITCH_WORK 4

struct weft__balance {
	const struct weft_fabric *fabric;
	uint32_t *head;		/* [edges] switch an edge leads to */
	uint64_t *weight;	/* [edges] routes over it x scale x 256, plus
				 * its position in the switch's adjacency */
	uint32_t *scale;	/* [edges] weight of one route */
	uint64_t *distance;	/* [nsw] weight of the way to the destination */
	uint32_t *through;	/* [nsw] routes that pass through a switch */
	uint32_t *sources;	/* [nsw] weight of the endports on a switch */
	uint32_t *list;		/* [nsw] scratch of relief */
	uint32_t *far, *far_run;	/* [nsw] likewise */
	uint32_t *hot;		/* [edges] likewise */
	uint64_t *own;		/* [groups][edges] likewise, if there are several
				 * groups */
	uint64_t *own_limit;	/* [groups] likewise */
	uint8_t *behind;	/* [nsw] likewise, and of leading back */
	bool switches;		/* trees of switches' own LIDs load edges, too;
				 * not to begin with */
	uint64_t looked;	/* edges looked at so far; other work counts
				 * for as many as take the same time, about */
	uint64_t limit;		/* passes that improve end beyond that many; no
				 * limit to begin with */
};

/* Begins without loads, with every endport as a source.  Returns false without
 * memory. */
bool weft__balance_init(struct weft__balance *b,
			const struct weft_fabric *fabric,
			struct weft_arena *arena);

/* Forgets all loads. */
void weft__balance_reset(struct weft__balance *b);

/*
 * Chooses the least loaded tree of a plan, into choice[]; switches that the
 * plan lacks are left alone.  O(runs of the plan).
 */
void weft__balance_tree(struct weft__balance *b, const struct weft__plan *plan,
			uint8_t *choice);
/* Has the switches that have no choice yet, WEFT__UNFIXED, take the ways where the
 * tree's traffic, of that weight, makes the lowest peaks (trees/complete.c).  Loads
 * stay as they are. */
void weft__balance_complete(struct weft__balance *b,
			    const struct weft__plan *plan, uint8_t *choice,
			    uint64_t weight);

/* Adds the routes of a tree (its weight) or removes them (less its weight,
 * modulo 2^64). */
void weft__balance_load(struct weft__balance *b, const struct weft__plan *plan,
			const uint8_t *choice, uint64_t weight);

/* Forgets all loads, and loads the endports' trees. */
void weft__balance_load_anew(struct weft__balance *b, struct weft__ways *ways,
			     const struct weft__trees *trees);

/*
 * Routes the trees of all endports, passes times or until nothing changes or no
 * edge weighs over 3 % more than the mean.  Trees of a group are balanced among
 * themselves first of all, and only then with those of other groups.
 */
void weft__balance_endports(struct weft__balance *b, struct weft__ways *ways,
			    const struct weft__trees *trees, long passes);

/*
 * Routes endports' trees anew that have been chosen and loaded, passes times or
 * until nothing changes or no edge weighs over 3 % more than the mean, or until
 * the limit.  After the first pass switches that no traffic passes stay as they
 * are.
 */
void weft__balance_improve(struct weft__balance *b, struct weft__ways *ways,
			   const struct weft__trees *trees, long passes);

/*
 * Has switches of endports' trees that send by none of their ways take the
 * least loaded one, one tree after the other, and leaves the others alone.
 * Loads are found anew.  Then no dependency is left that the ways do not have.
 */
void weft__balance_lead_back(struct weft__balance *b, struct weft__ways *ways,
			     const struct weft__trees *trees);

/* Returns the highest load of an edge.  O(edges). */
uint64_t weft__balance_peak(const struct weft__balance *balance);

/*
 * Returns a load that the most loaded of the edges above a threshold has
 * whatever ways of the plans are chosen; 0 if there are no such edges.
 * O(runs of all plans).
 */
uint64_t weft__balance_bound(struct weft__balance *b, struct weft__ways *ways,
			     const struct weft__trees *trees,
			     uint64_t threshold);

/*
 * Moves traffic from the most loaded edges to other ways of the plans, in so
 * many rounds, until the highest load cannot fall or no longer does, or until
 * the work is done that the size of the tables allows.  Nothing else is moved.
 * The trees must have been chosen, along the ways, and loaded.  See relief.c.
 */
void weft__balance_relieve(struct weft__balance *b, struct weft__ways *ways,
			   const struct weft__trees *trees, unsigned rounds);

/* Routes the trees of the switches' own LIDs, which load nothing unless
 * b->switches says so. */
void weft__balance_switches(struct weft__balance *b, struct weft__ways *ways,
			    const struct weft__trees *trees);

#endif
