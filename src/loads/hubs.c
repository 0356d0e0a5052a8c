// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds what leads to hubs and what they lead to; see hubs.h. */
#include "loads/hubs.h"

#include "core/arena.h"

#include <errno.h>
#include <string.h>

static size_t words_for(const struct weft__cdg *g)
{
	/* a row may begin at the last vertex */
	return g->nv / 64 + g->words + 2ull;
}

int weft__hubs_init(struct weft__hubs *h, const struct weft__cdg *g,
		    struct weft_arena *arena)
{
	*h = (struct weft__hubs){
		.to = weft__arena_zalloc(arena, g->nv + 1ull, sizeof(*h->to)),
		.from = weft__arena_zalloc(arena, g->nv + 1ull,
					   sizeof(*h->from)),
		.ahead = weft__arena_alloc(arena, words_for(g), 8),
		.back = weft__arena_alloc(arena, words_for(g), 8),
		.list = weft__arena_alloc(arena, g->nv + 1ull, 4),
		.narrow = weft__arena_alloc(arena, g->nv + 1ull, 4),
	};
	return h->to && h->from && h->ahead && h->back && h->list &&
	       h->narrow ? 0 : -ENOMEM;
}

static bool has(const uint64_t *set, uint32_t v)
{
	return set[v / 64] >> v % 64 & 1;
}

static void put(uint64_t *set, uint32_t v)
{
	set[v / 64] |= 1ull << v % 64;
}

/* The vertex that the first bit of v's row stands for; WEFT_NONE: v leads to
 * nobody. */
static uint32_t first_next(const struct weft__cdg *g, uint32_t v)
{
	uint32_t ch = v % g->nch, to = g->fabric->peer[ch];

	return to < g->fabric->nsw ? v - ch + weft_channel(g->fabric, to, 1) :
				     WEFT_NONE;
}

/* Puts all that v leads to into a set. */
static void put_next(const struct weft__cdg *g, uint64_t *set, uint32_t v)
{
	const uint64_t *row = g->bits + (size_t)v * g->words;
	uint32_t first = first_next(g, v);
	unsigned shift = first % 64;

	if (first == WEFT_NONE)
		return;
	set += first / 64;
	for (uint32_t k = 0; k < g->words; k++) {
		set[k] |= row[k] << shift;
		set[k + 1] |= shift ? row[k] >> (64 - shift) : 0;
	}
}

/* Whether v leads to one of a set. */
static bool leads_into(const struct weft__cdg *g, const uint64_t *set,
		       uint32_t v)
{
	const uint64_t *row = g->bits + (size_t)v * g->words;
	uint32_t first = first_next(g, v);
	unsigned shift = first % 64;
	uint64_t met = 0;

	if (first == WEFT_NONE)
		return false;
	set += first / 64;
	for (uint32_t k = 0; k < g->words; k++) {
		met |= row[k] & set[k] >> shift;
		met |= shift ? row[k] & set[k + 1] << (64 - shift) : 0;
	}
	return met;
}

/* Finds all that v leads to, up to a position in the order. */
static void look_ahead(struct weft__hubs *h, const struct weft__order *o,
		       uint32_t v, uint32_t last)
{
	memset(h->ahead, 0, words_for(&o->cdg) * sizeof(*h->ahead));
	put(h->ahead, v);
	for (uint32_t i = o->position[v]; i <= last; i++)
		if (has(h->ahead, o->vertex[i]))
			put_next(&o->cdg, h->ahead, o->vertex[i]);
}

/* Finds all that leads to v, from a position in the order on. */
static void look_back(struct weft__hubs *h, const struct weft__order *o,
		      uint32_t v, uint32_t first)
{
	memset(h->back, 0, words_for(&o->cdg) * sizeof(*h->back));
	put(h->back, v);
	for (uint32_t i = o->position[v]; i-- > first; )
		if (leads_into(&o->cdg, h->back, o->vertex[i]))
			put(h->back, o->vertex[i]);
}

static bool is_between(const struct weft__hubs *h, uint32_t v)
{
	return has(h->ahead, v) && has(h->back, v);
}

/* Returns the last position of those between w and v that x leads to. */
static uint32_t farthest(const struct weft__hubs *h, const struct weft__order *o,
			 uint32_t x)
{
	uint32_t last = 0, to;

	for (uint32_t at = 0; (to = weft__cdg_next(&o->cdg, x, &at)) !=
	     WEFT_NONE; )
		if (is_between(h, to) && o->position[to] > last)
			last = o->position[to];
	return last;
}

/* Lists those between w and v, without the two. */
static uint32_t list_between(struct weft__hubs *h, const struct weft__order *o,
			     uint32_t v, uint32_t w)
{
	uint32_t n = 0;

	for (uint32_t i = o->position[w] + 1; i < o->position[v]; i++)
		if (is_between(h, o->vertex[i]))
			h->list[n++] = o->vertex[i];
	return n;
}

/* Lists those of them that all ways go through: none leads past. */
static uint32_t list_narrows(struct weft__hubs *h, const struct weft__order *o,
			     uint32_t n, uint32_t w)
{
	uint32_t far = farthest(h, o, w), narrows = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t x = h->list[i], to = farthest(h, o, x);

		if (o->position[x] == far)
			h->narrow[narrows++] = x;
		far = to > far ? to : far;
	}
	return narrows;
}

/* Returns one between w and v, all of which are known, that other ways of the
 * kind go through as well: one that all go through, or else in the middle. */
static uint32_t middle(struct weft__hubs *h, const struct weft__order *o,
		       uint32_t v, uint32_t w)
{
	uint32_t n = list_between(h, o, v, w);
	uint32_t narrows = list_narrows(h, o, n, w);

	return narrows ? h->narrow[narrows / 2] : n ? h->list[n / 2] : v;
}

/* Makes a vertex between w and v a hub; what w leads to is known. */
static void learn(struct weft__hubs *h, const struct weft__order *o, uint32_t v,
		  uint32_t w)
{
	uint32_t hub, bit = 1u << h->n++;

	look_back(h, o, v, o->position[w]);
	hub = middle(h, o, v, w);
	look_ahead(h, o, hub, o->cdg.nv - 1);
	look_back(h, o, hub, 0);
	for (uint32_t x = 0; x < o->cdg.nv; x++) {
		h->from[x] |= has(h->ahead, x) ? bit : 0;
		h->to[x] |= has(h->back, x) ? bit : 0;
	}
}

bool weft__hubs_search(struct weft__hubs *h, const struct weft__order *o,
		       uint32_t v, uint32_t w, bool keep)
{
	if (v == w)
		return true;
	if (o->position[w] > o->position[v])
		return false;
	look_ahead(h, o, w, o->position[v]);
	if (!has(h->ahead, v))
		return false;
	if (keep && h->n < WEFT__HUBS)
		learn(h, o, v, w);
	return true;
}
