// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Every pattern is what it claims to be: its rounds, who sends, who receives;
 * descriptions that make no pattern are refused.
 */
#include "pattern_util.h"
#include "../suite.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static const uint32_t sizes[] = { 2, 3, 4, 5, 7, 8, 12, 16, 17, 36, 64 };
#define NSIZES (sizeof(sizes) / sizeof(sizes[0]))

/* Every rank sends once and hears once in every round. */
static void check_full(const char *name, uint32_t n, uint64_t rounds)
{
	struct drawn d = make(name, n);

	EXPECT_EQ(weft_traffic_rounds(d.t), rounds);
	for (uint64_t r = 0; r < rounds; r++) {
		draw(&d, r);
		EXPECT_EQ(d.n, n);
		EXPECT_EQ(ranks_with(d.sends, n, 1), n);
		EXPECT_EQ(ranks_with(d.hears, n, 1), n);
	}
	unmake(&d);
}

static uint32_t log2_up(uint32_t n)
{
	return ceil(log2(n) - 1e-9);
}

TEST(test_full)
{
	for (unsigned i = 0; i < NSIZES; i++) {
		uint32_t n = sizes[i];

		for (unsigned k = 0; k < 20; k++)
			check_full("permutation", n, 1);
		check_full("dissemination", n, log2_up(n));
		check_full("pairwise", n, n - 1);
		check_full("shift", n, n - 1);
		check_full("shift:distance=1", n, 1);
		check_full("ring", n, 1);
		check_full("ring:order=random", n, 1);
		if (n > 2)
			check_full("tornado", n, 1);
	}
	check_full("shift:distance=67", 64, 1);
}

/* Everybody has sent to everybody else once after all rounds. */
static void check_all_to_all(const char *name, uint32_t n)
{
	struct drawn d = make(name, n);
	uint32_t *met = need(calloc(n * n, sizeof(*met)));

	for (uint64_t r = 0; r < weft_traffic_rounds(d.t); r++) {
		draw(&d, r);
		for (uint64_t i = 0; i < d.n; i++)
			met[d.pair[i].from * n + d.pair[i].to]++;
	}
	for (uint32_t i = 0; i < n * n; i++)
		EXPECT_EQ(met[i], i / n != i % n);
	free(met);
	unmake(&d);
}

TEST(test_all_to_all)
{
	for (unsigned i = 0; i < NSIZES; i++) {
		check_all_to_all("pairwise", sizes[i]);
		check_all_to_all("shift", sizes[i]);
	}
}

/* What everybody knows spreads along the pairs of each round, all at once. */
static void spread(struct drawn *d, uint64_t *known)
{
	uint32_t nranks = weft_traffic_ranks(d->t);
	uint64_t *before = need(malloc(nranks * sizeof(*before)));

	for (uint64_t r = 0; r < weft_traffic_rounds(d->t); r++) {
		draw(d, r);
		memcpy(before, known, nranks * sizeof(*before));
		for (uint64_t i = 0; i < d->n; i++)
			known[d->pair[i].to] |= before[d->pair[i].from];
	}
	free(before);
}

/* After all rounds everybody knows what everybody had (n <= 64). */
static void check_allreduce(const char *name, uint32_t n)
{
	struct drawn d = make(name, n);
	uint64_t known[64], all = 0;

	for (uint32_t i = 0; i < n; i++)
		all |= known[i] = (uint64_t)1 << i;
	spread(&d, known);
	for (uint32_t i = 0; i < n; i++)
		EXPECT_EQ(known[i], all);
	unmake(&d);
}

TEST(test_allreduce)
{
	for (unsigned i = 0; i < NSIZES; i++) {
		check_allreduce("dissemination", sizes[i]);
		check_allreduce("recursive-doubling", sizes[i]);
	}
}

/* A broadcast reaches everybody once; nobody sends what it does not have. */
static void check_broadcast(const char *name, uint32_t n, uint32_t root,
			    uint64_t rounds)
{
	struct drawn d = make(name, n);
	uint64_t known[64] = { 0 }, heard = 0;

	EXPECT_EQ(weft_traffic_rounds(d.t), rounds);
	known[root] = 1;
	for (uint64_t r = 0; r < rounds; r++) {
		uint64_t before[64];

		memcpy(before, known, sizeof(before));
		draw(&d, r);
		for (uint64_t i = 0; i < d.n; i++) {
			EXPECT_EQ(before[d.pair[i].from], 1);
			EXPECT_EQ(known[d.pair[i].to], 0);
			known[d.pair[i].to] = 1;
			heard++;
		}
		for (uint32_t k = 0; k < n; k++)
			EXPECT(d.sends[k] <= 1);
	}
	EXPECT_EQ(heard, n - 1);
	unmake(&d);
}

TEST(test_tree)
{
	for (unsigned i = 0; i < NSIZES; i++) {
		uint32_t n = sizes[i];
		struct drawn down = make("tree:root=1", n);
		struct drawn up = make("tree:root=1,up", n);
		uint64_t rounds = weft_traffic_rounds(up.t);

		check_broadcast("tree", n, 0, log2_up(n));
		check_broadcast("tree:root=1", n, 1, log2_up(n));
		check_broadcast("pipeline:chunks=1", n, 0, n - 1);
		/* the same backwards */
		for (uint64_t r = 0; r < rounds; r++) {
			draw(&down, r);
			draw(&up, rounds - 1 - r);
			EXPECT_EQ(down.n, up.n);
			for (uint64_t k = 0; k < up.n; k++)
				EXPECT(has_pair(&down, up.pair[k].to,
				       up.pair[k].from));
		}
		unmake(&down);
		unmake(&up);
	}
}

/* Every chunk passes every link of the chain once; a rank sends one at a
 * time. */
TEST(test_pipeline)
{
	struct drawn d = make("pipeline:chunks=5", 9);
	unsigned passed[9] = { 0 };

	EXPECT_EQ(weft_traffic_rounds(d.t), 9 - 1 + 5 - 1);
	for (uint64_t r = 0; r < weft_traffic_rounds(d.t); r++) {
		draw(&d, r);
		for (uint64_t i = 0; i < d.n; i++) {
			uint32_t from = d.pair[i].from;

			EXPECT_EQ(d.pair[i].to, from + 1);
			EXPECT(!from || passed[from - 1] > passed[from]);
		}
		for (uint64_t i = 0; i < d.n; i++)
			passed[d.pair[i].from]++;
		EXPECT(ranks_with(d.sends, 9, 0) + ranks_with(d.sends, 9, 1) ==
		       9);
	}
	for (unsigned i = 0; i < 8; i++)
		EXPECT_EQ(passed[i], 5);
	unmake(&d);
}

TEST(test_root)
{
	struct drawn d = make("gather:root=3", 10);

	draw(&d, 0);
	EXPECT_EQ(d.n, 9);
	EXPECT_EQ(d.hears[3], 9);
	EXPECT_EQ(ranks_with(d.sends, 10, 1), 9);
	unmake(&d);
	d = make("scatter", 10);
	draw(&d, 0);
	EXPECT_EQ(d.n, 9);
	EXPECT_EQ(d.sends[0], 9);
	EXPECT_EQ(ranks_with(d.hears, 10, 1), 9);
	unmake(&d);
}

/* One cycle through all ranks, in either direction where both are asked for. */
static void check_ring(const char *name, uint32_t n, bool both)
{
	struct drawn d = make(name, n);
	uint32_t at = 0, steps = 0;

	draw(&d, 0);
	EXPECT_EQ(d.n, both && n > 2 ? 2 * n : n);
	if (both)
		EXPECT(is_symmetric(&d));
	do {
		for (uint64_t i = 0; i < n; i++)
			if (d.pair[i].from == at) {
				at = d.pair[i].to;
				break;
			}
		steps++;
	} while (at && steps <= n);
	EXPECT_EQ(steps, n);
	unmake(&d);
}

TEST(test_ring)
{
	for (unsigned i = 0; i < NSIZES; i++) {
		check_ring("ring", sizes[i], false);
		check_ring("ring:both", sizes[i], true);
		check_ring("ring:order=random", sizes[i], false);
		check_ring("ring:order=random,both", sizes[i], true);
	}
}

/* Neighbours by coordinates that this test finds itself. */
static unsigned distance(uint32_t a, uint32_t b, const uint32_t *side,
			 unsigned dimensions, bool periodic)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < dimensions; i++) {
		unsigned x = a % side[i], y = b % side[i];
		unsigned off = x > y ? x - y : y - x;

		if (periodic && side[i] - off < off)
			off = side[i] - off;
		sum += off;
		a /= side[i];
		b /= side[i];
	}
	return sum;
}

static void check_grid(const char *name, uint32_t n, const uint32_t *side,
		       unsigned dimensions, bool periodic)
{
	struct drawn d = make(name, n);
	uint64_t expected = 0;

	draw(&d, 0);
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++) {
			bool near = distance(a, b, side, dimensions,
					     periodic) == 1;

			EXPECT_EQ(has_pair(&d, a, b), near);
			expected += near;
		}
	EXPECT_EQ(d.n, expected);
	unmake(&d);
}

TEST(test_grid)
{
	check_grid("neighbours", 60, (uint32_t[]){ 5, 4, 3 }, 3, true);
	check_grid("neighbours:dimensions=2", 60, (uint32_t[]){ 10, 6 }, 2,
		   true);
	check_grid("neighbours:dimensions=1", 9, (uint32_t[]){ 9 }, 1, true);
	check_grid("neighbours:sides=2x5x3", 30, (uint32_t[]){ 2, 5, 3 }, 3,
		   true);
	check_grid("neighbours:sides=4x7,periodic=no", 28,
		   (uint32_t[]){ 4, 7 }, 2, false);
	/* nothing but a row */
	check_grid("neighbours", 13, (uint32_t[]){ 13, 1, 1 }, 3, true);
}

/* Everybody exchanges with those 1, a row and a plane away, around the end, at
 * once; a grid as close to a cube as can be, whether it fits or not. */
TEST(test_stencil)
{
	static const uint32_t shape[][3] = {
		{ 2, 1, 1 }, { 8, 2, 4 }, { 17, 3, 6 }, { 27, 3, 9 },
		{ 64, 4, 16 }, { 100, 5, 20 }, { 648, 9, 72 },
	};

	for (size_t i = 0; i < sizeof(shape) / sizeof(*shape); i++) {
		uint32_t n = shape[i][0];
		const uint32_t step[] = { 1, shape[i][1], shape[i][2] };
		struct drawn d = make("stencil", n);

		EXPECT_EQ(weft_traffic_rounds(d.t), 1);
		draw(&d, 0);
		EXPECT_EQ(d.n, 6 * n);
		EXPECT_EQ(ranks_with(d.sends, n, 6), n);
		EXPECT_EQ(ranks_with(d.hears, n, 6), n);
		EXPECT(is_symmetric(&d));
		for (uint32_t k = 0; k < 3 * n; k++)
			EXPECT(has_pair(&d, k / 3, (k / 3 + step[k % 3]) % n));
		unmake(&d);
	}
}

TEST(test_transpose)
{
	for (unsigned i = 0; i < 2; i++) {
		uint32_t rows = 6, columns = i ? 6 : 10, n = rows * columns;
		struct drawn d = make("transpose", n);
		uint64_t expected = 0;

		draw(&d, 0);
		for (uint32_t r = 0; r < rows; r++)
			for (uint32_t c = 0; c < columns; c++) {
				uint32_t from = r * columns + c;
				uint32_t to = c * rows + r;

				expected += from != to;
				EXPECT(from == to || has_pair(&d, from, to));
			}
		EXPECT_EQ(d.n, expected);
		unmake(&d);
	}
}

TEST(test_bits)
{
	struct drawn d = make("bit-complement", 21);

	draw(&d, 0);
	EXPECT_EQ(d.n, 16);
	for (uint32_t i = 0; i < 16; i++)
		EXPECT(has_pair(&d, i, ~i & 15));
	unmake(&d);
	d = make("bit-reversal", 21);
	draw(&d, 0);
	EXPECT_EQ(d.n, 12);	/* 0, 6, 9 and 15 are palindromes */
	for (uint32_t i = 0; i < 16; i++) {
		uint32_t to = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 |
			      (i & 8) >> 3;

		EXPECT_EQ(has_pair(&d, i, to), i != to);
	}
	unmake(&d);
}

TEST(test_tornado)
{
	struct drawn d = make("tornado:sides=5x4", 20);

	draw(&d, 0);
	EXPECT_EQ(d.n, 20);
	for (uint32_t x = 0; x < 5; x++)
		for (uint32_t y = 0; y < 4; y++)
			EXPECT(has_pair(&d, x + 5 * y, (x + 2) % 5 + 5 * ((y +
			       1) % 4)));
	unmake(&d);
}

/* Patterns side by side keep to their ranks; the shorter one begins again. */
TEST(test_beside)
{
	struct drawn d = make("tree@0.25+shift", 20);
	struct drawn tree = make("tree", 5), shift = make("shift", 15);

	EXPECT_EQ(weft_traffic_rounds(d.t), 14);
	for (uint64_t r = 0; r < 14; r++) {
		draw(&d, r);
		draw(&tree, r % 3);
		draw(&shift, r);
		EXPECT_EQ(d.n, tree.n + shift.n);
		for (uint64_t i = 0; i < tree.n; i++)
			EXPECT(has_pair(&d, tree.pair[i].from, tree.pair[i].to));
		for (uint64_t i = 0; i < shift.n; i++)
			EXPECT(has_pair(&d, shift.pair[i].from + 5,
			       shift.pair[i].to + 5));
	}
	EXPECT(!weft_traffic_is_random(d.t));
	unmake(&d);
	unmake(&tree);
	unmake(&shift);
	d = make("shift:distance=1@0.5+ring+shift:distance=2", 20);
	draw(&d, 0);
	EXPECT_EQ(d.n, 20);
	for (uint32_t i = 0; i < 10; i++)
		EXPECT(has_pair(&d, i, (i + 1) % 10));
	for (uint32_t i = 0; i < 5; i++) {
		EXPECT(has_pair(&d, 10 + i, 10 + (i + 1) % 5));
		EXPECT(has_pair(&d, 15 + i, 15 + (i + 2) % 5));
	}
	unmake(&d);
	d = make("ring@0.3+ring@0.3+ring@0.4", 10);
	draw(&d, 0);
	for (uint32_t i = 0; i < 10; i++)
		EXPECT(has_pair(&d, i, i == 2 ? 0 : i == 5 ? 3 :
				       i == 9 ? 6 : i + 1));
	unmake(&d);
	d = make("bisect+bisect", 9);
	draw(&d, 0);
	EXPECT_EQ(d.n, 4);
	EXPECT(weft_traffic_is_random(d.t) && !weft_traffic_is_fair(d.t));
	unmake(&d);
}

/* Every pattern there is can be made for any size it does not refuse, and then
 * sends something; random ones differ from sample to sample, others do not. */
TEST(test_all)
{
	for (const struct weft_pattern *const *p = weft_patterns(); *p; p++)
		for (uint32_t n = 0; n < 40; n++) {
			struct weft_traffic *t = NULL;
			struct drawn d;

			EXPECT((weft_pattern_find((*p)->name)) == (*p));
			if (weft_traffic_new((*p)->name, n, &t, NULL)) {
				EXPECT(!t);
				EXPECT(n < 7 || !strcmp((*p)->name,
				       "transpose"));
				continue;
			}
			weft_traffic_free(t);
			EXPECT(n > 1);
			d = make((*p)->name, n);
			draw(&d, weft_traffic_rounds(d.t) - 1);
			EXPECT(d.n > 0);
			EXPECT(weft_traffic_is_random(d.t) ||
			       !weft_traffic_is_fair(d.t));
			unmake(&d);
		}
}

TEST(test_refusals)
{
	static const struct {
		const char *what, *words;
		uint32_t n;
	} bad[] = {
		{ "bisekt", "no pattern 'bisekt'", 4 },
		{ "", "no pattern ''", 4 },
		{ "bisect", "needs 2 ranks, there are 1", 1 },
		{ "bisect", "needs 2 ranks, there are 0", 0 },
		{ "bisect", "at most", WEFT_MAX_RANKS + 1 },
		{ "bisect:share=1", "share", 4 },
		{ "tree:root=4", "ranks are 0 to 3", 4 },
		{ "hot-spot:share=1.5", "between 0 and 1", 4 },
		{ "hot-spot:spots=5", "among 4 ranks", 4 },
		{ "random-neighbours:degree=4", "more than 4 ranks", 4 },
		{ "neighbours:sides=8x", "sides=8x", 64 },
		{ "neighbours:sides=1x2x3x4", "up to 3", 64 },
		{ "neighbours:sides=8x9", "more places than the 64", 64 },
		{ "shift:distance=8", "back to themselves", 4 },
		{ "transpose", "no matrix", 7 },
		{ "tornado", "more than two", 2 },
		{ "bit-reversal", "needs 4 ranks", 3 },
		{ "bisect@2+ring", "no share between 0 and 1", 8 },
		{ "bisect@+ring", "no share between 0 and 1", 8 },
		{ "bisect@0.1+ring", "needs 2 ranks, there are 1", 8 },
		{ "bisect+ring+rink", "no pattern 'rink'", 8 },
		{ "bisect+ring+", "no pattern ''", 8 },
		{ "bisect+ring@1", "no share between 0 and 1", 8 },
		{ "ring@0.5+ring@0.4", "add up to 0.9, not to 1", 8 },
		{ "ring@0.5+ring@0.6", "add up to 1.1, not to 1", 8 },
		{ "ring@0.5+ring@0.5+shift", "leaves nothing for 'shift'", 8 },
		{ "alltoall:groups=1", "nobody to send to", 8 },
		{ "pipeline:stages=1", "no next stage", 8 },
		{ "incast:to=8", "leaves nobody to send, of 8", 8 },
	};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct suite_words words = { 0 };
		struct weft_diag diag = { .emit = suite_hear,
					  .context = &words };
		struct weft_traffic *t = NULL;

		EXPECT_EQ(weft_traffic_new(bad[i].what, bad[i].n, &t, &diag),
			  -EINVAL);
		EXPECT(!t);
		EXPECT_EQ(diag.count[WEFT_ERROR], 1);
		if (!strstr(words.text, bad[i].words)) {
			printf("'%s' says: %s\n", bad[i].what, words.text);
			EXPECT_NEVER("words");
		}
	}
}

/* Of a list, rounds and sizes come back as they were; ranks beyond are idle. */
TEST(test_list)
{
	struct weft_pair pairs[] = { { 0, 1 }, { 2, 0 }, { 1, 2 } };
	uint64_t first[] = { 0, 2, 2, 3 };
	double size[] = { 1, 4, 2 };
	struct weft_pair_list list = { .nranks = 3, .nrounds = 3 };
	struct weft_traffic *t = NULL;
	struct weft_pair out[3];
	double got[3] = { 0, 0, 0 };
	struct weft_draw draw = { .size = got };

	list.first = need(malloc(sizeof(first)));
	list.pair = need(malloc(sizeof(pairs)));
	list.size = need(malloc(sizeof(size)));
	memcpy(list.first, first, sizeof(first));
	memcpy(list.pair, pairs, sizeof(pairs));
	memcpy(list.size, size, sizeof(size));
	EXPECT_EQ(weft_traffic_from_list(&list, 2, &t, NULL), -EINVAL);
	ASSERT_EQ(weft_traffic_from_list(&list, 9, &t, NULL), 0);
	EXPECT(!list.pair);
	EXPECT_EQ(weft_traffic_ranks(t), 9);
	EXPECT_EQ(weft_traffic_rounds(t), 3);
	EXPECT_EQ(weft_traffic_max_pairs(t), 2);
	EXPECT(weft_traffic_is_sized(t));
	EXPECT_EQ(weft_traffic_round(t, 0, &draw, out), 2);
	EXPECT(!memcmp(out, pairs, 2 * sizeof(*pairs)));
	EXPECT_EQ(weft_traffic_round(t, 1, &draw, out), 0);
	EXPECT_EQ(weft_traffic_round(t, 2, &draw, out), 1);
	EXPECT_EQ(got[0], 2);
	weft_traffic_free(t);
}
