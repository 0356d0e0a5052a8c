// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of expected bandwidth against the closed form and the sums that
 * they stand for. */
#include "suite.h"

#include "engines/crowds.h"

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

static void test_few(void)
{
	struct weft__crowds c;

	weft__crowds_init(&c, 3);
	for (double others = 0; others <= 3; others += 0.125)
		CU_ASSERT_DOUBLE_EQUAL(expected(&c, others),
				       closed_form(others), 0.003);
}

static void test_many(void)
{
	static const double most[] = { 5, 10, 20, 60 };
	struct weft__crowds c;

	for (unsigned i = 0; i < sizeof(most) / sizeof(*most); i++) {
		weft__crowds_init(&c, most[i]);
		for (double x = 0; x <= most[i]; x += most[i] / 16)
			CU_ASSERT_DOUBLE_EQUAL(expected(&c, x), closed_form(x),
					       0.02 + 0.1 * closed_form(x));
	}
}

static double poisson(double mean, unsigned n)
{
	return mean ? exp(n * log(mean) - mean - lgamma(n + 1.0)) : !n;
}

/* With few others the levels are 0, 1, 2 .. 7. */
static void test_rows(void)
{
	struct weft__crowds c;

	weft__crowds_init(&c, 0.5);
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
	for (double most = 0.01; most < 1e7; most *= 3) {
		struct weft__crowds c;
		double sum = 0;

		weft__crowds_init(&c, most);
		CU_ASSERT_TRUE(most * 1.2 * c.crowds_per_stream < WEFT__CROWDS);
		for (unsigned k = 0; k < WEFT__LEVELS; k++)
			sum += c.gain[k] / ONE;
		CU_ASSERT_DOUBLE_EQUAL(sum + c.floor, 1, 1e-3);
		for (unsigned row = 1; row < WEFT__CROWDS; row++) {
			int32_t was, is;

			was = weft__crowds_worth(c.chance[row - 1], c.gain);
			is = weft__crowds_worth(c.chance[row], c.gain);
			CU_ASSERT_TRUE(0 <= is && is < was && was < WHOLE);
		}
	}
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "few others: (1 - e^-x) / x", test_few },
		{ "many others: nearly so", test_many },
		{ "rows are Poisson distributions", test_rows },
		{ "more others, less bandwidth", test_falls },
		{ NULL, NULL },
	};

	return suite_run("crowds", tests);
}
