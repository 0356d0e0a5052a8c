// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The incremental CDG against brute force: random edges in and out, each answer
 * compared with a search of the whole graph, the order checked after each.
 */
#include "graph/entries.h"
#include "graph/order.h"
#include "../proof_random.h"
#include "../suite.h"

#include <stdlib.h>

#define SEED 31u
#define LANES 2

/* The graph once more, as a matrix. */
struct matrix {
	uint32_t n;
	uint8_t *edge;		/* [n][n] */
	uint8_t *seen;		/* [n] */
};

static bool leads_to(struct matrix *m, uint32_t from, uint32_t to)
{
	if (from == to)
		return true;
	m->seen[from] = 1;
	for (uint32_t w = 0; w < m->n; w++)
		if (m->edge[(size_t)from * m->n + w] && !m->seen[w] &&
		    leads_to(m, w, to))
			return true;
	return false;
}

static void check_order(const struct weft__order *o, const struct matrix *m)
{
	for (uint32_t v = 0; v < m->n; v++) {
		EXPECT(o->vertex[o->position[v]] == v);
		for (uint32_t w = 0; w < m->n; w++)
			if (m->edge[(size_t)v * m->n + w])
				EXPECT(o->position[v] < o->position[w]);
	}
}

static void check_edges(const struct weft__order *o, const struct matrix *m)
{
	uint64_t ours = 0, theirs = 0;

	for (uint32_t v = 0; v < m->n; v++) {
		for (uint32_t at = 0, w;
		     (w = weft__cdg_next(&o->cdg, v, &at)) != WEFT_NONE; ours++)
			EXPECT(m->edge[(size_t)v * m->n + w]);
		for (uint32_t w = 0; w < m->n; w++)
			theirs += m->edge[(size_t)v * m->n + w];
	}
	EXPECT_EQ(ours, theirs);
}

static unsigned refused, accepted, removed;

/* One edge between cables, in if it is out and the other way round. */
static void toggle(struct weft_rng *rng, struct weft__order *o,
		   struct matrix *m)
{
	const struct weft_fabric *f = o->cdg.fabric;
	uint32_t ch = f->adj[weft_rng_below(rng, f->adj_first[f->nsw])];
	uint32_t t = f->peer[ch];
	uint32_t out = f->adj[f->adj_first[t] + weft_rng_below(rng,
				f->adj_first[t + 1] - f->adj_first[t])];
	uint32_t lane = weft_rng_below(rng, LANES);
	uint32_t v = lane * o->cdg.nch + ch, w = lane * o->cdg.nch + out;
	unsigned port = out - f->first_channel[t];
	uint8_t *edge = &m->edge[(size_t)v * m->n + w];
	bool cycle;

	if (*edge && weft_rng_below(rng, 2)) {
		weft__order_remove(o, v, port);
		*edge = 0;
		removed++;
		return;
	}
	memset(m->seen, 0, m->n);
	cycle = leads_to(m, w, v);
	EXPECT_EQ(weft__order_add(o, v, port), !cycle);
	*edge = !cycle;
	refused += cycle;
	accepted += !cycle;
}

/* An order by ranks takes the lowest vertex of those that have nothing before
 * them that is left. */
static void check_lowest(struct weft__order *o, struct matrix *m,
			 const uint32_t *by_rank)
{
	memset(m->seen, 0, m->n);
	check_order(o, m);
	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t lowest = 0;

		for (bool free = false; !free; lowest += !free) {
			uint32_t w = by_rank[lowest];

			free = !m->seen[w];
			for (uint32_t v = 0; v < m->n && free; v++)
				free = m->seen[v] ||
					!m->edge[(size_t)v * m->n + w];
		}
		EXPECT_EQ(o->vertex[i], by_rank[lowest]);
		m->seen[by_rank[lowest]] = 1;
	}
}

static void shuffle(struct weft_rng *rng, uint32_t *of, uint32_t *at,
		    uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = weft_rng_below(rng, i + 1);

		at[i] = at[k];
		at[k] = i;
	}
	for (uint32_t i = 0; i < n; i++)
		of[at[i]] = i;
}

/* By ids, and by ranks at random. */
static void check_anew(struct weft_rng *rng, struct weft__order *o,
		       struct matrix *m)
{
	uint32_t *rank = need(malloc(m->n * sizeof(*rank)));
	uint32_t *by_rank = need(malloc(m->n * sizeof(*by_rank)));
	uint32_t nch = o->cdg.nch;

	for (uint32_t v = 0; v < m->n; v++)
		by_rank[v] = v;
	weft__order_by_id(o);
	check_lowest(o, m, by_rank);
	shuffle(rng, rank, by_rank, nch);
	weft__order_by_rank(o, rank, by_rank);
	for (uint32_t v = nch; v < m->n; v++)
		by_rank[v] = v - v % nch + by_rank[v % nch];
	check_lowest(o, m, by_rank);
	free(rank);
	free(by_rank);
}

static void one_sequence(struct weft_rng *rng, unsigned round)
{
	static const enum random_shape shapes[] = {
		SHAPE_RING, SHAPE_TORUS, SHAPE_GRAPH,
	};
	struct weft_fabric *f = random_fabric(rng, shapes[round % 3],
					      4 + weft_rng_below(rng, 6));
	struct weft__order o;
	struct matrix m;

	if (f->adj_first[f->nsw]) {
		ASSERT(!weft__order_init(&o, f, LANES));
		m.n = o.cdg.nv;
		m.edge = need(calloc(m.n, m.n));
		m.seen = need(malloc(m.n));
		for (unsigned i = 0; i < 150; i++) {
			toggle(rng, &o, &m);
			if (i % 10 == 9)
				check_order(&o, &m);
		}
		check_edges(&o, &m);
		EXPECT(weft__order_renew(&o));
		check_order(&o, &m);
		check_anew(rng, &o, &m);
		free(m.edge);
		free(m.seen);
		weft__order_free(&o);
	}
	weft_fabric_free(f);
}

TEST(test_sequences)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	printf("seed %u ", SEED);
	for (unsigned round = 0; round < 100; round++)
		one_sequence(rng, round);
	EXPECT(refused > 500 && accepted > 500 && removed > 500);
	weft_rng_free(rng);
}

TEST(test_undo)
{
	static const unsigned ring[][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
	struct weft_fabric *f = plain_fabric(3, 3, ring, 3);
	struct weft__order o;
	uint32_t left[64];
	uint32_t ch[3];		/* around the ring */

	for (uint32_t s = 0; s < 3; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			if (f->peer[f->adj[e]] == (s + 1) % 3)
				ch[s] = f->adj[e];
	ASSERT(!weft__order_init(&o, f, 1));
	EXPECT(weft__order_add(&o, ch[0], ch[1] - f->first_channel[1]));
	weft__order_mark(&o);
	EXPECT(weft__order_add(&o, ch[0], ch[1] - f->first_channel[1]));
	EXPECT(weft__order_add(&o, ch[1], ch[2] - f->first_channel[2]));
	EXPECT(!weft__order_add(&o, ch[2], ch[0] - f->first_channel[0]));
	weft__order_undo(&o);
	EXPECT(weft__cdg_has(&o.cdg, ch[0], ch[1] - f->first_channel[1]));
	EXPECT(!weft__cdg_has(&o.cdg, ch[1], ch[2] - f->first_channel[2]));
	EXPECT(weft__order_add(&o, ch[2], ch[0] - f->first_channel[0]));
	/* Past the module, the cycle is noticed by renewing. */
	weft__cdg_add(&o.cdg, ch[1], 0, ch[2] - f->first_channel[2]);
	ASSERT(o.cdg.nv <= 64);
	EXPECT_EQ(weft__cdg_rest(&o.cdg, left, o.place), 3);
	EXPECT(!weft__order_renew(&o));
	weft__order_free(&o);
	weft_fabric_free(f);
}

/* A packet that takes the same cable again, from a switch to itself, waits for
 * itself. */
TEST(test_to_itself)
{
	static const unsigned loop[][2] = { { 0, 1 }, { 1, 1 } };
	struct weft_fabric *f = plain_fabric(2, 2, loop, 2);
	struct weft__order o;
	unsigned loops = 0;

	ASSERT(!weft__order_init(&o, f, 1));
	for (unsigned p = 1; p <= f->sw[1].nports; p++) {
		uint32_t ch = weft_channel(f, 1, p);

		if (f->peer[ch] != 1)
			continue;
		loops++;
		EXPECT(!weft__order_add(&o, ch, p));
		EXPECT(!weft__cdg_has(&o.cdg, ch, p));
		EXPECT(weft__order_renew(&o));
	}
	EXPECT_EQ(loops, 2);
	weft__order_free(&o);
	weft_fabric_free(f);
}

/* Counts the dependencies that an order of lane 1 does not hold, of those in
 * lane 0. */
static uint32_t count_lost(const struct weft__order *o, const bool *without)
{
	const uint32_t *position = o->position + o->cdg.nch;
	uint32_t lost = 0;

	for (uint32_t v = 0; v < o->cdg.nch; v++)
		for (uint32_t at = 0, w;
		     (w = weft__cdg_next(&o->cdg, v, &at)) != WEFT_NONE;)
			lost += position[v] >= position[w] &&
				!(without &&
				  without[o->cdg.fabric->peer[v]]);
	return lost;
}

/* Orders by a rule hold all edges but those left out, and follow the ranks
 * where there are none. */
static void check_rule(struct weft_rng *rng, struct weft__order *o,
		       const bool *without)
{
	uint32_t nch = o->cdg.nch, *rank = need(calloc(nch, sizeof(*rank)));
	uint32_t *by_rank = need(calloc(nch, sizeof(*by_rank)));
	const struct weft__order_rule rule = {
		.from = 0, .without = without, .rank = rank,
		.by_rank = by_rank,
	}, free_rule = { .from = 1, .rank = rank, .by_rank = by_rank };

	shuffle(rng, rank, by_rank, nch);
	weft__order_by_rule(o, 1, &free_rule);
	for (uint32_t ch = 0; ch < nch; ch++)
		EXPECT_EQ(o->position[nch + ch], rank[ch]);
	weft__order_by_rule(o, 1, &rule);
	EXPECT_EQ(count_lost(o, without), 0);
	free(rank);
	free(by_rank);
}

TEST(test_rules)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));
	uint32_t entered = 0;

	for (unsigned i = 0; i < 40; i++) {
		struct weft_fabric *f = random_fabric(rng, 0, 8);
		bool *without = need(calloc(f->nsw, sizeof(*without)));
		struct weft__order o;

		ASSERT_EQ(weft__order_init(&o, f, LANES), 0);
		for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
			uint32_t s = f->peer[f->adj[e]];

			for (uint32_t g = f->adj_first[s];
			     g < f->adj_first[s + 1]; g++)
				if (weft_rng_below(rng, 3))
					entered += weft__order_add(&o,
						f->adj[e], weft__port(f, s,
							f->adj[g]));
		}
		check_rule(rng, &o, NULL);
		without[weft_rng_below(rng, f->nsw)] = true;
		check_rule(rng, &o, without);
		weft__order_free(&o);
		free(without);
		weft_fabric_free(f);
	}
	EXPECT(entered > 40);
	weft_rng_free(rng);
}
