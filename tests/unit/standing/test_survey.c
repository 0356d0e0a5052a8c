// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What standing tables put on the channels, taken over from before a fabric
 * changed, is what a look at all of their entries finds.
 */
#include "../route.h"
#include "thinned.h"

#include "core/arena.h"
#include "loads/gather.h"
#include "standing/survey.h"

#include <stdlib.h>
#include <string.h>

#define SEED 20261126u
#define EVENTS 12

static const struct {
	const char *spec, *engine, *option;
	int lmc;
} families[] = {
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "eftree", NULL, 0 },
	{ "pgft:2;6,6;1,4;1,1", "weave", "lanes=1", 1 },
	{ "torus:4x4,hosts=2", "weave", "lanes=4", 0 },
	{ "dragonfly:4,2,2,9", "weave", "lanes=8", 0 },
	{ "random:20,5,3", "psssp", NULL, 0 },
	{ "ring:7,hosts=2", "updn", NULL, 0 },
};

/* Whether all dependencies of one graph are in another. */
static bool is_within(const struct weft__cdg *a, const struct weft__cdg *b)
{
	for (uint32_t v = 0; v < a->nv; v++)
		for (uint32_t k = 0; k < a->words; k++)
			if (a->bits[v * a->words + k] &
			    ~b->bits[v * b->words + k])
				return false;
	return true;
}

/* The survey of tables of one fabric in another one. */
static void expect_same(const struct weft_diff_side *from,
			const struct weft_fabric *f)
{
	const struct weft_standing_spec spec = { .standing = *from };
	struct weft_arena *arena = weft__arena_new();
	struct weft__loads loads, all;
	struct weft__carried now;
	struct weft__column column;
	struct weft__survey survey = {
		.fabric = f, .spec = &spec, .now = &now, .loads = &loads,
		.column = &column,
	};
	uint8_t *lost = calloc(f->max_lid + 1ull, 1);

	ASSERT(weft__column_init(&column, f, arena));
	ASSERT_EQ(weft__carry(&now, from, f, arena), 0);
	ASSERT_EQ(weft__loads_init(&loads, f, &now.routes.layers, 0, arena), 0);
	ASSERT_EQ(weft__survey_run(&survey, arena), 0);
	ASSERT_EQ(weft__loads_init(&all, f, &now.routes.layers, 0, arena), 0);
	ASSERT_EQ(weft__gather(&all, &now.routes.lft, lost), 0);
	EXPECT_EQ(memcmp(loads.load, all.load, f->nch * sizeof(*all.load)), 0);
	EXPECT_EQ(memcmp(survey.lost, lost, f->max_lid + 1ull), 0);
	EXPECT(all.kinds >= loads.kinds);
	EXPECT(!loads.kinds || all.kinds > loads.kinds ||
	       is_within(&all.order.cdg, &loads.order.cdg));
	weft__loads_free(&all);
	weft__loads_free(&loads);
	weft__survey_free(&survey);
	weft__carried_free(&now);
	weft__arena_free(arena);
	free(lost);
}

/* All parts are there at first, then some go, and others come. */
TEST(test_survey)
{
	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++) {
		struct weft_fabric *f = route_fabric(families[i].spec,
						     families[i].lmc);
		struct weft_rng *rng = weft_rng_new(SEED + i);
		struct weft_diff_side home = { .fabric = f };
		struct weft_routes routes = { .lid_offset = NULL };

		ASSERT_EQ(route_by(families[i].engine, families[i].option, f,
			  &routes, NULL), 0);
		home.routes = &routes;
		expect_same(&home, f);
		for (unsigned k = 0; k < EVENTS; k++) {
			struct weft_fabric *less = thin_out(f, rng, 1 + k % 9);
			struct weft_routes there;
			const struct weft_diff_side side = { less, &there };

			expect_same(&home, less);
			ASSERT_EQ(weft_routes_carry(&home, less, &there), 0);
			expect_same(&side, f);
			weft_routes_free(&there);
			weft_fabric_free(less);
		}
		weft_routes_free(&routes);
		weft_rng_free(rng);
		weft_fabric_free(f);
	}
}

/* Hosts count by the rate of their cables. */
TEST(test_rates)
{
	struct weft_fabric *f = route_fabric("torus:4x4,hosts=2", 0), *some;
	struct weft_rng *rng = weft_rng_new(SEED);
	unsigned lids[2] = { 0 };

	some = thin_out(f, rng, 0);
	for (uint32_t e = 0; e < some->nep; e++) {
		bool slow = some->capacity[some->first_injection + e] ==
			    weft_speed_capacity(4, WEFT_DDR);

		lids[slow]++;
		EXPECT_EQ(weft__lid_weight(some, some->ep[e].lid),
				slow ? 16u : 32u);
	}
	EXPECT(lids[false] && lids[true]);
	weft_rng_free(rng);
	weft_fabric_free(some);
	weft_fabric_free(f);
}
