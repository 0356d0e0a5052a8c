// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Every outcome of layering, for all methods and lane counts, on all kinds of
 * fabrics: proven by weft_proof_run(), and once more by walking every route,
 * those between two switches included.
 */
#include "graph/cdg.h"
#include "../proof_random.h"
#include "../rebuild.h"
#include "../suite.h"

#include <errno.h>
#include <stdlib.h>

#define SEED 47u

static const char *const fixtures[] = {
	"ring:8,hosts=2",
	"ring:5,hosts=1",
	"torus:4x4,hosts=2",
	"torus:3x3x3,hosts=1",
	"hypercube:4,hosts=2",
	"dragonfly:4,2,2,9",
	"random:20,5,4,seed=11",
	"random:16,3,2,seed=12,guids=shuffle,lmc=1",
	"pgft:2;4,6;1,4;1,1",
	"pgft:3;3,3,4;1,3,3;1,1,1",
	"pgft:3;3,3,4;1,3,3;1,1,1,fail-links=9,seed=5,guids=shuffle",
	"chain:5,hosts=2",
};
enum { NFIXTURES = sizeof(fixtures) / sizeof(fixtures[0]) };

static struct weft_fabric *fixture(const char *spec)
{
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_gen(spec, &f, NULL), 0);
	return f;
}

static void route(const char *name, const struct weft_fabric *f,
		  struct weft_routes *out)
{
	const struct weft_engine *e = weft_engine_find(name);
	struct weft_options *o;

	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	ASSERT_EQ(e->route(f, o, out, NULL), 0);
	weft_options_free(o);
}

/* Dependencies of one route. */
static void walk(const struct weft_fabric *f, const struct weft_routes *r,
		 uint32_t source, unsigned lid, struct weft__cdg *g)
{
	uint32_t path[64];
	size_t n;
	unsigned sl = weft_layers_sl(&r->layers, f, source, lid);

	EXPECT_EQ(weft_lft_walk(f, &r->lft, weft_vertex_switch(f, source), lid,
		  (struct weft_walk_path){ path, 64 }, &n), WEFT_ARRIVED);
	ASSERT(n <= 64 && sl < g->nlanes);
	for (size_t i = 0; i + 2 < n; i++)
		weft__cdg_add(g, sl * g->nch + path[i], 0, path[i + 1] -
			      f->first_channel[f->peer[path[i]]]);
}

/* Everyone to everyone, switches too, without a cycle in any lane. */
static void walk_all(const struct weft_fabric *f, const struct weft_routes *r)
{
	struct weft__cdg g;
	uint32_t *rest, *degree;

	ASSERT(!weft__cdg_init(&g, f, r->layers.nvl, false));
	rest = need(malloc((g.nv + 1) * sizeof(*rest)));
	degree = need(malloc((g.nv + 1) * sizeof(*degree)));
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		if (f->lid_owner[lid] == WEFT_NONE)
			continue;
		for (uint32_t s = 0; s < f->nsw; s++)
			walk(f, r, s, lid, &g);
		for (uint32_t e = 0; e < f->nep; e++)
			walk(f, r, e | WEFT_ENDPORT, lid, &g);
	}
	EXPECT_EQ(weft__cdg_rest(&g, rest, degree), 0);
	free(rest);
	free(degree);
	weft__cdg_free(&g);
}

/* Both directions of each pair of endports or switches have one SL. */
static void check_both_ways(const struct weft_fabric *f,
			    const struct weft_layers *y)
{
	for (unsigned a = 1; a <= f->max_lid; a++)
		for (unsigned b = 1; b < a; b++) {
			uint32_t x = f->lid_owner[a], z = f->lid_owner[b];

			if (x != WEFT_NONE && z != WEFT_NONE)
				EXPECT(weft_layers_sl(y, f, x, b) ==
				       weft_layers_sl(y, f, z, a));
		}
}

static uint64_t nonminimal(const struct weft_fabric *f,
			   const struct weft_routes *r)
{
	struct weft_proof_spec what = { .all_hosts = true, .switches = true,
					.minimal = true,
					.credit_loops = true };
	struct weft_proof p;
	uint64_t n;

	ASSERT_EQ(weft_proof_run(f, r, &what, &p, NULL), 0);
	EXPECT(weft_proof_holds(&p));
	what.switches = false;
	weft_proof_free(&p);
	ASSERT_EQ(weft_proof_run(f, r, &what, &p, NULL), 0);
	EXPECT(weft_proof_holds(&p));
	n = p.nonminimal;
	weft_proof_free(&p);
	return n;
}

static struct weft_layering layer(const struct weft_fabric *f,
				  const struct weft_layering_spec *spec,
				  struct weft_routes *r)
{
	struct weft_layering got;
	struct weft_lft_diff diff;
	struct weft_lft before;

	ASSERT(!weft_lft_init(&before, f->nsw, f->max_lid));
	memcpy(before.port, r->lft.port, (size_t)before.nsw * before.stride);
	ASSERT_EQ(weft_layering_run(f, r, spec, &got, NULL), 0);
	weft_lft_compare(&before, &r->lft, &diff);
	EXPECT_EQ(diff.lids, got.rerouted + got.rerouted_thin);
	EXPECT(got.lanes >= 1 && got.lanes <= spec->lanes);
	EXPECT_EQ(got.lanes, r->layers.nvl);
	EXPECT((got.lanes == 1) == (r->layers.form == WEFT_SL_ONE));
	EXPECT((got.moved > 0) == (got.lanes > 1));
	walk_all(f, r);
	if (got.root == WEFT_NONE && !got.shared)
		EXPECT_EQ(nonminimal(f, r), 0);
	if (got.root == WEFT_NONE)
		EXPECT(got.hops_after * 5 <= got.hops_before * 6);
	EXPECT_EQ(got.hops_after > got.hops_before, nonminimal(f, r) > 0);
	if (!spec->one_way)
		check_both_ways(f, &r->layers);
	weft_lft_free(&before);
	return got;
}

static void try_fixture(const char *text, const char *engine, unsigned lanes)
{
	struct weft_fabric *f = fixture(text);

	for (unsigned kind = 0; kind < 8u * WEFT_LAYERING_METHODS; kind++) {
		struct weft_layering_spec spec = {
			.method = kind / 8, .lanes = lanes,
			.one_way = kind & 1, .balance = kind & 2,
			.keep = kind & 4,
		};
		struct weft_routes r = { 0 };

		if (spec.method == WEFT_LAYERING_DESTINATION && !spec.one_way)
			continue;
		suite_case("%s, %s, %u lanes, %s%s%s%s", text, engine, lanes,
			   weft_layering_method_name(spec.method),
			   spec.one_way ? ", one way" : "",
			   spec.balance ? ", balanced" : "",
			   spec.keep ? ", kept" : "");
		route(engine, f, &r);
		layer(f, &spec, &r);
		weft_routes_free(&r);
	}
	weft_fabric_free(f);
}

TEST(test_fixtures)
{
	static const unsigned lanes[] = { 1, 2, 4, 8 };

	for (unsigned i = 0; i < NFIXTURES; i++)
		for (unsigned k = 0; k < 4; k++) {
			try_fixture(fixtures[i], "psssp", lanes[k]);
			try_fixture(fixtures[i], "minhop", lanes[k]);
		}
}

/* One lane means new routes; with enough of them nothing needs be rerouted. */
TEST(test_lane_counts)
{
	struct weft_fabric *f = fixture("torus:4x4,hosts=2");
	uint32_t rerouted = 0;

	for (unsigned lanes = 1; lanes <= WEFT_MAX_LANES; lanes++) {
		struct weft_layering_spec spec = { .lanes = lanes,
						   .keep = true };
		struct weft_routes r = { 0 };
		struct weft_layering got;

		route("psssp", f, &r);
		got = layer(f, &spec, &r);
		EXPECT(lanes > 1 || (got.rerouted && (got.shared ||
						     got.root != WEFT_NONE)));
		rerouted = got.rerouted;
		weft_routes_free(&r);
	}
	EXPECT_EQ(rerouted, 0);
	weft_fabric_free(f);
}

static double bandwidth(const struct weft_fabric *f,
			const struct weft_routes *r)
{
	struct weft_ebb_spec spec = { .patterns = 400, .seed = SEED };
	struct weft_ebb ebb;

	ASSERT(!weft_ebb_run(f, r, &spec, &ebb, NULL));
	return ebb.mean;
}

/* Where lanes run out new routes are hardly longer, and as good. */
TEST(test_new_routes)
{
	static const struct {
		const char *fabric;
		unsigned lanes;
	} cases[] = {
		{ "torus:4x4x4,hosts=4", 4 }, { "torus:4x4x4,hosts=1", 3 },
		{ "hypercube:6,hosts=2", 1 }, { "ring:8,hosts=2", 2 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_fabric *f = fixture(cases[i].fabric);
		struct weft_layering_spec spec = { .lanes = cases[i].lanes };
		struct weft_routes r = { 0 };
		struct weft_layering got;
		double before;

		route("psssp", f, &r);
		before = bandwidth(f, &r);
		got = layer(f, &spec, &r);
		EXPECT(got.shared && got.rerouted && got.root == WEFT_NONE);
		EXPECT(got.hops_after * 100 <= got.hops_before * 101);
		EXPECT(bandwidth(f, &r) >= before * 0.98);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* Where shortest ways find no place either, they are bent, and no more of them pass
 * one cable than before. */
TEST(test_bent)
{
	static const char *const fabrics[] = {
		"dragonfly:4,2,2,9", "xpander:5,6,4", "random:24,8,6,seed=3",
	};

	for (unsigned i = 0; i < sizeof(fabrics) / sizeof(*fabrics); i++) {
		struct weft_fabric *f = fixture(fabrics[i]);
		struct weft_layering_spec spec = { .lanes = 2, .keep = true };
		struct weft_routes r = { 0 };
		struct weft_layering got;

		suite_case("%s", fabrics[i]);
		route("psssp", f, &r);
		got = layer(f, &spec, &r);
		EXPECT(got.shared && got.rerouted && got.root == WEFT_NONE);
		EXPECT(got.hops_after > got.hops_before);
		EXPECT(got.load_after <= got.load_before);
		EXPECT(got.bandwidth_after >= got.bandwidth_before * 0.97);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* A second lane costs nothing, also where switches without hosts alone find no place
 * in it. */
TEST(test_more_lanes)
{
	static const char *const fabrics[] = {
		"dragonfly+:6,6,6,3,10", "dragonfly+:8,4,8,2,12", "megafly:6,6,6,2,11",
	};

	for (unsigned i = 0; i < sizeof(fabrics) / sizeof(*fabrics); i++) {
		struct weft_fabric *f = fixture(fabrics[i]);
		double best = 0;

		for (unsigned lanes = 1; lanes <= 4; lanes *= 2) {
			struct weft_layering_spec spec = { .lanes = lanes };
			struct weft_routes r = { 0 };
			struct weft_layering got;

			suite_case("%s, %u lanes", fabrics[i], lanes);
			route("psssp", f, &r);
			got = layer(f, &spec, &r);
			EXPECT(got.bandwidth_after >= best * 0.97);
			if (got.bandwidth_after > best)
				best = got.bandwidth_after;
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

/* No single cable is crowded by all that lacked a lane: bisections would hardly
 * notice. */
TEST(test_crowds)
{
	static const struct {
		const char *fabric, *engine;
		unsigned lanes;
		double more;	/* routes over the busiest channel than before, at
				 * most */
	} cases[] = {
		{ "slimfly:7,fail-links=2%", "psssp", 1, 1.25 },
		{ "slimfly:7,fail-links=2%", "minhop", 1, 1.25 },
		{ "torus:9x9,hosts=2", "psssp", 2, 1.25 },
		{ "dragonfly:4,2,2,9", "psssp", 1, 1.25 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct weft_fabric *f = fixture(cases[i].fabric);
		struct weft_layering_spec spec = { .lanes = cases[i].lanes };
		struct weft_routes r = { 0 };
		struct weft_layering got;

		suite_case("%s, %s, %u lanes", cases[i].fabric, cases[i].engine,
			   cases[i].lanes);
		route(cases[i].engine, f, &r);
		got = layer(f, &spec, &r);
		EXPECT(got.load_after <= got.load_before * cases[i].more);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* The fewest lanes are never more than routes need that are kept, and cost
 * little. */
TEST(test_fewest)
{
	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = fixture(fixtures[i]);
		struct weft_layering_spec spec = { .lanes = 8, .keep = true };
		struct weft_routes r = { 0 };
		struct weft_layering kept, fewest;
		double before;

		route("psssp", f, &r);
		before = bandwidth(f, &r);
		kept = layer(f, &spec, &r);
		EXPECT_EQ(kept.rerouted, 0);
		weft_routes_free(&r);
		route("psssp", f, &r);
		spec.keep = false;
		fewest = layer(f, &spec, &r);
		EXPECT(fewest.lanes <= kept.lanes);
		EXPECT(bandwidth(f, &r) >= before * 0.95);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* Random networks of 516 hosts: acyclic within 8 lanes and less. */
TEST(test_random_networks)
{
	for (unsigned seed = 1; seed <= 8; seed++)
		for (unsigned lanes = 1; lanes <= 8; lanes *= 2) {
			struct weft_layering_spec spec = { .lanes = lanes };
			struct weft_routes r = { 0 };
			struct weft_fabric *f;
			char text[64];

			snprintf(text, sizeof(text), "random:43x12,24,seed=%u",
				 seed);
			f = fixture(text);
			route("psssp", f, &r);
			ASSERT(!weft_layering_run(f, &r, &spec, &(struct
			       weft_layering){ 0 }, NULL));
			EXPECT(r.layers.nvl <= lanes);
			nonminimal(f, &r);
			weft_routes_free(&r);
			weft_fabric_free(f);
		}
}

/* Trees need one lane, and hosts keep their routes. */
TEST(test_trees)
{
	static const char *const trees[] = {
		"pgft:2;4,6;1,4;1,1", "pgft:2;4,6;1,2;1,2",
		"pgft:3;3,3,4;1,3,3;1,1,1", "pgft:3;4,4,4;1,4,2;1,1,2",
		"pgft:3;4,4,4;1,4,4;1,1,1,guids=shuffle,seed=7", "kary:3;4",
		"odin", "switch648",
	};
	struct weft_layering_spec spec = { .lanes = 8 };

	for (unsigned i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct weft_fabric *f = fixture(trees[i]);
		struct weft_routes r = { 0 };
		struct weft_layering got;

		route("psssp", f, &r);
		got = layer(f, &spec, &r);
		EXPECT_EQ(got.lanes, 1);
		EXPECT_EQ(got.rerouted, 0);
		EXPECT_EQ(got.method, WEFT_LAYERING_AUTO);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

static void same_outcome(const struct weft_fabric *f,
			 const struct weft_fabric *g,
			 const struct weft_layering_spec *spec)
{
	struct weft_routes a = { 0 }, b = { 0 };
	struct weft_layering x, y;
	struct weft_lft_diff diff;

	route("psssp", f, &a);
	route("psssp", g, &b);
	ASSERT(!weft_layering_run(f, &a, spec, &x, NULL));
	ASSERT(!weft_layering_run(g, &b, spec, &y, NULL));
	weft_lft_compare(&a.lft, &b.lft, &diff);
	EXPECT_EQ(diff.entries, 0);
	EXPECT(x.work == y.work && x.lanes == y.lanes && x.root == y.root &&
	       a.layers.form == b.layers.form);
	if (a.layers.form == WEFT_SL_SWITCH_PAIR)
		EXPECT(!memcmp(a.layers.table, b.layers.table, (size_t)f->nsw *
		       f->nsw));
	weft_routes_free(&a);
	weft_routes_free(&b);
}

TEST(test_discovery_order)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	printf("seed %u ", SEED);
	for (unsigned i = 0; i < NFIXTURES; i++)
		for (unsigned lanes = 1; lanes < 6; lanes += 2) {
			struct weft_layering_spec spec = { .lanes = lanes };
			struct weft_fabric *f = fixture(fixtures[i]);
			struct weft_fabric *g = rebuild_shuffled(f, rng);

			ASSERT(g);
			same_outcome(f, g, &spec);
			weft_fabric_free(f);
			weft_fabric_free(g);
		}
	weft_rng_free(rng);
}

/* Tables of any kind, holes and all: nothing gets worse, and lanes are never
 * the reason for a refusal. */
static void random_case(struct weft_rng *rng, unsigned round)
{
	struct weft_fabric *f = random_fabric(rng, round % SHAPES,
					      2 + weft_rng_below(rng, 8));
	struct weft_routes r = { 0 };
	struct weft_layering_spec spec = {
		.lanes = 1 + weft_rng_below(rng, 4),
		.method = weft_rng_below(rng, 3),
		.one_way = weft_rng_below(rng, 2),
		.balance = weft_rng_below(rng, 2),
		.keep = weft_rng_below(rng, 2),
	};
	struct weft_proof_spec what = { .all_hosts = true, .switches = true,
					.credit_loops = true };
	struct weft_layering got;
	struct weft_proof p, q;
	enum random_tables tables = weft_rng_below(rng, TABLES);
	int err;

	random_routes(rng, f, tables, &r);
	ASSERT(!weft_proof_run(f, &r, &what, &p, NULL));
	err = weft_layering_run(f, &r, &spec, &got, NULL);
	EXPECT(!err || (err == -ELOOP && (tables == TABLES_HOLED || tables ==
	       TABLES_GARBAGE)));
	ASSERT(!weft_proof_run(f, &r, &what, &q, NULL));
	if (!err) {
		EXPECT_EQ(q.cyclic_vls, 0);
		EXPECT(q.unreachable <= p.unreachable);
	}
	weft_proof_free(&p);
	weft_proof_free(&q);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

TEST(test_random)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	for (unsigned round = 0; round < 300; round++) {
		suite_case("round %u", round);
		weft_rng_seed_sample(rng, SEED, round);
		random_case(rng, round);
	}
	weft_rng_free(rng);
}

/* Where lanes run out, AUTO gives new routes to no more LIDs than any method. */
TEST(test_best_method)
{
	for (unsigned i = 0; i < NFIXTURES * 2; i++) {
		struct weft_fabric *f = fixture(fixtures[i / 2]);
		uint32_t by_auto = 0, rerouted;

		for (unsigned m = 0; m < WEFT_LAYERING_METHODS; m++) {
			struct weft_layering_spec spec = {
				.method = m, .lanes = 2 + i % 2,
				.keep = true, .one_way = true,
			};
			struct weft_routes r = { 0 };
			struct weft_layering got;

			route("minhop", f, &r);
			got = layer(f, &spec, &r);
			rerouted = got.rerouted + got.rerouted_thin;
			if (m == WEFT_LAYERING_AUTO)
				by_auto = rerouted;
			EXPECT(by_auto <= rerouted);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

/* However little effort there is, the outcome is sound. */
TEST(test_effort)
{
	for (uint64_t effort = 1; effort < 1 << 16; effort *= 8) {
		struct weft_layering_spec spec = { .lanes = 5,
						   .effort = effort };
		struct weft_fabric *f = fixture("torus:3x3x3,hosts=1");
		struct weft_routes r = { 0 };

		route("psssp", f, &r);
		layer(f, &spec, &r);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

static void refuse(const struct weft_fabric *f, struct weft_layering_spec spec,
		   int err, const char *word)
{
	struct suite_words words = { 0 };
	struct weft_diag diag = { .emit = suite_hear, .context = &words };
	struct weft_routes r = { 0 };
	struct weft_layering got = { .work = 1234 };

	route("psssp", f, &r);
	EXPECT_EQ(weft_layering_run(f, &r, &spec, &got, &diag), err);
	EXPECT_EQ(words.severity, WEFT_ERROR);
	EXPECT(strstr(words.text, word));
	EXPECT(got.work == 1234 && r.layers.form == WEFT_SL_ONE);
	weft_routes_free(&r);
}

TEST(test_refusals)
{
	struct weft_fabric *f = fixture("ring:5,hosts=1");
	struct weft_fabric *g = fixture("ring:6,hosts=1");
	struct weft_layering_spec spec = { .lanes = 2 };
	struct weft_layering got;
	struct weft_routes r = { 0 };

	refuse(f, (struct weft_layering_spec){ .lanes = 0 }, -EINVAL, "0 la");
	refuse(f, (struct weft_layering_spec){ .lanes = 16 }, -EINVAL, "16 l");
	refuse(f, (struct weft_layering_spec){ .lanes = 2, .method =
		WEFT_LAYERING_DESTINATION }, -EINVAL, "one way");
	refuse(f, (struct weft_layering_spec){ .lanes = 2, .method =
		WEFT_LAYERING_METHODS }, -EINVAL, "method");
	route("psssp", g, &r);
	EXPECT_EQ(weft_layering_run(f, &r, &spec, &got, NULL), -EINVAL);
	weft_routes_free(&r);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

TEST(test_names)
{
	for (unsigned i = 0; i < WEFT_LAYERING_METHODS; i++)
		EXPECT_EQ(weft_layering_method_find(weft_layering_method_name(i)),
			  i);
	EXPECT_EQ(weft_layering_method_find("dfsssp"), WEFT_LAYERING_METHODS);
}
