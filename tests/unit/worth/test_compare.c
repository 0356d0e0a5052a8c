// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables side by side: what is sound, what is tied, and what is advised. */
#include "../route.h"

#include <limits.h>
#include <stdlib.h>

#define LANES 8

/* Tables of an engine, and a candidate that has them. */
struct tables {
	struct weft_routes routes;
	struct weft_candidate candidate;
};

static void make(const struct weft_fabric *f, const char *engine,
		 enum weft_compare_origin origin, struct tables *out)
{
	const struct weft_engine *e = weft_engine_find(engine);
	struct weft_options *o = NULL;

	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	*out = (struct tables){ .candidate = { .label = engine } };
	ASSERT_EQ(weft_route(e, f, o, &out->routes, NULL), 0);
	weft_options_free(o);
	out->candidate.engine = engine;
	if (origin == WEFT_TABLES_ENGINE)
		out->candidate.plugin = "weft-psssp";
	out->candidate.origin = origin;
	out->candidate.fabric = f;
	out->candidate.routes = &out->routes;
	out->candidate.seconds = -1;
}

static struct weft_comparison *start(const struct weft_fabric *f)
{
	const struct weft_comparison_spec spec = {
		.basket = { .seed = 1, .rounds = 64 },
		.lanes = LANES,
	};
	struct weft_comparison *c = NULL;

	ASSERT_EQ(weft_comparison_new(&spec, f, &c, NULL), 0);
	return c;
}

static void add(struct weft_comparison *c, const struct tables *t)
{
	ASSERT_EQ(weft_comparison_add(c, &t->candidate, NULL), 0);
}

static struct weft_advice advise(struct weft_comparison *c)
{
	struct weft_advice a;

	weft_comparison_rank(c);
	ASSERT_EQ(weft_comparison_advise(c, &a), 0);
	return a;
}

/* The present tables stay where they are tied with the best; else they are what
 * the advice is measured by, and changes are counted. */
TEST(test_present)
{
	struct weft_fabric *f =
		route_fabric("pgft:2;4,4;1,4;1,1,guids=shuffle", -1);
	struct weft_comparison *c = start(f);
	struct tables old, same, worse;
	struct weft_advice a;

	make(f, "psssp", WEFT_TABLES_PRESENT, &old);
	make(f, "psssp", WEFT_TABLES_ENGINE, &same);
	make(f, "updn", WEFT_TABLES_ENGINE, &worse);
	add(c, &old);
	add(c, &same);
	add(c, &worse);
	a = advise(c);
	EXPECT_EQ(a.row, 0);
	EXPECT_STR(a.opensm, "");
	EXPECT(strstr(a.why, "Keep the present tables") != NULL);
	EXPECT(weft_comparison_row(c, 1)->tied);
	EXPECT(weft_comparison_row(c, 1)->has_change);
	EXPECT_EQ(weft_comparison_row(c, 1)->blocks, 0);
	EXPECT(weft_comparison_row(c, 2)->entries > 0);
	EXPECT(weft_comparison_row(c, 2)->blocks > 0);
	weft_advice_free(&a);
	weft_comparison_free(c);

	c = start(f);
	worse.candidate.origin = WEFT_TABLES_PRESENT;
	add(c, &worse);
	add(c, &same);
	a = advise(c);
	EXPECT_EQ(a.row, 1);
	EXPECT(strstr(a.why, "more than the present tables") != NULL);
	EXPECT_STR(a.opensm,
		   "event_plugin_name weft-psssp\nrouting_engine psssp\n");
	weft_advice_free(&a);
	weft_comparison_free(c);
	weft_routes_free(&old.routes);
	weft_routes_free(&same.routes);
	weft_routes_free(&worse.routes);
	weft_fabric_free(f);
}

/* What closes a credit loop is not taken unless there is nothing else, and what
 * leaves pairs without a route never. */
TEST(test_unsound)
{
	struct weft_fabric *f = route_fabric("ring:6,hosts=2", -1);
	struct weft_comparison *c = start(f);
	struct tables loop, tree, hole;
	struct weft_advice a;

	make(f, "minhop", WEFT_TABLES_OPENSM, &loop);
	make(f, "updn", WEFT_TABLES_ENGINE, &tree);
	make(f, "updn", WEFT_TABLES_ENGINE, &hole);
	weft_lft_row(&hole.routes.lft, 0)[f->ep[f->nep - 1].lid] = WEFT_NO_PORT;
	add(c, &hole);
	a = advise(c);
	EXPECT_EQ(a.row, UINT_MAX);
	EXPECT(weft_comparison_row(c, 0)->unreachable > 0);
	weft_advice_free(&a);
	add(c, &loop);
	a = advise(c);
	EXPECT_EQ(a.row, 1);
	EXPECT(strstr(a.why, "closes a credit loop") != NULL);
	EXPECT_STR(a.opensm, "routing_engine minhop\n");
	weft_advice_free(&a);
	add(c, &tree);
	a = advise(c);
	EXPECT_EQ(a.row, 2);
	EXPECT(!weft_comparison_row(c, 1)->sound);
	EXPECT(weft_comparison_row(c, 1)->behind < 0);
	EXPECT(strstr(a.why, "What is worth more, minhop of OpenSM") != NULL);
	weft_advice_free(&a);
	weft_comparison_free(c);
	weft_routes_free(&loop.routes);
	weft_routes_free(&tree.routes);
	weft_routes_free(&hole.routes);
	weft_fabric_free(f);
}

/* Lanes that are not there; service levels that are not seen. */
TEST(test_lanes)
{
	struct weft_fabric *f = route_fabric("ring:6,hosts=2", -1);
	struct weft_comparison *c = start(f);
	struct tables hidden, lanes;
	struct weft_advice a;

	make(f, "minhop", WEFT_TABLES_OPENSM, &hidden);
	make(f, "updn", WEFT_TABLES_ENGINE, &lanes);
	hidden.candidate.hidden_levels = true;
	lanes.routes.layers.nvl = LANES + 1;
	add(c, &lanes);
	add(c, &hidden);
	a = advise(c);
	EXPECT_EQ(a.row, 1);
	EXPECT(weft_comparison_row(c, 1)->hidden_levels);
	EXPECT(strstr(a.why, "that is believed") != NULL);
	EXPECT_EQ(weft_comparison_row(c, 1)->lanes, LANES);
	EXPECT(!weft_comparison_row(c, 0)->sound);
	EXPECT_STR(a.opensm, "routing_engine minhop\nqos TRUE\n");
	weft_advice_free(&a);
	weft_comparison_free(c);
	weft_routes_free(&hidden.routes);
	weft_routes_free(&lanes.routes);
	weft_fabric_free(f);
}

/* With one lane service levels prevent nothing; the LMC is that of the tables
 * advised. */
TEST(test_one_lane)
{
	const struct weft_comparison_spec spec = {
		.basket = { .seed = 1, .rounds = 64 },
		.lanes = 1,
	};
	struct weft_fabric *f = route_fabric("ring:6,hosts=2", -1);
	struct weft_fabric *more = route_fabric("ring:6,hosts=2", 1);
	struct weft_comparison *c = NULL;
	struct tables hidden, several;
	struct weft_advice a;

	make(f, "minhop", WEFT_TABLES_OPENSM, &hidden);
	make(more, "updn", WEFT_TABLES_ENGINE, &several);
	hidden.candidate.hidden_levels = true;
	ASSERT_EQ(weft_comparison_new(&spec, f, &c, NULL), 0);
	add(c, &hidden);
	add(c, &several);
	a = advise(c);
	EXPECT(!weft_comparison_row(c, 0)->sound);
	EXPECT_EQ(a.row, 1);
	EXPECT(strstr(a.opensm, "lmc 1\n") != NULL);
	weft_advice_free(&a);
	weft_comparison_free(c);
	weft_routes_free(&hidden.routes);
	weft_routes_free(&several.routes);
	weft_fabric_free(more);
	weft_fabric_free(f);
}

/* Cables fail at random, but the fabric stays in one part, and it is the same
 * fabric but for them. */
TEST(test_failures)
{
	struct weft_fabric *f = route_fabric("torus:4x4,hosts=1", -1), *less;
	uint32_t *cable, n;

	for (unsigned wanted = 1; wanted < 40; wanted += 6) {
		struct tables t;

		ASSERT_EQ(weft_comparison_failures(f, wanted, 5, &cable, &n),
			  0);
		EXPECT_EQ(n, wanted < 17 ? wanted : 17);
		ASSERT_EQ(weft_fabric_without(f, cable, n, &less, NULL), 0);
		EXPECT_EQ(weft_fabric_check(less, NULL), 0);
		EXPECT_EQ(less->nlinks, f->nlinks - n);
		EXPECT_EQ(less->nep, f->nep);
		for (uint32_t e = 0; e < f->nep; e++)
			EXPECT_EQ(less->ep[e].lid, f->ep[e].lid);
		make(less, "updn", WEFT_TABLES_ENGINE, &t);
		weft_routes_free(&t.routes);
		weft_fabric_free(less);
		free(cable);
	}
	weft_fabric_free(f);
}
