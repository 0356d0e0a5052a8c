// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages of random sizes: what is drawn, and what a load of them is. */
#include "sim_util.h"

#include "sim/host/host.h"

#include <errno.h>

#define US 1000000ull /* ps */

static const struct weft_sim_sizes mixed = {
	.n = 3,
	.entry = { { 64, 64, 7 }, { 2000, 2100, 2 }, { 1, 70000, 1 } },
};

/* The mean on the wire is that of all sizes one by one. */
TEST(test_mean)
{
	static const uint32_t cuts[] = { 1, 256, 1066, 2048, 4096 };
	struct weft_sim_spec spec;

	weft_sim_preset(&spec);
	spec.sizes = mixed;
	for (unsigned c = 0; c < sizeof(cuts) / sizeof(cuts[0]); c++) {
		double sum = 0;

		for (unsigned i = 0; i < mixed.n; i++) {
			uint64_t least = mixed.entry[i].least;
			uint64_t most = mixed.entry[i].most;
			double one = 0;

			for (uint64_t x = least; x <= most; x++)
				one += x + (x + cuts[c] - 1) / cuts[c] * 26.5;
			sum += mixed.entry[i].weight * one / (most - least + 1);
		}
		EXPECT_NEAR(weft__sizes_wire(&spec, cuts[c], 26.5), sum / 10,
			    1e-6 * sum);
	}
}

TEST(test_draw)
{
	uint64_t random = 1, n[3] = { 0 }, sum = 0;
	struct weft_sim_spec spec;

	weft_sim_preset(&spec);
	EXPECT_EQ(weft__sizes_draw(&spec, &random), 2048);
	EXPECT_EQ(random, 1);
	spec.sizes = mixed;
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t x = weft__sizes_draw(&spec, &random);

		EXPECT(x >= 1 && x <= 70000);
		n[0] += x == 64;
		n[1] += x >= 2000 && x <= 2100;
		n[2] += x > 2100;
		sum += x;
	}
	EXPECT_NEAR(n[0] / 1e5, .7, .01);
	EXPECT_NEAR(n[1] / 1e5, .2, .01);
	EXPECT_NEAR(n[2] / 1e5, .1 * 67900 / 70000, .01);
	EXPECT_NEAR(sum / 1e5, .7 * 64 + .2 * 2050 + .1 * 35000.5, 80);
	/* The ends are drawn, too, up to the largest that there may be. */
	spec.sizes = (struct weft_sim_sizes){ .n = 1,
					      .entry = { { 5, 7, 1 } } };
	for (unsigned i = n[0] = n[1] = n[2] = 0; i < 3000; i++)
		n[weft__sizes_draw(&spec, &random) - 5]++;
	for (unsigned i = 0; i < 3; i++)
		EXPECT(n[i] > 900 && n[i] < 1100);
	spec.sizes.entry[0].least = 1;
	spec.sizes.entry[0].most = 1ull << 40;
	spec.sizes.entry[0].weight = UINT32_MAX;
	EXPECT(weft__sizes_draw(&spec, &random) <= 1ull << 40);
}

/* Hosts send what they are asked to, whatever the sizes. */
TEST(test_load)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct weft_sim out;
	double made;

	c.spec.sizes = mixed;
	c.spec.load = .3;
	c.spec.time = 400 * US;
	out = sim_run(&c);
	weft_sim_free(&out);
	c.spec.check = false;
	c.spec.time = 200000 * US;
	out = sim_run(&c);
	made = .3 * 4 * (out.time - out.warmup) / 1e3 * 4 /
	       weft__sizes_wire(&c.spec, 2048, 26);
	EXPECT_NEAR(out.throughput.mean, .3, .01);
	EXPECT_NEAR(out.message.n / made, 1, .03);
	weft_sim_free(&out);
	sim_free(&c);
}

/* Likewise where packets are of any size: half as long on average, so that
 * twice as many headers go with a message. */
TEST(test_packets)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct weft_sim out;

	c.spec.mtu = 256;
	c.spec.header = 66;
	c.spec.packet_least = 1;
	c.spec.bytes = 10000;
	c.spec.load = .3;
	c.spec.check = false;
	c.spec.time = 60000 * US;
	out = sim_run(&c);
	EXPECT_NEAR(out.throughput.mean, .3, .015);
	weft_sim_free(&out);
	sim_free(&c);
}

TEST(test_refused)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct weft_sim_sizes bad[] = {
		{ .n = 17 },
		{ .n = 1, .entry = { { 0, 5, 1 } } },
		{ .n = 1, .entry = { { 6, 5, 1 } } },
		{ .n = 1, .entry = { { 5, 5, 0 } } },
		{ .n = 1, .entry = { { 5, (1ull << 40) + 1, 1 } } },
	};
	struct weft_sim out;

	c.spec.mapping = &c.mapping;
	c.spec.time = 100 * US;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		c.spec.sizes = bad[i];
		EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL),
			  -EINVAL);
	}
	sim_free(&c);
}
