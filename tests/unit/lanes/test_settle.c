// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lanes for all pairs of switches, from minimal trees that leave many without,
 * on damaged products by dimensions and on any fabric by orders of its
 * switches: by ways that are searched for, by the lanes' trees alone, and by
 * few lanes.
 */
#include "core/arena.h"
#include "engines/weave/rings_lanes.h"
#include "lanes/regrow.h"
#include "lanes/settle.h"
#include "lanes/legal_counts.h"
#include "engines/weave/weave.h"
#include "../suite.h"

#include <weft/weft.h>

#include <stdlib.h>

static const struct {
	const char *spec;
	unsigned lanes;
	bool orders;	/* of switches */
} parts[] = {
	{ "torus:6x6x4,hosts=1,fail-links=10%", 8, false },
	{ "torus:6x6x4,hosts=1,fail-links=10%", 4, false },
	{ "torus:12x10,hosts=9,links=2,fail-switches=1", 8, false },
	{ "torus:9x8,hosts=3,fail-links=10%,guids=shuffle,seed=2", 4, false },
	{ "torus:4x4x3,hosts=2,fail-switches=3", 1, false },
	{ "mesh:8x8,hosts=1,fail-switches=3", 2, false },
	{ "hypercube:6,hosts=1,fail-links=10%", 15, false },
	{ "torus:8x8,hosts=2,fail-links=10%", 2, true },
	{ "random:60x3,7,seed=1", 8, true },
	{ "random:60x3,7,seed=2", 1, true },
	{ "dragonfly:4,2,2,9,guids=shuffle,seed=3", 2, true },
	{ "deimos,fail-links=3%", 4, true },
};
enum { NPARTS = sizeof(parts) / sizeof(parts[0]) };

struct settled {
	struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__orders orders;
	const uint32_t *up;	/* [lanes * nsw] trees of the lanes */
	struct weft__tree_routes out;
	struct weft__lane_masks masks;
	struct weft__legal_counts votes;
};

static void order_rings(struct settled *t, unsigned lanes)
{
	struct weft__rings_lanes by_rings;
	struct weft__rings r;
	bool found;

	ASSERT(weft__rings_find(&r, t->f, t->arena, &found));
	ASSERT(weft__rings_lanes(&by_rings, &r, lanes, t->arena));
	t->orders = (struct weft__orders){
		.fabric = t->f, .n = lanes, .turns = by_rings.turns,
	};
	t->up = by_rings.up;
}

static void order_switches(struct settled *t, unsigned lanes)
{
	struct weft__closeness close;

	ASSERT(weft__closeness_init(&close, t->f, t->arena, NULL));
	ASSERT(weft__orders_choose(&t->orders, &t->out.ways, &close, lanes,
	       t->arena));
	ASSERT(weft__orders_grow(&t->orders, t->arena));
	t->up = t->orders.parent;
}

static void begin(struct settled *t, unsigned i)
{
	ASSERT_EQ(weft_gen(parts[i].spec, &t->f, NULL), 0);
	t->arena = weft__arena_new();
	t->out = (struct weft__tree_routes){ .trees = { 0 } };
	ASSERT(weft__ways_init(&t->out.ways, t->f, t->arena, NULL));
	if (parts[i].orders)
		order_switches(t, parts[i].lanes);
	else
		order_rings(t, parts[i].lanes);
	ASSERT(weft__trees_list(t->f, t->arena, NULL, &t->out.trees));
	ASSERT(weft__balance_init(&t->out.balance, t->f, t->arena));
	weft__balance_endports(&t->out.balance, &t->out.ways, &t->out.trees, 1);
	ASSERT(weft__masks_init(&t->masks, &t->orders, &t->out.ways,
	       &t->out.trees, &t->out.balance, t->arena));
	weft__masks_look(&t->masks, t->out.trees.nendports);
	weft__masks_switches(&t->masks);
	ASSERT(weft__legal_init(&t->votes, &t->masks, t->arena));
}

static void end(struct settled *t)
{
	weft__arena_free(t->arena);
	weft_fabric_free(t->f);
}

static uint32_t count_missing(const struct settled *t)
{
	uint32_t n = 0;

	for (uint32_t a = 0; a < t->f->nsw; a++)
		for (uint32_t b = 0; b < a; b++)
			n += weft__legal_missing(&t->votes, a, b) > 0;
	return n;
}

/* Whether s gets to the root. */
static bool arrives(const struct settled *t, const struct weft__tree *tree,
		    uint32_t s)
{
	const struct weft_fabric *f = t->f;
	uint32_t hops = 0;

	for (; s != tree->root && hops < f->nsw; hops++)
		s = f->peer[f->adj[f->adj_first[s] + tree->choice[s]]];
	return s == tree->root;
}

static void check_trees(const struct settled *t)
{
	for (uint32_t d = 0; d < t->out.trees.n; d++)
		for (uint32_t s = 0; s < t->f->nsw; s++)
			EXPECT(arrives(t, &t->out.trees.tree[d], s));
}

/* All have a lane, by masks found anew. */
static void check_settled(unsigned i, uint64_t patience)
{
	struct settled t;

	begin(&t, i);
	EXPECT(count_missing(&t) > 0);
	ASSERT_EQ(weft__settle_pairs(&t.masks, t.up, patience), 0);
	EXPECT_EQ(count_missing(&t), 0);
	check_trees(&t);
	weft__masks_look(&t.masks, t.out.trees.n);
	EXPECT_EQ(count_missing(&t), 0);
	end(&t);
}

TEST(test_search)
{
	for (unsigned i = 0; i < NPARTS; i++)
		check_settled(i, UINT64_MAX);
}

TEST(test_trees_alone)
{
	for (unsigned i = 0; i < NPARTS; i++)
		check_settled(i, 0);
}

/* The turn from edge e into g, or into the end of a way if that is WEFT_NONE. */
static bool allows(const struct settled *t, uint32_t e, uint32_t g,
		   unsigned lane)
{
	uint32_t s = t->f->peer[t->f->adj[e]];
	uint32_t i = g == WEFT_NONE ? weft__turns_end(&t->orders.turns, s) :
		g - t->f->adj_first[s];

	return weft__turns_from(&t->orders.turns, e)[i] >> lane & 1;
}

static uint32_t reverse(const struct settled *t, uint32_t e)
{
	uint32_t g = t->f->adj_first[t->f->peer[t->f->adj[e]]];

	while (t->f->adj[g] != t->f->reverse[t->f->adj[e]])
		g++;
	return g;
}

/* All ways within a tree of the lane, from s up to the top and from any switch
 * on that way down again. */
static void check_way(const struct settled *t, const uint32_t *up, uint32_t s,
		      unsigned lane)
{
	uint32_t e = up[s], hops = 0;

	while (e != WEFT_NONE && hops++ < t->f->nsw) {
		uint32_t parent = t->f->peer[t->f->adj[e]], g = up[parent];

		EXPECT(allows(t, e, WEFT_NONE, lane));
		if (g != WEFT_NONE) {
			EXPECT(allows(t, e, g, lane));
			EXPECT(allows(t, reverse(t, g), reverse(t, e), lane));
		}
		for (uint32_t c = 0; c < t->f->nsw; c++)
			if (c != s && up[c] != WEFT_NONE &&
			    t->f->peer[t->f->adj[up[c]]] == parent)
				EXPECT(allows(t, e, reverse(t, up[c]), lane));
		s = parent;
		e = g;
	}
	EXPECT(hops < t->f->nsw);
}

/* Takes away edges that no turn leads into until none is left. */
static void check_acyclic(const struct settled *t, unsigned lane)
{
	const uint32_t *first = t->f->adj_first;
	uint32_t nedges = first[t->f->nsw], n = 0;
	uint32_t *into = weft__arena_zalloc(t->arena, nedges, sizeof(*into));
	uint32_t *queue = weft__arena_alloc(t->arena, nedges, sizeof(*queue));

	for (uint32_t e = 0; e < nedges; e++)
		for (uint32_t s = t->f->peer[t->f->adj[e]], g = first[s];
		     g < first[s + 1]; g++)
			into[g] += allows(t, e, g, lane);
	for (uint32_t e = 0; e < nedges; e++)
		if (!into[e])
			queue[n++] = e;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t e = queue[i], s = t->f->peer[t->f->adj[e]],
		     g = first[s]; g < first[s + 1]; g++)
			if (allows(t, e, g, lane) && !--into[g])
				queue[n++] = g;
	EXPECT_EQ(n, nedges);
}

TEST(test_lanes)
{
	for (unsigned i = 0; i < NPARTS; i++) {
		struct settled t;

		begin(&t, i);
		EXPECT_EQ(t.orders.n, parts[i].lanes);
		for (unsigned k = 0; k < t.orders.n; k++) {
			const uint32_t *up = t.up + (size_t)k * t.f->nsw;
			unsigned tops = 0;

			check_acyclic(&t, k);
			for (uint32_t s = 0; s < t.f->nsw; s++) {
				tops += up[s] == WEFT_NONE;
				check_way(&t, up, s, k);
			}
			EXPECT_EQ(tops, 1);
		}
		end(&t);
	}
}

/* Relief ends at the limit of the balance, and does something without it. */
TEST(test_limit)
{
	for (unsigned limited = 0; limited < 2; limited++) {
		struct settled t;
		size_t size;
		uint8_t *before;
		bool same;

		begin(&t, 7);
		ASSERT_EQ(weft__settle_pairs(&t.masks, t.up, UINT64_MAX), 0);
		ASSERT_EQ(count_missing(&t), 0);
		EXPECT(t.out.balance.looked > 0);
		size = (size_t)t.f->nsw * t.out.trees.nendports;
		before = malloc(size);
		ASSERT(before);
		for (uint32_t d = 0; d < t.out.trees.nendports; d++)
			memcpy(before + (size_t)d * t.f->nsw,
			       t.out.trees.tree[d].choice, t.f->nsw);
		if (limited)
			t.out.balance.limit = 0;
		EXPECT_EQ(weft__regrow_relieve(&t.masks, true, 8), 0);
		same = true;
		for (uint32_t d = 0; d < t.out.trees.nendports; d++)
			same &= !memcmp(before + (size_t)d * t.f->nsw,
					t.out.trees.tree[d].choice, t.f->nsw);
		EXPECT_EQ(same, limited);
		EXPECT_EQ(count_missing(&t), 0);
		free(before);
		end(&t);
	}
}
