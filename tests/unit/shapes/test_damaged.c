// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Products of rings and paths that switches and cables are missing of: places
 * and lanes of what is left, and weave's routes on it where time counts.
 */
#include "core/arena.h"
#include "engines/weave/rings_lanes.h"
#include "layers/traffic.h"
#include "../rebuild.h"
#include "rings_check.h"
#include "../suite.h"

#include <weft/rng.h>
#include <weft/weft.h>

#include <stdlib.h>

enum { SEED = 31907 };

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
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
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
		ASSERT(weft__rings_lanes(&l, &r, n, arena, &found));
		EXPECT_EQ(found, n >= 1u << parts[i / 5].nlong);
		EXPECT_EQ(l.nlong, parts[i / 5].nlong);
		if (found)
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
		ASSERT(weft__rings_lanes(&l, &r, 8, arena, &found));
		ASSERT(found);
		EXPECT_EQ(l.broken, 0);
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}

static void route(const struct weft_fabric *f, const char *engine,
		  const char *option, struct weft_routes *r)
{
	const struct weft_engine *e = weft_engine_find(engine);
	struct weft_options *o;

	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	EXPECT_EQ(weft_options_parse(o, option, NULL), 0);
	ASSERT_EQ(e->route(f, o, r, NULL), 0);
	weft_options_free(o);
}

/* What random bisections say of tables. */
static double worth_of(const struct weft_fabric *f, const struct weft_routes *r)
{
	const struct weft_basket_spec spec = { .seed = 7, .rounds = 64 };
	struct weft_basket *basket;
	struct weft_worth worth;
	double mean;

	ASSERT_EQ(weft_basket_new(f, &spec, &basket, NULL), 0);
	ASSERT_EQ(weft_basket_judge(basket, r, &worth), 0);
	mean = worth.mean;
	weft_worth_free(&worth);
	weft_basket_free(basket);
	return mean;
}

/* Everyone is reached, without a cycle, switches included. */
static void prove(const char *spec, const struct weft_fabric *f,
		  const struct weft_routes *r)
{
	static const struct weft_proof_spec everything = {
		.all_hosts = true, .switches = true, .between_switches = true,
		.credit_loops = true,
	};
	struct weft_proof p;

	ASSERT_EQ(weft_proof_run(f, r, &everything, &p, NULL), 0);
	if (p.unreachable || p.cyclic_vls)
		printf("\n%s: %lu unreachable, %u cyclic lanes", spec,
		       (unsigned long)p.unreachable, p.cyclic_vls);
	EXPECT_EQ(p.unreachable, 0);
	EXPECT_EQ(p.cyclic_vls, 0);
	weft_proof_free(&p);
}

/* The same in whatever order switches and cables were discovered. */
static void check_same(const struct weft_fabric *f, const char *option,
		       const struct weft_routes *r, struct weft_rng *rng)
{
	struct weft_fabric *g = rebuild_shuffled(f, rng);
	struct weft_routes again = { 0 };
	struct weft_lft_diff diff;

	ASSERT(g);
	route(g, "weave", option, &again);
	weft_lft_compare(&r->lft, &again.lft, &diff);
	EXPECT_EQ(diff.entries, 0);
	ASSERT_EQ(r->layers.form, again.layers.form);
	EXPECT(!memcmp(r->layers.table, again.layers.table, (size_t)f->nsw *
	       f->nsw));
	weft_routes_free(&again);
	weft_fabric_free(g);
}

/* Above 1000 endports lanes hold about as much bandwidth as there is without
 * regard to credit loops, or more, products with many gaps included (the last
 * one). */
TEST(test_weave)
{
	static const struct {
		const char *spec;
		const char *lanes;
		double gain;	/* times what psssp is worth, with its loops,
				 * at least */
	} damaged[] = {
		{ "torus:12x10,hosts=9,links=2,fail-switches=1", "lanes=8", 1.03 },
		{ "torus:8x8x4,hosts=4,fail-links=3%", "lanes=8", 1.005 },
		{ "torus:16x16,hosts=4,fail-switches=2", "lanes=8", 1.02 },
		{ "torus:6x6x6,hosts=5,fail-links=2%", "lanes=8", .98 },
		{ "mesh:16x16,hosts=4,fail-links=5%", "lanes=8", 1.01 },
		{ "hypercube:8,hosts=4,fail-links=10%", "lanes=8", 1 },
		{ "mesh:16x16,hosts=4,fail-links=5%,seed=4", "lanes=4", .99 },
		{ "torus:8x8x8,hosts=2,fail-links=5%,seed=6", "lanes=8", 1.02 },
		{ "torus:12x12,hosts=8,fail-links=3%,seed=2", "lanes=8", 1 },
	};
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		struct weft_fabric *f = generate(damaged[i].spec);
		struct weft_routes r = { 0 }, psssp = { 0 };

		route(f, "weave", damaged[i].lanes, &r);
		route(f, "psssp", "passes=1", &psssp);
		prove(damaged[i].spec, f, &r);
		EXPECT(r.layers.nvl > 1);
		EXPECT(worth_of(f, &r) > worth_of(f, &psssp) * damaged[i].gain);
		check_same(f, damaged[i].lanes, &r, rng);
		weft_routes_free(&r);
		weft_routes_free(&psssp);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}
