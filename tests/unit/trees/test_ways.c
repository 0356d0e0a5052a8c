// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Up*Down* ways are those of their definition, which is followed here without
 * any haste: whoever has a way down takes the shortest ones, the others climb
 * to where the rest is shortest.
 */
#include "../suite.h"

#include "core/arena.h"
#include "graph/cdg.h"
#include "lanes/turns.h"
#include "trees/valley_turns.h"
#include "trees/ways.h"

#include <weft/gen.h>
#include <weft/rng.h>

#include <stdlib.h>
#include <string.h>

enum { NONE = 1000000, SEED = 99 };

struct job {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__ways ways;
	uint32_t *place, *by_place;
	uint32_t *down, *hops;	/* [nsw] */
};

/* Hops over cables that only lead down; changes are passed on to the end. */
static void find_down(struct job *j, uint32_t root)
{
	const struct weft_fabric *f = j->f;
	bool changed = true;

	for (uint32_t s = 0; s < f->nsw; s++)
		j->down[s] = s == root ? 0 : NONE;
	while (changed) {
		changed = false;
		for (uint32_t s = 0; s < f->nsw; s++) {
			for (uint32_t e = f->adj_first[s];
			     e < f->adj_first[s + 1]; e++) {
				uint32_t t = j->ways.head[e];

				if (j->place[t] <= j->place[s] ||
				    j->down[t] + 1 >= j->down[s])
					continue;
				j->down[s] = j->down[t] + 1;
				changed = true;
			}
		}
	}
}

static void find_hops(struct job *j)
{
	const struct weft_fabric *f = j->f;

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t s = j->by_place[i];

		j->hops[s] = j->down[s];
		if (j->down[s] != NONE)
			continue;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = j->ways.head[e];

			if (j->place[t] < j->place[s] &&
			    j->hops[t] + 1 < j->hops[s])
				j->hops[s] = j->hops[t] + 1;
		}
	}
}

static bool is_legal(const struct job *j, uint32_t s, uint32_t e)
{
	uint32_t t = j->ways.head[e];

	if (j->down[s] != NONE)
		return j->place[t] > j->place[s] &&
		       j->down[t] + 1 == j->down[s];
	return j->place[t] < j->place[s] && j->hops[t] + 1 == j->hops[s];
}

/* Whether entry e is in one of the runs. */
static bool is_listed(const struct weft__run *run, unsigned nruns, uint32_t e)
{
	for (; nruns; nruns--, run++)
		if (e >= run->start && e < (uint32_t)run->start + run->length)
			return true;
	return false;
}

static void compare(const struct job *j, const struct weft__plan *plan)
{
	const struct weft_fabric *f = j->f;
	const struct weft__run *run = plan->run;
	uint32_t reached = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		reached += j->hops[s] != NONE;
	ASSERT_EQ(plan->n + 1, reached);
	for (uint32_t i = 1; i <= plan->n; i++) {
		uint32_t s = plan->order[i], before = plan->order[i - 1];
		uint32_t n = f->adj_first[s + 1] - f->adj_first[s];
		unsigned nruns = plan->nruns[i - 1];

		EXPECT(j->hops[before] < j->hops[s] || (j->hops[before] ==
		       j->hops[s] && before < s));
		for (uint32_t e = 0; e < n; e++)
			EXPECT(is_listed(run, nruns, e) == is_legal(j, s,
			       f->adj_first[s] + e));
		run += nruns;
	}
	EXPECT_EQ(run - plan->run, plan->total);
}

static void compare_all(struct job *j)
{
	for (uint32_t root = 0; root < j->f->nsw; root++) {
		find_down(j, root);
		find_hops(j);
		compare(j, weft__ways_to(&j->ways, root));
	}
}

/* Orders of the switches. */
enum sorting {
	BY_ID,
	AT_RANDOM,	/* nothing of the fabric */
	LEAVES_LAST,	/* and random otherwise */
	ENDS_FIRST,	/* of a chain, which has a valley in its middle */
};

static bool has_hosts(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] != f->sw_ep_first[s + 1];
}

static void sort_switches(struct job *j, enum sorting sorting)
{
	struct weft_rng *rng = weft_rng_new(SEED);
	const struct weft_fabric *f = j->f;
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		j->by_place[s] = sorting != ENDS_FIRST ? s :
				 s % 2 ? f->nsw - 1 - s / 2 : s / 2;
	if (sorting == AT_RANDOM || sorting == LEAVES_LAST)
		weft_rng_shuffle(rng, j->by_place, f->nsw);
	for (int leaves = 0; leaves < 2; leaves++)
		for (uint32_t i = 0; i < f->nsw; i++)
			if (sorting == LEAVES_LAST ?
			    has_hosts(f, j->by_place[i]) == leaves : !leaves)
				j->place[j->by_place[i]] = n++;
	for (uint32_t s = 0; s < f->nsw; s++)
		j->by_place[j->place[s]] = s;
	weft_rng_free(rng);
}

static void begin(struct job *j, const char *spec, enum sorting sorting)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft_fabric *f;

	ASSERT_EQ(weft_gen(spec, &f, NULL), 0);
	j->f = f;
	j->arena = arena;
	j->place = weft__arena_alloc(arena, f->nsw, sizeof(*j->place));
	j->by_place = weft__arena_alloc(arena, f->nsw, sizeof(*j->by_place));
	j->down = weft__arena_alloc(arena, f->nsw, sizeof(*j->down));
	j->hops = weft__arena_alloc(arena, f->nsw, sizeof(*j->hops));
	sort_switches(j, sorting);
	ASSERT(weft__ways_init(&j->ways, f, arena, j->place));
}

static void end(struct job *j)
{
	weft_fabric_free((struct weft_fabric *)j->f);
	weft__arena_free(j->arena);
}

static void check(const char *spec, enum sorting sorting)
{
	struct job j;

	begin(&j, spec, sorting);
	compare_all(&j);
	end(&j);
}

TEST(test_orders)
{
	check("pgft:2;6,6;1,3;1,2", BY_ID);
	check("pgft:3;3,3,4;1,3,3;1,1,1", AT_RANDOM);
	check("random:30x1,9,seed=4", AT_RANDOM);
	check("torus:4x5,hosts=1,fail-switches=2,seed=3", AT_RANDOM);
	check("dragonfly:4,2,2,9", AT_RANDOM);
	check("rack216,fail-links=10%,seed=2", AT_RANDOM);
}

/* Ways of more hops than a byte holds. */
TEST(test_long_ways)
{
	check("chain:300,hosts=1", BY_ID);
	check("ring:540,hosts=1", BY_ID);
}

/* Pairs of switches without a way of their own. */
static uint64_t count_missing(struct job *j)
{
	uint64_t n = 0;

	for (uint32_t root = 0; root < j->f->nsw; root++) {
		find_down(j, root);
		find_hops(j);
		for (uint32_t s = 0; s < j->f->nsw; s++)
			n += j->hops[s] == NONE;
	}
	return n;
}

/* Whether everyone has a way to everyone, by hops that fall by one. */
static bool is_complete(struct job *j)
{
	const struct weft_fabric *f = j->f;
	uint16_t *hops = calloc(f->nsw, sizeof(*hops));
	bool complete = true;

	for (uint32_t root = 0; root < f->nsw; root++) {
		const struct weft__plan *plan = weft__ways_to(&j->ways, root);
		const struct weft__run *run = plan->run;

		complete &= plan->n + 1 == f->nsw;
		weft__ways_hops(&j->ways, plan, hops);
		EXPECT(!hops[root] && plan->order[0] == root);
		for (uint32_t i = 0; i < plan->n; i++) {
			uint32_t s = plan->order[i + 1];

			for (unsigned n = plan->nruns[i]; n; n--, run++)
				for (unsigned k = 0; k < run->length; k++)
					EXPECT_EQ(hops[j->ways.head[
						  f->adj_first[s] + run->start +
						  k]] + 1, hops[s]);
		}
	}
	free(hops);
	return complete;
}

static bool are_alike(const struct weft__plan *a, const struct weft__plan *b)
{
	return a->n == b->n && a->total == b->total && a->edges == b->edges &&
	       !memcmp(a->order, b->order, (a->n + 1) * sizeof(*a->order)) &&
	       !memcmp(a->nruns, b->nruns, a->n) &&
	       !memcmp(a->run, b->run, a->total * sizeof(*a->run));
}

/* Plans are the same whether hops are found for many roots or for one, as where
 * some do not fit into a byte. */
static void compare_singly(struct job *j)
{
	bool deep = j->ways.known.deep;

	for (uint32_t root = 0; root < j->f->nsw; root++) {
		struct weft__plan plan;

		j->ways.known.deep = deep;
		ASSERT(weft__ways_keep(&j->ways, weft__ways_make(&j->ways,
		       root), &plan));
		j->ways.known.deep = true;
		EXPECT(are_alike(&plan, weft__ways_make(&j->ways, root)));
	}
	j->ways.known.deep = deep;
}

/* Whether the dependencies of all ways have a cycle. */
static bool is_cyclic(struct job *j)
{
	struct weft__cdg g;
	uint32_t *rest, *degree;
	bool cyclic;

	ASSERT_EQ(weft__cdg_init(&g, j->f, 1, false), 0);
	rest = calloc(g.nv + 1, sizeof(*rest));
	degree = calloc(g.nv + 1, sizeof(*degree));
	ASSERT(rest && degree);
	EXPECT(weft__ways_collect(&j->ways, &g, 0));
	cyclic = weft__cdg_rest(&g, rest, degree);
	free(rest);
	free(degree);
	weft__cdg_free(&g);
	return cyclic;
}

/* No way turns but as the order and the valley allow. */
static void check_turns(struct job *j)
{
	struct weft__order o;
	struct weft__cdg g;
	size_t more = 0;

	ASSERT_EQ(weft__cdg_init(&g, j->f, 1, false), 0);
	ASSERT_EQ(weft__order_init(&o, j->f, 1), 0);
	EXPECT(weft__ways_collect(&j->ways, &g, 0));
	weft__turns_of_order(&j->ways, &o.cdg);
	weft__turns_of_valley(&j->ways, &o.cdg);
	for (uint32_t d = 0; d < j->f->nsw; d++)
		if (j->ways.loose[d])
			EXPECT(weft__turns_of_loose(&j->ways, d, &o, false));
	for (size_t i = 0; i < (size_t)g.nv * g.words; i++)
		more += (g.bits[i] & ~o.cdg.bits[i]) != 0;
	EXPECT_EQ(more, 0);
	EXPECT(weft__order_renew(&o));
	weft__order_free(&o);
	weft__cdg_free(&g);
}

/* Those without a way get one over a valley, and nothing closes a cycle; or
 * there is none, and as many pairs are left.  How many pairs got one. */
static uint64_t check_valley(const char *spec, enum sorting sorting)
{
	uint64_t had_none, missing, expected;
	struct job j;

	begin(&j, spec, sorting);
	expected = count_missing(&j);
	ASSERT(weft__ways_complete(&j.ways, &had_none, &missing));
	EXPECT_EQ(had_none, expected);
	EXPECT(!missing || missing == expected);
	EXPECT_EQ(is_complete(&j), !missing);
	EXPECT(!is_cyclic(&j));
	if (!missing)
		check_turns(&j);
	compare_singly(&j);
	end(&j);
	return had_none - missing;
}

TEST(test_valleys)
{
	static const char *const trees[] = {
		"pgft:2;4,6;1,3;1,1", "pgft:2;4,6;1,3;1,2", "rack216",
		"pgft:3;3,3,4;1,3,3;1,1,1",
		"pgft:3;6,6,8;1,6,6;1,1,1,fail-links=10%",
	};
	char spec[64];
	uint64_t found = 0;

	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++)
		EXPECT(check_valley(trees[i], LEAVES_LAST) > 0);
	EXPECT_EQ(check_valley("chain:5,hosts=2", BY_ID), 0);
	EXPECT(check_valley("chain:6,hosts=1", ENDS_FIRST) > 0);
	EXPECT(check_valley("chain:530,hosts=1", ENDS_FIRST) > 0);
	for (unsigned seed = 1; seed <= 20; seed++) {
		snprintf(spec, sizeof(spec), "random:16x1,4,seed=%u", seed);
		found += check_valley(spec, AT_RANDOM) > 0;
	}
	EXPECT(found > 10);
}
