// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fills up with the trees of further LIDs (LMC); see balance.h.
 *
 * Idea: messages that are spread over all LIDs of a port get most where its routes
 * share no cable, and where all cables carry alike.  So each further tree takes the
 * ways that carry least so far, and a cable costs the mean load more for each tree
 * of the same port that uses it already.
 */
#include "trees/balance.h"

#include "core/arena.h"

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

bool weft__balance_fill(struct weft__balance *b, struct weft__ways *ways,
			struct weft_arena *arena,
			const struct weft__trees *trees, uint32_t from)
{
	const struct weft_fabric *f = b->fabric;
	uint32_t *tree_of = weft__arena_alloc(arena, f->max_lid + 1u,
					      sizeof(*tree_of));
	uint64_t mean = mean_load(b);

	if (!tree_of)
		return false;
	for (uint32_t d = 0; d < trees->nendports; d++)
		tree_of[trees->tree[d].lid] = d;
	for (uint32_t d = from; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];
		const struct weft__plan *plan = weft__ways_to(ways, tree->root);
		uint32_t owner = weft_lid_owner(f, tree->lid) & ~WEFT_ENDPORT;
		unsigned base = f->ep[owner].lid;

		for (unsigned lid = base; lid < tree->lid; lid++)
			penalize(b, &trees->tree[tree_of[lid]], mean << 8);
		weft__balance_tree(b, plan, tree->choice, false);
		for (unsigned lid = base; lid < tree->lid; lid++)
			penalize(b, &trees->tree[tree_of[lid]],
				 -(mean << 8));
		weft__balance_load(b, plan, tree->choice, 1);
	}
	return true;
}
