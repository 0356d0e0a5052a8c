// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fills up with the trees of further LIDs (LMC); see balance.h.
 *
 * Idea: messages that are spread over all LIDs of a port get most where its
 * routes share no cable, and where all cables carry alike.  So each further
 * tree takes the ways that carry least so far, and a cable costs a part of the
 * mean load more for each other tree of the same port on it.  Trees that were
 * chosen when most of the load was not known yet are chosen anew in a few passes.
 */
#include "trees/balance.h"

#include "core/arena.h"

#define PASSES 4	/* more hardly change anything */
#define SHARE 8		/* of the mean load, for each tree of the same port: less
			 * has them share cables, more unbalances what all carry */

struct fill {
	const struct weft__trees *trees;
	uint32_t *tree_of;	/* [max_lid + 1] of each LID of an endport */
	uint64_t penalty;
};

/* Adds the penalty to each cable that a tree uses, or takes it away again. */
static void penalize(struct weft__balance *b, const struct weft__tree *tree,
		     uint64_t penalty)
{
	const uint32_t *first = b->fabric->adj_first;

	for (uint32_t s = 0; s < b->fabric->nsw; s++)
		if (s != tree->root && tree->choice[s] != WEFT__UNFIXED)
			b->weight[first[s] + tree->choice[s]] += penalty;
}

static uint64_t mean_load(const struct weft__balance *b)
{
	uint32_t nedges = b->fabric->adj_first[b->fabric->nsw];
	uint64_t sum = 0;

	for (uint32_t e = 0; e < nedges; e++)
		sum += b->weight[e] >> 8;
	return nedges ? sum / nedges : 0;
}

/* Chooses a tree apart from the others of its port, tree_of[base .. end - 1]. */
static void choose_apart(struct weft__balance *b, const struct weft__plan *plan,
			 const struct fill *x, uint32_t number, bool again)
{
	const struct weft__tree *tree = &x->trees->tree[number];
	const struct weft_endport *ep = &b->fabric->ep[
		weft_lid_owner(b->fabric, tree->lid) & ~WEFT_ENDPORT];
	unsigned end = again ? ep->lid + (1u << ep->lmc) : tree->lid;

	for (unsigned lid = ep->lid; lid < end; lid++)
		if (lid != tree->lid)
			penalize(b, &x->trees->tree[x->tree_of[lid]],
				 x->penalty);
	weft__balance_tree(b, plan, tree->choice, again);
	for (unsigned lid = ep->lid; lid < end; lid++)
		if (lid != tree->lid)
			penalize(b, &x->trees->tree[x->tree_of[lid]],
				 -x->penalty);
}

bool weft__balance_fill(struct weft__balance *b, struct weft__ways *ways,
			struct weft_arena *arena,
			const struct weft__trees *trees, uint32_t from)
{
	struct fill x = {
		.trees = trees, .penalty = mean_load(b) / SHARE << 8,
		.tree_of = weft__arena_alloc(arena, b->fabric->max_lid + 1u,
					     sizeof(*x.tree_of)),
	};

	if (!x.tree_of)
		return false;
	for (uint32_t d = 0; d < trees->nendports; d++)
		x.tree_of[trees->tree[d].lid] = d;
	for (unsigned pass = 0; pass < PASSES; pass++)
		for (uint32_t d = from; d < trees->nendports; d++) {
			const struct weft__tree *tree = &trees->tree[d];
			const struct weft__plan *plan =
				weft__ways_to(ways, tree->root);

			if (pass)
				weft__balance_load(b, plan, tree->choice,
						   -UINT64_C(1));
			choose_apart(b, plan, &x, d, pass);
			weft__balance_load(b, plan, tree->choice, 1);
		}
	return true;
}
