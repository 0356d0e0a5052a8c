// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * P-SSSP and P2-SSSP against their paper, and against a naive Dijkstra that
 * follows the paper to the letter.
 */
#include "../route.h"

#include "core/arena.h"
#include "trees/trees.h"

#include <stdlib.h>

static int route(const struct weft_fabric *f, const char *option,
		 struct weft_routes *r)
{
	return route_by("psssp", option, f, r, NULL);
}

/* Crossbars A, B, ..., LIDs from 10; a cable for each pair of letters in
 * cables; endpoint i, LID i + 1, on the i-th letter of at. */
static struct weft_fabric *network(unsigned ncrossbars, const char *cables,
				   const char *at)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	unsigned used[6] = { 0 };

	for (unsigned i = 0; i < ncrossbars; i++)
		weft_builder_port(b, weft_builder_node(b, WEFT_NODE_SWITCH,
				  0xa + i, 6), 0)->lid = 10 + i;
	for (; *cables; cables += 2) {
		unsigned x = cables[0] - 'A', y = cables[1] - 'A';

		EXPECT_EQ(weft_builder_link(b, x, ++used[x], y, ++used[y],
			  (struct weft_rate){ 4, WEFT_SDR }), 0);
	}
	for (unsigned i = 0; at[i]; i++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x100 + i, 1);
		unsigned x = at[i] - 'A';

		weft_builder_port(b, h, 1)->lid = 1 + i;
		EXPECT_EQ(weft_builder_link(b, h, 1, x, ++used[x], (struct
			  weft_rate){ 4, WEFT_SDR }), 0);
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

/* Network X of figure 2 of the paper: endpoint 0 on A, 1 on E, 2 on C; every
 * path between two endpoints leads over B or over D. */
static struct weft_fabric *network_x(void)
{
	return network(5, "ABADBCBECDDE", "AEC");
}

static uint64_t forwarding_index(const struct weft_fabric *f,
				 const struct weft_routes *r)
{
	struct weft_proof_spec what = { .loads = true };
	struct weft_proof p;
	uint64_t efi;

	ASSERT_EQ(weft_proof_run(f, r, &what, &p, NULL), 0);
	EXPECT_EQ(p.unreachable, 0);
	efi = p.load_max;
	weft_proof_free(&p);
	return efi;
}

TEST(test_figure_2)
{
	struct weft_fabric *f = network_x();
	struct weft_routes r = { 0 };
	uint32_t ch[5];
	size_t n;

	ASSERT_EQ(route(f, NULL, &r), 0);
	EXPECT_EQ(forwarding_index(f, &r), 2);
	/* R_1 = (1,E,B,A,0), (2,C,B,A,0) */
	EXPECT_EQ(weft_lft_walk(f, &r.lft, 4, 1, (struct weft_walk_path){ ch, 5
		  }, &n), WEFT_ARRIVED);
	EXPECT_EQ(n, 3);
	EXPECT_EQ(weft_channel_switch(f, ch[1]), 1);
	EXPECT_EQ(weft_lft_walk(f, &r.lft, 2, 1, (struct weft_walk_path){ ch, 5
		  }, &n), WEFT_ARRIVED);
	EXPECT_EQ(weft_channel_switch(f, ch[1]), 1);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Routes R_1 to R_6 of P2-SSSP, each by source switch, LID and the switch in
 * the middle; the index falls to 1. */
TEST(test_figure_3)
{
	static const struct { char from, lid, over; } routes[] = {
		{ 'A', 2, 'B' }, { 'A', 3, 'D' }, { 'E', 1, 'D' },
		{ 'E', 3, 'B' }, { 'C', 1, 'B' }, { 'C', 2, 'D' },
	};
	struct weft_fabric *f = network_x();
	struct weft_routes r = { 0 };
	uint32_t ch[5];
	size_t n;

	ASSERT_EQ(route_by("p2sssp", "order=guid", f, &r, NULL), 0);
	EXPECT_EQ(forwarding_index(f, &r), 1);
	for (unsigned i = 0; i < 6; i++) {
		EXPECT_EQ(weft_lft_walk(f, &r.lft, routes[i].from - 'A',
			  routes[i].lid, (struct weft_walk_path){ ch, 5 }, &n),
			  WEFT_ARRIVED);
		EXPECT_EQ(n, 3);
		EXPECT_EQ(weft_channel_switch(f, ch[1]),
			  (uint32_t)(routes[i].over - 'A'));
	}
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/*
 * Figure 6: a ring of six, 1 on F, 2 on E, 3 on A and 4, 5, 6 on D.  Routes
 * from 1 and 2 to D go over (E,D); those from D to 3 over C and B, since 1 and
 * 2 have loaded (D,E).  The paper's P2-SSSP then divides the latter among both
 * ways, which is where it loses bandwidth; a table has one entry for 3, so here
 * it cannot.
 */
TEST(test_figure_6)
{
	static const char *const engines[] = { "psssp", "p2sssp" };
	struct weft_fabric *f = network(6, "ABBCCDDEEFFA", "FEADDD");
	uint32_t ch[6];
	size_t n;

	for (unsigned i = 0; i < 2; i++) {
		struct weft_routes r = { 0 };

		ASSERT_EQ(route_by(engines[i], "order=guid", f, &r, NULL), 0);
		for (unsigned lid = 4; lid <= 6; lid++) {
			EXPECT_EQ(weft_lft_walk(f, &r.lft, 'F' - 'A', lid,
				  (struct weft_walk_path){ ch, 6 }, &n),
				  WEFT_ARRIVED);
			EXPECT_EQ(n, 3);
			EXPECT_EQ(weft_channel_switch(f, ch[1]),
				  (uint32_t)('E' - 'A'));
		}
		EXPECT_EQ(weft_lft_walk(f, &r.lft, 'D' - 'A', 3, (struct
			  weft_walk_path){ ch, 6 }, &n), WEFT_ARRIVED);
		EXPECT_EQ(n, 4);
		EXPECT_EQ(weft_channel_switch(f, ch[1]), (uint32_t)('C' - 'A'));
		EXPECT_EQ(weft_channel_switch(f, ch[2]), (uint32_t)('B' - 'A'));
		weft_routes_free(&r);
	}
	weft_fabric_free(f);
}

static double bandwidth(const struct weft_fabric *f,
			const struct weft_routes *r)
{
	struct weft_ebb_spec spec = { .patterns = 2000, .seed = 1 };
	struct weft_ebb ebb;

	ASSERT_EQ(weft_ebb_run(f, r, &spec, &ebb, NULL), 0);
	return ebb.mean;
}

/* The paper's point (section IV.C): P2-SSSP can have the lower index (on
 * rack648 it does) and has less bandwidth all the same. */
TEST(test_index_is_no_bandwidth)
{
	static const char *const specs[] = { "rack648", "odin", "deimos" };

	for (unsigned i = 0; i < 3; i++) {
		struct weft_fabric *f = NULL;
		struct weft_routes p = { 0 }, p2 = { 0 };

		ASSERT_EQ(weft_gen(specs[i], &f, NULL), 0);
		ASSERT_EQ(route(f, "passes=1", &p), 0);
		ASSERT_EQ(route_by("p2sssp", "order=switch", f, &p2, NULL), 0);
		if (!i)
			EXPECT(forwarding_index(f, &p2) < forwarding_index(f,
			       &p));
		EXPECT(bandwidth(f, &p2) < bandwidth(f, &p));
		weft_routes_free(&p);
		weft_routes_free(&p2);
		weft_fabric_free(f);
	}
}

/* The paper's algorithm, naively: weights of P^2 + routes, Bellman-Ford to the
 * destination, then every source walks its path and adds one to each edge. */
static void naive(const struct weft_fabric *f, const uint32_t *order,
		  uint64_t start, uint64_t *load, struct weft_lft *lft)
{
	uint64_t *dist = malloc(f->nsw * sizeof(*dist));

	for (uint32_t k = 0; k < f->nep; k++) {
		uint32_t e = order ? order[k] : k;
		unsigned lid = f->ep[e].lid;
		bool changed = true;

		for (uint32_t s = 0; s < f->nsw; s++)
			dist[s] = s == f->ep[e].sw ? 0 : UINT64_MAX / 2;
		while (changed) {
			changed = false;
			for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
				uint32_t c = f->adj[i], t = f->peer[c];
				uint32_t s = weft_channel_switch(f, c);

				if (dist[t] + start + load[c] >= dist[s])
					continue;
				dist[s] = dist[t] + start + load[c];
				changed = true;
			}
		}
		for (uint32_t s = 0; s < f->nsw; s++) {
			for (uint32_t i = f->adj_first[s + 1];
			     i-- > f->adj_first[s]; ) {
				uint32_t c = f->adj[i];

				if (dist[f->peer[c]] + start + load[c] ==
				    dist[s])
					weft_lft_row(lft, s)[lid] =
						c - f->first_channel[s];
			}
		}
		weft_lft_row(lft, f->ep[e].sw)[lid] = f->ep[e].sw_port;
		for (uint32_t x = 0; x < f->nep; x++) {
			uint32_t ch[64];
			size_t n;

			ASSERT_EQ(weft_lft_walk(f, lft, f->ep[x].sw, lid,
				  (struct weft_walk_path){ ch, 64 }, &n),
				  WEFT_ARRIVED);
			for (size_t i = 0; i + 1 < n; i++)
				load[ch[i]]++;
		}
	}
	free(dist);
}

TEST(test_against_naive)
{
	static const char *const specs[] = {
		"torus:3x4,hosts=3", "random:14,4,3,seed=2",
		"pgft:2;4,6;1,4;1,1,guids=shuffle,seed=9", "hypercube:3,hosts=2",
		"pgft:2;4,4;1,2;1,2", "mesh:3x3,hosts=2",
	};

	static const char *const options[] = { NULL, "order=guid", "initial=1" };

	for (unsigned i = 0; i < 3 * sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = NULL;
		struct weft_routes r = { 0 };
		const char *option = options[i % 3];
		bool guid = i % 3 == 1;
		uint64_t start = 1;
		struct weft_arena *arena;
		struct weft_lft lft;
		uint64_t *load;

		ASSERT_EQ(weft_gen(specs[i / 3], &f, NULL), 0);
		load = calloc(f->nch, sizeof(*load));
		ASSERT_EQ(weft_lft_init(&lft, f->nsw, f->max_lid), 0);
		arena = weft__arena_new();
		if (i % 3 < 2)
			start = (uint64_t)f->nep * f->nep * f->nep;
		naive(f, guid ? NULL : weft__endports_by_port(f, arena), start,
		      load, &lft);
		weft__arena_free(arena);
		ASSERT_EQ(route(f, option, &r), 0);
		for (uint32_t e = 0; e < f->nep; e++)
			for (uint32_t s = 0; s < f->nsw; s++)
				if (weft_lft_get(&lft, s, f->ep[e].lid) !=
				    weft_lft_get(&r.lft, s, f->ep[e].lid))
					EXPECT_NEVER("differs from the paper");
		free(load);
		weft_lft_free(&lft);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* Base LIDs are routed as if there were no LMC. */
TEST(test_lmc_keeps_base_routes)
{
	struct weft_fabric *f = NULL, *g = NULL;
	struct weft_routes a = { 0 }, b = { 0 };

	ASSERT_EQ(weft_gen("torus:4x3,hosts=2", &f, NULL), 0);
	ASSERT_EQ(weft_fabric_assign_lids(f, 2, &g, NULL), 0);
	ASSERT_EQ(route(f, NULL, &a), 0);
	ASSERT_EQ(route(g, NULL, &b), 0);
	for (uint32_t e = 0; e < f->nep; e++)
		for (uint32_t s = 0; s < f->nsw; s++)
			EXPECT_EQ(weft_lft_get(&a.lft, s, f->ep[e].lid),
				  weft_lft_get(&b.lft, s, g->ep[e].lid));
	weft_routes_free(&a);
	weft_routes_free(&b);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

/* From other leaves the LIDs of a port are reached by different spines, as long
 * as there are enough. */
TEST(test_lids_keep_apart)
{
	struct weft_fabric *f = NULL, *g = NULL;
	struct weft_lid_redundancy lids;
	struct weft_routes r = { 0 };

	ASSERT_EQ(weft_gen("pgft:2;4,6;1,4;1,1", &f, NULL), 0);
	ASSERT_EQ(weft_fabric_assign_lids(f, 2, &g, NULL), 0);
	ASSERT_EQ(route(g, NULL, &r), 0);
	for (uint32_t e = 0; e < g->nep; e++)
		for (uint32_t s = 0; s < g->nsw; s++) {
			unsigned ports = 0, apart = 0;

			if (g->sw[s].name[0] != 'l' || s == g->ep[e].sw)
				continue;
			for (unsigned o = 0; o < 4; o++)
				ports |= 1u << weft_lft_get(&r.lft, s,
							    g->ep[e].lid + o);
			for (; ports; ports &= ports - 1)
				apart++;
			EXPECT_EQ(apart, 4);
		}
	EXPECT_EQ(weft_redundancy_lids(g, &r.lft, &lids), 0);
	EXPECT(lids.pairs == 24 * 20 && !lids.cable && !lids.sw);
	weft_routes_free(&r);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

/* Two leaves joined by one fast and one slow cable share by rate. */
TEST(test_unequal_links)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	struct weft_routes r = { 0 };
	unsigned fast = 0, slow = 0;
	uint32_t sw[2];

	for (unsigned s = 0; s < 2; s++) {
		sw[s] = weft_builder_node(b, WEFT_NODE_SWITCH, 1 + s, 32);
		weft_builder_port(b, sw[s], 0)->lid = 1 + s;
	}
	EXPECT_EQ(weft_builder_link(b, sw[0], 31, sw[1], 31, (struct weft_rate){
		  4, WEFT_EDR }), 0);
	EXPECT_EQ(weft_builder_link(b, sw[0], 32, sw[1], 32, (struct weft_rate){
		  4, WEFT_HDR }), 0);
	for (unsigned i = 0; i < 48; i++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 100 + i, 1);

		weft_builder_port(b, h, 1)->lid = 10 + i;
		EXPECT_EQ(weft_builder_link(b, h, 1, sw[i / 24], 1 + i % 24,
			  (struct weft_rate){ 4, WEFT_EDR }), 0);
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	ASSERT_EQ(route(f, "passes=2", &r), 0);
	for (unsigned i = 24; i < 48; i++) {
		fast += weft_lft_get(&r.lft, 0, 10 + i) == 32;
		slow += weft_lft_get(&r.lft, 0, 10 + i) == 31;
	}
	EXPECT_EQ(fast, 16);
	EXPECT_EQ(slow, 8);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Later passes only help: the most loaded channel carries no more. */
TEST(test_passes)
{
	static const char *const specs[] = { "torus:4x4,hosts=3", "odin",
					     "random:20,5,4,seed=11" };

	for (unsigned i = 0; i < 3; i++) {
		struct weft_fabric *f = NULL;
		struct weft_routes one = { 0 }, four = { 0 };

		ASSERT_EQ(weft_gen(specs[i], &f, NULL), 0);
		ASSERT_EQ(route(f, "passes=1", &one), 0);
		ASSERT_EQ(route(f, "passes=4", &four), 0);
		EXPECT(forwarding_index(f, &four) <= forwarding_index(f, &one));
		weft_routes_free(&one);
		weft_routes_free(&four);
		weft_fabric_free(f);
	}
}
