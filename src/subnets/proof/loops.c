// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: loops, credit loops across subnets, and levels that break them
 *
 * All that a mapping has hosts send is walked (walks.h), and cycles of the
 * dependencies are credit loops.
 *
 * Levels: what the hosts of one subnet send to those of another one may have
 * service levels, and so lanes, of its own.  Pairs of subnets, in order, are
 * put on the lowest level where no cycle closes.  So two levels suffice where
 * no packet passes through a subnet and each subnet has no loop of its own: on
 * one are ways to higher subnets, on the other ways to lower ones.
 *
 * Complexity: that of the walks, and one search for cycles, O(vertices +
 * edges), for each pair of subnets and level tried.
 */
#include "subnets/proof/loops.h"

#include "proof/cycle.h"
#include "subnets/proof/walks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the levels by which hosts send to each router port, a bit for each:
 * [nports]; NULL without memory. */
static uint16_t *find_used(const struct weft_subnets *s,
			   const struct weft_router_map *m)
{
	uint16_t *used = calloc(s->nports + 1ull, sizeof(*used));

	for (uint32_t from = 0; used && from < s->n; from++)
		for (uint32_t to = 0; to < s->n; to++) {
			size_t pair = (size_t)from * s->n + to;
			uint16_t bit = 1u << (m->level ? m->level[pair] : 0);
			const uint32_t *via = m->via ?
				m->via + (size_t)from * s->nhosts : NULL;

			for (uint32_t h = s->first_host[to];
			     via && h < s->first_host[to + 1]; h++)
				if (via[h] != WEFT_NONE)
					used[via[h]] |= bit;
			for (uint32_t k = 0; !m->via && k < m->nchoices[pair];
			     k++)
				used[m->choice[pair * s->nports + k]] |= bit;
		}
	return used;
}

/* Finds the cycles; returns the number of lanes on them through *lanes. */
static int find(const struct weft__walks *x, struct weft_subnets_proof *out)
{
	struct weft_arena *scratch = weft__arena_new();
	struct weft__knots knots;
	unsigned lanes = 0;
	int err =
		scratch ? weft__knots_find(&x->cdg, &knots, scratch) : -ENOMEM;

	if (!err) {
		for (uint32_t i = 0; knots.n && i < knots.first[knots.n]; i++)
			lanes |= 1u << knots.vertex[i] / x->cdg.nch;
		out->cyclic_vls = __builtin_popcount(lanes);
		out->ncycles = knots.n;
		err = weft__cdg_cycles(&x->cdg, &knots, &out->cycle);
	}
	if (err)
		out->ncycles = 0;
	if (scratch)
		weft__arena_free(scratch);
	return err;
}

int weft__subnets_loops(const struct weft_subnets *s,
			const struct weft_whole *whole,
			const struct weft_router_map *map,
			struct weft_subnets_proof *out)
{
	struct weft__walks x;
	uint16_t *used = find_used(s, map);
	int err = weft__walks_init(&x, s, whole, map,
				   map->levels ? map->levels : 1);

	if (!used)
		err = -ENOMEM;
	if (!err)
		err = weft__walks_within(&x);
	for (uint32_t p = 0; !err && p < s->nports; p++)
		for (unsigned l = 0; used[p] >> l; l++)
			if (used[p] >> l & 1)
				weft__walks_to_port(&x, p, l);
	if (!err)
		err = weft__walks_across(&x);
	if (!err)
		err = find(&x, out);
	free(used);
	weft__walks_free(&x);
	return err;
}

/* --- levels --------------------------------------------------------------- */

/* Walks all that the hosts of a subnet send to those of another one, on the
 * level that the mapping has for the two. */
static void walk_pair(struct weft__walks *x, uint32_t from, uint32_t to,
		      bool *used)
{
	const struct weft_subnets *s = x->s;
	const struct weft_router_map *m = x->m;

	memset(used, 0, s->nports * sizeof(*used));
	for (uint32_t h = s->first_host[to]; h < s->first_host[to + 1]; h++) {
		uint32_t via = m->via[(size_t)from * s->nhosts + h];

		if (via == WEFT_NONE)
			continue;
		if (!used[via])
			weft__walks_to_port(x, via,
					    m->level[(size_t)from * s->n + to]);
		used[via] = true;
		weft__walks_to_host(x, h, from);
	}
}

static int is_cyclic(const struct weft__walks *x, bool *cyclic)
{
	struct weft_arena *scratch = weft__arena_new();
	struct weft__knots knots;
	int err =
		scratch ? weft__knots_find(&x->cdg, &knots, scratch) : -ENOMEM;

	*cyclic = !err && knots.n;
	if (scratch)
		weft__arena_free(scratch);
	return err;
}

/* Puts a pair of subnets on the lowest level where no cycle closes.  Returns
 * -ENOTSUP if there is none. */
static int place(struct weft__walks *x, struct weft_router_map *m,
		 unsigned levels, uint32_t from, uint32_t to, void *scratch)
{
	size_t size = (size_t)x->cdg.nv * x->cdg.to_lanes * x->cdg.words *
		      sizeof(*x->cdg.bits);
	bool *used = (bool *)scratch, cyclic = true;
	unsigned char *before = (unsigned char *)scratch + x->s->nports;
	unsigned level = 0;
	int err = 0;

	memcpy(before, x->cdg.bits, size);
	for (; cyclic && !err && level < levels; level++) {
		m->level[(size_t)from * x->s->n + to] = level;
		walk_pair(x, from, to, used);
		err = is_cyclic(x, &cyclic);
		if (cyclic)
			memcpy(x->cdg.bits, before, size);
	}
	if (level > m->levels)
		m->levels = level;
	return cyclic && !err ? -ENOTSUP : err;
}

/* Places all pairs in turn. */
static int place_all(struct weft__walks *x, struct weft_router_map *m,
		     unsigned levels)
{
	size_t size = (size_t)x->cdg.nv * x->cdg.to_lanes * x->cdg.words *
		      sizeof(*x->cdg.bits);
	void *scratch = malloc(x->s->nports + size + 1);
	int err = scratch ? 0 : -ENOMEM;
	bool cyclic = false;

	if (!err)
		err = weft__walks_within(x);
	if (!err)
		err = is_cyclic(x, &cyclic);
	if (cyclic)
		err = -ELOOP;
	for (uint32_t from = 0; !err && from < x->s->n; from++)
		for (uint32_t to = 0; !err && to < x->s->n; to++)
			if (from != to)
				err = place(x, m, levels, from, to, scratch);
	free(scratch);
	return err;
}

int weft__subnets_levels(const struct weft_subnets *s,
			 const struct weft_whole *whole,
			 struct weft_router_map *map, unsigned lanes)
{
	struct weft_subnets_proof p = { .pairs = 0 };
	unsigned levels = lanes / weft__walks_lanes(s);
	struct weft__walks x;
	int err = weft__subnets_loops(s, whole, map, &p);
	bool cyclic = p.cyclic_vls;

	weft_subnets_proof_free(&p);
	if (err || !cyclic)
		return err;
	levels = levels ? levels : 1;
	map->level = calloc((size_t)s->n * s->n, sizeof(*map->level));
	map->levels = 1;
	err = weft__walks_init(&x, s, whole, map, levels);
	if (!map->level)
		err = -ENOMEM;
	if (!err)
		err = place_all(&x, map, levels);
	weft__walks_free(&x);
	return err;
}
