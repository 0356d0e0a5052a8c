// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Numbers of hosts in fat trees: how the ways up are shared. */
#include "../route.h"

#include "core/arena.h"
#include "engines/pgft/numbers.h"

#include <stdlib.h>

static const char *const trees[] = {
	"pgft:2;5,6;1,3;1,1", "pgft:2;12,4;1,4;1,2", "pgft:3;3,2,7;1,3,2;1,1,1",
	"pgft:3;6,5,8;1,5,4;1,1,3", "pgft:4;3,3,2,7;1,3,2,2;1,1,1,1",
	"pgft:4;4,3,2,3;1,3,5,2;1,1,1,2", "pgft:3;5,4,3;1,4,3;1,2,1",
	"pgft:3;16,4,3;1,2,5;1,3,1", "pgft:4;4,2,4,3;1,3,6,6;1,1,1,1",
};

struct numbered {
	struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__pgft_form form;
	uint32_t *number;	/* by number of the form */
	bool in_a_row;
};

static void number(struct numbered *x, const char *spec)
{
	uint32_t *rank, n = 0;
	struct weft__numbering how = { .aligned = true };

	suite_case("%s", spec);
	x->f = route_fabric(spec, -1);
	x->arena = weft__arena_new();
	ASSERT_EQ(weft__pgft_detect(x->f, x->arena, &x->form, NULL), 0);
	n = x->form.n * x->form.leaves[x->form.h];
	rank = weft__arena_alloc(x->arena, x->f->nep, sizeof(*rank));
	x->number = weft__arena_alloc(x->arena, n, sizeof(*x->number));
	ASSERT(rank && x->number && x->f->nep == n);
	for (uint32_t e = 0; e < n; e++) {
		rank[e] = x->form.number[e];
		x->number[e] = e;
	}
	how.rank = rank;
	ASSERT(weft__number_hosts(x->f, &x->form, &how, x->arena, x->number,
				  &x->in_a_row));
}

static void drop(struct numbered *x)
{
	weft__arena_free(x->arena);
	weft_fabric_free(x->f);
}

/* Hosts of a subtree of level l that share their way so far fill the ways from
 * there, w * p, alike, and from the first one on where the subtree is a leaf or has
 * hosts for all of its ways.  unit: ways so far. */
static void check_level(const struct numbered *x, unsigned l, uint32_t unit)
{
	const struct weft__pgft_form *form = &x->form;
	uint32_t ways = form->w[l + 1] * form->p[l + 1];
	uint32_t hosts = form->n * form->leaves[l];
	uint32_t all = form->n * form->leaves[form->h];
	/* parallel cables below tell part of the next way */
	uint32_t known = unit * form->p[l];
	bool anew = l == 1 || hosts >= unit * ways;

	for (uint32_t first = 0; first < all; first += hosts)
		for (uint32_t class = 0; class < known; class++) {
			uint32_t *used = calloc(ways, sizeof(*used));
			uint32_t least = UINT32_MAX, most = 0, n = 0;

			ASSERT(used);
			for (uint32_t i = first; i < first + hosts; i++)
				if (x->number[i] % known == class) {
					used[x->number[i] / unit % ways]++;
					n++;
				}
			for (uint32_t way = 0; way < ways; way++) {
				if (form->p[l] > 1 &&
				    way % form->p[l] != class / unit)
					continue;
				least = used[way] < least ? used[way] : least;
				most = used[way] > most ? used[way] : most;
				EXPECT(!anew || form->p[l] > 1 || used[way] ||
				       way >= n);
			}
			EXPECT(most <= least + 1);
			free(used);
		}
}

TEST(test_aligned)
{
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct numbered x;
		uint32_t unit = 1;

		number(&x, trees[i]);
		for (unsigned l = 1; l < x.form.h; l++) {
			/* or the numbers of cables do not divide the ways */
			if (x.form.w[l + 1] * x.form.p[l + 1] % x.form.p[l] == 0)
				check_level(&x, l, unit);
			unit *= x.form.w[l + 1];
		}
		drop(&x);
	}
}

/* Cables of a leaf are used alike, whatever they are joined to farther up. */
TEST(test_cables)
{
	struct numbered x;
	uint32_t used[6] = { 0 };

	number(&x, "pgft:3;16,4,3;1,2,5;1,3,1");
	for (uint32_t i = 0; i < 16; i++)
		used[x.number[i] % 6]++;
	for (unsigned k = 0; k < 6; k++)
		EXPECT_EQ(used[k], k < 4 ? 3 : 2);
	drop(&x);
}

/* Where all divides, subtrees that begin anew are in a row even so. */
TEST(test_in_a_row)
{
	struct numbered x;

	number(&x, "pgft:3;4,4,3;1,4,4;1,1,1");
	EXPECT(x.in_a_row);
	for (uint32_t i = 0; i < x.f->nep; i++)
		EXPECT_EQ(x.number[i], i % 16);
	drop(&x);
	number(&x, "pgft:3;4,5,3;1,4,4;1,1,1");
	EXPECT(!x.in_a_row);
	drop(&x);
}
