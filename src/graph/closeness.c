// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: closeness, an order for Up*Down*
 *
 * On a tree the sum of hops to all hosts is least at the top and grows
 * downwards, so that "up", towards the closer switch, is what a tree calls up.
 * On any other fabric the routes over the middle are short ones.
 */
#include "graph/closeness.h"

#include "core/arena.h"
#include "graph/bfs.h"

#include <stdlib.h>
#include <string.h>

static void count_hosts(struct weft__closeness *c)
{
	const struct weft_fabric *f = c->fabric;

	for (uint32_t e = 0; e < f->nep; e++)
		if (weft_endport_is_host(&f->ep[e], !f->nhosts))
			c->hosts[f->ep[e].sw]++;
}

static void set_places(struct weft__closeness *c)
{
	for (uint32_t i = 0; i < c->fabric->nsw; i++)
		c->place[c->by_place[i]] = i;
}

/* Adds the hops to the hosts on n switches, from all. */
static void add_hops(struct weft__closeness *c, const uint32_t *roots,
		     unsigned n, uint16_t *hops, uint64_t *scratch)
{
	uint32_t nsw = c->fabric->nsw;

	weft__bfs_block(c->fabric, roots, n, hops, scratch);
	for (unsigned i = 0; i < n; i++, hops += nsw)
		for (uint32_t t = 0; t < nsw; t++)
			c->remoteness[t] += (uint64_t)hops[t] *
					    c->hosts[roots[i]];
}

static bool sum_hops(struct weft__closeness *c)
{
	uint32_t nsw = c->fabric->nsw, roots[WEFT__BFS_BLOCK];
	struct weft_arena *arena = weft__arena_new();
	uint16_t *hops = weft__arena_alloc(arena, nsw,
					   WEFT__BFS_BLOCK * sizeof(*hops));
	uint64_t *scratch = weft__arena_alloc(arena, 3ull * nsw,
					      sizeof(*scratch));
	unsigned n = 0;

	for (uint32_t s = 0; s < nsw && hops && scratch; s++) {
		if (c->hosts[s])
			roots[n++] = s;
		if (n == WEFT__BFS_BLOCK || s + 1 == nsw) {
			add_hops(c, roots, n, hops, scratch);
			n = 0;
		}
	}
	weft__arena_free(arena);
	return hops && scratch;
}

/* The keys by which switches are sorted. */
struct rank {
	uint16_t hops;		/* from the nearest root */
	uint64_t remoteness;
	uint32_t sw;
};

static int compare(const void *pa, const void *pb)
{
	const struct rank *a = pa, *b = pb;

	if (a->hops != b->hops)
		return a->hops < b->hops ? -1 : 1;
	if (a->remoteness != b->remoteness)
		return a->remoteness < b->remoteness ? -1 : 1;
	return a->sw < b->sw ? -1 : 1;
}

/* Finds the hops from the nearest root; 0 everywhere without roots. */
static void root_hops(const struct weft_fabric *f, const uint8_t *is_root,
		      struct rank *rank, uint16_t *hops, uint32_t *order)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		rank[s].hops = is_root ? WEFT__FAR : 0;
	for (uint32_t s = 0; s < f->nsw && is_root; s++) {
		if (!is_root[s])
			continue;
		weft__bfs(f, s, hops, order);
		for (uint32_t t = 0; t < f->nsw; t++)
			if (hops[t] < rank[t].hops)
				rank[t].hops = hops[t];
	}
}

static void sort_switches(struct weft__closeness *c, struct rank *rank)
{
	uint32_t n = c->fabric->nsw;

	for (uint32_t s = 0; s < n; s++) {
		rank[s].sw = s;
		rank[s].remoteness = c->remoteness[s];
	}
	qsort(rank, n, sizeof(*rank), compare);
	for (uint32_t i = 0; i < n; i++)
		c->by_place[i] = rank[i].sw;
	set_places(c);
}

static bool order_by(struct weft__closeness *c, struct weft_arena *arena,
		     const uint8_t *is_root)
{
	const struct weft_fabric *f = c->fabric;
	uint16_t *hops = weft__arena_alloc(arena, f->nsw, sizeof(*hops));
	uint32_t *queue = weft__arena_alloc(arena, f->nsw, sizeof(*queue));
	struct rank *rank = weft__arena_alloc(arena, f->nsw, sizeof(*rank));

	if (!hops || !queue || !rank)
		return false;
	if (!c->measured && !sum_hops(c))
		return false;
	c->measured = true;
	root_hops(f, is_root, rank, hops, queue);
	sort_switches(c, rank);
	return true;
}

bool weft__closeness_init(struct weft__closeness *c,
			  const struct weft_fabric *f,
			  struct weft_arena *arena, const uint8_t *is_root)
{
	*c = (struct weft__closeness){ .fabric = f };
	c->hosts = weft__arena_zalloc(arena, f->nsw, sizeof(*c->hosts));
	c->remoteness = weft__arena_zalloc(arena, f->nsw,
					   sizeof(*c->remoteness));
	c->place = weft__arena_alloc(arena, f->nsw, sizeof(*c->place));
	c->by_place = weft__arena_alloc(arena, f->nsw, sizeof(*c->by_place));
	if (!c->hosts || !c->remoteness || !c->place || !c->by_place)
		return false;
	count_hosts(c);
	return order_by(c, arena, is_root);
}

bool weft__closeness_one_root(struct weft__closeness *c,
			      struct weft_arena *arena)
{
	uint8_t *is_root = weft__arena_zalloc(arena, c->fabric->nsw, 1);

	if (!is_root)
		return false;
	is_root[c->by_place[0]] = 1;
	return order_by(c, arena, is_root);
}
