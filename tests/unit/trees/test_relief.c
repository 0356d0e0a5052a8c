// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Relief of peaks: choices stay along the ways, loads are those of the trees,
 * and the highest one falls where there is room, and never rises.  No choice of
 * ways is below the bound.  No group comes to crowd a channel.
 */
#include "core/arena.h"
#include "../suite.h"
#include "trees/balance.h"
#include "graph/closeness.h"

#include <weft/weft.h>

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *spec;
	bool ordered;	/* Up*Down* by closeness */
	double falls;	/* of the highest load, at most, where it must fall */
} parts[] = {
	{ "switch648,fail-links=5%", true, 0.8 },
	{ "switch648,fail-links=5%", false, 0.8 },
	{ "pgft:3;6,6,12;1,6,6;1,1,1,fail-links=3%", true, 0.9 },
	{ "torus:6x6,hosts=2,fail-links=5%", false, 1 },
	{ "random:30x8,20", false, 1 },
	{ "deimos", true, 1 },
	{ "pgft:2;8,8;1,4;1,2", true, 1 },
	{ "ring:5,hosts=2", true, 1 },
};
enum { NPARTS = sizeof(parts) / sizeof(parts[0]), ROUNDS = 40 };

struct relieved {
	struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__closeness close;
	struct weft__ways ways;
	struct weft__trees trees;
	struct weft__balance balance;
};

/* Routes r->f. */
static void route(struct relieved *r, bool ordered)
{
	uint64_t had_none, missing;
	const uint32_t *order = NULL;

	r->arena = weft__arena_new();
	ASSERT(weft__closeness_init(&r->close, r->f, r->arena, NULL));
	ASSERT(weft__ways_init(&r->ways, r->f, r->arena, ordered ?
	       r->close.place : NULL));
	if (ordered)
		ASSERT(weft__ways_complete(&r->ways, &had_none, &missing));
	if (r->f->ngroups > 1)
		order = weft__endports_by_port(r->f, r->arena);
	ASSERT(weft__trees_list(r->f, r->arena, order, &r->trees));
	ASSERT(weft__balance_init(&r->balance, r->f, r->arena));
	weft__balance_endports(&r->balance, &r->ways, &r->trees, 4);
}

static void begin(struct relieved *r, const char *spec, bool ordered)
{
	ASSERT_EQ(weft_gen(spec, &r->f, NULL), 0);
	route(r, ordered);
}

static void end(struct relieved *r)
{
	weft__arena_free(r->arena);
	weft_fabric_free(r->f);
}

static uint64_t routes_over(const struct weft__balance *b, uint32_t edge)
{
	return (b->weight[edge] >> 8) / (b->scale[edge] >> 8);
}

static uint64_t highest(const struct weft__balance *b)
{
	uint64_t most = 0;

	for (uint32_t e = 0; e < b->fabric->adj_first[b->fabric->nsw]; e++)
		if (routes_over(b, e) > most)
			most = routes_over(b, e);
	return most;
}

static bool is_way(const struct weft__run *run, unsigned n, uint8_t choice)
{
	bool found = false;

	for (; n; n--, run++)
		found |= choice >= run->start &&
			choice < run->start + run->length;
	return found;
}

static void check_ways(struct relieved *r)
{
	for (uint32_t d = 0; d < r->trees.nendports; d++) {
		const struct weft__tree *t = &r->trees.tree[d];
		const struct weft__plan *plan = weft__ways_to(&r->ways, t->root);
		const struct weft__run *run = plan->run;

		for (uint32_t i = 0; i < plan->n; i++) {
			EXPECT(is_way(run, plan->nruns[i],
			       t->choice[plan->order[i + 1]]));
			run += plan->nruns[i];
		}
	}
}

/* Loads counted anew, way by way. */
static void check_loads(struct relieved *r)
{
	const struct weft_fabric *f = r->f;
	uint64_t *load = calloc(f->adj_first[f->nsw], sizeof(*load));

	for (uint32_t d = 0; d < r->trees.nendports; d++) {
		const struct weft__tree *t = &r->trees.tree[d];

		for (uint32_t e = 0; e < f->nep; e++)
			for (uint32_t s = f->ep[e].sw; s != t->root; ) {
				uint32_t at = f->adj_first[s] + t->choice[s];

				load[at]++;
				s = r->balance.head[at];
			}
	}
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		EXPECT_EQ(routes_over(&r->balance, e), load[e]);
	free(load);
}

TEST(test_relief)
{
	for (unsigned i = 0; i < NPARTS; i++) {
		struct relieved r;
		uint64_t before, after;

		begin(&r, parts[i].spec, parts[i].ordered);
		before = highest(&r.balance);
		weft__balance_relieve(&r.balance, &r.ways, &r.trees, ROUNDS);
		after = highest(&r.balance);
		EXPECT(after <= before * parts[i].falls);
		check_ways(&r);
		check_loads(&r);
		end(&r);
	}
}

/* The most routes of a group over a channel. */
static uint64_t most_of(const struct relieved *r, uint32_t group)
{
	const struct weft_fabric *f = r->f;
	uint64_t *load = calloc(f->adj_first[f->nsw], sizeof(*load)), most = 0;

	for (uint32_t d = 0; d < r->trees.nendports; d++) {
		const struct weft__tree *t = &r->trees.tree[d];

		for (uint32_t e = 0; t->group == group && e < f->nep; e++)
			for (uint32_t s = f->ep[e].sw; s != t->root; ) {
				uint32_t at = f->adj_first[s] + t->choice[s];

				if (++load[at] > most)
					most = load[at];
				s = r->balance.head[at];
			}
	}
	free(load);
	return most;
}

/* Where hosts are of two kinds, the highest load falls as well, and no channel
 * carries more of a kind than one did before. */
TEST(test_groups)
{
	static const char *const kinds[] = { "compute", "storage" };

	for (unsigned i = 0; i < 3; i++) {
		struct relieved r;
		uint64_t before, most[2];
		uint8_t *use;

		ASSERT_EQ(weft_gen(parts[i].spec, &r.f, NULL), 0);
		use = calloc(r.f->nep, 1);
		for (uint32_t e = 0; e < r.f->nep; e++)
			use[e] = e % 10 < 4;
		ASSERT_EQ(weft_fabric_use(r.f, use, kinds, 2), 0);
		free(use);
		route(&r, parts[i].ordered);
		before = highest(&r.balance);
		for (uint32_t g = 0; g < 2; g++)
			most[g] = most_of(&r, g);
		weft__balance_relieve(&r.balance, &r.ways, &r.trees, ROUNDS);
		EXPECT(highest(&r.balance) <= before * parts[i].falls);
		for (uint32_t g = 0; g < 2; g++)
			EXPECT(most_of(&r, g) <= most[g]);
		check_ways(&r);
		check_loads(&r);
		end(&r);
	}
}

static void save(const struct relieved *r, uint8_t *copy)
{
	for (uint32_t d = 0; d < r->trees.nendports; d++)
		memcpy(copy + (size_t)d * r->f->nsw, r->trees.tree[d].choice,
		       r->f->nsw);
}

/* A whole tree, where no channel carries more than a host's, stays as it is. */
TEST(test_nothing_to_do)
{
	struct relieved r;
	uint8_t *copy;
	size_t n;

	begin(&r, "pgft:2;8,8;1,4;1,2", true);
	n = (size_t)r.trees.nendports * r.f->nsw;
	copy = malloc(2 * n);
	save(&r, copy);
	weft__balance_relieve(&r.balance, &r.ways, &r.trees, ROUNDS);
	save(&r, copy + n);
	EXPECT(!memcmp(copy, copy + n, n));
	free(copy);
	end(&r);
}

/* Chooses ways at random for all trees, and loads them. */
static void choose_at_random(struct relieved *r, struct weft_rng *rng)
{
	weft__balance_reset(&r->balance);
	for (uint32_t d = 0; d < r->trees.nendports; d++) {
		const struct weft__tree *t = &r->trees.tree[d];
		const struct weft__plan *plan = weft__ways_to(&r->ways, t->root);
		const struct weft__run *run = plan->run;

		for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++]) {
			const struct weft__run *one = run +
				weft_rng_below(rng, plan->nruns[i]);

			t->choice[plan->order[i + 1]] = one->start +
				weft_rng_below(rng, one->length);
		}
		weft__balance_load(&r->balance, plan, t->choice, t->weight);
	}
}

/* Of channels that were above a threshold, one carries as much as the bound
 * says whatever is chosen. */
static void check_bound(struct relieved *r, struct weft_rng *rng,
			uint64_t threshold)
{
	uint32_t nedges = r->f->adj_first[r->f->nsw];
	bool *above = calloc(nedges, sizeof(*above));
	uint64_t bound = weft__balance_bound(&r->balance, &r->ways, &r->trees,
					     threshold);

	for (uint32_t e = 0; e < nedges; e++)
		above[e] = r->balance.weight[e] > threshold;
	for (unsigned i = 0; i < 5; i++) {
		uint64_t most = 0;

		choose_at_random(r, rng);
		for (uint32_t e = 0; e < nedges; e++)
			if (above[e] && r->balance.weight[e] > most)
				most = r->balance.weight[e];
		EXPECT(bound <= most);
	}
	free(above);
}

TEST(test_bound)
{
	struct weft_rng *rng = weft_rng_new(1);

	for (unsigned i = 0; i < NPARTS; i++) {
		struct relieved r;

		begin(&r, parts[i].spec, parts[i].ordered);
		for (unsigned k = 1; k < 8; k++)
			check_bound(&r, rng, weft__balance_peak(&r.balance) *
				    k / 8);
		EXPECT_EQ(weft__balance_bound(&r.balance, &r.ways, &r.trees,
			  UINT64_MAX), 0);
		end(&r);
	}
	weft_rng_free(rng);
}

/* Trees with fewer cables at the top, where the highest load cannot fall: that
 * takes no search, and the bound is what a cut of the tree says. */
TEST(test_tapered)
{
	static const struct {
		const char *spec;
		uint64_t most;	/* hosts below a cable x hosts elsewhere */
	} trees[] = {
		{ "pgft:3;8,8,16;1,8,4;1,1,1", 8 * 8 * (1024 - 64) / 32 },
		{ "pgft:3;9,9,12;1,9,3;1,1,1", 9 * 9 * (972 - 81) / 27 },
		{ "pgft:2;12,8;1,4;1,1", 12 * (96 - 12) / 4 },
	};

	for (unsigned i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct relieved r;
		uint64_t looked;

		begin(&r, trees[i].spec, true);
		EXPECT_EQ(highest(&r.balance), trees[i].most);
		looked = r.balance.looked;
		weft__balance_relieve(&r.balance, &r.ways, &r.trees, ROUNDS);
		looked = r.balance.looked - looked;
		EXPECT_EQ(highest(&r.balance), trees[i].most);
		EXPECT(looked < 4ull * r.trees.nendports * r.f->nsw);
		end(&r);
	}
}

/* No work is left: nothing moves; some is: it is hardly exceeded. */
TEST(test_limit)
{
	struct relieved r;
	uint64_t before, looked;

	begin(&r, parts[0].spec, parts[0].ordered);
	before = highest(&r.balance);
	looked = r.balance.limit = r.balance.looked;
	weft__balance_relieve(&r.balance, &r.ways, &r.trees, ROUNDS);
	EXPECT_EQ(highest(&r.balance), before);
	EXPECT_EQ(r.balance.looked, looked);
	r.balance.limit += 100000;
	weft__balance_relieve(&r.balance, &r.ways, &r.trees, ROUNDS);
	EXPECT(highest(&r.balance) < before);
	EXPECT(r.balance.looked < looked + 110000);
	check_ways(&r);
	check_loads(&r);
	end(&r);
}

/* Has every fifth switch of a plan send by a cable that is none of its ways,
 * if it has one.  Returns how many do. */
static unsigned lead_astray(struct relieved *r, const struct weft__tree *t)
{
	const struct weft__plan *plan = weft__ways_to(&r->ways, t->root);
	const struct weft__run *run = plan->run;
	unsigned astray = 0;

	for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++]) {
		uint32_t s = plan->order[i + 1];
		uint32_t n = r->f->adj_first[s + 1] - r->f->adj_first[s];
		uint8_t k = 0;

		while (k < n && is_way(run, plan->nruns[i], k))
			k++;
		if (i % 5 || k == n)
			continue;
		t->choice[s] = k;
		astray++;
	}
	return astray;
}

TEST(test_led_back)
{
	struct relieved r;
	uint8_t *before;
	uint32_t nsw;

	begin(&r, parts[0].spec, true);
	nsw = r.f->nsw;
	before = malloc((size_t)r.trees.nendports * nsw);
	for (uint32_t d = 0; d < r.trees.nendports; d++)
		memcpy(before + (size_t)d * nsw, r.trees.tree[d].choice, nsw);
	for (uint32_t d = 0; d < r.trees.nendports; d += 3)
		EXPECT(lead_astray(&r, &r.trees.tree[d]) > 0);
	weft__balance_lead_back(&r.balance, &r.ways, &r.trees);
	check_ways(&r);
	check_loads(&r);
	for (uint32_t d = 0; d < r.trees.nendports; d++)
		if (d % 3)
			EXPECT(!memcmp(before + (size_t)d * nsw,
			       r.trees.tree[d].choice, nsw));
	free(before);
	end(&r);
}
