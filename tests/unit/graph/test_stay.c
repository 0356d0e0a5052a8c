// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which edges of a graph can stay: against reachability, on random graphs. */
#include "graph/stay.h"
#include "../proof_random.h"
#include "../suite.h"

#define SEED 19960805u
#define MAX 16			/* vertices */

struct graph {
	struct weft__weighted g;
	uint32_t first[MAX + 1], head[MAX * MAX], tail[MAX * MAX];
	uint64_t weight[MAX * MAX];
};

/* Some edges lead out of the graph, some to their own tail. */
static void random_graph(struct weft_rng *rng, struct graph *x)
{
	uint32_t n = 1 + weft_rng_below(rng, MAX), edges = 0;
	uint32_t share = 1 + weft_rng_below(rng, 6);

	for (uint32_t v = 0; v < n; v++) {
		x->first[v] = edges;
		for (uint32_t w = 0; w <= n; w++) {
			if (edges == MAX * MAX || weft_rng_below(rng, share))
				continue;
			x->tail[edges] = v;
			x->weight[edges] = weft_rng_below(rng, 9);
			x->head[edges++] = w < n ? w : UINT32_MAX;
		}
	}
	x->first[n] = edges;
	x->g = (struct weft__weighted){ n, x->first, x->head, x->weight };
}

/* Whether w can be reached from v over edges kept that are heavy enough. */
static bool reaches(const struct graph *x, const bool *kept, uint32_t v,
		    uint32_t w, uint64_t weight)
{
	bool met[MAX] = { false };
	uint32_t before = 0, now = 1;

	met[v] = true;
	while (before != now) {
		before = now;
		for (uint32_t e = 0; e < x->first[x->g.n]; e++)
			if (kept[e] && x->weight[e] >= weight &&
			    met[x->tail[e]] && !met[x->head[e]]) {
				met[x->head[e]] = true;
				now++;
			}
	}
	return met[w];
}

/* What is kept is acyclic; what is not would close a cycle with edges that are
 * no lighter, unless the effort was spent. */
static unsigned check_graph(const struct graph *x, uint64_t effort)
{
	struct weft_arena *arena = need(weft__arena_new());
	struct weft__stay s;
	unsigned cut = 0;

	ASSERT(!weft__stay_init(&s, &x->g, effort, arena));
	ASSERT(!weft__stay_heaviest(&s, arena));
	for (uint32_t e = 0; e < x->first[x->g.n]; e++) {
		uint32_t v = x->tail[e], w = x->head[e];

		if (w == UINT32_MAX) {
			EXPECT(!s.kept[e]);
			continue;
		}
		cut += !s.kept[e];
		if (s.kept[e]) {
			EXPECT(!reaches(x, s.kept, w, v, 0));
		} else if (effort) {
			EXPECT(reaches(x, s.kept, w, v, x->weight[e]));
		}
	}
	weft__arena_free(arena);
	return cut;
}

TEST(test_random)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));
	unsigned with = 0, without = 0;
	struct graph x;

	printf("seed %u ", SEED);
	for (unsigned round = 0; round < 500; round++) {
		random_graph(rng, &x);
		with += check_graph(&x, UINT64_MAX);
		without += check_graph(&x, 0);
	}
	EXPECT(with > 1000 && without > with);
	weft_rng_free(rng);
}

/* Dropping edges and keeping others, in any order: never a cycle, and nothing
 * refused that closes none. */
TEST(test_drop)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));
	struct weft_arena *arena = need(weft__arena_new());
	struct weft__stay s;
	struct graph x;

	do {
		random_graph(rng, &x);
	} while (x.first[x.g.n] < 60);
	ASSERT(!weft__stay_init(&s, &x.g, UINT64_MAX, arena));
	for (unsigned step = 0; step < 20000; step++) {
		uint32_t e = weft_rng_below(rng, x.first[x.g.n]);
		bool closes;

		if (x.head[e] == UINT32_MAX)
			continue;
		if (s.kept[e]) {
			s.kept[e] = false;
			continue;
		}
		closes = reaches(&x, s.kept, x.head[e], x.tail[e], 0);
		EXPECT(weft__stay_keep(&s, x.tail[e], e) == !closes);
		EXPECT(s.kept[e] == !closes);
	}
	weft__arena_free(arena);
	weft_rng_free(rng);
}
