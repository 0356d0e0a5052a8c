// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The maximum concurrent flow: against what is known of regular fabrics, and,
 * on any fabric, both bounds by what proves them: loads that fit, and prices
 * that are paid along cheapest ways found anew.
 */
#include "../model_util.h"
#include "../route.h"

#include "core/arena.h"
#include "flow/flow.h"

#include <weft/worth.h>

#include <math.h>
#include <stdlib.h>

static const struct weft__flow_budget enough = {
	.gap = .01, .work = UINT64_C(200000000), .memory = WEFT__FLOW_MEMORY,
};

struct solved {
	struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__flow_demand demand;
	struct weft__flow flow;
};

static struct solved solve_uniform(const char *spec,
				   const struct weft__flow_budget *budget)
{
	struct solved s = { .f = route_fabric(spec, -1),
			    .arena = weft__arena_new() };

	suite_case("%s", spec);
	ASSERT_EQ(weft__flow_uniform(s.f, false, s.arena, &s.demand), 0);
	ASSERT_EQ(weft__flow_solve(s.f, &s.demand, budget, s.arena, &s.flow),
		  0);
	return s;
}

static void solved_free(struct solved *s)
{
	weft__arena_free(s->arena);
	weft_fabric_free(s->f);
}

/* What the cheapest ways to a switch cost; relaxes until nothing changes. */
static void find_costs(const struct weft_fabric *f, const double *price,
		       uint32_t goal, double *cost)
{
	bool changed = true;

	for (uint32_t s = 0; s < f->nsw; s++)
		cost[s] = s == goal ? 0 : INFINITY;
	while (changed) {
		changed = false;
		for (uint32_t s = 0; s < f->nsw; s++)
			for (uint32_t i = f->adj_first[s];
			     i < f->adj_first[s + 1]; i++) {
				uint32_t ch = f->adj[i];
				double by = price[ch] + cost[f->peer[ch]];

				if (by < cost[s]) {
					cost[s] = by;
					changed = true;
				}
			}
	}
}

static void check_prices(const struct solved *s)
{
	const struct weft__flow_demand *d = &s->demand;
	double *cost = calloc(s->f->nsw, sizeof(*cost));
	double paid = 0, all = 0;

	for (uint32_t ch = 0; ch < s->f->first_injection; ch++)
		all += s->flow.price[ch] * s->f->capacity[ch];
	EXPECT_NEAR(all, 1, 1e-9);
	for (uint32_t g = 0; g < d->ngoals; g++) {
		find_costs(s->f, s->flow.price, d->goal[g], cost);
		for (uint32_t i = d->first[d->row[g]];
		     i < d->first[d->row[g] + 1]; i++)
			if (isfinite(cost[d->source[i]]))
				paid += d->scale[g] * d->amount[i] *
					cost[d->source[i]];
	}
	EXPECT_NEAR(s->flow.most, fmin(1 / paid, d->hosts_allow), 1e-6);
	free(cost);
}

/* No channel is over its capacity; where hosts would take more, one is full. */
static void check_load(const struct solved *s)
{
	double most = 0;

	for (uint32_t ch = 0; ch < s->f->first_injection; ch++)
		most = fmax(most, s->flow.load[ch]);
	EXPECT(most < 1 + 1e-9);
	if (s->flow.least < s->demand.hosts_allow)
		EXPECT_NEAR(most, 1, 1e-6);
}

TEST(regular_fabrics_have_their_known_shares)
{
	static const struct {
		const char *spec;
		double share;
	} known[] = {
		{ "torus:8x8", 63. / 64 },
		{ "torus:8x8,hosts=2", 127. / 256 },
		{ "torus:4x4x4,hosts=4", 255. / 512 },
		{ "hypercube:5,hosts=1", 1 },
		/* 1 + 1 + 2 + 2 + 3 hops, half of them each way */
		{ "ring:6,hosts=2", 11. / 18 },
		/* the middle cable: 3 x 3 switches, one host each */
		{ "chain:6,hosts=1", 5. / 9 },
		{ "full:5,hosts=8", 39. / 64 },
		{ "xgft:2;4,4;1,4", 1 },
		{ "rlft:8;3", 1 },
		{ "star:5,hosts=4", 19. / 64 },
		{ "slimfly:5", .9567 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct solved s = solve_uniform(known[i].spec, &enough);
		double share = fmin(known[i].share, 1);

		EXPECT_NEAR(s.flow.least, share, .011 * share);
		EXPECT_NEAR(s.flow.most, share, .011 * share);
		EXPECT(s.flow.least < share + 1e-4);
		EXPECT(s.flow.most > share - 1e-4);
		EXPECT_EQ(s.flow.lost, 0.);
		check_prices(&s);
		check_load(&s);
		solved_free(&s);
	}
}

TEST(irregular_fabrics_are_bounded_within_the_gap)
{
	static const char *const specs[] = {
		"deimos", "random:32,6,6", "xpander:5,6,4",
		"rack216,fail-links=10%,seed=3", "torus:5x4,fail-links=5",
		"dragonfly:4,2,2,9,fail-links=5%", "mesh:5x3,hosts=2",
		"hyperx:4x5,hosts=6,fail-links=6%", "jellyfish:20,8,5",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct solved s = solve_uniform(specs[i], &enough);

		EXPECT(s.flow.most <= s.flow.least * 1.01);
		EXPECT(s.flow.least > 0);
		check_prices(&s);
		check_load(&s);
		solved_free(&s);
	}
}

/* Goals that share a flow for want of memory come to the same. */
TEST(little_memory_will_do)
{
	struct weft__flow_budget little = enough;
	struct solved s;

	little.memory = 0;
	little.gap = .03;
	s = solve_uniform("random:24,5,4", &little);
	EXPECT(s.flow.most <= s.flow.least * 1.03);
	check_prices(&s);
	check_load(&s);
	solved_free(&s);
}

/* A budget that is spent leaves bounds, only not near to each other. */
TEST(work_is_limited)
{
	struct weft__flow_budget none = enough;
	struct solved s;

	none.work = 0;
	s = solve_uniform("random:24,5,4", &none);
	EXPECT_EQ(s.flow.rounds, 1);
	EXPECT(s.flow.least > 0 && s.flow.least < s.flow.most);
	check_prices(&s);
	check_load(&s);
	solved_free(&s);
}

TEST(no_routing_does_better)
{
	for (unsigned salt = 0; salt < 8; salt++) {
		struct solved s = solve_uniform("random:16,4,3,seed=7",
						&enough);
		struct weft_saturation_spec spec = { 0 };
		struct weft_saturation got;
		struct weft_routes routes;

		test_route(s.f, salt, &routes);
		ASSERT_EQ(weft_saturation_run(s.f, &routes, &spec, &got, NULL),
			  0);
		EXPECT(got.even <= s.flow.most + 1e-9);
		weft_routes_free(&routes);
		solved_free(&s);
	}
}

TEST(what_has_no_way_is_told)
{
	static const unsigned hosts[] = { 2, 2, 1 };
	static const unsigned cable[][2] = { { 0, 1 } };
	struct solved s = { .f = test_fabric(3, hosts, cable, 1, 0),
			    .arena = weft__arena_new() };

	ASSERT_EQ(weft__flow_uniform(s.f, false, s.arena, &s.demand), 0);
	ASSERT_EQ(weft__flow_solve(s.f, &s.demand, &enough, s.arena, &s.flow),
		  0);
	/* 16 pairs are between switches, 8 of them cut off */
	EXPECT_NEAR(s.flow.lost, .5, 1e-12);
	EXPECT_NEAR(s.flow.least, 1, 1e-9);
	check_load(&s);
	solved_free(&s);
}

TEST(fabrics_without_traffic_allow_all)
{
	static const unsigned hosts[] = { 3, 0, 0 };
	static const unsigned cable[][2] = { { 0, 1 } };
	struct solved s = { .f = test_fabric(2, hosts, cable, 1, 0),
			    .arena = weft__arena_new() };

	ASSERT_EQ(weft__flow_uniform(s.f, false, s.arena, &s.demand), 0);
	ASSERT_EQ(weft__flow_solve(s.f, &s.demand, &enough, s.arena, &s.flow),
		  0);
	EXPECT_EQ(s.flow.least, 1.);
	EXPECT_EQ(s.flow.most, 1.);
	EXPECT_EQ(s.flow.rounds, 0);
	solved_free(&s);
}

/* Pairs: two hosts of a switch to two of the next one have one cable straight,
 * and two on the other way round. */
TEST(pairs_take_all_ways)
{
	static const unsigned hosts[] = { 2, 2, 0 };
	static const unsigned cable[][2] = { { 0, 1 }, { 0, 2 }, { 2, 1 } };
	struct solved s = { .f = test_fabric(3, hosts, cable, 3, 0),
			    .arena = weft__arena_new() };
	struct weft__flow_pair pair[] = { { 0, 2, 1 }, { 1, 3, 1 },
					  { 2, 3, .5 } };

	ASSERT_EQ(weft__flow_pairs(s.f, pair, 2, s.arena, &s.demand), 0);
	EXPECT_EQ(s.demand.ngoals, 1);
	EXPECT_EQ(s.demand.hosts_allow, 1.);
	ASSERT_EQ(weft__flow_solve(s.f, &s.demand, &enough, s.arena, &s.flow),
		  0);
	EXPECT_NEAR(s.flow.least, 1, .01);
	check_load(&s);
	/* host 3 gets half as much again as its link carries */
	ASSERT_EQ(weft__flow_pairs(s.f, pair, 3, s.arena, &s.demand), 0);
	EXPECT_NEAR(s.demand.hosts_allow, 1 / 1.5, 1e-9);
	ASSERT_EQ(weft__flow_solve(s.f, &s.demand, &enough, s.arena, &s.flow),
		  0);
	EXPECT_NEAR(s.flow.most, 1 / 1.5, 1e-9);
	solved_free(&s);
}
