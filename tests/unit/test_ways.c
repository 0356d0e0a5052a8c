// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Up*Down* ways are those of their definition, which is followed here without
 * any haste: whoever has a way down takes the shortest ones, the others climb
 * to where the rest is shortest.
 */
#include "suite.h"

#include "core/arena.h"
#include "trees/ways.h"

#include <weft/gen.h>
#include <weft/rng.h>

enum { NONE = 1000000, SEED = 99 };

struct job {
	const struct weft_fabric *f;
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
	CU_ASSERT_EQUAL_FATAL(plan->n + 1, reached);
	for (uint32_t i = 1; i <= plan->n; i++) {
		uint32_t s = plan->order[i], before = plan->order[i - 1];
		uint32_t n = f->adj_first[s + 1] - f->adj_first[s];
		unsigned nruns = plan->nruns[i - 1];

		CU_ASSERT(j->hops[before] < j->hops[s] ||
			  (j->hops[before] == j->hops[s] && before < s));
		for (uint32_t e = 0; e < n; e++)
			CU_ASSERT(is_listed(run, nruns, e) ==
				  is_legal(j, s, f->adj_first[s] + e));
		run += nruns;
	}
	CU_ASSERT_EQUAL(run - plan->run, plan->total);
}

static void compare_all(struct job *j)
{
	for (uint32_t root = 0; root < j->f->nsw; root++) {
		find_down(j, root);
		find_hops(j);
		compare(j, weft__ways_to(&j->ways, root));
	}
}

/* Orders that have nothing to do with the fabric; sorted: switches in the order
 * of their ids. */
static void check(const char *spec, bool sorted)
{
	struct weft_rng *rng = weft_rng_new(SEED);
	struct weft_arena *arena = weft__arena_new();
	struct weft_fabric *f;
	struct job j;

	CU_ASSERT_EQUAL_FATAL(weft_gen(spec, &f, NULL), 0);
	j.f = f;
	j.place = weft__arena_alloc(arena, f->nsw, sizeof(*j.place));
	j.by_place = weft__arena_alloc(arena, f->nsw, sizeof(*j.by_place));
	j.down = weft__arena_alloc(arena, f->nsw, sizeof(*j.down));
	j.hops = weft__arena_alloc(arena, f->nsw, sizeof(*j.hops));
	for (uint32_t s = 0; s < f->nsw; s++)
		j.by_place[s] = s;
	if (!sorted)
		weft_rng_shuffle(rng, j.by_place, f->nsw);
	for (uint32_t i = 0; i < f->nsw; i++)
		j.place[j.by_place[i]] = i;
	CU_ASSERT_TRUE_FATAL(weft__ways_init(&j.ways, f, arena, j.place));
	compare_all(&j);
	weft_fabric_free(f);
	weft__arena_free(arena);
	weft_rng_free(rng);
}

static void test_orders(void)
{
	check("pgft:2;6,6;1,3;1,2", true);
	check("pgft:3;3,3,4;1,3,3;1,1,1", false);
	check("random:30x1,9,seed=4", false);
	check("torus:4x5,hosts=1,fail-switches=2,seed=3", false);
	check("dragonfly:4,2,2,9", false);
	check("rack216,fail-links=10%,seed=2", false);
}

/* Ways of more hops than a byte holds. */
static void test_long_ways(void)
{
	check("chain:300,hosts=1", true);
	check("ring:540,hosts=1", true);
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "ways are those of the definition", test_orders },
		{ "however long they are", test_long_ways },
		{ NULL, NULL },
	};

	return suite_run("ways", tests);
}
