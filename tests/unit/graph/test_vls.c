// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Cables with fewer data lanes than others: what counts, which layers share a
 * lane there, and that no engine's routes and no layering closes a credit loop
 * through them; proven by the library and, on small fabrics, by brute force.
 */
#include "../model_util.h"
#include "../proof_brute.h"
#include "../proof_random.h"
#include "../route.h"

#include "core/arena.h"
#include "graph/vls.h"
#include "layers/within.h"
#include "proof/folded.h"

#include <stdlib.h>

enum { SEED = 20833, RANDOM_FABRICS = 36, SMALL = 12, LANES = 8 };

static const struct weft_proof_spec everything = {
	.all_hosts = true, .switches = true, .between_switches = true,
	.credit_loops = true, .max_examples = 1,
};

/* Has n cables between switches, drawn at random, have that many lanes. */
static void limit_some(struct weft_fabric *f, struct weft_rng *rng, unsigned n,
		       unsigned vls)
{
	uint32_t nedges = f->adj_first[f->nsw];

	for (; n && nedges; n--)
		EXPECT_EQ(weft_fabric_limit(f, f->adj[weft_rng_below(rng,
			  nedges)], vls), 0);
}

static void judge_brutally(const struct weft_fabric *f,
			   const struct weft_routes *r)
{
	struct brute b = { .fabric = f, .routes = r, .spec = &everything };

	brute_run(&b);
	for (uint32_t v = 0; v < b.nv; v++)
		EXPECT_EQ(b.length[v], 0);
	EXPECT_EQ(b.reached + b.found[WEFT_FIND_NO_LID] +
		  b.found[WEFT_FIND_APART], b.pairs);
	brute_free(&b);
}

/* No SL goes to a lane that a cable does not have. */
static void judge_lanes(const struct weft_fabric *f,
			const struct weft_layers *y)
{
	for (uint32_t s = 0; s < f->nsw && f->vls; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t ch = f->adj[e];
			unsigned port = ch - f->first_channel[s];

			for (unsigned sl = 0; sl < y->nvl && f->vls[ch]; sl++)
				EXPECT(weft_layers_vl(y, f, s, 0, port, sl) <
				       f->vls[ch]);
		}
}

static void judge(const char *what, const struct weft_fabric *f,
		  const struct weft_routes *r, unsigned lanes)
{
	struct weft_proof p = { .pairs = 0 };

	ASSERT_EQ(weft_proof_run(f, r, &everything, &p, NULL), 0);
	EXPECT_EQ(p.unreachable, p.no_lid + p.apart);
	EXPECT_EQ(p.cyclic_vls, 0);
	EXPECT(r->layers.nvl <= lanes);
	if (p.cyclic_vls || p.unreachable > p.no_lid + p.apart)
		printf("\n%s: not proven", what);
	weft_proof_free(&p);
	judge_lanes(f, &r->layers);
	if (f->nsw <= SMALL)
		judge_brutally(f, r);
}

static void route(const char *engine, const struct weft_fabric *f,
		  unsigned lanes, struct weft_routes *r)
{
	const struct weft_engine *e = weft_engine_find(engine);
	struct weft_options *o;
	char text[8];

	snprintf(text, sizeof(text), "%u", lanes);
	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	if (e->needs & WEFT_NEEDS_VLS)
		EXPECT_EQ(weft_options_set(o, "lanes", text, NULL, 0, NULL), 0);
	ASSERT_EQ(weft_route(e, f, o, r, NULL), 0);
	weft_options_free(o);
}

/* --- what counts ------------------------------------------------------- */

/* A ring of four with a chain of two switches hanging on it, and a leaf by two
 * parallel cables. */
TEST(test_find)
{
	static const unsigned cable[][2] = {
		{ 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 0, 4 }, { 4, 5 },
		{ 1, 6 }, { 1, 6 },
	};
	enum { N = sizeof(cable) / sizeof(cable[0]) };
	struct weft_fabric *f = plain_fabric(7, 7, cable, N);
	struct weft_arena *arena = weft__arena_new();
	struct weft__vls v;
	uint32_t tail = f->adj[f->adj_first[4]];

	EXPECT(weft__vls_find(&v, f, arena));
	EXPECT(!v.of);
	/* a cable that no loop can have does not count */
	EXPECT_EQ(weft_fabric_limit(f, tail, 1), 0);
	EXPECT(weft__vls_find(&v, f, arena));
	EXPECT(!v.of);
	/* nor does one with more lanes than all others */
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		weft_fabric_limit(f, f->adj[e], 4);
	weft_fabric_limit(f, f->adj[0], 8);
	EXPECT(weft__vls_find(&v, f, arena));
	EXPECT_EQ(v.most, 8);	/* one of six cables */
	EXPECT_EQ(v.least, 4);
	EXPECT_EQ(v.nfewer, 5);
	weft_fabric_limit(f, f->adj[0], 2);
	EXPECT(weft__vls_find(&v, f, arena));
	EXPECT_EQ(v.most, 4);
	EXPECT_EQ(v.least, 2);
	EXPECT_EQ(v.nfewer, 1);
	EXPECT_EQ(v.narrowest, f->adj[0]);
	EXPECT_EQ(v.of[tail], WEFT_MAX_LANES);
	weft__arena_free(arena);
	weft_fabric_free(f);
}

/* --- layers that share lanes ------------------------------------------- */

/* A ring of four, all routes one way round; those that go on from the cable
 * behind switch 0 are in the first lane. */
static void ring_routes(const struct weft_fabric *f, struct weft_routes *r)
{
	ASSERT_EQ(weft_lft_init(&r->lft, f->nsw, f->max_lid), 0);
	weft_layers_init(&r->layers);
	r->layers.form = WEFT_SL_SWITCH_PAIR;
	r->layers.nsw = f->nsw;
	r->layers.nep = f->nep;
	r->layers.max_lid = f->max_lid;
	r->layers.nvl = 2;
	r->layers.one_way = true;
	r->layers.table = need(calloc(f->nsw, f->nsw));
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t e = f->adj_first[s];

		while (f->peer[f->adj[e]] != (s + 1) % f->nsw)
			e++;
		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			uint32_t owner = weft_lid_owner(f, lid), t;

			t = weft_vertex_switch(f, owner);
			weft_lft_row(&r->lft, s)[lid] = s != t ?
				f->adj[e] - f->first_channel[s] :
				weft_is_switch(owner) ? 0 :
				f->ep[owner & ~WEFT_ENDPORT].sw_port;
			r->layers.table[s * f->nsw + t] =
				!((s == 0 && t >= 2) || (s == 3 && t == 2));
		}
	}
}

/* The nth cable of a ring whose switches are in order. */
static uint32_t ring_cable(const struct weft_fabric *f, uint32_t n)
{
	uint32_t e = f->adj_first[n];

	while (f->peer[f->adj[e]] != (n + 1) % f->nsw)
		e++;
	return f->adj[e];
}

TEST(test_folded)
{
	static const unsigned cable[][2] = {
		{ 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 },
	};
	struct weft_fabric *f = plain_fabric(4, 4, cable, 4);
	struct weft_routes r = { 0 };
	struct brute b = { .fabric = f, .routes = &r, .spec = &everything };
	bool loops = true;

	ring_routes(f, &r);
	judge("ring", f, &r, 2);
	EXPECT_EQ(weft__folded_loops(f, &r, &loops, NULL), 0);
	EXPECT(!loops);
	/* One cable on the way round is in the same order in both lanes. */
	weft_fabric_limit(f, ring_cable(f, 0), 1);
	EXPECT_EQ(weft__folded_loops(f, &r, &loops, NULL), 0);
	EXPECT(!loops);
	/* Two are not. */
	weft_fabric_limit(f, ring_cable(f, 2), 1);
	EXPECT_EQ(weft__folded_loops(f, &r, &loops, NULL), 0);
	EXPECT(loops);
	EXPECT(!r.layers.sl2vl);
	EXPECT_EQ(weft__vls_fold(f, &r.layers), 0);
	ASSERT(r.layers.sl2vl);
	brute_run(&b);
	loops = false;
	for (uint32_t v = 0; v < b.nv; v++)
		loops |= b.length[v] > 0;
	EXPECT(loops);
	brute_free(&b);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* --- engines and layering ---------------------------------------------- */

static const char *const families[] = {
	"ring:6,hosts=2", "ring:11,hosts=1", "torus:4x4,hosts=1",
	"torus:5x5,hosts=1", "torus:6x5,hosts=1,fail-links=8%,seed=3",
	"hypercube:4,hosts=1", "dragonfly:3,1,1,4", "random:14x2,8,seed=11",
	"pgft:2;4,6;1,4;1,1,fail-links=10%,seed=2",
	"pgft:3;3,3,3;1,3,3;1,1,1,fail-links=15%,seed=5",
};
enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

static const struct { unsigned cables, vls; } cases[] = {
	{ 1, 1 }, { 2, 1 }, { 3, 2 }, { 8, 1 }, { 40, 1 },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

TEST(test_weave)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < FAMILIES * CASES; i++) {
		const char *spec = families[i / CASES];
		struct weft_fabric *f = route_fabric(spec, -1);
		struct weft_routes r = { 0 };
		unsigned lanes = i % 4 == 3 ? 4 : LANES;

		limit_some(f, rng, cases[i % CASES].cables,
			   cases[i % CASES].vls);
		route("weave", f, lanes, &r);
		judge(spec, f, &r, lanes);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Several LIDs for each port. */
TEST(test_lids)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < FAMILIES; i++) {
		struct weft_fabric *f = route_fabric(families[i], 1);
		struct weft_routes r = { 0 };

		limit_some(f, rng, 1 + i % 3, 1);
		route("weave", f, LANES, &r);
		judge(families[i], f, &r, LANES);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

TEST(test_layering)
{
	struct weft_rng *rng = weft_rng_new(SEED);
	unsigned several = 0, shared = 0;

	for (unsigned i = 0; i < FAMILIES * CASES; i++) {
		const char *spec = families[i / CASES];
		struct weft_fabric *f = route_fabric(spec, -1);
		struct weft_layering_spec how = {
			.lanes = i % 4 == 3 ? 4 : LANES, .keep = i % 2,
			.balance = i % 5 == 4, .one_way = i % 7 == 6,
		};
		struct weft_layering out;
		struct weft_routes r = { 0 };

		limit_some(f, rng, cases[i % CASES].cables,
			   cases[i % CASES].vls);
		route("psssp", f, 1, &r);
		ASSERT_EQ(weft_layering_run(f, &r, &how, &out, NULL), 0);
		EXPECT_EQ(out.lanes, r.layers.nvl);
		judge(spec, f, &r, how.lanes);
		several += r.layers.nvl > 1;
		shared += r.layers.sl2vl != NULL;
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	EXPECT(several > CASES);
	EXPECT(shared > CASES);
	weft_rng_free(rng);
}

/* Anything small: any cables, any of them with few lanes. */
TEST(test_random)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < RANDOM_FABRICS; i++) {
		struct weft_fabric *f = random_fabric(rng, i % SHAPES,
				3 + weft_rng_below(rng, SMALL - 2));
		struct weft_layering_spec how = { .lanes = 2 + i % 7,
						  .keep = i % 2 };
		struct weft_layering out;
		struct weft_routes r = { 0 };

		limit_some(f, rng, 1 + weft_rng_below(rng, 4), 1 + i % 3);
		route("weave", f, how.lanes, &r);
		judge("random", f, &r, how.lanes);
		weft_routes_free(&r);
		r = (struct weft_routes){ 0 };
		route("psssp", f, 1, &r);
		ASSERT_EQ(weft_layering_run(f, &r, &how, &out, NULL), 0);
		judge("random, layering", f, &r, how.lanes);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* --- what it costs ----------------------------------------------------- */

static double worth_of(const struct weft_fabric *f,
		       const struct weft_routes *r)
{
	static const struct weft_basket_spec spec = { .rounds = 64 };

	return test_basket_worth(f, r, &spec);
}

static double worth_by(const struct weft_fabric *f, unsigned lanes,
		       unsigned *used)
{
	struct weft_routes r = { 0 };
	double worth;

	route("weave", f, lanes, &r);
	*used = r.layers.nvl;
	worth = worth_of(f, &r);
	weft_routes_free(&r);
	return worth;
}

/* One cable of a dragonfly takes next to nothing, wherever it is. */
TEST(test_one_cable)
{
	struct weft_fabric *whole = route_fabric("dragonfly:4,2,2,9", -1);
	uint32_t nedges = whole->adj_first[whole->nsw];
	unsigned used, used_whole;
	double all = worth_by(whole, LANES, &used_whole);
	double one = worth_by(whole, 1, &used);

	EXPECT(one < .99 * all);
	for (unsigned i = 0; i < 5; i++) {
		struct weft_fabric *f =
			route_fabric("dragonfly:4,2,2,9", -1);

		weft_fabric_limit(f, f->adj[i * nedges / 5], 1);
		EXPECT(worth_by(f, LANES, &used) > .99 * all);
		EXPECT(used > 2);
		weft_fabric_free(f);
	}
	weft_fabric_free(whole);
}

/* --- around cables ----------------------------------------------------- */

TEST(test_around)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 20; i++) {
		struct weft_fabric *f = route_fabric("torus:5x4,hosts=2", -1);
		struct weft_fabric *g = NULL;
		struct weft_arena *arena = weft__arena_new();
		struct weft_routes r = { 0 };
		struct weft_proof p;
		struct weft__vls v;
		struct weft_proof_spec spec = everything;

		spec.credit_loops = spec.between_switches = false;
		limit_some(f, rng, 1 + i % 6, 1 + i % 2);
		EXPECT(weft__vls_find(&v, f, arena));
		route("psssp", f, 1, &r);
		EXPECT_EQ(weft__go_around(f, v.of, 3, &r.lft, &g), 0);
		ASSERT(g);
		EXPECT_EQ(weft_proof_run(f, &r, &spec, &p, NULL), 0);
		EXPECT_EQ(p.unreachable, 0);
		weft_proof_free(&p);
		/* without the cables nobody misses them */
		EXPECT(g->nlinks < f->nlinks);
		EXPECT_EQ(weft_proof_run(g, &r, &spec, &p, NULL), 0);
		EXPECT_EQ(p.unreachable, 0);
		weft_proof_free(&p);
		weft_routes_free(&r);
		weft_fabric_free(g);
		weft_fabric_free(f);
		weft__arena_free(arena);
	}
	weft_rng_free(rng);
}

/* Lanes of cables go along with copies and parts of a fabric. */
TEST(test_copies)
{
	struct weft_fabric *f = route_fabric("torus:4x4,hosts=1", -1), *g;
	uint32_t ch = f->adj[9];

	weft_fabric_limit(f, ch, 2);
	EXPECT_EQ(f->vls[f->reverse[ch]], 2);
	EXPECT_EQ(weft_fabric_check(f, NULL), 0);
	ASSERT_EQ(weft_fabric_assign_lids(f, 2, &g, NULL), 0);
	ASSERT(g->vls);
	EXPECT_EQ(g->vls[ch], 2);
	weft_fabric_free(g);
	ASSERT_EQ(weft_fabric_without(f, f->adj, 1, &g, NULL), 0);
	ASSERT(g->vls);
	EXPECT_EQ(g->vls[ch], 2);
	EXPECT_EQ(g->vls[f->adj[20]], 0);
	weft_fabric_free(g);
	weft_fabric_free(f);
}
