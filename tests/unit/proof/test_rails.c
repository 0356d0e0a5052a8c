// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adapters and rails: who is astray, where it belongs, who lacks one. */
#include "../route.h"

struct expected {
	const char *spec;
	uint32_t nrails, machines, right, other, unit, missing, mixed;
};

static void check(const struct expected *x)
{
	struct weft_fabric *f = route_fabric(x->spec, -1);
	struct weft_rails r;

	suite_case("%s", x->spec);
	ASSERT_EQ(weft_rails_find(f, &r), 0);
	EXPECT_EQ(r.nrails, x->nrails);
	EXPECT_EQ(r.machines, x->machines);
	EXPECT_EQ(r.right, x->right);
	EXPECT_EQ(r.count[WEFT_RAIL_OTHER], x->other);
	EXPECT_EQ(r.count[WEFT_RAIL_UNIT], x->unit);
	EXPECT_EQ(r.count[WEFT_RAIL_MISSING], x->missing);
	EXPECT_EQ(r.count[WEFT_RAIL_MIXED], x->mixed);
	EXPECT_EQ(r.n, x->other + x->unit + x->missing + x->mixed);
	weft_rails_free(&r);
	weft_fabric_free(f);
}

TEST(test_counts)
{
	static const struct expected cases[] = {
		{ "rails:hosts=64", 8, 64, 512, 0, 0, 0, 0 },
		{ "rails:hosts=70,guids=shuffle", 8, 70, 560, 0, 0, 0, 0 },
		{ "rails:hosts=64,names=hca", 8, 64, 512, 0, 0, 0, 0 },
		{ "rails:hosts=64,between=no", 8, 64, 512, 0, 0, 0, 0 },
		{ "rails:hosts=64,between=core", 8, 64, 512, 0, 0, 0, 0 },
		{ "rails:hosts=64,swap=3", 8, 64, 506, 6, 0, 0, 0 },
		{ "rails:hosts=64,swap=10%", 8, 64, 460, 52, 0, 0, 0 },
		{ "rails:hosts=64,missing=9", 8, 64, 503, 0, 0, 9, 0 },
		{ "rails:hosts=64,swap=3,missing=9,seed=5", 8, 64, 497, 6, 0,
		  9, 0 },
		{ "rails:gpus=2,hosts=64,swap=2", 2, 64, 124, 4, 0, 0, 0 },
		/* nothing to look at: no machines of several, or no names */
		{ "rails:gpus=1,hosts=32", 0, 0, 0, 0, 0, 0, 0 },
		{ "torus:4x4", 0, 0, 0, 0, 0, 0, 0 },
		/* ports of one adapter are rails as well */
		{ "pgft:2;4,4;2,2;1,1", 2, 16, 32, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(&cases[i]);
}

/* Exchanged cables are found as pairs, each with the place of the other. */
TEST(test_exchanges)
{
	struct weft_fabric *good = route_fabric("rails:hosts=96", -1);
	struct weft_fabric *f = route_fabric("rails:hosts=96,swap=20,seed=3",
					     -1);
	struct weft_rails r;

	ASSERT_EQ(weft_rails_find(f, &r), 0);
	EXPECT_EQ(r.n, 40);
	for (uint32_t i = 0; i < r.n; i++) {
		const struct weft_rail_finding *x = &r.finding[i];
		uint32_t was = weft_fabric_endport_by_guid(good,
						f->ep[x->endport].guid);

		ASSERT_NE(x->swap, WEFT_NONE);
		EXPECT_EQ(x->kind, WEFT_RAIL_OTHER);
		EXPECT_EQ(x->sw, f->ep[x->endport].sw);
		EXPECT_EQ(f->sw[x->belongs].guid,
			  good->sw[good->ep[was].sw].guid);
		EXPECT_EQ(f->ep[x->swap].sw, x->belongs);
		EXPECT_EQ(r.of_switch[x->belongs], x->rail);
		EXPECT_EQ(r.of_switch[x->sw], x->of_leaf);
		EXPECT_NE(x->rail, x->of_leaf);
	}
	weft_rails_free(&r);
	weft_fabric_free(f);
	weft_fabric_free(good);
}

/* A fabric with the cables of two endports exchanged. */
static struct weft_fabric *exchange(const struct weft_fabric *f, uint32_t a,
				    uint32_t b)
{
	struct weft_builder *builder = weft_builder_new();
	struct weft_fabric *out = NULL;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t h = weft_builder_node(builder, WEFT_NODE_SWITCH,
					       f->sw[s].guid, f->sw[s].nports);

		weft_builder_name(builder, h, f->sw[s].name,
				  strlen(f->sw[s].name));
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_node *node = &f->node[f->ep[e].node];
		uint32_t h = weft_builder_node(builder, WEFT_NODE_CA,
					       node->guid, 1);
		uint32_t at = e == a ? b : e == b ? a : e;

		weft_builder_name(builder, h, node->name, strlen(node->name));
		weft_builder_link(builder, h, 1, f->ep[at].sw,
				  f->ep[at].sw_port,
				  (struct weft_rate){ 4, WEFT_NDR });
	}
	ASSERT_EQ(weft_builder_finish(builder, &out, NULL), 0);
	weft_builder_free(builder);
	return out;
}

static uint32_t named(const struct weft_fabric *f, const char *name)
{
	for (uint32_t e = 0; e < f->nep; e++)
		if (!strcmp(f->node[f->ep[e].node].name, name))
			return e;
	EXPECT_NEVER("no adapter of that name");
	return 0;
}

/* The right rail, but the leaf of another unit. */
TEST(test_units)
{
	struct weft_fabric *f = route_fabric("rails:hosts=64", -1), *g;
	struct weft_rails r;
	char name[32];

	g = exchange(f, named(f, "gpu003 mlx5_4"), named(f, "gpu040 mlx5_4"));
	ASSERT_EQ(weft_rails_find(g, &r), 0);
	EXPECT_EQ(r.n, 2);
	EXPECT_EQ(r.count[WEFT_RAIL_UNIT], 2);
	EXPECT_EQ(r.right, 512);
	for (uint32_t i = 0; i < r.n; i++) {
		const struct weft_rail_finding *x = &r.finding[i];

		weft_machine_name(g, x->machine, name, sizeof(name));
		EXPECT_STR(g->sw[x->belongs].name,
			   strcmp(name, "gpu003") ? "su02-rail4" :
						    "su01-rail4");
		EXPECT_EQ(x->swap, r.finding[!i].endport);
	}
	weft_rails_free(&r);
	weft_fabric_free(g);
	weft_fabric_free(f);
}

/* Storage with two adapters, beside machines with eight, may hang anywhere. */
TEST(test_others)
{
	struct weft_fabric *f = route_fabric("rails:hosts=20,unit=20", -1);
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *g = NULL;
	struct weft_rails r;

	for (uint32_t s = 0; s < f->nsw; s++)
		weft_builder_node(b, WEFT_NODE_SWITCH, f->sw[s].guid, 64);
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_node *node = &f->node[f->ep[e].node];
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, node->guid, 1);

		weft_builder_name(b, h, node->name, strlen(node->name));
		weft_builder_link(b, h, 1, f->ep[e].sw, f->ep[e].sw_port,
				  (struct weft_rate){ 4, WEFT_NDR });
	}
	for (unsigned i = 0; i < 6; i++) {
		char name[32];
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x5000 + i, 1);
		uint32_t to = weft_builder_find(b, f->sw[i / 2 + 3].guid);

		snprintf(name, sizeof(name), "storage%u mlx5_%u", i / 2, i % 2);
		weft_builder_name(b, h, name, strlen(name));
		weft_builder_link(b, h, 1, to, 60 + i,
				  (struct weft_rate){ 4, WEFT_NDR });
	}
	ASSERT_EQ(weft_builder_finish(b, &g, NULL), 0);
	ASSERT_EQ(weft_rails_find(g, &r), 0);
	EXPECT_EQ(r.nrails, 8);
	EXPECT_EQ(r.machines, 20);
	EXPECT_EQ(r.adapters, 160);
	EXPECT_EQ(r.n, 0);
	weft_rails_free(&r);
	weft_fabric_free(g);
	weft_builder_free(b);
	weft_fabric_free(f);
}
