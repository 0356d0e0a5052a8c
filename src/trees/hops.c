// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds Up*Down* hops to 64 switches at a time; see hops.h.
 *
 * Two passes go over all cables: from the bottom up for ways that only descend,
 * then from the top down for ways that climb first.  With a valley, the
 * switches in it that have none take ways along it, and another pass from the
 * top down finds those of all others that climb there.  Inner loops are minima
 * of 64 bytes, which compilers turn into a few vector instructions.
 */
#include "trees/hops.h"

#include "core/arena.h"
#include "core/transpose.h"

#define BLOCK WEFT__HOPS_BLOCK
#define NONE WEFT__HOPS_NONE

static void list_slots(struct weft__hops *h)
{
	const struct weft_fabric *f = h->fabric;
	uint32_t n = 0;

	for (int with = 1; with >= 0; with--) {
		for (uint32_t s = 0; s < f->nsw; s++) {
			if ((f->sw_ep_first[s] != f->sw_ep_first[s + 1]) !=
			    with)
				continue;
			h->root[n] = s;
			h->slot[s] = n++;
		}
	}
}

/* Lists the neighbours above and below each switch. */
static void list_neighbours(struct weft__hops *h)
{
	const struct weft_fabric *f = h->fabric;
	uint32_t above = 0, below = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t last = WEFT_NONE;

		h->above_first[s] = above;
		h->below_first[s] = below;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (t == last)
				continue;
			last = t;
			if (h->place[t] < h->place[s])
				h->above[above++] = t;
			else
				h->below[below++] = t;
		}
	}
	h->above_first[f->nsw] = above;
	h->below_first[f->nsw] = below;
}

bool weft__hops_init(struct weft__hops *h, const struct weft_fabric *f,
		     const uint32_t *place, const uint32_t *by_place,
		     struct weft_arena *arena)
{
	uint32_t n = f->nsw, nedges = f->adj_first[n];

	*h = (struct weft__hops){ .fabric = f, .place = place,
				  .by_place = by_place, .block = WEFT_NONE };
	h->above = weft__arena_alloc(arena, nedges, sizeof(*h->above));
	h->below = weft__arena_alloc(arena, nedges, sizeof(*h->below));
	h->above_first = weft__arena_alloc(arena, n + 1ull,
					   sizeof(*h->above_first));
	h->below_first = weft__arena_alloc(arena, n + 1ull,
					   sizeof(*h->below_first));
	h->slot = weft__arena_alloc(arena, n, sizeof(*h->slot));
	h->root = weft__arena_alloc(arena, n, sizeof(*h->root));
	h->down = weft__arena_alloc(arena, n, BLOCK);
	h->hops = weft__arena_alloc(arena, n, BLOCK);
	h->mark = weft__arena_alloc(arena, n, BLOCK);
	h->hops_to = weft__arena_alloc(arena, n, BLOCK);
	h->mark_to = weft__arena_alloc(arena, n, BLOCK);
	if (weft__arena_failed(arena))
		return false;
	list_slots(h);
	list_neighbours(h);
	return true;
}

/* Puts the lesser of both into a[]. */
static void take_least(uint8_t *restrict a, const uint8_t *restrict b)
{
	for (unsigned i = 0; i < BLOCK; i++)
		a[i] = b[i] < a[i] ? b[i] : a[i];
}

static void take_most(uint8_t *restrict a, const uint8_t *restrict b)
{
	for (unsigned i = 0; i < BLOCK; i++)
		a[i] = b[i] > a[i] ? b[i] : a[i];
}

/* Adds a hop where there is a way.  Returns true if one is as long as a byte
 * can hold. */
static bool add_one(uint8_t *a)
{
	uint8_t longest = 0;

	for (unsigned i = 0; i < BLOCK; i++) {
		a[i] += a[i] != NONE;
		longest |= a[i] == NONE - 1;
	}
	return longest;
}

/* Finds the ways of s that only descend to the roots of the block. */
static void find_down(struct weft__hops *h, uint32_t s)
{
	uint8_t *down = h->down + (size_t)s * BLOCK;

	memset(down, NONE, BLOCK);
	for (uint32_t i = h->below_first[s]; i < h->below_first[s + 1]; i++)
		take_least(down, h->down + (size_t)h->below[i] * BLOCK);
	h->deep |= add_one(down);
	if (h->slot[s] / BLOCK == h->block)
		down[h->slot[s] % BLOCK] = 0;
}

static bool in_valley(const struct weft__hops *h, uint32_t s)
{
	return h->valley.n && h->valley.parent[s] != WEFT_NONE;
}

/* Finds the shortest of all cables up, and the longest.  By cables that leave
 * the valley there are no ways to roots that bind it. */
static void look_up(const struct weft__hops *h, uint32_t s, uint8_t *least,
		    uint8_t *most)
{
	const uint32_t *parent = h->valley.parent;
	bool inside = in_valley(h, s);

	memset(least, NONE, BLOCK);
	memset(most, 0, BLOCK);
	for (uint32_t i = h->above_first[s]; i < h->above_first[s + 1]; i++) {
		uint32_t t = h->above[i];
		const uint8_t *from = h->hops + (size_t)t * BLOCK;
		uint8_t bound[BLOCK];

		if (inside && parent[s] != t && parent[t] != s) {
			for (unsigned k = 0; k < BLOCK; k++)
				bound[k] = from[k] | h->bound[k];
			from = bound;
		}
		take_least(least, from);
		take_most(most, from);
	}
}

/* Finds the ways of s to the other roots, which climb first. */
static void find_up(struct weft__hops *h, uint32_t s)
{
	const uint8_t *down = h->down + (size_t)s * BLOCK;
	uint8_t *hops = h->hops + (size_t)s * BLOCK;
	uint8_t *mark = h->mark + (size_t)s * BLOCK, most[BLOCK];

	look_up(h, s, hops, most);
	for (unsigned i = 0; i < BLOCK; i++)
		mark[i] = down[i] != NONE ? WEFT__HOPS_DOWN :
			  most[i] == hops[i] ? WEFT__HOPS_EVEN : 0;
	h->deep |= add_one(hops);
	for (unsigned i = 0; i < BLOCK; i++)
		hops[i] = down[i] != NONE ? down[i] : hops[i];
}

/* Has switch t of the valley send to s, where t has no other way. */
static void follow_valley(struct weft__hops *h, uint32_t t, uint32_t s)
{
	const uint8_t *from = h->hops + (size_t)s * BLOCK;
	uint8_t *hops = h->hops + (size_t)t * BLOCK;
	uint8_t *mark = h->mark + (size_t)t * BLOCK;
	uint8_t by[BLOCK];

	memcpy(by, from, BLOCK);
	h->deep |= add_one(by);
	for (unsigned i = 0; i < BLOCK; i++)
		mark[i] = by[i] != NONE && hops[i] == NONE ?
			  WEFT__HOPS_VALLEY : mark[i];
	for (unsigned i = 0; i < BLOCK; i++)
		hops[i] = mark[i] == WEFT__HOPS_VALLEY && by[i] < hops[i] ?
			  by[i] : hops[i];
}

/* Finds the ways of s that climb to where others turn in the valley. */
static void find_rest(struct weft__hops *h, uint32_t s)
{
	uint8_t *hops = h->hops + (size_t)s * BLOCK;
	uint8_t *mark = h->mark + (size_t)s * BLOCK;
	uint8_t least[BLOCK], most[BLOCK];

	if (!memchr(hops, NONE, BLOCK))
		return;
	look_up(h, s, least, most);
	for (unsigned i = 0; i < BLOCK; i++)
		mark[i] = hops[i] != NONE ? mark[i] :
			  most[i] == least[i] ? WEFT__HOPS_EVEN : 0;
	h->deep |= add_one(least);
	for (unsigned i = 0; i < BLOCK; i++)
		hops[i] = hops[i] != NONE ? hops[i] : least[i];
}

/* Finds the ways of all switches that have none, by the valley. */
static void find_detours(struct weft__hops *h)
{
	const struct weft__hops_valley *v = &h->valley;

	for (uint32_t i = v->n; i-- > 1;)
		follow_valley(h, v->parent[v->sw[i]], v->sw[i]);
	for (uint32_t i = 1; i < v->n; i++)
		follow_valley(h, v->sw[i], v->parent[v->sw[i]]);
	for (uint32_t i = 0; i < h->fabric->nsw; i++)
		find_rest(h, h->by_place[i]);
}

static void list_bound(struct weft__hops *h)
{
	for (uint32_t i = 0; i < BLOCK; i++) {
		uint32_t slot = h->block * BLOCK + i;

		h->bound[i] = slot < h->fabric->nsw &&
			weft__hops_bound(&h->valley, h->root[slot]) ?
			UINT8_MAX : 0;
	}
}

/* Turns rows by switch into rows by root of the block. */
static void turn(const uint8_t *in, uint32_t nsw, uint8_t *out)
{
	uint32_t s = 0;

	for (; s + 8 <= nsw; s += 8)
		for (unsigned i = 0; i < BLOCK; i += 8)
			weft__transpose8(in + (size_t)s * BLOCK + i, BLOCK,
					 out + (size_t)i * nsw + s, nsw);
	for (; s < nsw; s++)
		for (unsigned i = 0; i < BLOCK; i++)
			out[(size_t)i * nsw + s] = in[(size_t)s * BLOCK + i];
}

static void find_block(struct weft__hops *h, uint32_t block)
{
	uint32_t nsw = h->fabric->nsw;

	h->block = block;
	list_bound(h);
	for (uint32_t i = nsw; i-- > 0;)
		find_down(h, h->by_place[i]);
	for (uint32_t i = 0; i < nsw; i++)
		find_up(h, h->by_place[i]);
	if (h->valley.n)
		find_detours(h);
	turn(h->hops, nsw, h->hops_to);
	turn(h->mark, nsw, h->mark_to);
}

bool weft__hops_find(struct weft__hops *h, uint32_t root, const uint8_t **hops,
		     const uint8_t **marks)
{
	uint32_t slot = h->slot[root];
	size_t row = (size_t)(slot % BLOCK) * h->fabric->nsw;

	if (!h->deep && slot / BLOCK != h->block)
		find_block(h, slot / BLOCK);
	*hops = h->hops_to + row;
	*marks = h->mark_to + row;
	return !h->deep;
}
