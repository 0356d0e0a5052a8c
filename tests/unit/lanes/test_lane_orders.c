// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The turns that the orders of lanes allow never close a cycle. Once trees have
 * grown, everyone reaches everyone in every lane, and few turns are lost.
 */
#include "core/arena.h"
#include "graph/closeness.h"
#include "lanes/near_ways.h"
#include "lanes/orders_wide.h"
#include "../suite.h"

#include <weft/gen.h>

#include <stdlib.h>

static const char *const fixtures[] = {
	"ring:6,hosts=1", "torus:4x4,hosts=1", "torus:3x4x2,hosts=1",
	"mesh:4x3,hosts=2", "hypercube:4,hosts=1", "random:14x1,4,seed=5",
	"torus:5x5,hosts=1,fail-links=15%,seed=2", "pgft:2;4,6;1,3;1,1",
	"dragonfly:3,2,2,5",
};
enum { NFIXTURES = sizeof(fixtures) / sizeof(fixtures[0]) };

struct job {
	struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__closeness close;
	struct weft__ways minimal;
	struct weft__orders orders;
	uint32_t nedges;
};

static void begin(struct job *j, const char *spec, unsigned lanes)
{
	j->arena = weft__arena_new();
	ASSERT_EQ(weft_gen(spec, &j->f, NULL), 0);
	j->nedges = j->f->adj_first[j->f->nsw];
	ASSERT(weft__closeness_init(&j->close, j->f, j->arena, NULL));
	ASSERT(weft__ways_init(&j->minimal, j->f, j->arena, NULL));
	ASSERT(weft__orders_choose(&j->orders, &j->minimal, &j->close, lanes,
	       j->arena));
}

static void end(struct job *j)
{
	weft__arena_free(j->arena);
	weft_fabric_free(j->f);
}

static uint32_t head(const struct job *j, uint32_t e)
{
	return j->f->peer[j->f->adj[e]];
}

/* Whether a lane allows the turn from an edge into one that leaves its head. */
static bool allows(const struct job *j, uint32_t from, uint32_t into,
		   unsigned lane)
{
	uint32_t first = j->f->adj_first[head(j, from)];

	return weft__turns_from(&j->orders.turns, from)[into - first] >> lane &
		1;
}

/* Takes away edges that no turn leads into, one after the other: those on a
 * cycle stay. */
static bool is_acyclic(const struct job *j, unsigned lane)
{
	const uint32_t *first = j->f->adj_first;
	uint32_t *before = calloc(j->nedges, sizeof(*before));
	uint32_t *queue = calloc(j->nedges, sizeof(*queue)), n = 0;

	ASSERT(before && queue);
	for (uint32_t e = 0; e < j->nedges; e++)
		for (uint32_t g = first[head(j, e)]; g < first[head(j, e) + 1];
		     g++)
			before[g] += allows(j, e, g, lane);
	for (uint32_t e = 0; e < j->nedges; e++)
		if (!before[e])
			queue[n++] = e;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t e = queue[k];

		for (uint32_t g = first[head(j, e)]; g < first[head(j, e) + 1];
		     g++)
			if (allows(j, e, g, lane) && !--before[g])
				queue[n++] = g;
	}
	free(before);
	free(queue);
	return n == j->nedges;
}

/* Marks the edges that a packet may come by after that one. */
static void reach(const struct job *j, uint32_t e, unsigned lane, bool *met)
{
	const uint32_t *first = j->f->adj_first;
	uint32_t s = head(j, e);

	if (met[e])
		return;
	met[e] = true;
	for (uint32_t g = first[s]; g < first[s + 1]; g++)
		if (allows(j, e, g, lane))
			reach(j, g, lane, met);
}

/* Counts the pairs of switches that have no way in a lane. */
static uint32_t count_cut(const struct job *j, unsigned lane)
{
	const uint32_t *first = j->f->adj_first;
	bool *met = calloc(j->nedges, sizeof(*met));
	bool *there = calloc(j->f->nsw, sizeof(*there));
	uint32_t cut = 0;

	ASSERT(met && there);
	for (uint32_t s = 0; s < j->f->nsw; s++) {
		memset(met, 0, j->nedges * sizeof(*met));
		memset(there, 0, j->f->nsw * sizeof(*there));
		there[s] = true;
		for (uint32_t e = first[s]; e < first[s + 1]; e++)
			reach(j, e, lane, met);
		for (uint32_t e = 0; e < j->nedges; e++)
			there[head(j, e)] |= met[e];
		for (uint32_t t = 0; t < j->f->nsw; t++)
			cut += !there[t];
	}
	free(met);
	free(there);
	return cut;
}

/* Parents lead to the top by turns that are allowed. */
static void check_tree(const struct job *j, unsigned lane)
{
	const struct weft__orders *o = &j->orders;
	const uint32_t *parent = o->parent + (size_t)lane * j->f->nsw;

	EXPECT_EQ(parent[o->top[lane]], WEFT_NONE);
	for (uint32_t s = 0; s < j->f->nsw; s++) {
		uint32_t t = s, hops = 0;

		while (t != o->top[lane] && hops++ < j->f->nsw) {
			uint32_t e = parent[t];

			ASSERT(e >= j->f->adj_first[t] && e < j->f->adj_first[t
			       + 1]);
			t = head(j, e);
			EXPECT(t == o->top[lane] || allows(j, e, parent[t],
			       lane));
		}
		EXPECT(hops <= j->f->nsw);
	}
}

/* Copies what turns which lanes allow. */
static uint16_t *copy_turns(const struct job *j, size_t *n)
{
	uint32_t last = j->nedges - 1;
	uint16_t *copy;

	*n = j->orders.turns.first[last] +
		weft__turns_end(&j->orders.turns, head(j, last)) + 1u;
	copy = calloc(*n, sizeof(*copy));
	ASSERT(copy);
	memcpy(copy, j->orders.turns.lanes, *n * sizeof(*copy));
	return copy;
}

static unsigned grown;		/* lanes that would not do as they were */

/* No turn is lost in lanes in which everyone has a way before trees grow. */
static void check_grown(struct job *j, unsigned lanes)
{
	uint32_t cut[WEFT_MAX_LANES];
	size_t n;
	uint16_t *before = copy_turns(j, &n);

	for (unsigned k = 0; k < lanes; k++) {
		EXPECT(is_acyclic(j, k));
		cut[k] = count_cut(j, k);
		grown += cut[k] > 0;
	}
	ASSERT(weft__orders_grow(&j->orders, j->arena));
	for (unsigned k = 0; k < lanes; k++) {
		uint32_t lost = 0;

		EXPECT(is_acyclic(j, k));
		EXPECT_EQ(count_cut(j, k), 0);
		check_tree(j, k);
		for (size_t i = 0; i < n; i++)
			lost += before[i] >> k & 1 &&
				!(j->orders.turns.lanes[i] >> k & 1);
		EXPECT(cut[k] ? lost < n / 8 : !lost);
	}
	free(before);
}

TEST(test_grow)
{
	for (unsigned i = 0; i < NFIXTURES; i++)
		for (unsigned lanes = 1; lanes <= 4; lanes += 3) {
			struct job j;

			begin(&j, fixtures[i], lanes);
			check_grown(&j, lanes);
			end(&j);
		}
	EXPECT(grown > 2);
}

/* Minimal trees to all endports and switches, for masks. */
struct trees {
	struct weft__trees list;
	struct weft__balance balance;
	struct weft__lane_masks masks;
};

static void make_trees(struct job *j, struct trees *t)
{
	ASSERT(weft__trees_list(j->f, j->arena, NULL, &t->list));
	ASSERT(weft__balance_init(&t->balance, j->f, j->arena));
	ASSERT(weft__masks_init(&t->masks, &j->orders, &j->minimal, &t->list,
	       &t->balance, j->arena));
	weft__balance_endports(&t->balance, &j->minimal, &t->list, 2);
	weft__balance_switches(&t->balance, &j->minimal, &t->list);
	weft__masks_look(&t->masks, t->list.n);
}

/* Pairs of switches, in order, without a lane for all of their ways. */
static uint64_t count_bare(const struct job *j, const struct trees *t)
{
	uint64_t n = 0;

	for (uint32_t a = 0; a < j->f->nsw; a++)
		for (uint32_t b = 0; b < a; b++)
			n += 2 * !weft__masks_pair(&t->masks, a, b);
	return n;
}

/* Wide orders close no cycle, leave lanes that are kept as they are, and tell
 * how many pairs they leave without a lane. */
TEST(test_wide)
{
	for (unsigned i = 0; i < NFIXTURES * 2; i++) {
		struct weft__wide_spec spec = {
			.kept = i % 2 * 3, .longer = 1, .enough = 4,
		};
		struct job j;
		struct trees t;
		uint16_t first;
		uint64_t bare;

		begin(&j, fixtures[i / 2], 6);
		make_trees(&j, &t);
		first = *weft__turns_from(&j.orders.turns, j.nedges / 2);
		ASSERT(weft__orders_widen(&j.orders, &t.masks, &j.close, &spec,
		       j.arena, &bare));
		EXPECT(!((first ^ *weft__turns_from(&j.orders.turns, j.nedges /
		       2)) & ((1u << spec.kept) - 1)));
		for (unsigned k = 0; k < j.orders.n; k++)
			EXPECT(is_acyclic(&j, k));
		weft__masks_look(&t.masks, t.list.n);
		if (!spec.kept)
			EXPECT_EQ(bare, count_bare(&j, &t));
		end(&j);
	}
}

/* Whether a legal way begins by that edge, to t, of at most that many edges. */
static bool leads_there(const struct job *j, uint32_t edge, unsigned lane,
			uint32_t t, unsigned most)
{
	uint32_t s = head(j, edge);

	if (s == t)
		return true;
	for (uint32_t e = j->f->adj_first[s];
	     most > 1 && e < j->f->adj_first[s + 1]; e++)
		if (allows(j, edge, e, lane) &&
		    leads_there(j, e, lane, t, most - 1))
			return true;
	return false;
}

static unsigned count_by_hand(const struct job *j, uint32_t s, uint32_t t,
			      unsigned lane, unsigned most)
{
	unsigned n = 0;

	for (uint32_t e = j->f->adj_first[s]; e < j->f->adj_first[s + 1]; e++)
		n += leads_there(j, e, lane, t, most);
	return n;
}

TEST(test_near_ways)
{
	for (unsigned i = 0; i < NFIXTURES * 2; i++) {
		struct weft__near_ways near;
		struct job j;
		struct trees t;

		begin(&j, fixtures[i / 2], 3);
		make_trees(&j, &t);
		ASSERT(weft__near_ways_init(&near, &t.masks, i % 2, j.arena));
		for (uint32_t to = 0; to < j.f->nsw; to += 5) {
			weft__near_ways_count(&near, to);
			for (uint32_t s = 0; s < j.f->nsw; s++)
				for (unsigned k = 0; s != to && k < 3; k++)
					EXPECT_EQ(near.count[s][k],
						  count_by_hand(&j, s, to, k,
						  near.hops[s] + i % 2));
		}
		end(&j);
	}
}
