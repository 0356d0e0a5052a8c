// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the simulator makes of what it has counted. */
#include "sim_util.h"

#include "sim/host/host.h"
#include "sim/measure/measure.h"
#include "sim/net/net.h"

#include <math.h>

/* A time is told as the middle of a bin that it is in, of 1.6 % of its length:
 * by less than half of that wrong. */
TEST(test_bins)
{
	uint32_t *bins =
		calloc(WEFT__SEGMENTS * weft__bins(WEFT__FINE), sizeof(*bins));

	ASSERT(bins);
	for (double ps = 1; ps < 1e11; ps = ps * 1.01 + 1) {
		uint64_t ticks = (uint64_t)ps * WEFT_SIM_TICKS;
		unsigned bin = weft__bin(ticks, WEFT__FINE);
		struct weft_sim_bin out;
		double wrong;

		bins[2 * weft__bins(WEFT__FINE) + bin] = 5;
		EXPECT_EQ(weft__bins_list(bins, WEFT__FINE, (struct
			  weft__window){ 2, 3 }, &out), 1);
		wrong = fabs(out.ns * 1e3 - floor(ps));
		EXPECT(wrong <= ps / 128);
		EXPECT_EQ(out.n, 5);
		EXPECT_EQ(weft__bins_list(bins, WEFT__FINE, (struct
			  weft__window){ 3, 16 }, NULL), 0);
		bins[2 * weft__bins(WEFT__FINE) + bin] = 0;
	}
	free(bins);
}

/* The mean of four values, and Student's t of 99 % with three degrees of
 * freedom: 5.8409. */
TEST(test_mean)
{
	const double value[] = { 1, 2, 3, 4 };
	struct weft_sim_mean m = weft_sim_mean_of(value, 4);

	EXPECT_NEAR(m.mean, 2.5, 1e-12);
	EXPECT_NEAR(m.ci99, 5.8409 * sqrt(5. / 3 / 4), 1e-4);
	m = weft_sim_mean_of(value, 1);
	EXPECT_NEAR(m.mean, 1, 1e-12);
	EXPECT_EQ(m.ci99, 0);
}

/* A load that is steady from an interval on: the warm-up ends there, rounded up
 * to four of 64, and half of the time is the most. */
TEST(test_warmup)
{
	uint32_t rank_host[] = { 0, 1, 2, 3 };
	const struct weft__hosts hosts = { .rank_host = rank_host,
					   .nranks = 4 };
	struct weft__measure m = { .nends = 4, .nhosts = 4 };
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct weft_arena *arena = weft__arena_new();
	struct weft__clock clock = { .now = 0 };
	struct weft__net net = { .f = c.f, .r = &c.routes, .spec = &c.spec };
	struct weft_sim result = { 0 };

	ASSERT(arena);
	ASSERT_EQ(weft__net_init(&net, &clock, arena, NULL), 0);
	c.spec.time = 64000000;
	m.spec = &c.spec;
	m.result = &result;
	ASSERT(weft__measure_init(&m, c.spec.time * WEFT_SIM_TICKS, arena));
	for (unsigned from = 0; from <= 40; from++) {
		for (unsigned i = 0; i < WEFT_SIM_INTERVALS; i++)
			m.interval[i].bytes = i < from ? 10 * i : 1000 + i % 2;
		weft__measure_end(&m, &net, &hosts, m.end);
		EXPECT_EQ(result.steady, from < 32);
		if (from < 32)
			EXPECT_EQ(result.warmup, (from + 3) / 4 * 4 * 1000000);
	}
	weft__arena_free(arena);
	sim_free(&c);
}
