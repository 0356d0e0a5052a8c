// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the report finds, beside brute force: what a fabric cannot lose, who
 * uses the most loaded channels, which lanes traffic has. */
#include "../route.h"

#include "report/cuts.h"
#include "report/judged.h"
#include "report/hottest.h"
#include "report/lanes.h"

#include <stdlib.h>

/* A fabric of n switches and some cables, parallel ones among them. */
static struct weft_fabric *draw(struct weft_rng *rng, uint32_t n)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	unsigned port[32] = { 0 }, lid = 0, hosts = 0;

	for (uint32_t s = 0; s < n; s++) {
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x100 + s, 64);
		weft_builder_port(b, s, 0)->lid = ++lid;
	}
	for (uint32_t i = 0; i < n + weft_rng_below(rng, n); i++) {
		uint32_t x = weft_rng_below(rng, n);
		uint32_t y = weft_rng_below(rng, n);

		if (x != y && port[x] < 40 && port[y] < 40)
			weft_builder_link(b, x, ++port[x], y, ++port[y],
					  (struct weft_rate){ 4, WEFT_QDR });
	}
	for (uint32_t s = 0; s < n; s++)
		for (uint32_t k = weft_rng_below(rng, 4); k; k--) {
			uint32_t h = weft_builder_node(b, WEFT_NODE_CA,
						       0x1000 + ++hosts * 4, 2);

			weft_builder_port(b, h, 1)->lid = ++lid;
			weft_builder_link(b, h, 1, s, ++port[s],
					  (struct weft_rate){ 4, WEFT_QDR });
			if (weft_rng_below(rng, 3))
				continue;
			weft_builder_port(b, h, 2)->lid = ++lid;
			weft_builder_port(b, h, 2)->guid = 0x1001 + hosts * 4;
			weft_builder_link(b, h, 2, s, ++port[s],
					  (struct weft_rate){ 4, WEFT_QDR });
		}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

/* Marks what is joined with sw without switch gone and the cable of channel
 * cut; returns the hosts there. */
static uint32_t flood(const struct weft_fabric *f, uint32_t sw, uint32_t gone,
		      uint32_t cut, bool *seen)
{
	uint32_t hosts = f->sw_ep_first[sw + 1] - f->sw_ep_first[sw];

	seen[sw] = true;
	for (uint32_t i = f->adj_first[sw]; i < f->adj_first[sw + 1]; i++) {
		uint32_t ch = f->adj[i];

		if (ch != cut && f->reverse[ch] != cut && f->peer[ch] != gone &&
		    !seen[f->peer[ch]])
			hosts += flood(f, f->peer[ch], gone, cut, seen);
	}
	return hosts;
}

/* Hosts joined with sw that are not in the largest part then. */
static uint32_t lost(const struct weft_fabric *f, uint32_t sw, uint32_t gone,
		     uint32_t cut)
{
	bool whole[32] = { false }, seen[32] = { false };
	uint32_t largest = 0, all = 0;

	flood(f, sw, WEFT_NONE, WEFT_NONE, whole);
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t hosts;

		if (!whole[s] || seen[s] || s == gone)
			continue;
		hosts = flood(f, s, gone, cut, seen);
		all += hosts;
		largest = hosts > largest ? hosts : largest;
	}
	return all - largest;
}

static uint32_t told(const struct weft__cut *cut, uint32_t n, uint32_t id)
{
	for (uint32_t i = 0; i < n; i++)
		if (cut[i].id == id)
			return cut[i].hosts;
	return 0;
}

/* Nodes with one cable. */
static uint32_t one_port(const struct weft_fabric *f)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nnodes; i++)
		n += f->node[i].nendports == 1;
	return n;
}

/* Two grades, whatever the other one is. */
TEST(test_grades)
{
	struct weft__report r = { .fine_with_switches = true };
	struct weft__grade g = weft__report_grade(&r);

	EXPECT_EQ(g.safe, WEFT__GREEN);
	EXPECT_EQ(g.good, WEFT__UNGRADED);
	r.fine_with_switches = false;
	EXPECT_EQ(weft__report_grade(&r).safe, WEFT__AMBER);
	r.proof.cyclic_vls = 1;
	EXPECT_EQ(weft__report_grade(&r).safe, WEFT__RED);
	r.proof.cyclic_vls = 0;
	r.proof.unreachable = 1;
	EXPECT_EQ(weft__report_grade(&r).safe, WEFT__RED);
}

/* Good is a share of the best safe tables, and of their own if these are
 * better. */
TEST(test_good)
{
	static const struct {
		double worth;
		enum weft__colour colour;
	} sample[] = {
		{ 1, WEFT__GREEN }, { 0.951, WEFT__GREEN },
		{ 0.949, WEFT__AMBER }, { 0.801, WEFT__AMBER },
		{ 0.799, WEFT__RED }, { 2, WEFT__GREEN },
	};
	const struct weft_comparison_spec spec = {
		.basket = { .seed = 1, .rounds = 16 },
		.lanes = 8,
	};
	struct weft_fabric *f = route_fabric("torus:4x4", -1);
	struct weft_routes routes = { 0 };
	const struct weft_candidate weave = {
		.label = "weave", .engine = "weave",
		.origin = WEFT_TABLES_ENGINE, .fabric = f, .routes = &routes,
	};
	struct weft_comparison *c = NULL;
	double best;

	ASSERT_EQ(route_by("weave", NULL, f, &routes, NULL), 0);
	ASSERT_EQ(weft_comparison_new(&spec, f, &c, NULL), 0);
	ASSERT_EQ(weft_comparison_add(c, &weave, NULL), 0);
	weft_comparison_rank(c);
	best = weft_comparison_row(c, 0)->worth.mean;
	for (size_t i = 0; i < sizeof(sample) / sizeof(*sample); i++) {
		struct weft__report r = { .has_traffic = true,
					  .comparison = c };
		struct weft__grade g;

		suite_case("%zu", i);
		r.worth.mean = sample[i].worth * best;
		g = weft__report_grade(&r);
		EXPECT_EQ(g.good, sample[i].colour);
		EXPECT(g.share <= 1);
	}
	weft_comparison_free(c);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

TEST(test_cuts)
{
	struct weft_rng *rng = weft_rng_new(7);
	unsigned switches = 0, cables = 0;

	for (unsigned i = 0; i < 400; i++) {
		struct weft_fabric *f = draw(rng, 2 + weft_rng_below(rng, 14));
		struct weft__cuts c;

		ASSERT_EQ(weft__cuts_find(f, false, &c), 0);
		for (uint32_t s = 0; s < f->nsw; s++)
			EXPECT_EQ(told(c.sw, c.nsw, s),
				  lost(f, s, s, WEFT_NONE));
		for (uint32_t k = 0; k < f->adj_first[f->nsw]; k++) {
			uint32_t ch = f->adj[k], back = f->reverse[ch];

			EXPECT_EQ(told(c.cable, c.ncables, ch) + told(c.cable,
				  c.ncables, back), lost(f, f->peer[ch],
				  WEFT_NONE, ch));
		}
		for (uint32_t k = 1; k < c.nsw; k++)
			EXPECT(c.sw[k - 1].hosts >= c.sw[k].hosts);
		EXPECT_EQ(c.single, one_port(f));
		EXPECT(!c.single || c.crowd >= (c.single + c.homes - 1) /
		       c.homes);
		switches += c.nsw;
		cables += c.ncables;
		weft__cuts_free(&c);
		weft_fabric_free(f);
	}
	EXPECT(switches > 200);
	EXPECT(cables > 200);
	weft_rng_free(rng);
}

/* Whether the route of a pair takes a channel. */
static bool takes(const struct weft_fabric *f, const struct weft_routes *r,
		  uint32_t from, unsigned lid, uint32_t channel)
{
	uint32_t path[64];
	size_t n;

	if (weft_lft_walk(f, &r->lft, f->ep[from].sw, lid,
			  (struct weft_walk_path){ path, 64 },
			  &n) != WEFT_ARRIVED)
		return false;
	for (size_t i = 0; i < n; i++)
		if (path[i] == channel)
			return true;
	return false;
}

static void check_hot(const struct weft_fabric *f, const struct weft_routes *r,
		      const struct weft__hot *hot)
{
	uint64_t *from = calloc(f->nsw, sizeof(*from)), routes = 0, most = 0;
	uint64_t *to = calloc(f->nsw, sizeof(*to));
	uint32_t senders = 0, receivers = 0;
	uint8_t *sends = calloc(f->nep, 1);

	for (uint32_t d = 0; d < f->nep; d++) {
		bool receives = false;

		for (uint32_t e = 0; e < f->nep; e++)
			for (unsigned i = 0; e != d && i < 1u << f->ep[d].lmc;
			     i++) {
				if (!takes(f, r, e, f->ep[d].lid + i,
					   hot->channel))
					continue;
				routes++;
				from[f->ep[e].sw]++;
				to[f->ep[d].sw]++;
				sends[e] = receives = true;
			}
		receivers += receives;
	}
	for (uint32_t e = 0; e < f->nep; e++)
		senders += sends[e];
	for (uint32_t s = 0; s < f->nsw; s++)
		most = from[s] > most ? from[s] : most;
	EXPECT_EQ(hot->routes, routes);
	EXPECT_EQ(hot->receivers, receivers);
	EXPECT_EQ(hot->senders, senders);
	EXPECT_EQ(hot->from[0].routes, most);
	EXPECT_EQ(from[hot->from[0].sw], most);
	EXPECT_EQ(to[hot->to[0].sw], hot->to[0].routes);
	for (uint32_t s = 0; s < f->nsw; s++)
		EXPECT(to[s] <= hot->to[0].routes);
	EXPECT(sends[hot->sender[0]]);
	free(from);
	free(to);
	free(sends);
}

static void check_hottest(const char *spec, int lmc, bool broken)
{
	const struct weft_proof_spec what = { .loads = true };
	struct weft_fabric *f = route_fabric(spec, lmc);
	struct weft_routes r = { .lft = { 0 } };
	struct weft__hottest h;
	struct weft_proof p;

	ASSERT_EQ(route_by("minhop", NULL, f, &r, NULL), 0);
	for (uint32_t s = 0; broken && s < f->nsw; s += 3)
		for (unsigned lid = 1; lid <= f->max_lid; lid += 5)
			weft_lft_row(&r.lft, s)[lid] = 1 + lid % 3;
	ASSERT_EQ(weft_proof_run(f, &r, &what, &p, NULL), 0);
	ASSERT_EQ(weft__hottest_find(f, &r, &p, false, 6, &h), 0);
	EXPECT_EQ(h.n, 6);
	for (uint32_t i = 0; i < h.n; i++) {
		EXPECT_EQ(h.hot[i].routes, p.channel_load[h.hot[i].channel]);
		EXPECT(!i || h.hot[i - 1].routes >= h.hot[i].routes);
		check_hot(f, &r, &h.hot[i]);
	}
	EXPECT_EQ(h.hot[0].routes, p.load_max);
	weft__hottest_free(&h);
	weft_proof_free(&p);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

TEST(test_hottest)
{
	check_hottest("pgft:2;4,4;1,2;1,1", -1, false);
	check_hottest("torus:3x3,hosts=2", -1, false);
	check_hottest("ring:7,hosts=3", 1, false);
	/* Tables with holes and loops: what does not arrive is no load. */
	check_hottest("torus:3x3,hosts=2", -1, true);
	check_hottest("pgft:2;4,4;1,2;1,1", 1, true);
}

TEST(test_lanes)
{
	struct weft_fabric *f = route_fabric("ring:6,hosts=2", -1);
	struct weft_routes r = { .lft = { 0 } };
	struct weft__lane_use use;
	uint64_t sum = 0;

	ASSERT_EQ(route_by("minhop", NULL, f, &r, NULL), 0);
	r.layers.form = WEFT_SL_DESTINATION;
	r.layers.nsw = f->nsw;
	r.layers.nep = f->nep;
	r.layers.max_lid = f->max_lid;
	r.layers.nvl = 2;
	r.layers.table = calloc(f->max_lid + 1, 1);
	for (uint32_t e = 0; e < f->nep; e++)
		r.layers.table[f->ep[e].lid] = e % 3;
	weft__lane_use_count(f, &r, false, &use);
	EXPECT_EQ(use.pairs, 12 * 11);
	for (unsigned sl = 0; sl < 3; sl++)
		EXPECT_EQ(use.sl[sl], 4 * 11);
	EXPECT_EQ(use.vl[0], 8 * 11);
	EXPECT_EQ(use.vl[1], 4 * 11);
	for (unsigned i = 0; i < WEFT_NSL; i++)
		sum += use.vl[i];
	EXPECT_EQ(sum, use.pairs);
	EXPECT_EQ(weft__lanes_used(&use), 2);
	weft_routes_free(&r);
	weft_fabric_free(f);
}
