// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What tables of weave are worth to all traffic: never less than those of other
 * engines within the same lanes, on any kind of fabric, and without a step
 * where fabrics grow.
 */
#include "../model_util.h"
#include "../rebuild.h"
#include "../suite.h"
#include "weave_util.h"

enum { SEED = 40417 };

#define LESS 0.995	/* is within the margin */

static double worth_of(const struct weft_fabric *f, const struct weft_routes *r)
{
	const struct weft_basket_spec spec = { .seed = 7, .rounds = 64 };

	return test_basket_worth(f, r, &spec);
}

/* Worth of a peer in that many lanes; 0 where it has no tables for these. */
static double worth_of_peer(const struct weft_fabric *f, const char *name,
			    const char *option, unsigned lanes)
{
	const struct weft_layering_spec spec = { .lanes = lanes, .keep = true };
	const struct weft_engine *e = weft_engine_find(name);
	struct weft_layering layering;
	struct weft_routes r = { 0 };
	struct weft_options *o;
	double worth = 0;

	if (!e)
		return 0;
	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	if (option)
		EXPECT_EQ(weft_options_parse(o, option, NULL), 0);
	if (!e->route(f, o, &r, NULL) &&
	    !weft_layering_run(f, &r, &spec, &layering, NULL))
		worth = worth_of(f, &r);
	weft_options_free(o);
	weft_routes_free(&r);
	return worth;
}

static double worth_of_weave(const char *what, const struct weft_fabric *f,
			     unsigned lanes)
{
	struct weft_routes r = { 0 };
	double worth;

	ASSERT_EQ(weave_route(f, lanes, NULL, &r, NULL), 0);
	weave_judge(what, f, &r, lanes);
	worth = worth_of(f, &r);
	weft_routes_free(&r);
	return worth;
}

static void compare(const char *what, const struct weft_fabric *f)
{
	static const struct {
		const char *engine, *option;
	} peer[] = {
		{ "eftree", NULL }, { "psssp", "passes=4" }, { "updn", NULL },
		{ "dmodk", NULL },
	};

	for (unsigned lanes = 1; lanes <= 8; lanes *= 8) {
		double own = worth_of_weave(what, f, lanes);

		for (unsigned i = 0; i < sizeof(peer) / sizeof(peer[0]); i++) {
			double other = worth_of_peer(f, peer[i].engine,
						     peer[i].option, lanes);

			if (own < other * LESS)
				printf("\n%s, %u lanes: %.4f, %s %.4f", what,
				       lanes, own, peer[i].engine, other);
			EXPECT(own >= other * LESS);
		}
	}
}

TEST(test_families)
{
	static const char *const specs[] = {
		"star:6,hosts=3", "ring:9,hosts=4", "full:8,hosts=6",
		"switch648,guids=shuffle", "switch648,fail-links=5%",
		"rack216", "rack216,guids=shuffle", "odin",
		"deimos", "deimos,fail-links=3%",
		"pgft:3;6,6,12;1,6,6;1,1,1,guids=shuffle",
		"pgft:3;6,6,6;1,6,6;1,1,1,fail-links=3%",
		"pgft:3;6,6,6;1,3,3;1,2,1,fail-switches=2",
		"pgft:2;12,24;1,6;1,1,fail-links=8%,dual=yes",
		"torus:4x4x4,hosts=4", "torus:6x6,hosts=4",
		"torus:8x8,hosts=2,fail-links=10%",
		"torus:6x5x4,hosts=1,fail-links=15%,guids=shuffle,seed=2",
		"mesh:8x8,hosts=2,fail-links=10%",
		"hypercube:6,hosts=2,fail-switches=3",
		"dragonfly:4,2,2,9", "random:43x12,24", "random:40x6,16,seed=2",
	};

	for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = weave_fabric(specs[i]);

		compare(specs[i], f);
		weft_fabric_free(f);
	}
}

/* Few lanes do for tori of which something is missing, as they do for whole ones;
 * one goes far on a Slim Fly, all of whose turns are alike. */
TEST(test_few_lanes)
{
	static const struct {
		const char *spec;
		unsigned lanes;
		double least;
	} cases[] = {
		{ "torus:4x4x4,fail-links=8%", 1, .89 },
		{ "torus:6x6x6,fail-switches=2", 1, .71 },
		{ "torus:6x6x6,fail-switches=2", 2, .72 },
		{ "torus:6x6x6,hosts=2,fail-links=3%", 4, .44 },
		{ "slimfly:5", 1, .55 },
		{ "slimfly:5,hosts=2", 1, .79 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_fabric *f = weave_fabric(cases[i].spec);

		suite_case("%s, %u lanes", cases[i].spec, cases[i].lanes);
		EXPECT(worth_of_weave(cases[i].spec, f, cases[i].lanes) >=
		       cases[i].least);
		weft_fabric_free(f);
	}
}

/* Whole trees have full bandwidth under shifts and all-to-all, whatever the
 * order of their GUIDs. */
TEST(test_whole_trees)
{
	static const char *const specs[] = {
		"switch648", "switch648,guids=shuffle",
		"pgft:3;6,6,12;1,6,6;1,1,1",
		"pgft:3;6,6,12;1,6,6;1,1,1,guids=shuffle,seed=3",
		"pgft:3;4,4,8;1,4,4;1,1,1,guids=shuffle,seed=4",
	};
	const struct weft_basket_spec spec = { .seed = 7, .rounds = 1000 };

	for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = weave_fabric(specs[i]);
		struct weft_routes r = { 0 };
		struct weft_basket *basket;
		struct weft_worth worth;

		ASSERT_EQ(weave_route(f, 1, NULL, &r, NULL), 0);
		ASSERT_EQ(weft_basket_new(f, &spec, &basket, NULL), 0);
		ASSERT_EQ(weft_basket_judge(basket, &r, &worth), 0);
		EXPECT_NEAR(worth.part[1], 1, 1e-12);
		EXPECT_NEAR(worth.part[2], 1, 1e-12);
		weft_worth_free(&worth);
		weft_basket_free(basket);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* Two trees, joined by cables between two spines of each. */
static struct weft_fabric *two_trees(void)
{
	enum { SPINES = 9, LEAVES = 12, ONE = SPINES + LEAVES };
	unsigned hosts[2 * ONE] = { 0 }, cable[4 * SPINES * LEAVES + 4][2];
	unsigned n = 0;

	for (unsigned s = 0; s < 2 * ONE; s++) {
		if (s % ONE < SPINES)
			continue;
		hosts[s] = 18;
		for (unsigned k = 0; k < SPINES; k++)
			n += weave_join(cable + n, s, s / ONE * ONE + k, 2);
	}
	for (unsigned k = 0; k < 4; k++)
		n += weave_join(cable + n, k / 2, ONE + k / 2, 1);
	return test_fabric(2 * ONE, hosts, cable, n, 0);
}

/* An orthogonal tree: leaves are the points of a projective plane, twice,
 * spines its lines. */
static struct weft_fabric *orthogonal_tree(void)
{
	static const unsigned line[] = { 1, 5, 11, 24, 25, 27 };
	enum { LINES = 31, LEAVES = 2 * LINES, DEGREE = 6 };
	unsigned hosts[LINES + LEAVES] = { 0 }, cable[LEAVES * DEGREE][2];
	unsigned n = 0;

	for (unsigned s = 0; s < LEAVES; s++) {
		hosts[LINES + s] = 17;
		for (unsigned k = 0; k < DEGREE; k++)
			n += weave_join(cable + n, LINES + s,
					(s + line[k]) % LINES, 1);
	}
	return test_fabric(LINES + LEAVES, hosts, cable, n, 0);
}

/* 12 racks of two leaves, each below a tree of its own. */
static struct weft_fabric *racks(void)
{
	enum { SPINES = 8, LEAVES = 24, ALL = SPINES + LEAVES };
	unsigned hosts[ALL] = { 0 }, cable[4 * 12 + 8 * LEAVES + 8][2], n = 0;

	for (unsigned i = 0; i < LEAVES; i++) {
		hosts[SPINES + i] = 24;
		for (unsigned k = 0; k < 4; k++)
			n += weave_join(cable + n, SPINES + i, i % 2 * 4 + k,
					2);
	}
	for (unsigned i = 0; i < LEAVES; i += 2)
		n += weave_join(cable + n, SPINES + i, SPINES + i + 1, 4);
	for (unsigned i = 0; i < SPINES; i += 2)
		n += weave_join(cable + n, i, i + 1, 2);
	return test_fabric(ALL, hosts, cable, n, 0);
}

/* The Hoffman-Singleton graph: 50 switches, no two more than two hops apart. */
static struct weft_fabric *hoffman_singleton(void)
{
	enum { NSW = 50, NCABLES = 175 };
	unsigned hosts[NSW], cable[NCABLES][2], n = 0;

	for (unsigned s = 0; s < NSW; s++) {
		unsigned five = s / 5 * 5, step = s < 25 ? 1 : 2;

		hosts[s] = 21;
		n += weave_join(cable + n, s, five + (s + step) % 5, 1);
		for (unsigned i = 0; i < 5 && s < 25; i++)
			n += weave_join(cable + n, s,
				  25 + 5 * i + (s / 5 * i + s) % 5, 1);
	}
	return test_fabric(NSW, hosts, cable, n, 0);
}

/* A hypercube of 7 dimensions without its last 28 switches, two of the
 * dimensions by double cables. */
static struct weft_fabric *part_of_cube(void)
{
	enum { NSW = 100, DIMENSIONS = 7, DOUBLE = 5, HOSTS = 12 };
	unsigned hosts[NSW], cable[NSW * DIMENSIONS][2], n = 0;

	for (unsigned s = 0; s < NSW; s++) {
		hosts[s] = HOSTS;
		for (unsigned d = 0; d < DIMENSIONS; d++) {
			unsigned t = s ^ 1u << d;

			if (s < t && t < NSW)
				n += weave_join(cable + n, s, t,
						1 + (d >= DOUBLE));
		}
	}
	return test_fabric(NSW, hosts, cable, n, 0);
}

TEST(test_others)
{
	static const struct {
		const char *name;
		struct weft_fabric *(*make)(void);
	} fabric[] = {
		{ "two trees", two_trees },
		{ "orthogonal tree", orthogonal_tree },
		{ "racks", racks },
		{ "Hoffman-Singleton", hoffman_singleton },
		{ "part of a hypercube", part_of_cube },
	};

	for (unsigned i = 0; i < sizeof(fabric) / sizeof(fabric[0]); i++) {
		struct weft_fabric *f = fabric[i].make();

		compare(fabric[i].name, f);
		weft_fabric_free(f);
	}
}

/* From 900 hosts to 1200, next to nothing changes from one size to the next:
 * there is no number of hosts from which less care is taken. */
TEST(test_sizes)
{
	static const char *const grown[] = {
		"pgft:2;%u,30;1,18;1,1,fail-links=3%%,seed=5",
		"random:30x%u,48,seed=5",
	};

	for (unsigned i = 0; i < sizeof(grown) / sizeof(grown[0]); i++) {
		double before = 0;

		printf("\n%s, weave over psssp:", grown[i]);
		for (unsigned n = 30; n <= 40; n++) {
			struct weft_fabric *f;
			double ratio;
			char spec[64];

			snprintf(spec, sizeof(spec), grown[i], n);
			f = weave_fabric(spec);
			ratio = worth_of_weave(spec, f, 8) /
				worth_of_peer(f, "psssp", "passes=4", 8);
			printf(" %.3f", ratio);
			EXPECT(ratio > LESS);
			EXPECT(!before || (ratio > before * 0.95 && ratio <
			       before * 1.05));
			before = ratio;
			weft_fabric_free(f);
		}
	}
	printf("\n");
}

/* The same tables for any order of discovery, where pairs get other ways, and
 * above 1000 endports. */
TEST(test_deterministic)
{
	static const char *const specs[] = {
		"random:60x20,24,seed=1", "torus:12x10,hosts=9,fail-switches=1",
		"pgft:3;10,10,12;1,6,6;1,1,1,fail-links=5%",
	};
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = weave_fabric(specs[i]);
		struct weft_fabric *g = rebuild_shuffled(f, rng);
		struct weft_routes a = { 0 }, b = { 0 };
		unsigned lanes = i % 2 ? 2 : 8;

		ASSERT(g);
		ASSERT_EQ(weave_route(f, lanes, NULL, &a, NULL), 0);
		ASSERT_EQ(weave_route(g, lanes, NULL, &b, NULL), 0);
		weave_judge(specs[i], f, &a, lanes);
		EXPECT(weave_same(f, &a, &b));
		weft_routes_free(&a);
		weft_routes_free(&b);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

/* Hosts of a large Dragonfly+ and HyperX get what the shortest routes are worth,
 * whatever the budget leaves: the spines of the first are joined by cables between
 * groups, those of the second in many parts, and those of the third in four, which one
 * leaf joins. */
TEST(test_large)
{
	static const struct {
		const char *spec;
		unsigned lanes;
	} large[] = {
		{ "dragonfly+:8,8,8,4,32", 8 }, { "dragonfly+:8,8,8,4,32", 1 },
		{ "dragonfly+:8,8,8,3,16", 8 }, { "dragonfly+:8,8,8,3,16", 1 },
		{ "dragonfly+:8,8,8,3,16,fail-links=2%", 8 },
		{ "dragonfly+:8,8,8,3,16,fail-links=2%", 1 },
		{ "dragonfly+:4,8,8,8,33", 8 }, { "dragonfly+:4,8,8,8,33", 1 },
		{ "hyperx:8x8x8,hosts=3", 8 },
	};

	for (unsigned i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		struct weft_fabric *f = weave_fabric(large[i].spec);
		struct weft_options *o;
		struct weft_routes r = { 0 };
		const struct weft_engine *psssp = weft_engine_find("psssp");
		double own = worth_of_weave(large[i].spec, f, large[i].lanes);

		ASSERT_EQ(weft_options_new(&o, psssp->options), 0);
		ASSERT_EQ(psssp->route(f, o, &r, NULL), 0);
		EXPECT(own >= worth_of(f, &r) * LESS);
		weft_options_free(o);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* Worth of one pass of psssp, with its credit loops. */
static double worth_of_psssp(const struct weft_fabric *f)
{
	const struct weft_engine *e = weft_engine_find("psssp");
	struct weft_routes r = { 0 };
	struct weft_options *o;
	double worth;

	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	EXPECT_EQ(weft_options_parse(o, "passes=1", NULL), 0);
	ASSERT_EQ(e->route(f, o, &r, NULL), 0);
	worth = worth_of(f, &r);
	weft_options_free(o);
	weft_routes_free(&r);
	return worth;
}

/* On damaged tori, meshes and hypercubes of several hundred hosts lanes hold about as
 * much bandwidth as there is without regard to credit loops, or more, products with
 * many gaps included (the last one); whatever the order of discovery. */
TEST(test_damaged)
{
	static const struct {
		const char *spec;
		unsigned lanes;
		double gain;	/* times what psssp is worth, at least */
	} damaged[] = {
		{ "torus:12x10,hosts=9,links=2,fail-switches=1", 8, 1.03 },
		{ "torus:8x8x4,hosts=4,fail-links=3%", 8, 1.005 },
		{ "torus:16x16,hosts=4,fail-switches=2", 8, 1.02 },
		{ "torus:6x6x6,hosts=5,fail-links=2%", 8, .98 },
		{ "mesh:16x16,hosts=4,fail-links=5%", 8, 1.01 },
		{ "hypercube:8,hosts=4,fail-links=10%", 8, 1 },
		{ "mesh:16x16,hosts=4,fail-links=5%,seed=4", 4, .99 },
		{ "torus:8x8x8,hosts=2,fail-links=5%,seed=6", 8, 1.02 },
		{ "torus:12x12,hosts=8,fail-links=3%,seed=2", 8, 1 },
		{ "torus:24x24,hosts=1,fail-links=3%", 8, 1.02 },
	};
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		unsigned lanes = damaged[i].lanes;
		struct weft_fabric *f = weave_fabric(damaged[i].spec);
		struct weft_fabric *g = rebuild_shuffled(f, rng);
		struct weft_routes r = { 0 }, again = { 0 };

		ASSERT(g);
		ASSERT_EQ(weave_route(f, lanes, NULL, &r, NULL), 0);
		ASSERT_EQ(weave_route(g, lanes, NULL, &again, NULL), 0);
		weave_judge(damaged[i].spec, f, &r, lanes);
		EXPECT(r.layers.nvl > 1);
		EXPECT(weave_same(f, &r, &again));
		EXPECT(worth_of(f, &r) > worth_of_psssp(f) * damaged[i].gain);
		weft_routes_free(&r);
		weft_routes_free(&again);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

/* What is eased is not all for the first strategy that finds routes: here another
 * one gains more by it. */
TEST(test_eased)
{
	struct weft_fabric *f = weave_fabric("torus:6x6x12,hosts=2,fail-links=6%,"
					     "seed=2");
	const struct weft_proof_spec spec = { .loads = true };
	struct weft_routes r = { 0 };
	struct weft_proof proof;

	ASSERT_EQ(weave_route(f, 2, NULL, &r, NULL), 0);
	ASSERT_EQ(weft_proof_run(f, &r, &spec, &proof, NULL), 0);
	EXPECT(proof.load_max < 4000);
	weft_proof_free(&proof);
	weft_routes_free(&r);
	weft_fabric_free(f);
}
