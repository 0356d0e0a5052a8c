// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Patterns that are drawn: who sends and who hears, and everything possible is
 * as likely as it should be.
 */
#include "pattern_util.h"
#include "../suite.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const uint32_t sizes[] = { 2, 3, 4, 5, 7, 8, 12, 16, 17, 36, 64 };
#define NSIZES (sizeof(sizes) / sizeof(sizes[0]))

/* One half sends, the other one hears; an odd one does neither. */
TEST(test_bisect)
{
	for (unsigned i = 0; i < NSIZES; i++) {
		uint32_t n = sizes[i];
		struct drawn d = make("bisect", n);

		for (unsigned k = 0; k < 50; k++) {
			draw(&d, 0);
			EXPECT_EQ(d.n, n / 2);
			for (uint32_t r = 0; r < n; r++)
				EXPECT(d.sends[r] + d.hears[r] <= 1);
		}
		unmake(&d);
	}
}

static void check_both_ways(const char *name)
{
	for (unsigned i = 0; i < NSIZES; i++) {
		uint32_t n = sizes[i], even = n / 2 * 2;
		struct drawn d = make(name, n);

		for (unsigned k = 0; k < 50; k++) {
			draw(&d, 0);
			EXPECT_EQ(d.n, even);
			EXPECT_EQ(ranks_with(d.sends, n, 1), even);
			EXPECT_EQ(ranks_with(d.hears, n, 1), even);
			EXPECT(is_symmetric(&d));
		}
		unmake(&d);
	}
}

TEST(test_both_ways)
{
	check_both_ways("symmetric-bisect");
	check_both_ways("dissemination-pairs");
}

static void check_random_graph(uint32_t n, uint32_t degree)
{
	uint32_t most = n * degree / 2 * 2, full;
	char name[64];
	struct drawn d;

	snprintf(name, sizeof(name), "random-neighbours:degree=%u", degree);
	d = make(name, n);
	for (unsigned k = 0; k < 5; k++) {
		draw(&d, 0);
		EXPECT_EQ(d.n, most);
		EXPECT(is_symmetric(&d));
		full = ranks_with(d.sends, n, degree);
		/* at most one has a neighbour less */
		EXPECT_EQ(full, n - n % 2 * (degree % 2));
		for (uint32_t a = 0; a < n; a++)
			for (uint32_t b = 0, seen; b < n; b++) {
				seen = 0;
				for (uint64_t i = 0; i < d.n; i++)
					seen += d.pair[i].from == a &&
						d.pair[i].to == b;
				EXPECT(seen <= 1);
			}
	}
	unmake(&d);
}

TEST(test_random_graph)
{
	for (uint32_t n = 2; n <= 11; n++)
		for (uint32_t degree = 1; degree < n; degree++)
			check_random_graph(n, degree);
	check_random_graph(40, 6);
}

/* Chi-square of how often n equally likely things happened. */
static void check_uniform(const uint64_t *times, unsigned n)
{
	double sum = 0, expected = 0;

	for (unsigned i = 0; i < n; i++)
		expected += (double)times[i] / n;
	for (unsigned i = 0; i < n; i++)
		sum += (times[i] - expected) * (times[i] - expected) /
		       expected;
	/* either way once in a million */
	EXPECT(gsl_cdf_chisq_Q(sum, n - 1) > 1e-6);
	EXPECT(gsl_cdf_chisq_P(sum, n - 1) > 1e-6);
}

/* Who sends to whom in a round, as a number: a digit for each rank. */
static unsigned code(const struct drawn *d, unsigned nranks)
{
	unsigned code = 0, power = 1;

	for (unsigned r = 0; r < nranks; r++, power *= nranks + 1)
		for (uint64_t i = 0; i < d->n; i++)
			if (d->pair[i].from == r)
				code += power * (d->pair[i].to + 1);
	return code;
}

/* All outcomes there are occur, equally often.  nranks^nranks is small. */
static void check_outcomes(const char *name, unsigned nranks,
			   unsigned outcomes)
{
	unsigned codes = pow(nranks + 1, nranks) + 0.5, n = 0;
	uint64_t *times = need(calloc(codes, sizeof(*times)));
	struct drawn d = make(name, nranks);

	for (unsigned i = 0; i < 400 * outcomes; i++) {
		draw(&d, 0);
		times[code(&d, nranks)]++;
	}
	for (unsigned i = 0; i < codes; i++)
		if (times[i])
			times[n++] = times[i];
	EXPECT_EQ(n, outcomes);
	check_uniform(times, n);
	free(times);
	unmake(&d);
}

TEST(test_outcomes)
{
	check_outcomes("bisect", 4, 12);	/* 4! / 2! */
	check_outcomes("bisect", 5, 60);	/* 5! / 2! */
	check_outcomes("bisect", 6, 120);	/* 6! / 3! */
	check_outcomes("symmetric-bisect", 6, 15);
	check_outcomes("dissemination-pairs", 5, 15);
	check_outcomes("permutation", 4, 9);	/* derangements */
	check_outcomes("permutation", 5, 44);
	check_outcomes("permutation", 6, 265);
	check_outcomes("uniform", 4, 81);
	check_outcomes("ring:order=random", 5, 24);
	check_outcomes("hot-spot:share=0", 4, 81);
}

/* 2-regular graphs on 5 ranks: the 12 cycles; on 6: 60 cycles and 10 pairs of
 * triangles. */
static void check_graphs(unsigned nranks, unsigned graphs)
{
	uint64_t *times = need(calloc(1 << 15, sizeof(*times)));
	struct drawn d = make("random-neighbours:degree=2", nranks);
	unsigned n = 0;

	for (unsigned i = 0; i < 400 * graphs; i++) {
		unsigned set = 0;

		draw(&d, 0);
		for (uint64_t k = 0; k < d.n; k++) {
			uint32_t a = d.pair[k].from, b = d.pair[k].to;

			if (a > b)
				set |= 1u << (a * (a - 1) / 2 + b);
		}
		times[set]++;
	}
	for (unsigned i = 0; i < 1 << 15; i++)
		if (times[i])
			times[n++] = times[i];
	EXPECT_EQ(n, graphs);
	check_uniform(times, n);
	free(times);
	unmake(&d);
}

TEST(test_graphs)
{
	check_graphs(5, 12);
	check_graphs(6, 70);
}

/* Shares of messages to hot spots, each as often as the others. */
static void check_hot(const char *name, uint32_t n, const uint32_t *spot,
		      unsigned spots)
{
	struct drawn d = make(name, n);
	uint64_t times[8] = { 0 }, hot = 0;
	double expected;

	for (unsigned k = 0; k < 2000; k++) {
		draw(&d, 0);
		EXPECT_EQ(d.n, n);
		for (unsigned i = 0; i < spots; i++)
			times[i] += d.hears[spot[i]];
	}
	for (unsigned i = 0; i < spots; i++)
		hot += times[i];
	/* half of all but what hot spots would send themselves, and what the
	 * others draw by chance */
	expected = 0.5 * n - 0.5 * spots * (1.0 / spots) +
		   (0.5 * (n - spots) * spots +
		    (0.5 + 0.5 / spots) * spots * (spots - 1)) / (n - 1);
	EXPECT(fabs(hot / 2000.0 - expected) < 5 * sqrt(n / 4.0 / 2000));
	check_uniform(times, spots);
	unmake(&d);
}

TEST(test_hot_spots)
{
	struct drawn d = make("hot-spot:share=1", 30);

	check_hot("hot-spot:share=0.5,spots=3,place=first", 30,
		  (uint32_t[]){ 0, 1, 2 }, 3);
	check_hot("hot-spot:share=0.5,spots=3,place=spread", 30,
		  (uint32_t[]){ 0, 10, 20 }, 3);
	for (unsigned k = 0; k < 50; k++) {
		draw(&d, 0);
		EXPECT(ranks_with(d.hears, 30, 29) + ranks_with(d.hears, 30, 30)
		       == 1);
	}
	EXPECT(weft_traffic_is_fair(d.t));
	unmake(&d);
}

/* The small ones are counted by test_outcomes(). */
TEST(test_number_of_bisections)
{
	EXPECT_EQ(weft_pattern_bisections(2), 2);
	EXPECT_EQ(weft_pattern_bisections(4), 12);
	EXPECT_EQ(weft_pattern_bisections(5), 60);
	EXPECT_EQ(weft_pattern_bisections(6), 120);
	/* CLUSTER 2008, section 3 */
	EXPECT_EQ(weft_pattern_bisections(16), 518918400);
}
