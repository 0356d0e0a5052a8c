// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of expected bandwidth against the closed form and the sums that
 * they stand for. */
#include "suite.h"

#include "trees/crowds.h"

#include <math.h>

#define ONE 32767.0
#define WHOLE (1 << WEFT__WHOLE_BITS)

/* What a stream among so many others keeps, by the tables. */
static double expected(const struct weft__crowds *c, double others)
{
	unsigned row = others * c->crowds_per_stream;

	CU_ASSERT_TRUE_FATAL(row < WEFT__CROWDS);
	return weft__crowds_worth(c->chance[row], c->gain) / (double)WHOLE +
	       c->floor;
}

/* Mean of 1 / (1 + X), X of a Poisson distribution. */
static double closed_form(double mean)
{
	return mean ? (1 - exp(-mean)) / mean : 1;
}

static void prepare(struct weft__crowds *c, double most, double slow)
{
	weft__crowds_init(c, most, most * slow);
	weft__crowds_speed(c, 0, slow);
}

static void test_few(void)
{
	static struct weft__crowds c;

	prepare(&c, 3, 1);
	for (double others = 0; others <= 3; others += 0.125)
		CU_ASSERT_DOUBLE_EQUAL(expected(&c, others),
				       closed_form(others), 0.002);
}

static void test_many(void)
{
	static const double most[] = { 5, 10, 20, 60 };
	static struct weft__crowds c;

	for (unsigned i = 0; i < sizeof(most) / sizeof(*most); i++) {
		prepare(&c, most[i], 1);
		for (double x = 0; x <= most[i]; x += most[i] / 16)
			CU_ASSERT_DOUBLE_EQUAL(expected(&c, x), closed_form(x),
					       0.003 + 0.02 * closed_form(x));
	}
}

static double poisson(double mean, unsigned n)
{
	return mean ? exp(n * log(mean) - mean - lgamma(n + 1.0)) : !n;
}

/* Channels that are slower or faster than hosts. */
static void test_speeds(void)
{
	static const double slow[] = { 0.25, 0.5, 0.8, 1.25, 2, 4 };
	static struct weft__crowds c;

	for (unsigned i = 0; i < sizeof(slow) / sizeof(*slow); i++) {
		prepare(&c, 3, slow[i]);
		for (double others = 0; others <= 3; others += 0.25) {
			double mean = 0;

			for (unsigned x = 0; x < 40; x++)
				mean += poisson(others, x) *
					fmin(1, 1 / (slow[i] * (1 + x)));
			CU_ASSERT_DOUBLE_EQUAL(expected(&c, others), mean,
					       0.01);
		}
	}
}

/* With few others the levels are 1, 2, 3 .. 8. */
static void test_rows(void)
{
	static struct weft__crowds c;

	prepare(&c, 0.5, 1);
	for (unsigned row = 0; row < WEFT__CROWDS; row++) {
		double mean = row / c.crowds_per_stream, at_most = 0;

		for (unsigned k = 0; k < WEFT__LEVELS; k++) {
			at_most += poisson(mean, k);
			CU_ASSERT_DOUBLE_EQUAL(c.chance[row][k] / ONE, at_most,
					       1e-4);
			CU_ASSERT_DOUBLE_EQUAL(c.fall[row][k] / ONE,
					       poisson(mean, k) / at_most,
					       1e-4);
		}
	}
}

/* However many there are: the more others, the less is left, down to the end of
 * the table; nothing overflows. */
static void test_falls(void)
{
	static struct weft__crowds c;

	for (double most = 0.01; most < 1e7; most *= 3) {
		double sum = 0;

		prepare(&c, most, 1);
		CU_ASSERT_TRUE(most * 1.2 * c.crowds_per_stream < WEFT__CROWDS);
		for (unsigned k = 0; k < WEFT__LEVELS; k++)
			sum += c.gain[k] / ONE;
		CU_ASSERT_DOUBLE_EQUAL(sum + c.floor, 1, 1e-3);
		for (unsigned row = 1; row < WEFT__CROWDS; row++) {
			int32_t was, is;

			was = weft__crowds_worth(c.chance[row - 1], c.gain);
			is = weft__crowds_worth(c.chance[row], c.gain);
			CU_ASSERT_TRUE(0 <= is && is <= was && was < WHOLE);
		}
	}
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "few others: (1 - e^-x) / x", test_few },
		{ "many others: nearly so", test_many },
		{ "slow and fast channels", test_speeds },
		{ "rows are Poisson distributions", test_rows },
		{ "more others, less bandwidth", test_falls },
		{ NULL, NULL },
	};

	return suite_run("crowds", tests);
}
