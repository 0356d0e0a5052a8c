/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Ways for those who have no common switch above them: spines to one another,
 * and whatever a broken tree has cut apart.
 */
#ifndef WEFT_ENGINES_FATTREE_COMPLETE_H
#define WEFT_ENGINES_FATTREE_COMPLETE_H

#include "engines/fattree.h"
#include "trees/trees.h"
#include "trees/ways.h"

struct weft_arena;

struct weft__joints {
	const struct weft__fattree *tree;
	uint8_t *joint;		/* [edges] adjacency entry belongs to the
				 * subtree, both directions do */
	uint8_t *member;	/* [nsw] has such a cable */
	uint32_t turn;		/* the switch where the subtree turns that was
				 * taken first; WEFT_NONE: none was needed */
	uint32_t loose_joints;	/* its cables below switches that have others
				 * above */

	bool strict;		/* never breaks the rule of the .c file */
	bool bent;		/* broke it */

	/* of the tree completed last */
	uint16_t *hops;		/* [nsw] */
	uint8_t *state;		/* [nsw] */
	uint32_t *queue;	/* [nsw] */
	uint32_t *pred;		/* [nsw] adjacency entry */
};

/*
 * Chooses the subtree: keep_off is a switch that should not be where it turns
 * (WEFT_NONE = none).  The fabric must be connected.  false without memory.
 * O(switches x cables) at worst, O(cables) where the tops of the tree are
 * joined by the switches below them.
 */
bool weft__joints_find(struct weft__joints *j, const struct weft__fattree *tree,
		       struct weft_arena *arena, uint32_t keep_off);

/*
 * Takes the loose joints out of the ways and plans anew: they carry nothing but
 * what turns in the subtree then.  false without memory.
 */
bool weft__joints_keep_loose(struct weft__joints *j, struct weft__ways *ways);

/*
 * Chooses for every switch that the plan lacks, so that everyone has a way to
 * this LID.  To be called once all other choices are made.  O(cables) where
 * somebody is lacking, else O(1).
 */
void weft__joints_complete(struct weft__joints *j,
			   const struct weft__plan *plan,
			   const struct weft__tree *dest);

#endif
