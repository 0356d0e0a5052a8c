// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Bounds are above what any tables get by the model that they are bounds of,
 * and are what is known where that is known.
 */
#include "../model_util.h"
#include "../route.h"

#include "flow/flow.h"

#include <weft/weft.h>

#include <math.h>
#include <stdlib.h>

static const struct weft_bound_spec usual = {
	.rounds = 8, .seed = 1, .gap = .01, .work = 20000000,
};

static struct weft_bound uniform(const char *spec,
				 const struct weft_bound_spec *how)
{
	struct weft_fabric *f = route_fabric(spec, -1);
	struct weft_bound b;

	suite_case("%s", spec);
	ASSERT_EQ(weft_bound_uniform(f, how, &b), 0);
	weft_fabric_free(f);
	return b;
}

static void in_order(const struct weft_bound *b)
{
	EXPECT(b->least <= b->most + 1e-12);
	EXPECT(b->most <= b->cables + 1e-12);
	EXPECT(b->whole <= b->ways + 1e-12);
	EXPECT(b->ways <= b->most + 1e-12);
	EXPECT(b->least > 0);
}

TEST(cuts_alone_bound_what_they_cut)
{
	static const struct {
		const char *spec;
		double cables;
	} known[] = {
		{ "torus:8x8", 63. / 64 },
		{ "chain:6,hosts=1", 5. / 9 },
		{ "ring:6,hosts=2", 11. / 18 },
		{ "xpander:5,6,4", .525735 },
		{ "deimos", .181040 },
		{ "rack216,fail-links=10%", .979818 },
		{ "dragonfly:4,2,2,9,fail-links=5%", .832031 },
		{ "rlft:8;3", 1 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct weft_bound b = uniform(known[i].spec, &usual);

		EXPECT_NEAR(b.cables, known[i].cables, 1e-5);
		in_order(&b);
		EXPECT(isnan(b.mean));
	}
}

/* Four hosts on each of two switches, two cables: four streams each way. */
TEST(whole_streams_are_whole)
{
	static const unsigned hosts[] = { 4, 4 };
	static const unsigned cable[][2] = { { 0, 1 }, { 0, 1 }, { 0, 1 } };
	struct weft_bound_spec spec = usual;
	struct weft_fabric *f = test_fabric(2, hosts, cable, 3, 0);
	struct weft_bound b;

	ASSERT_EQ(weft_bound_longest(f, &spec, &b), 0);
	EXPECT_EQ(b.hosts, 8);
	EXPECT_NEAR(b.cables, .75, 1e-9);
	EXPECT_NEAR(b.most, .75, 1e-9);
	EXPECT_NEAR(b.whole, .5, 1e-9);
	EXPECT_NEAR(b.mean, .75, 1e-6);
	spec.lmc = 1;
	ASSERT_EQ(weft_bound_longest(f, &spec, &b), 0);
	EXPECT_NEAR(b.ways, 2. / 3, 1e-9);
	spec.lmc = 2;
	ASSERT_EQ(weft_bound_longest(f, &spec, &b), 0);
	EXPECT_NEAR(b.ways, 2. / 3, 1e-9);
	spec.lmc = 3;
	ASSERT_EQ(weft_bound_longest(f, &spec, &b), 0);
	EXPECT_NEAR(b.ways, 8. / 11, 1e-9);
	weft_fabric_free(f);
}

/* Five streams each way to each of five hosts, three cables. */
TEST(what_a_switch_sends_to_a_lid_has_one_way)
{
	static const unsigned hosts[] = { 5, 5 };
	static const unsigned cable[][2] = { { 0, 1 }, { 0, 1 }, { 0, 1 } };
	struct weft_bound_spec spec = usual;
	struct weft_fabric *f = test_fabric(2, hosts, cable, 3, 0);
	struct weft_bound b;

	spec.lmc = 2;
	ASSERT_EQ(weft_bound_uniform(f, &spec, &b), 0);
	EXPECT_NEAR(b.most, 1, 1e-9);
	/* two of five hosts share a cable */
	EXPECT_NEAR(b.whole, .9, 1e-9);
	/* 7 of 20 LIDs do */
	EXPECT_NEAR(b.ways, 1, 1e-9);
	spec.lmc = 1;
	ASSERT_EQ(weft_bound_uniform(f, &spec, &b), 0);
	/* 4 of 10 LIDs do */
	EXPECT_NEAR(b.ways, .9, 1e-9);
	weft_fabric_free(f);
}

/* The most that two cables carry of what the hosts of switch s send to those of the
 * other one, all ways to give each of these a cable being tried. */
static double pack(const struct weft_fabric *f, uint32_t s)
{
	const uint32_t *cable = &f->adj[f->adj_first[s]];
	double most = 0;

	for (unsigned ways = 0; ways < 1u << f->nep; ways++) {
		double load[2] = { 0, 0 }, share = 1;

		for (uint32_t to = 0; to < f->nep; to++)
			for (uint32_t e = 0; e < f->nep; e++)
				if (f->ep[e].sw == s && f->ep[to].sw != s)
					load[ways >> to & 1] +=
						weft__flow_rate(f, e, to) /
						(f->nep - 1.0);
		for (unsigned i = 0; i < 2; i++)
			if (load[i] > 0)
				share = fmin(share, f->capacity[cable[i]] /
							    load[i]);
		most = fmax(most, share);
	}
	return most;
}

TEST(pieces_of_many_sizes_are_packed)
{
	static const unsigned hosts[] = { 4, 3 };
	static const unsigned cable[][2] = { { 0, 1 }, { 0, 1 } };
	static const uint32_t rates[] = { 2000, 4000, 8000 };
	struct weft_rng *rng = weft_rng_new(7);
	unsigned exact = 0;

	for (unsigned n = 0; n < 60; n++) {
		struct weft_fabric *f = test_fabric(2, hosts, cable, 2, 0);
		uint32_t *capacity = (uint32_t *)f->capacity;
		struct weft_bound b;
		double best;

		suite_case("draw %u", n);
		for (uint32_t ch = 0; ch < f->nch; ch++)
			if (f->reverse[ch] != WEFT_NONE && ch < f->reverse[ch])
				capacity[ch] = capacity[f->reverse[ch]] =
					rates[weft_rng_below(rng, 3)];
		ASSERT_EQ(weft_bound_uniform(f, &usual, &b), 0);
		best = fmin(pack(f, 0), pack(f, 1));
		EXPECT(b.whole >= best - 1e-9);
		EXPECT(b.whole <= b.most + 1e-9);
		exact += b.whole < b.most - .02 && b.whole < best + 1e-9;
		weft_fabric_free(f);
	}
	EXPECT(exact >= 10);
	weft_rng_free(rng);
}

TEST(parts_without_cables_lose_their_pairs)
{
	static const unsigned hosts[] = { 2, 2, 2 };
	static const unsigned cable[][2] = { { 0, 1 }, { 0, 1 } };
	struct weft_fabric *f = test_fabric(3, hosts, cable, 2, 0);
	struct weft_bound b;

	ASSERT_EQ(weft_bound_uniform(f, &usual, &b), 0);
	/* 14 of 30 pairs */
	EXPECT_NEAR(b.most, 14. / 30, 1e-9);
	weft_fabric_free(f);
}

TEST(one_switch_has_no_bound)
{
	static const unsigned hosts[] = { 4 };
	struct weft_fabric *f = test_fabric(1, hosts, NULL, 0, 0);
	const struct weft_basket_spec spec = { .rounds = 2 };
	double part[WEFT_WORTH_PARTS], worth;
	struct weft_basket *basket;
	struct weft_bound b;

	ASSERT_EQ(weft_bound_longest(f, &usual, &b), 0);
	EXPECT_EQ(b.most, 1.);
	EXPECT_EQ(b.mean, 1.);
	ASSERT_EQ(weft_basket_new(f, &spec, &basket, NULL), 0);
	ASSERT_EQ(weft_bound_basket(basket, &usual, part, &worth), 0);
	EXPECT_NEAR(worth, 1, 1e-12);
	weft_basket_free(basket);
	weft_fabric_free(f);
}

/* A solver is asked, and believed, where it may be. */
static int solve(void *context, const struct weft_bound_problem *p,
		 double *share)
{
	double sum = 0;

	for (uint32_t g = 0; g < p->ngoals; g++)
		for (uint32_t s = 0; s < p->nsw; s++)
			sum += p->send[(size_t)g * p->nsw + s];
	*(double *)context = sum;
	*share = .47;
	return 0;
}

TEST(a_solver_is_asked_what_fits)
{
	struct weft_bound_spec spec = usual;
	double sent = 0;
	struct weft_bound b;

	spec.solve = solve;
	spec.context = &sent;
	spec.solvable = 24 * 24 * 5;
	b = uniform("random:24,5,4", &spec);
	/* 92 of 95 hosts are elsewhere */
	EXPECT_NEAR(sent, 96 * 92 / 95., 1e-6);
	EXPECT(b.exact);
	EXPECT_EQ(b.least, .47);
	EXPECT_EQ(b.most, .47);
	spec.solvable--;
	b = uniform("random:24,5,4", &spec);
	EXPECT(!b.exact);
}

/* The model's figures of tables, and their bounds. */
static void check_pattern(const struct weft_fabric *f,
			  const struct weft_routes *routes,
			  const char *pattern, bool endpoints)
{
	struct weft_bound_spec spec = usual;
	struct weft_model_spec model = { .samples = 8, .seed = 1,
					 .endpoints = endpoints };
	struct weft_mapping mapping;
	struct weft_traffic *traffic;
	struct weft_model got;
	struct weft_bound b;
	bool by_name;

	suite_case("%s%s", pattern, endpoints ? " with endpoints" : "");
	spec.rounds = 1000;
	spec.endpoints = endpoints;
	spec.work = 200000;
	ASSERT_EQ(weft_mapping_natural(f, false, &mapping, &by_name, NULL), 0);
	ASSERT_EQ(weft_traffic_placed(pattern, f, mapping.endport,
				      mapping.nranks, &traffic, NULL), 0);
	model.traffic = traffic;
	model.mapping = &mapping;
	ASSERT_EQ(weft_model_run(f, routes, &model, &got, NULL), 0);
	ASSERT_EQ(weft_bound_traffic(f, &spec, traffic, mapping.endport, &b),
		  0);
	in_order(&b);
	EXPECT_EQ(b.rounds, b.all);
	EXPECT(got.measure[WEFT_LOWER].mean <= b.whole + 1e-9);
	EXPECT(got.measure[WEFT_STREAMS].mean <= b.mean + 1e-9);
	weft_model_free(&got);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
}

static void check_basket(const struct weft_fabric *f,
			 const struct weft_routes *routes)
{
	const struct weft_basket_spec spec = { .rounds = 8, .seed = 3 };
	double part[WEFT_WORTH_PARTS], worth;
	struct weft_basket *basket;
	struct weft_worth got;

	ASSERT_EQ(weft_basket_new(f, &spec, &basket, NULL), 0);
	ASSERT_EQ(weft_basket_judge(basket, routes, &got), 0);
	ASSERT_EQ(weft_bound_basket(basket, &usual, part, &worth), 0);
	for (unsigned i = 0; i < weft_basket_parts(basket); i++) {
		suite_case("%s", weft_basket_part_name(basket, i));
		EXPECT(got.part[i] <= part[i] + 1e-9);
		EXPECT(part[i] <= 1 + 1e-9);
	}
	EXPECT(got.mean <= worth);
	weft_worth_free(&got);
	weft_basket_free(basket);
}

TEST(no_tables_exceed_their_bounds)
{
	static const char *const specs[] = {
		"torus:3x4,hosts=2", "random:12,3,3", "xgft:2;4,4;1,2",
		"dragonfly:4,2,2,3,fail-links=2",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = route_fabric(specs[i], -1);
		struct weft_routes routes;

		test_route(f, i, &routes);
		check_pattern(f, &routes, "shift", false);
		check_pattern(f, &routes, "stencil", false);
		check_pattern(f, &routes, "stencil", true);
		check_pattern(f, &routes, "recursive-doubling", true);
		check_basket(f, &routes);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
}
