// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Products of rings and paths that switches and cables are missing of: places
 * and lanes of what is left.
 */
#include "core/arena.h"
#include "engines/weave/rings_lanes.h"
#include "rings_check.h"
#include "../suite.h"

#include <weft/weft.h>

#include <stdlib.h>

static const struct {
	const char *spec;
	unsigned ndim, nlong;	/* dimensions, and those with a dateline */
} parts[] = {
	{ "torus:12x10,hosts=1,links=2,fail-switches=1", 2, 2 },
	{ "torus:6x6x4,hosts=1,fail-links=4%", 3, 2 },
	{ "torus:6x5x7,hosts=1,fail-switches=5,fail-links=5%", 3, 3 },
	{ "torus:9x8,hosts=1,fail-links=10%,guids=shuffle,seed=2", 2, 2 },
	{ "torus:4x4x3,hosts=1,fail-switches=3", 3, 0 },
	{ "mesh:8x8,hosts=1,fail-switches=3", 2, 0 },
	{ "hypercube:6,hosts=1,fail-links=10%", 6, 0 },
};
enum { NPARTS = sizeof(parts) / sizeof(parts[0]) };

static struct weft_fabric *generate(const char *spec)
{
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_gen(spec, &f, NULL), 0);
	return f;
}

static const uint32_t *place_of(const struct weft__rings *r, uint32_t s)
{
	return r->at + (size_t)s * r->n;
}

static bool is_same_place(const struct weft__rings *r, uint32_t s, uint32_t t)
{
	return !memcmp(place_of(r, s), place_of(r, t),
		       r->n * sizeof(*r->at));
}

static bool is_same_ring(const struct weft__rings *r, uint32_t s, uint32_t t,
			 unsigned i)
{
	const uint32_t *a = place_of(r, s), *b = place_of(r, t);

	for (unsigned k = 0; k < r->n; k++)
		if (k != i && a[k] != b[k])
			return false;
	return true;
}

/* Rings that lack one cable, or one switch, have a gap there, and no others do. */
static unsigned check_gap(const struct weft__rings *r, uint32_t s, unsigned i)
{
	uint32_t gap = r->gap[(size_t)s * r->n + i], members = 0, cables = 0;
	uint32_t apart = WEFT_NONE;
	bool lacks_one;

	if (!r->dim[i].ring) {
		EXPECT_EQ(gap, WEFT_NONE);
		return 0;
	}
	for (uint32_t t = 0; t < r->fabric->nsw; t++) {
		bool cabled = weft__rings_next(r, t, i, WEFT__ASCENDING) !=
			      WEFT_NONE;

		if (!is_same_ring(r, s, t, i))
			continue;
		members++;
		cables += cabled;
		if (!cabled && weft__rings_next(r, t, i, WEFT__DESCENDING) ==
		    WEFT_NONE)
			apart = t;
		EXPECT(place_of(r, t)[i] != gap || !cabled);
	}
	/* both cables of a switch may be gone, too, which is as if it were */
	lacks_one = members == r->dim[i].length && cables + 2 == members ?
		apart != WEFT_NONE && s != apart :
		cables + 1 == members && members + 1 >= r->dim[i].length;
	EXPECT_EQ(gap != WEFT_NONE, lacks_one);
	return gap != WEFT_NONE;
}

/* Cables lead to neighbours and nowhere else; no place is taken twice. */
static void check_switch(const struct weft_fabric *f,
			 const struct weft__rings *r, uint32_t s)
{
	check_neighbours(f, r, s);
	for (uint32_t t = 0; t < s; t++)
		EXPECT(!is_same_place(r, s, t));
}

TEST(test_places)
{
	unsigned gaps = 0;

	for (unsigned i = 0; i < NPARTS; i++) {
		struct weft_fabric *f = generate(parts[i].spec);
		struct weft_arena *arena = weft__arena_new();
		struct weft__rings r;
		bool found;

		ASSERT(weft__rings_find(&r, f, arena, &found));
		ASSERT(found);
		EXPECT(!r.whole);
		EXPECT_EQ(r.n, parts[i].ndim);
		for (uint32_t s = 0; s < f->nsw; s++)
			check_switch(f, &r, s);
		for (uint32_t k = 0; k < f->nsw * r.n; k++)
			gaps += check_gap(&r, k / r.n, k % r.n);
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
	EXPECT(gaps > 0);
}

/* What is no part of anything, or of something far larger. */
TEST(test_others)
{
	static const char *const others[] = {
		"pgft:2;4,6;1,4;1,1", "dragonfly:4,2,2,9",
		"random:20x3,12,seed=1", "random:40x2,5,seed=2", "deimos",
	};

	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct weft_fabric *f = generate(others[i]);
		struct weft_arena *arena = weft__arena_new();
		struct weft__rings r;
		bool found;

		ASSERT(weft__rings_find(&r, f, arena, &found));
		EXPECT(!found);
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}

static bool may_turn(const struct weft__turns *t, uint32_t from, uint32_t to,
		     unsigned lane)
{
	uint32_t s = t->fabric->peer[t->fabric->adj[from]];

	return weft__turns_from(t, from)[to - t->fabric->adj_first[s]] >>
		lane & 1;
}

/* Edges that no turn of the lane leads to are taken away one by one: nothing is
 * left without a cycle. */
static void check_acyclic(const struct weft__turns *t, unsigned lane)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t nedges = f->adj_first[f->nsw], n = 0;
	uint32_t *into = calloc(nedges, sizeof(*into));
	uint32_t *queue = calloc(nedges, sizeof(*queue));

	ASSERT(into && queue);
	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < (pass ? n : nedges); i++) {
			uint32_t e = pass ? queue[i] : i;
			uint32_t s = f->peer[f->adj[e]];

			for (uint32_t g = f->adj_first[s];
			     g < f->adj_first[s + 1]; g++) {
				if (!may_turn(t, e, g, lane))
					continue;
				if (!pass)
					into[g]++;
				else if (!--into[g])
					queue[n++] = g;
			}
		}
		for (uint32_t e = 0; e < nedges && !pass; e++)
			if (!into[e])
				queue[n++] = e;
	}
	EXPECT_EQ(n, nedges);
	free(into);
	free(queue);
}

/* Switches that s may send to in the lane: bit of to[]. */
static void mark_reached(const struct weft__turns *t, uint32_t s, unsigned lane,
			 uint16_t *to)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t nedges = f->adj_first[f->nsw], n = 0;
	uint8_t *seen = calloc(nedges, 1);
	uint32_t *queue = calloc(nedges, sizeof(*queue));

	ASSERT(seen && queue);
	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		seen[e] = 1;
		queue[n++] = e;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t x = f->peer[f->adj[queue[i]]];

		to[x] |= 1u << lane;
		for (uint32_t g = f->adj_first[x]; g < f->adj_first[x + 1];
		     g++) {
			if (seen[g] || !may_turn(t, queue[i], g, lane))
				continue;
			seen[g] = 1;
			queue[n++] = g;
		}
	}
	free(seen);
	free(queue);
}

/* Dimensions that n lanes tell apart, of those with a dateline: each of them
 * doubles the lanes. */
static unsigned told_by(unsigned n, unsigned nlong)
{
	unsigned told = 0;

	while (told < nlong && 2u << told <= n)
		told++;
	return told;
}

/* Lanes have no cycle, each has a way for every pair, and those that ways by
 * dimensions have in common are of them. */
static void check_lanes(const struct weft_fabric *f,
			const struct weft__rings_lanes *l, unsigned n)
{
	uint16_t *to = calloc(f->nsw, sizeof(*to));
	uint64_t broken = 0;

	ASSERT(to != NULL);
	for (unsigned k = 0; k < n; k++)
		check_acyclic(&l->turns, k);
	for (uint32_t a = 0; a < f->nsw; a++) {
		memset(to, 0, f->nsw * sizeof(*to));
		for (unsigned k = 0; k < n; k++)
			mark_reached(&l->turns, a, k, to);
		for (uint32_t b = 0; b < f->nsw; b++) {
			uint16_t lanes = l->common[a * f->nsw + b];

			if (a == b)
				continue;
			EXPECT_EQ(to[b], (1u << n) - 1);
			EXPECT_EQ(lanes, l->common[b * f->nsw + a]);
			broken += lanes == UINT16_MAX;
			EXPECT(lanes == UINT16_MAX || lanes < 1u << n);
		}
	}
	EXPECT_EQ(broken, 2 * l->broken);
	free(to);
}

TEST(test_lanes)
{
	static const unsigned counts[] = { 8, 4, 2, 1, 15 };

	for (unsigned i = 0; i < NPARTS * 5; i++) {
		struct weft_fabric *f = generate(parts[i / 5].spec);
		struct weft_arena *arena = weft__arena_new();
		unsigned n = counts[i % 5];
		struct weft__rings_lanes l;
		struct weft__rings r;
		bool found;

		ASSERT(weft__rings_find(&r, f, arena, &found));
		ASSERT(weft__rings_lanes(&l, &r, n, arena));
		EXPECT_EQ(l.ntold, told_by(n, parts[i / 5].nlong));
		check_lanes(f, &l, n);
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}

/* Without damage there is a way by dimensions for everybody, in a lane for
 * both directions. */
TEST(test_intact)
{
	static const char *const intact[] = {
		"torus:8x6,hosts=1", "torus:5x6x7,hosts=1", "mesh:5x4,hosts=1",
		"hypercube:5,hosts=1", "torus:4x4x3,hosts=1",
	};

	for (unsigned i = 0; i < sizeof(intact) / sizeof(intact[0]); i++) {
		struct weft_fabric *f = generate(intact[i]);
		struct weft_arena *arena = weft__arena_new();
		struct weft__rings_lanes l;
		struct weft__rings r;
		bool found;

		ASSERT(weft__rings_find(&r, f, arena, &found));
		ASSERT(weft__rings_lanes(&l, &r, 8, arena));
		EXPECT_EQ(l.broken, 0);
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}
