// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weave with several LIDs for each endport: base LIDs are routed as if there
 * were no others, the others as some base LID on their switch, and all of that
 * without a credit loop.
 */
#include "../route.h"
#include "weave_util.h"

static const char *const specs[] = {
	"pgft:2;4,6;1,4;1,1",
	"pgft:3;4,4,4;1,4,4;1,1,1,fail-links=8%,seed=3",
	"torus:6x5,hosts=2",
	"torus:7x6,hosts=1,fail-links=10%,seed=2",
	"random:20x3,12,seed=11",
	"dragonfly:4,2,2,9",
	"ring:6,hosts=0:2",
	"star:1,hosts=5",
};
enum { NSPECS = sizeof(specs) / sizeof(specs[0]), LMC = 2 };

static void route(const struct weft_fabric *f, unsigned lanes, bool apart,
		  struct weft_routes *out)
{
	*out = (struct weft_routes){ 0 };
	ASSERT_EQ(weave_route(f, lanes, apart ? "lids=apart" : "lids=together",
		  out, NULL), 0);
}

/* Whether all switches send one LID as another fabric's send another one, and
 * all endports with the same service level. */
static bool is_alike(const struct weft_fabric *f, const struct weft_routes *a,
		     unsigned lid_a, const struct weft_fabric *g,
		     const struct weft_routes *b, unsigned lid_b)
{
	bool alike = true;

	for (uint32_t s = 0; s < f->nsw; s++)
		alike &= weft_lft_get(&a->lft, s, lid_a) ==
			weft_lft_get(&b->lft, s, lid_b);
	for (uint32_t e = 0; e < f->nep; e++)
		alike &= weft_layers_sl(&a->layers, f, e | WEFT_ENDPORT,
					lid_a) ==
			weft_layers_sl(&b->layers, g, e | WEFT_ENDPORT, lid_b);
	return alike;
}

static void check_base(const struct weft_fabric *f, const struct weft_routes *r,
		       const struct weft_fabric *plain,
		       const struct weft_routes *without)
{
	EXPECT_EQ(r->layers.nvl, without->layers.nvl);
	for (uint32_t e = 0; e < f->nep; e++)
		EXPECT(is_alike(f, r, f->ep[e].lid, plain, without,
		       plain->ep[e].lid));
	for (uint32_t s = 0; s < f->nsw; s++)
		EXPECT(is_alike(f, r, f->sw[s].lid, plain, without,
		       plain->sw[s].lid));
}

static void check_together(const struct weft_fabric *f,
			   const struct weft_routes *r)
{
	for (uint32_t e = 0; e < f->nep; e++)
		for (unsigned k = 1; k < 1u << f->ep[e].lmc; k++)
			EXPECT(is_alike(f, r, f->ep[e].lid + k, f, r,
			       f->ep[e].lid));
}

TEST(test_base)
{
	for (unsigned i = 0; i < NSPECS * WEAVE_COUNTS * 2; i++) {
		const char *spec = specs[i / 2 % NSPECS];
		unsigned lanes = weave_lanes[i / 2 / NSPECS];
		struct weft_fabric *plain = route_fabric(spec, 0);
		struct weft_fabric *f = route_fabric(spec, LMC);
		struct weft_routes without, r;

		route(plain, lanes, i % 2, &without);
		route(f, lanes, i % 2, &r);
		weave_judge(spec, f, &r, lanes);
		check_base(f, &r, plain, &without);
		if (i % 2 == 0)
			check_together(f, &r);
		weft_routes_free(&without);
		weft_routes_free(&r);
		weft_fabric_free(plain);
		weft_fabric_free(f);
	}
}

/* The switch by which a route enters its last one. */
static uint32_t last_but_one(const struct weft_fabric *f,
			     const struct weft_routes *r, uint32_t s,
			     unsigned lid)
{
	uint32_t end = weft_vertex_switch(f, weft_lid_owner(f, lid));
	uint32_t before = WEFT_NONE;

	while (s != end) {
		before = s;
		s = f->peer[weft_channel(f, s, weft_lft_get(&r->lft, s, lid))];
	}
	return before;
}

/* On a tree with as many spines as a leaf has hosts: LIDs of a host take
 * different spines, and LIDs of the same offset, too. */
TEST(test_apart)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,6;1,4;1,1", LMC);
	struct weft_routes r;

	route(f, 1, true, &r);
	for (uint32_t a = 0; a < f->nep; a++) {
		unsigned by_host[4] = { 0 }, by_offset[4] = { 0 };
		uint32_t to = f->ep[(a + 5) % f->nep].sw;
		const uint32_t *host = f->sw_endport + f->sw_ep_first[to];

		if (to == f->ep[a].sw)
			continue;
		for (unsigned k = 0; k < 16; k++) {
			unsigned lid = f->ep[host[k / 4]].lid + k % 4;
			uint32_t spine = last_but_one(f, &r, f->ep[a].sw, lid);
			uint32_t bit = 1u << weft_lft_get(&r.lft, f->ep[a].sw,
							  lid);

			EXPECT_NE(spine, f->ep[a].sw);
			by_host[k / 4] |= bit;
			by_offset[k % 4] |= bit;
		}
		for (unsigned k = 0; k < 4; k++) {
			EXPECT_EQ(__builtin_popcount(by_host[k]), 4);
			EXPECT_EQ(__builtin_popcount(by_offset[k]), 4);
		}
	}
	weft_routes_free(&r);
	weft_fabric_free(f);
}

static void add_host(struct weft_builder *b, uint32_t sw, unsigned port,
		     unsigned lid, unsigned lmc)
{
	uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x100 * (sw + 1) + port,
				       1);

	weft_builder_port(b, h, 1)->lid = lid;
	weft_builder_port(b, h, 1)->lmc = lmc;
	weft_builder_link(b, h, 1, sw, port, (struct weft_rate){ 4, WEFT_EDR });
}

/* LMCs of all kinds on one switch, a host without LID among them, and a switch
 * that has several itself. */
TEST(test_mixed)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;

	for (uint32_t s = 0; s < 3; s++) {
		weft_builder_node(b, WEFT_NODE_SWITCH, s + 1, 8);
		weft_builder_port(b, s, 0)->lid = 4 * s + 4;
		weft_builder_port(b, s, 0)->lmc = s;
		weft_builder_spec(b, s)->enhanced = 1;
	}
	for (unsigned port = 1; port <= 4; port++)
		weft_builder_link(b, port % 2, port, 2, port,
				  (struct weft_rate){ 4, WEFT_EDR });
	add_host(b, 2, 5, 32, 3);
	add_host(b, 2, 6, 0, 0);
	add_host(b, 2, 7, 40, 1);
	add_host(b, 2, 8, 42, 0);
	add_host(b, 0, 5, 64, 5);
	add_host(b, 1, 5, 50, 1);
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	for (unsigned i = 0; i < 3; i++) {
		struct weft_routes r = { 0 };

		if (i < 2)
			route(f, 2, i, &r);
		else
			ASSERT_EQ(weave_route(f, 2, "lids=best", &r, NULL), 0);
		weave_judge("mixed", f, &r, 2);
		if (!i)
			check_together(f, &r);
		for (unsigned k = 1; k < 4; k++)
			EXPECT(is_alike(f, &r, f->sw[2].lid + k, f, &r,
			       f->sw[2].lid));
		weft_routes_free(&r);
	}
	weft_builder_free(b);
	weft_fabric_free(f);
}
