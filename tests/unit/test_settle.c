// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lanes for all pairs of switches of a damaged product, from minimal trees that
 * leave many without: by ways that are searched for, by the lanes' trees alone,
 * and by few lanes.
 */
#include "core/arena.h"
#include "engines/rings_lanes.h"
#include "engines/settle.h"
#include "engines/votes.h"
#include "engines/weave.h"
#include "suite.h"

#include <weft/weft.h>

static const struct {
	const char *spec;
	unsigned lanes;
} parts[] = {
	{ "torus:6x6x4,hosts=1,fail-links=10%", 8 },
	{ "torus:6x6x4,hosts=1,fail-links=10%", 4 },
	{ "torus:12x10,hosts=9,links=2,fail-switches=1", 8 },
	{ "torus:9x8,hosts=3,fail-links=10%,guids=shuffle,seed=2", 4 },
	{ "torus:4x4x3,hosts=2,fail-switches=3", 1 },
	{ "mesh:8x8,hosts=1,fail-switches=3", 2 },
	{ "hypercube:6,hosts=1,fail-links=10%", 15 },
};
enum { NPARTS = sizeof(parts) / sizeof(parts[0]) };

struct settled {
	struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__rings_lanes lanes;
	struct weft__orders orders;
	struct weft__woven out;
	struct weft__spread spread;
	struct weft__votes votes;
};

static void begin(struct settled *t, unsigned i)
{
	struct weft__rings r;
	struct weft__weave w;
	bool found;

	CU_ASSERT_EQUAL_FATAL(weft_gen(parts[i].spec, &t->f, NULL), 0);
	t->arena = weft__arena_new();
	t->out = (struct weft__woven){ .routed = false };
	w = (struct weft__weave){ .f = t->f, .arena = t->arena };
	CU_ASSERT_FATAL(weft__rings_find(&r, t->f, t->arena, &found));
	CU_ASSERT_FATAL(weft__rings_lanes(&t->lanes, &r, parts[i].lanes,
					  t->arena, &found));
	CU_ASSERT_FATAL(found);
	t->orders = (struct weft__orders){
		.fabric = t->f, .n = parts[i].lanes, .turns = t->lanes.turns,
	};
	CU_ASSERT_FATAL(weft__ways_init(&t->out.ways, t->f, t->arena, NULL));
	CU_ASSERT_EQUAL_FATAL(weft__weave_balance(&w, &t->out, 1), 0);
	CU_ASSERT_FATAL(weft__spread_init(&t->spread, &t->orders, &t->out.ways,
					  &t->out.trees, &t->out.balance,
					  t->arena));
	weft__spread_look(&t->spread, t->out.trees.nendports);
	weft__spread_switches(&t->spread);
	CU_ASSERT_FATAL(weft__votes_init(&t->votes, &t->spread, t->arena));
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
			n += weft__votes_missing(&t->votes, a, b) > 0;
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
			CU_ASSERT(arrives(t, &t->out.trees.tree[d], s));
}

/* All have a lane, by masks found anew. */
static void check_settled(unsigned i, uint64_t patience)
{
	struct settled t;

	begin(&t, i);
	CU_ASSERT(count_missing(&t) > 0);
	CU_ASSERT_EQUAL_FATAL(weft__settle_pairs(&t.spread, t.lanes.up,
						 patience), 0);
	CU_ASSERT_EQUAL(count_missing(&t), 0);
	check_trees(&t);
	weft__spread_look(&t.spread, t.out.trees.n);
	CU_ASSERT_EQUAL(count_missing(&t), 0);
	end(&t);
}

static void test_search(void)
{
	for (unsigned i = 0; i < NPARTS; i++)
		check_settled(i, UINT64_MAX);
}

static void test_trees_alone(void)
{
	for (unsigned i = 0; i < NPARTS; i++)
		check_settled(i, 0);
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "ways searched for", test_search },
		{ "trees of lanes alone", test_trees_alone },
		{ NULL, NULL },
	};

	return suite_run("settle", tests);
}
