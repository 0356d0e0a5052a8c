// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lanes in which the ways of pairs are legal; see counts.h. */
#include "lanes/counts.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <weft/engine.h>

#include <string.h>

uint32_t weft__votes_shared(const struct weft__votes *v, uint32_t tree)
{
	const struct weft__spread *sp = v->spread;
	uint32_t host = sp->list[sp->first[sp->trees->tree[tree].root]];

	return tree >= sp->trees->nendports && host < sp->trees->nendports ?
		host : tree;
}

void weft__votes_share(const struct weft__votes *v)
{
	const struct weft__trees *trees = v->spread->trees;
	uint32_t nsw = v->spread->fabric->nsw;

	for (uint32_t d = trees->nendports; d < trees->n; d++) {
		uint32_t host = weft__votes_shared(v, d);

		memcpy(trees->tree[d].choice, trees->tree[host].choice, nsw);
		for (uint32_t s = 0; s < nsw; s++)
			*weft__votes_mask(v, d, s) =
				*weft__votes_mask(v, host, s);
	}
}

static void count(const uint16_t *mask, uint32_t n, uint32_t *votes)
{
	for (uint32_t i = 0; i < n; i++)
		for (unsigned m = mask[i]; m; m &= m - 1)
			votes[__builtin_ctz(m)]++;
}

void weft__votes_count(const struct weft__votes *v, uint32_t a, uint32_t b,
		       uint32_t *votes)
{
	memset(votes, 0, WEFT__VOTES * sizeof(*votes));
	count(weft__spread_masks(v->spread, a, b), v->ntrees[b], votes);
	count(weft__spread_masks(v->spread, b, a), v->ntrees[a], votes);
}

uint32_t weft__votes_missing(const struct weft__votes *v, uint32_t a,
			     uint32_t b)
{
	const uint16_t *to = weft__spread_masks(v->spread, a, b);
	const uint16_t *from = weft__spread_masks(v->spread, b, a);
	uint32_t nto = v->ntrees[b], nfrom = v->ntrees[a], most = 0;
	uint32_t votes[WEFT__VOTES];

	if (weft__spread_common(to, nto) & weft__spread_common(from, nfrom))
		return 0;
	weft__votes_count(v, a, b, votes);
	for (unsigned k = 0; k < v->spread->orders->n; k++)
		most = votes[k] > most ? votes[k] : most;
	return nto + nfrom - most;
}

uint16_t weft__votes_others(const struct weft__votes *v, uint32_t tree,
			    uint32_t s)
{
	const struct weft__spread *sp = v->spread;
	uint32_t root = sp->trees->tree[tree].root;
	uint32_t i = sp->position[tree] - sp->first[root];
	const uint16_t *to = weft__spread_masks(sp, s, root);
	const uint16_t *from = weft__spread_masks(sp, root, s);

	return sp->all & weft__spread_common(to, i) &
		weft__spread_common(to + i + 1, v->ntrees[root] - i - 1) &
		weft__spread_common(from, v->ntrees[s]);
}

static void find_back(const struct weft__votes *v)
{
	const struct weft_fabric *f = v->spread->fabric;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		uint32_t head = f->peer[f->adj[e]];

		v->back[e] = weft__back_entry(f, e) - f->adj_first[head];
	}
}

static void count_trees(const struct weft__votes *v)
{
	const struct weft__trees *trees = v->spread->trees;

	for (uint32_t d = 0; d < trees->n; d++)
		v->ntrees[trees->tree[d].root] += weft__votes_shared(v, d) == d;
}

bool weft__votes_init(struct weft__votes *v, struct weft__spread *spread,
		      struct weft_arena *arena)
{
	const struct weft_fabric *f = spread->fabric;

	*v = (struct weft__votes){
		.spread = spread,
		.back = weft__arena_alloc(arena, f->adj_first[f->nsw], 1),
		.ntrees = weft__arena_zalloc(arena, f->nsw,
					     sizeof(*v->ntrees)),
	};
	if (!v->back || !v->ntrees)
		return false;
	find_back(v);
	count_trees(v);
	return true;
}
