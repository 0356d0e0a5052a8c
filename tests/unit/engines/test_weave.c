// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weave: everyone reaches everyone without a credit loop, with any number of
 * lanes, on any fabric; proven by the library and, on small random fabrics, by
 * brute force.
 */
#include "../model_util.h"
#include "../proof_brute.h"
#include "../proof_random.h"
#include "../rebuild.h"
#include "../suite.h"
#include "weave_util.h"

#include "engines/weave/weave.h"
#include "graph/entries.h"

#include <errno.h>

enum { SEED = 40417, RANDOM_FABRICS = 150 };

static const char *const fixtures[] = {
	"star:6,hosts=3",
	"chain:2,hosts=2",
	"chain:5,hosts=2",
	"ring:7,hosts=1",
	"pgft:2;4,6;1,4;1,1",
	"pgft:2;4,6;1,2;1,2,lmc=1",
	"pgft:3;3,3,4;1,3,3;1,1,1",
	"pgft:3;4,4,4;1,4,4;1,1,1,guids=shuffle,seed=7",
	"pgft:3;4,4,4;1,4,4;1,1,1,fail-links=8%,seed=3",
	"pgft:3;4,4,4;1,4,4;1,1,1,fail-links=15%,guids=shuffle,seed=5",
	"torus:4x4,hosts=2",
	"torus:3x3x3,hosts=1",
	"torus:5x5x5,hosts=1",
	"torus:6x6,hosts=2",
	"torus:7x5,hosts=1,guids=shuffle,seed=3",
	"torus:6x4x5,hosts=1",
	"torus:8x3,hosts=2,links=2",
	"torus:6x5,hosts=2,lmc=1",
	"torus:6x6,hosts=1,fail-links=3%",
	"torus:7x6,hosts=1,fail-links=10%,seed=2",
	"torus:8x9,hosts=1,fail-links=15%,guids=shuffle,seed=4",
	"torus:5x5,hosts=0:4",
	"ring:12,hosts=2",
	"mesh:4x3,hosts=2",
	"hypercube:4,hosts=2",
	"random:20x3,12,seed=11",
	"random:16x2,8,seed=12,guids=shuffle",
	"dragonfly:4,2,2,9",
	"hyperx:4x4x3,hosts=2",
	"hyperx:6x4,hosts=1,links=2,fail-links=4%,seed=3",
	"dragonfly+:4,4,4,2,8",
	"dragonfly+:4,4,2,3,6,seed=2,guids=shuffle",
	"odin",
	"rack648",
	"pgft:2;4,6;1,4;1,1,dual=yes",
};
enum { NFIXTURES = sizeof(fixtures) / sizeof(fixtures[0]) };

TEST(test_fixtures)
{
	unsigned several = 0;

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = weave_fabric(fixtures[i]);

		/* 8 and 2 lanes, or 4 and 1. */
		for (unsigned k = i % 2; k < WEAVE_COUNTS; k += 2) {
			struct weft_routes r = { 0 };

			ASSERT_EQ(weave_route(f, weave_lanes[k], NULL, &r,
				  NULL), 0);
			weave_judge(fixtures[i], f, &r, weave_lanes[k]);
			several += r.layers.nvl > 1;
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
	EXPECT(several > 0);
}

/* Random fabrics: hosts, aggregation nodes and routers anywhere, trunks, cables
 * that loop back, switches without anything. */
TEST(test_random)
{
	struct weft_rng *rng = weft_rng_new(SEED);
	struct weft_proof_spec spec = weave_everything;

	for (unsigned i = 0; i < RANDOM_FABRICS; i++) {
		struct weft_fabric *f = random_fabric(rng, i % SHAPE_PARTS,
				2 + weft_rng_below(rng, 11));
		unsigned lanes = weave_lanes[weft_rng_below(rng, WEAVE_COUNTS)];
		struct weft_routes r = { 0 };
		struct brute b = { .fabric = f, .routes = &r, .spec = &spec };

		ASSERT_EQ(weave_route(f, lanes, NULL, &r, NULL), 0);
		weave_judge("random", f, &r, lanes);
		brute_run(&b);
		for (uint32_t v = 0; v < b.nv; v++)
			EXPECT_EQ(b.length[v], 0);
		EXPECT_EQ(b.reached + b.found[WEFT_FIND_NO_LID], b.pairs);
		brute_free(&b);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Fabrics without hosts on most switches. */
TEST(test_sparse)
{
	static const unsigned tail[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 },
		{ 3, 4 }, { 4, 0 }, { 4, 5 }, { 5, 6 } };
	static const unsigned cube[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 },
		{ 3, 0 }, { 4, 5 }, { 5, 6 }, { 6, 7 }, { 7, 4 }, { 0, 4 },
		{ 1, 5 }, { 2, 6 }, { 3, 7 } };

	for (unsigned hosts = 0; hosts <= 7; hosts++) {
		struct weft_fabric *f[2] = {
			plain_fabric(7, hosts, tail, 7),
			plain_fabric(8, hosts, cube, 12),
		};

		for (unsigned i = 0; i < 2; i++) {
			struct weft_routes r = { 0 };

			ASSERT_EQ(weave_route(f[i], 8, NULL, &r, NULL), 0);
			weave_judge(i ? "cube" : "ring with a tail", f[i], &r,
				    8);
			weft_routes_free(&r);
			weft_fabric_free(f[i]);
		}
	}
}

TEST(test_deterministic)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = weave_fabric(fixtures[i]);
		struct weft_fabric *g = rebuild_shuffled(f, rng);
		struct weft_routes a = { 0 }, b = { 0 };

		ASSERT(g);
		ASSERT_EQ(weave_route(f, 8, NULL, &a, NULL), 0);
		ASSERT_EQ(weave_route(g, 8, NULL, &b, NULL), 0);
		EXPECT(weave_same(f, &a, &b));
		weft_routes_free(&a);
		weft_routes_free(&b);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

/* Aggregation nodes do not make hosts of switches, unless there are no others. */
TEST(test_aggregation)
{
	struct weft_fabric *f = weave_fabric("chain:3,hosts=2");

	EXPECT_EQ(weft__hosts_on(f, 1, !f->nhosts), 2);
	for (uint32_t i = f->sw_ep_first[1]; i < f->sw_ep_first[2]; i++)
		((struct weft_endport *)f->ep)[f->sw_endport[i]].kind =
			WEFT_AGGREGATION;
	EXPECT_EQ(weft__hosts_on(f, 1, !f->nhosts), 0);
	f->nhosts = 0;
	EXPECT_EQ(weft__hosts_on(f, 1, !f->nhosts), 2);
	weft_fabric_free(f);
}

/* What each strategy gives is proven by itself, whether it would be taken or
 * not: it routes everything, or says that it does not. */
TEST(test_strategies)
{
	static const char *const names[] = {
#define WEFT_STRATEGY(symbol) #symbol,
#include "engines/weave/strategies.def"
#undef WEFT_STRATEGY
	};
	char option[64];

	for (unsigned k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		unsigned found = 0;

		snprintf(option, sizeof(option), "strategy=%s", names[k]);
		for (unsigned i = 0; i < NFIXTURES; i++) {
			struct weft_fabric *f = weave_fabric(fixtures[i]);
			struct weft_routes r = { 0 };
			unsigned lanes = weave_lanes[(i + k) % WEAVE_COUNTS];
			int err = weave_route(f, lanes, option, &r, NULL);

			EXPECT(!err || err == -ENOTSUP);
			if (!err)
				weave_judge(option, f, &r, lanes);
			found += !err;
			weft_routes_free(&r);
			weft_fabric_free(f);
		}
		EXPECT(found > 0);
	}
}

/* Datelines share a lane in rings of any length, whole or with a gap. */
TEST(test_shared)
{
	static const struct {
		const char *fabric;
		unsigned lanes;
	} tori[] = {
		{ "torus:5x5", 2 }, { "torus:6x6", 2 }, { "torus:7x6", 2 },
		{ "torus:8x8", 2 }, { "torus:9x10", 2 }, { "torus:8x3x7", 2 },
		{ "torus:10x10,fail-links=2,seed=4", 2 }, { "torus:6x5x7", 4 },
		{ "torus:8x6,fail-links=1", 3 },
	};

	for (unsigned i = 0; i < sizeof(tori) / sizeof(tori[0]); i++) {
		struct weft_fabric *f = weave_fabric(tori[i].fabric);
		struct weft_routes r = { 0 };

		ASSERT_EQ(weave_route(f, tori[i].lanes, "strategy=shared", &r,
				      NULL), 0);
		EXPECT_EQ(r.layers.nvl, tori[i].lanes & ~1u);
		weave_judge(tori[i].fabric, f, &r, tori[i].lanes);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

struct torus {
	const char *fabric;
	unsigned lanes;
};

/* Goes by the dimensions of each, whatever the order of discovery. */
static void by_dimensions(const struct torus *tori, unsigned n)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < n; i++) {
		struct weft_fabric *f = weave_fabric(tori[i].fabric);
		struct weft_fabric *g = rebuild_shuffled(f, rng);
		struct weft_routes r = { 0 }, again = { 0 };

		suite_case("%s, %u lanes", tori[i].fabric, tori[i].lanes);
		ASSERT(g);
		ASSERT_EQ(weave_route(f, tori[i].lanes, "strategy=dimensions",
				      &r, NULL), 0);
		ASSERT_EQ(weave_route(g, tori[i].lanes, "strategy=dimensions",
				      &again, NULL), 0);
		EXPECT(r.layers.nvl <= tori[i].lanes);
		weave_judge(tori[i].fabric, f, &r, tori[i].lanes);
		EXPECT(weave_same(f, &r, &again));
		weft_routes_free(&r);
		weft_routes_free(&again);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

/* Tables of a torus whose cables and switches are missing are mended, in as many
 * lanes as the whole one takes. */
TEST(test_mended)
{
	static const struct torus tori[] = {
		{ "torus:4x4x4,fail-links=8%", 1 },
		{ "torus:6x6x4,fail-links=4%", 1 },
		{ "torus:6x6x6,fail-switches=2", 2 },
		{ "torus:7x7,hosts=2,fail-switches=1,fail-links=2", 4 },
		{ "torus:6x5x7,fail-links=5%,guids=shuffle,seed=3", 2 },
		{ "mesh:5x4x4,hosts=0:3,fail-links=3%", 1 },
		{ "hypercube:6,fail-links=5%", 1 },
	};

	by_dimensions(tori, sizeof(tori) / sizeof(tori[0]));
}

/* Where rings miss two cables, a whole part of the torus has to find other ways,
 * and the shortest ones would close credit loops sooner or later: they go by an
 * order of the channels. */
TEST(test_in_order)
{
	static const struct torus tori[] = {
		{ "torus:5x5x10,hosts=2,fail-links=5%,seed=4", 1 },
		{ "torus:5x5x10,hosts=2,fail-links=5%,seed=4", 2 },
		{ "torus:6x16,hosts=2,fail-links=4%,seed=9", 1 },
		{ "torus:6x16,hosts=2,fail-links=4%,seed=9", 2 },
		{ "torus:4x4x16,hosts=2,fail-links=6%,seed=2", 1 },
		{ "torus:4x4x16,hosts=2,fail-links=6%,seed=2", 4 },
		{ "torus:6x16,hosts=2,fail-links=5%,seed=5", 4 },
	};

	by_dimensions(tori, sizeof(tori) / sizeof(tori[0]));
}

/* Endports of a switch, which have one tree on a whole torus, go by one way around
 * what is missing, too, so that it is found once; here nothing is eased. */
TEST(test_one_tree)
{
	struct weft_fabric *f = weave_fabric("torus:6x6x4,hosts=3,fail-links=4%");
	struct weft_routes r = { 0 };

	ASSERT_EQ(weave_route(f, 2, "strategy=dimensions,effort=0", &r, NULL),
		  0);
	weave_judge("endports of a switch", f, &r, 2);
	for (uint32_t e = 1; e < f->nep; e++)
		for (uint32_t s = 0; s < f->nsw; s++)
			if (f->ep[e].sw == f->ep[e - 1].sw && s != f->ep[e].sw)
				EXPECT_EQ(weft_lft_get(&r.lft, s, f->ep[e].lid),
					  weft_lft_get(&r.lft, s,
						       f->ep[e - 1].lid));
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Ways become longer where shifts gain enough by that, and not where circles of cables
 * are even, or on a torus, where the gain is small; minimal leaves a lane to these.
 * They take lanes that are left where that gains enough as well, all but one. */
TEST(test_longer)
{
	static const struct {
		const char *spec, *options;
		unsigned lanes;
		bool longer;
	} some[] = {
		{ "full:16,hosts=3", NULL, 1, true },
		{ "full:16,hosts=8", NULL, 4, true },
		{ "full:24,hosts=10,fail-links=5%", NULL, 7, true },
		{ "slimfly:5,hosts=2", NULL, 4, true },
		{ "slimfly:7,hosts=5", "strategy=minimal", 7, true },
		{ "torus:5x5x5,hosts=2", NULL, 8, false },
		{ "hypercube:5,hosts=2", NULL, 1, false },
		{ "torus:6x6,hosts=4,fail-links=20%", "strategy=minimal,effort=0", 8,
		  false },
	};
	static const struct weft_proof_spec minimal = { .minimal = true };

	for (unsigned i = 0; i < sizeof(some) / sizeof(*some); i++) {
		struct weft_fabric *f = weave_fabric(some[i].spec);
		struct weft_routes r = { 0 };
		struct weft_proof proof;

		suite_case("%s", some[i].spec);
		ASSERT_EQ(weave_route(f, 8, some[i].options, &r, NULL), 0);
		weave_judge(some[i].spec, f, &r, 8);
		ASSERT_EQ(weft_proof_run(f, &r, &minimal, &proof, NULL), 0);
		EXPECT_EQ(proof.nonminimal > 0, some[i].longer);
		EXPECT_EQ(r.layers.nvl ? r.layers.nvl : 1, some[i].lanes);
		weft_proof_free(&proof);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* Roots: on top of the order, and refused if there is no such switch. */
TEST(test_roots)
{
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_fabric *f = weave_fabric("ring:7,hosts=1");
	struct weft_routes r = { 0 };
	char option[64];
	unsigned to;

	snprintf(option, sizeof(option), "roots=0x%llx",
		 (unsigned long long)f->sw[3].guid);
	ASSERT_EQ(weave_route(f, 1, option, &r, &d), 0);
	weave_judge("roots", f, &r, 1);
	/* Opposite to the root nobody turns: 0 to 6 are neighbours there. */
	to = f->ep[f->sw_endport[f->sw_ep_first[6]]].lid;
	EXPECT_EQ(f->peer[weft_channel(f, 0, weft_lft_get(&r.lft, 0, to))], 6);
	to = f->ep[f->sw_endport[f->sw_ep_first[5]]].lid;
	EXPECT_EQ(f->peer[weft_channel(f, 0, weft_lft_get(&r.lft, 0, to))], 1);
	weft_routes_free(&r);
	EXPECT_EQ(weave_route(f, 1, "roots=0x12345", &r, &d), -EINVAL);
	EXPECT(strstr(w.text, "nothing in this list"));
	weft_fabric_free(f);
}
