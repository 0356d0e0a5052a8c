// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lanes in which the ways of pairs are legal; see votes.h. */
#include "engines/votes.h"

#include "core/arena.h"

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

static uint16_t *count_of(const struct weft__votes *v, uint32_t a, uint32_t b)
{
	return v->count + weft__votes_pair(v, a, b) * v->nlanes;
}

static void add(const struct weft__votes *v, uint32_t a, uint32_t b,
		uint16_t lanes, int by)
{
	uint16_t *count = count_of(v, a, b);

	for (unsigned k = 0; k < v->nlanes; k++)
		count[k] += lanes >> k & 1 ? by : 0;
}

void weft__votes_set(const struct weft__votes *v, uint32_t tree, uint32_t s,
		     uint16_t lanes)
{
	uint32_t root = v->spread->trees->tree[tree].root;
	uint16_t *mask = weft__votes_mask(v, tree, s);

	add(v, s, root, *mask & ~lanes, -1);
	add(v, s, root, lanes & ~*mask, 1);
	*mask = lanes;
}

uint32_t weft__votes_missing(const struct weft__votes *v, uint32_t a,
			     uint32_t b)
{
	const uint16_t *count = count_of(v, a, b);
	uint32_t most = 0;

	for (unsigned k = 0; k < v->nlanes; k++)
		most = count[k] > most ? count[k] : most;
	return v->ntrees[a] + v->ntrees[b] - most;
}

uint16_t weft__votes_others(const struct weft__votes *v, uint32_t tree,
			    uint32_t s)
{
	uint32_t root = v->spread->trees->tree[tree].root;
	uint32_t all = v->ntrees[s] + v->ntrees[root] - 1;
	uint16_t mask = *weft__votes_mask(v, tree, s), lanes = 0;
	const uint16_t *count = count_of(v, s, root);

	for (unsigned k = 0; k < v->nlanes; k++)
		lanes |= (count[k] == all + (mask >> k & 1)) << k;
	return lanes;
}

static void find_back(const struct weft__votes *v)
{
	const struct weft_fabric *f = v->spread->fabric;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		uint32_t first = f->adj_first[f->peer[f->adj[e]]], k = first;

		while (f->adj[k] != f->reverse[f->adj[e]])
			k++;
		v->back[e] = k - first;
	}
}

static void count_all(const struct weft__votes *v)
{
	const struct weft__trees *trees = v->spread->trees;

	for (uint32_t d = 0; d < trees->n; d++) {
		uint32_t root = trees->tree[d].root;

		if (weft__votes_shared(v, d) != d)
			continue;
		v->ntrees[root]++;
		for (uint32_t s = 0; s < v->spread->fabric->nsw; s++)
			if (s != root)
				add(v, s, root, *weft__votes_mask(v, d, s), 1);
	}
}

bool weft__votes_init(struct weft__votes *v, struct weft__spread *spread,
		      struct weft_arena *arena)
{
	const struct weft_fabric *f = spread->fabric;
	size_t nsw = f->nsw;

	*v = (struct weft__votes){
		.spread = spread, .nlanes = spread->orders->n,
		.back = weft__arena_alloc(arena, f->adj_first[nsw], 1),
		.ntrees = weft__arena_zalloc(arena, nsw, sizeof(*v->ntrees)),
	};
	v->count = weft__arena_zalloc(arena, nsw * nsw * v->nlanes,
				      sizeof(*v->count));
	if (!v->back || !v->ntrees || !v->count)
		return false;
	find_back(v);
	count_all(v);
	return true;
}
