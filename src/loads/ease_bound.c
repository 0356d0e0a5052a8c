// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tells where the peak of loads cannot fall; see ease.c.
 *
 * The busiest channels together carry each route as often as it passes one of
 * them, and whatever ways are chosen, it passes as many as the way that has
 * fewest.  So at least that much is on them, and one carries their mean.  In a
 * tree with fewer cables at the top, for example, all traffic between its parts
 * has to pass there.
 */
#include "loads/easing.h"

#include "core/arena.h"
#include "graph/bfs.h"

#define FEW 8		/* destinations that mostly tell that there is room, */
#define ROOM 0.9	/* if the bound by them is below that share of the peak */

struct bound {
	const struct weft__easing *z;
	uint64_t peak;
	bool *busiest;		/* [nch] */
	uint32_t *near, *far;	/* [nsw] switches as far as those that are
				 * looked at, and those one farther */
	uint16_t *passes;	/* [nsw] of the busiest channels on the way */
	double *weight;		/* [nsw] of the LIDs there */
	double room;		/* of the busiest channels together, for each
				 * unit of their load */
	double sum, weights;	/* passes of what is sent, and its weight */
};

/* Finds the busiest channels, and what is sent to each switch. */
static void begin(struct bound *b)
{
	const struct weft_fabric *f = b->z->f;
	const struct weft__loads *loads = b->z->loads;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i];

		b->busiest[ch] = loads->load[ch] * loads->scale[ch] >= b->peak;
		if (b->busiest[ch])
			b->room += 1.0 / loads->scale[ch];
	}
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(f, lid);

		if (owner != WEFT_NONE)
			b->weight[weft_vertex_switch(f, owner)] +=
				weft__lid_weight(f, lid);
	}
}

/* Looks at the switches that send by s, which passes that many of the busiest
 * channels. */
static void look_around(struct bound *b, uint32_t s, unsigned passes,
			uint32_t *nnear, uint32_t *nfar)
{
	const struct weft_fabric *f = b->z->f;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t from = f->peer[f->adj[i]];
		bool more = b->busiest[f->reverse[f->adj[i]]];

		if (b->passes[from] <= passes + more)
			continue;
		b->passes[from] = passes + more;
		if (more)
			b->far[(*nfar)++] = from;
		else
			b->near[(*nnear)++] = from;
	}
}

/* Finds how many of the busiest channels each switch has to pass to a root. */
static void find_passes(struct bound *b, uint32_t root)
{
	uint32_t nnear = 1, nfar = 0;

	for (uint32_t s = 0; s < b->z->f->nsw; s++)
		b->passes[s] = WEFT__FAR;
	b->passes[root] = 0;
	b->near[0] = root;
	for (unsigned passes = 0; nnear; passes++, nnear = nfar, nfar = 0) {
		uint32_t *next = b->far;

		for (uint32_t i = 0; i < nnear; i++)
			if (b->passes[b->near[i]] == passes)
				look_around(b, b->near[i], passes, &nnear,
					    &nfar);
		b->far = b->near;
		b->near = next;
	}
}

/* Adds what is sent to a switch. */
static void add_root(struct bound *b, uint32_t root)
{
	const struct weft__easing *z = b->z;
	double sum = 0;

	find_passes(b, root);
	for (uint32_t s = 0; s < z->f->nsw; s++)
		if (b->passes[s] != WEFT__FAR)
			sum += (double)b->passes[s] * z->loads->hosts[s];
	b->sum += b->weight[root] * sum;
	b->weights += b->weight[root];
}

/* Goes through the roots, in steps that leave none out, and ends where the first
 * ones tell that there is room. */
static double find_bound(struct bound *b)
{
	const struct weft_fabric *f = b->z->f;
	uint32_t step = f->nsw / FEW + 1;
	double all = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		all += b->weight[s];
	for (uint32_t from = 0; from < step; from++) {
		for (uint32_t s = from; s < f->nsw; s += step)
			if (b->weight[s] > 0)
				add_root(b, s);
		if (b->weights > 0 && b->sum * all / b->weights <
				      b->peak * ROOM * b->room)
			return 0;
	}
	return b->sum / b->room;
}

int weft__ease_is_least(const struct weft__easing *z, uint64_t peak,
			bool *is_least)
{
	struct weft_arena *arena = weft__arena_new();
	size_t n = z->f->nsw + 1ull;
	struct bound b = {
		.z = z, .peak = peak,
		.busiest = weft__arena_zalloc(arena, z->f->nch + 1ull,
					      sizeof(*b.busiest)),
		.near = weft__arena_alloc(arena, n, sizeof(*b.near)),
		.far = weft__arena_alloc(arena, n, sizeof(*b.far)),
		.passes = weft__arena_alloc(arena, n, sizeof(*b.passes)),
		.weight = weft__arena_zalloc(arena, n, sizeof(*b.weight)),
	};
	int err = b.busiest && b.near && b.far && b.passes && b.weight ? 0 :
		  -ENOMEM;

	if (!err) {
		begin(&b);
		/* loads are whole numbers, and the bound is a quotient */
		*is_least = find_bound(&b) + .5 > peak;
	}
	weft__arena_free(arena);
	return err;
}
