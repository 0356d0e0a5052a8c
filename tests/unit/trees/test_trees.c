// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Trees that several endports of a switch share: every LID has its table, trees
 * have the weight of all their endports, and there are about as many as asked
 * for.
 */
#include "core/arena.h"
#include "../suite.h"
#include "trees/trees.h"

#include <weft/weft.h>

#include <string.h>

static struct weft_fabric *make(const char *spec)
{
	struct weft_fabric *plain, *f;

	ASSERT_EQ(weft_gen(spec, &plain, NULL), 0);
	ASSERT_EQ(weft_fabric_assign_lids(plain, 0, &f, NULL), 0);
	weft_fabric_free(plain);
	return f;
}

static uint64_t sum_of_weights(const struct weft__trees *trees)
{
	uint64_t sum = 0;

	for (uint32_t d = 0; d < trees->nendports; d++)
		sum += trees->tree[d].weight;
	return sum;
}

/* Each twin has the choices of a tree to its switch. */
static void check_twins(const struct weft_fabric *f,
			const struct weft__trees *trees)
{
	for (uint32_t i = 0; i < trees->ntwins; i++) {
		const struct weft__tree *twin = &trees->twin[i];
		uint32_t owner = weft_lid_owner(f, twin->lid), d = 0;

		ASSERT(weft_is_endport(owner));
		EXPECT_EQ(twin->root, f->ep[owner & ~WEFT_ENDPORT].sw);
		EXPECT_EQ(twin->delivery, f->ep[owner & ~WEFT_ENDPORT].sw_port);
		while (d < trees->nendports &&
		       trees->tree[d].choice != twin->choice)
			d++;
		ASSERT(d < trees->nendports);
		EXPECT_EQ(trees->tree[d].root, twin->root);
	}
}

/* Every LID is delivered where it belongs, and its twin goes the same way. */
static void check_tables(const struct weft_fabric *f,
			 const struct weft__trees *trees)
{
	struct weft_lft lft;

	for (uint32_t d = 0; d < trees->n; d++)
		memset(trees->tree[d].choice, d % 2, f->nsw);
	ASSERT_EQ(weft__trees_fill(f, trees, &lft), 0);
	for (uint32_t e = 0; e < f->nep; e++)
		EXPECT_EQ(weft_lft_get(&lft, f->ep[e].sw, f->ep[e].lid),
			  f->ep[e].sw_port);
	for (uint32_t i = 0; i < trees->ntwins; i++)
		for (uint32_t s = 0; s < f->nsw; s++)
			if (s != trees->twin[i].root)
				EXPECT_NE(weft_lft_get(&lft, s,
					  trees->twin[i].lid), WEFT_NO_PORT);
	weft_lft_free(&lft);
}

static void share(const struct weft_fabric *f, double own, uint32_t least,
		  uint32_t most)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft__trees trees;

	ASSERT(weft__trees_list_shared(f, arena, weft__endports_by_port(f,
	       arena), own, &trees));
	EXPECT(trees.nendports >= least && trees.nendports <= most);
	EXPECT_EQ(trees.nendports + trees.ntwins, f->nep);
	EXPECT_EQ(trees.n - trees.nendports, f->nsw);
	EXPECT_EQ(sum_of_weights(&trees), f->nep);
	check_twins(f, &trees);
	check_tables(f, &trees);
	weft__arena_free(arena);
}

TEST(test_shared)
{
	struct weft_fabric *f = make("torus:4x4,hosts=5");

	share(f, 1, 80, 80);
	share(f, 0.6, 47, 48);
	share(f, 0.35, 27, 28);
	share(f, 0.2, 16, 16);
	share(f, 0, 16, 16);
	weft_fabric_free(f);
}

/* Pairs of endports have the same choices, by which they share trees, and have the
 * same tables then. */
TEST(test_same)
{
	struct weft_fabric *f = make("torus:4x4,hosts=5");
	struct weft_arena *arena = weft__arena_new();
	struct weft_lft before, after;
	struct weft_lft_diff diff;
	struct weft__trees trees;

	ASSERT(weft__trees_list(f, arena, weft__endports_by_port(f, arena),
				&trees));
	for (uint32_t d = 0; d < trees.n; d++)
		memset(trees.tree[d].choice, d / 2 % 4, f->nsw);
	ASSERT_EQ(weft__trees_fill(f, &trees, &before), 0);
	weft__trees_share(f, &trees);
	/* of five on a switch two pairs, and one by itself */
	EXPECT_EQ(trees.nendports, 16 * 3);
	EXPECT_EQ(trees.nbase, 16 * 3);
	EXPECT_EQ(trees.n, 16 * 3 + f->nsw);
	EXPECT_EQ(trees.ntwins, 16 * 2);
	EXPECT_EQ(sum_of_weights(&trees), f->nep);
	check_twins(f, &trees);
	ASSERT_EQ(weft__trees_fill(f, &trees, &after), 0);
	weft_lft_compare(&before, &after, &diff);
	EXPECT_EQ(diff.entries, 0);
	weft_lft_free(&before);
	weft_lft_free(&after);
	weft__arena_free(arena);
	weft_fabric_free(f);
}
