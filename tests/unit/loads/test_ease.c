// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Easing moves entries of tables such that the most loaded channel carries less:
 * all still reach each other without a credit loop, by ways that are at most four
 * cables longer than the shortest, or no longer than they were.
 */
#include "../engines/weave_util.h"
#include "../route.h"

#include "core/arena.h"
#include "core/tables/lft.h"
#include "loads/ease.h"
#include "loads/gather.h"

#include <errno.h>
#include <stdlib.h>

static const struct weft__ease_spec enough = {
	.work = 1000000000,
};

#define PLAIN "effort=0"
#define MINIMAL "effort=0,strategy=minimal"

/* Fabrics, and how far the highest load falls there, in per mille of what it was,
 * at least. */
static const struct {
	const char *spec;
	unsigned lanes, falls;
	const char *options;	/* of weave */
} cases[] = {
	{ "random:32,6,6", 1, 50, PLAIN },
	{ "random:32,6,6", 8, 20, PLAIN },
	{ "xpander:5,6,4", 8, 20, PLAIN },
	{ "dragonfly:4,2,2,9", 1, 50, PLAIN },
	{ "rack216,fail-links=10%", 8, 20, PLAIN },
	{ "torus:5x5x5,fail-links=4%", 2, 500, MINIMAL },
	/* by ways that are longer by more than one */
	{ "slimfly:5", 1, 400, PLAIN },
	/* all that is not minimal there, and a lane has */
	{ "pgft:3;4,4,4;1,4,4;1,1,1,fail-links=8%,seed=3", 1, 0, PLAIN },
	/* nothing is to be gained */
	{ "pgft:3;3,3,4;1,3,3;1,1,1", 1, 0, PLAIN },
	{ "torus:4x4,hosts=2", 4, 0, PLAIN },
	{ "star:6,hosts=3", 1, 0, PLAIN },
};

static uint64_t find_peak(const struct weft_fabric *f,
			  const struct weft_routes *r)
{
	struct weft_arena *arena = weft__arena_new();
	uint8_t *lost = calloc(f->max_lid + 1u, 1);
	struct weft__loads t;
	uint64_t peak = 0;

	ASSERT_EQ(weft__loads_init(&t, f, &r->layers, 1, arena), 0);
	ASSERT_EQ(weft__gather(&t, &r->lft, lost), 0);
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		if (t.load[f->adj[i]] > peak)
			peak = t.load[f->adj[i]];
	weft__loads_free(&t);
	weft__arena_free(arena);
	free(lost);
	return peak;
}

static unsigned count_hops(const struct weft_fabric *f,
			   const struct weft_routes *r, uint32_t s,
			   unsigned lid)
{
	uint32_t root = weft_vertex_switch(f, weft_lid_owner(f, lid));
	unsigned n = 0;

	for (; s != root; n++)
		s = f->peer[weft_channel(f, s, weft_lft_get(&r->lft, s, lid))];
	return n;
}

static void compare_hops(const struct weft_fabric *f,
			 const struct weft_routes *was,
			 const struct weft_routes *is)
{
	uint16_t *hops = calloc(f->nsw, sizeof(*hops));
	uint32_t *order = calloc(f->nsw, sizeof(*order));

	for (uint32_t e = 0; e < f->nep; e++) {
		weft__bfs(f, f->ep[e].sw, hops, order);
		for (uint32_t s = 0; s < f->nsw; s++) {
			unsigned n = count_hops(f, was, s, f->ep[e].lid);
			unsigned most = n > hops[s] + 4u ? n : hops[s] + 4u;

			EXPECT(count_hops(f, is, s, f->ep[e].lid) <= most);
		}
	}
	free(hops);
	free(order);
}

TEST(test_loads_fall)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_fabric *f = weave_fabric(cases[i].spec);
		struct weft_routes was = { 0 }, is = { 0 }, again = { 0 };
		struct weft__eased eased, twice;
		uint64_t before, after;

		suite_case("%s, %u lanes", cases[i].spec, cases[i].lanes);
		ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options, &was,
				      NULL), 0);
		ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options, &is,
				      NULL), 0);
		ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options, &again,
				      NULL), 0);
		ASSERT_EQ(weft__ease(f, &is, &enough, &eased), 0);
		ASSERT_EQ(weft__ease(f, &again, &enough, &twice), 0);
		before = find_peak(f, &was);
		after = find_peak(f, &is);
		EXPECT(after <= before);
		EXPECT(after * 1000 <= before * (1000 - cases[i].falls));
		EXPECT_EQ(eased.moved != 0, after < before);
		weave_judge(cases[i].spec, f, &is, cases[i].lanes);
		compare_hops(f, &was, &is);
		EXPECT(weave_same(f, &is, &again));
		EXPECT_EQ(eased.looked, twice.looked);
		weft_routes_free(&was);
		weft_routes_free(&is);
		weft_routes_free(&again);
		weft_fabric_free(f);
	}
}

/* Pairs of switches change lanes where nothing else lowers the peak, among the
 * lanes in use; both directions do. */
TEST(test_lanes_change)
{
	struct weft_fabric *f = weave_fabric("dragonfly:4,2,2,9");
	struct weft_routes was = { 0 }, is = { 0 };
	const struct weft_layers *y = &is.layers;
	struct weft__eased eased;
	unsigned changed = 0;

	ASSERT_EQ(weave_route(f, 4, "effort=0", &was, NULL), 0);
	ASSERT_EQ(weave_route(f, 4, "effort=0", &is, NULL), 0);
	ASSERT_EQ(weft__ease(f, &is, &enough, &eased), 0);
	ASSERT_EQ(y->form, WEFT_SL_SWITCH_PAIR);
	EXPECT_EQ(y->nvl, was.layers.nvl);
	for (size_t a = 0; a < f->nsw; a++)
		for (size_t b = 0; b < f->nsw; b++) {
			EXPECT_EQ(y->table[a * f->nsw + b],
				  y->table[b * f->nsw + a]);
			changed += y->table[a * f->nsw + b] !=
				   was.layers.table[a * f->nsw + b];
		}
	EXPECT(changed > 0);
	EXPECT(changed < f->nsw * f->nsw / 8);
	weft_routes_free(&was);
	weft_routes_free(&is);
	weft_fabric_free(f);
}

/* Less work moves less, and none at all nothing. */
TEST(test_work_bounds)
{
	struct weft_fabric *f = weave_fabric("random:32,6,6");
	uint64_t least = weft__ease_least(f), all = 0;

	for (unsigned i = 0; i < 4; i++) {
		const uint64_t work[] = {
			enough.work, least + 100000, least, least - 1
		};
		const struct weft__ease_spec spec = {
			.work = work[i],
		};
		struct weft_routes r = { 0 };
		struct weft__eased eased;

		ASSERT_EQ(weave_route(f, 8, "effort=0", &r, NULL), 0);
		ASSERT_EQ(weft__ease(f, &r, &spec, &eased), 0);
		all = i ? all : eased.moved;
		EXPECT(i > 1 ? !eased.moved : eased.moved);
		EXPECT(!i || eased.moved < all);
		EXPECT(work[i] >= least || !eased.looked);
		weft_routes_free(&r);
	}
	weft_fabric_free(f);
}

/* Where all ways pass channels that are even, rounds are left out: at the top of
 * a tree with fewer cables there, around a torus, between two switches.  Where
 * there may be room, they are not. */
TEST(test_no_room)
{
	static const struct {
		const char *spec;
		bool room;
	} trees[] = {
		{ "pgft:3;4,4,4;1,4,2;1,1,1", false },
		{ "pgft:3;4,4,4;1,4,2;1,1,1,fail-links=5%", true },
		{ "pgft:2;8,8;1,4;1,1", false },
		{ "torus:4x4,hosts=4", false },
		{ "mesh:2,hosts=4", false },
		{ "random:32,6,6", true },
	};

	for (unsigned i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct weft_fabric *f = weave_fabric(trees[i].spec);
		struct weft_routes r = { 0 };
		struct weft__eased eased;

		suite_case("%s", trees[i].spec);
		ASSERT_EQ(weave_route(f, 4, "effort=0", &r, NULL), 0);
		ASSERT_EQ(weft__ease(f, &r, &enough, &eased), 0);
		EXPECT_EQ(eased.looked > weft__ease_least(f), trees[i].room);
		EXPECT(trees[i].room || !eased.moved);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

struct asked {
	const struct weft_fabric *f;
	unsigned n, most;
	uint64_t peak;		/* when it was asked last */
};

static int ask(void *whom, struct weft_routes *routes)
{
	struct asked *a = whom;
	uint64_t peak = find_peak(a->f, routes);

	EXPECT(peak < a->peak);
	a->peak = peak;
	return ++a->n < a->most ? 0 : -EALREADY;
}

/* Who is asked sees each fall of the peak, the first ones one by one, and the
 * tables that come out; easing ends when that is enough. */
TEST(test_asks)
{
	struct weft_fabric *f = weave_fabric("torus:5x5x5,fail-links=4%");
	const struct { unsigned falls, most, n; int err; } want[] = {
		{ 2, 64, 3, 0 }, { 2, 2, 2, -EALREADY }, { 0, 64, 1, 0 },
	};

	for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct asked a = { f, 0, want[i].most, UINT64_MAX };
		struct weft__ease_spec spec = {
			.work = enough.work, .ask = ask, .whom = &a,
			.falls = want[i].falls, .asking = 1000,
		};
		struct weft__eased plain, eased;
		struct weft_routes r = { 0 }, q = { 0 };

		suite_case("%u falls, at most %u times", want[i].falls,
			   want[i].most);
		ASSERT_EQ(weave_route(f, 2, "effort=0", &r, NULL), 0);
		ASSERT_EQ(weave_route(f, 2, "effort=0", &q, NULL), 0);
		EXPECT_EQ(weft__ease(f, &r, &spec, &eased), want[i].err);
		EXPECT_EQ(a.n, want[i].n);
		EXPECT_EQ(find_peak(f, &r), a.peak);
		ASSERT_EQ(weft__ease(f, &q, &enough, &plain), 0);
		EXPECT_EQ(weave_same(f, &r, &q), !want[i].err);
		EXPECT(want[i].err ||
		       eased.looked == plain.looked + 1000 * a.n);
		weft_routes_free(&r);
		weft_routes_free(&q);
	}
	weft_fabric_free(f);
}

/* Base LIDs stay, if they are to, and others are eased. */
TEST(test_base_lids)
{
	const struct weft__ease_spec spec = {
		.work = enough.work, .keep_base = true,
	};
	struct weft_fabric *f = route_fabric("dragonfly:4,2,2,9", 1);
	struct weft_routes was = { 0 }, is = { 0 };
	struct weft__eased eased;

	ASSERT_EQ(weave_route(f, 8, "effort=0", &was, NULL), 0);
	ASSERT_EQ(weave_route(f, 8, "effort=0", &is, NULL), 0);
	ASSERT_EQ(weft__ease(f, &is, &spec, &eased), 0);
	EXPECT(eased.moved > 0);
	EXPECT(find_peak(f, &is) < find_peak(f, &was));
	for (uint32_t e = 0; e < f->nep; e++)
		for (uint32_t s = 0; s < f->nsw; s++)
			EXPECT_EQ(weft_lft_get(&is.lft, s, f->ep[e].lid),
				  weft_lft_get(&was.lft, s, f->ep[e].lid));
	weave_judge("dragonfly", f, &is, 8);
	weft_routes_free(&was);
	weft_routes_free(&is);
	weft_fabric_free(f);
}
