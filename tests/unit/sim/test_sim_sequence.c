// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loads whose destinations follow a pattern. */
#include "sim_util.h"

#include <errno.h>

#define US 1000000ull /* ps */

/* Ranks 0 and 1 send in two rounds, 2 and 3 never. */
static struct weft_traffic *two_rounds(void)
{
	static const struct weft_pair pair[] = { { 0, 1 }, { 1, 0 }, { 0, 2 } };
	struct weft_pair_list list = {
		.nranks = 4,
		.nrounds = 2,
		.first = calloc(3, sizeof(uint64_t)),
		.pair = malloc(sizeof(pair)),
	};
	struct weft_traffic *t;

	ASSERT(list.first && list.pair);
	list.first[1] = 2;
	list.first[2] = 3;
	memcpy(list.pair, pair, sizeof(pair));
	ASSERT_EQ(weft_traffic_from_list(&list, 4, &t, NULL), 0);
	return t;
}

/* Each goes through its partners again and again; with congestion control those
 * who only receive are woken up, and still send no message. */
TEST(test_turns)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct weft_traffic *t = two_rounds();

	c.spec.sequence = t;
	c.spec.time = 300 * US;
	for (unsigned cc = 0; cc < 2; cc++)
		for (unsigned percent = 40; percent <= 100; percent += 60) {
			struct weft_sim out;

			c.spec.cc.on = cc;
			c.spec.drain = cc ? 8000 : 0;
			c.spec.load = percent / 100.;
			out = sim_run(&c);
			EXPECT(out.host[0].sent > 20 * 2048);
			EXPECT_EQ(out.host[2].sent, 0);
			EXPECT_EQ(out.host[3].sent, 0);
			EXPECT_EQ(out.host[3].received, 0);
			EXPECT_NEAR((double)out.host[1].received,
				    out.host[2].received, 2 * 2048);
			EXPECT(cc || out.host[0].received > 20 * 2048);
			weft_sim_free(&out);
		}
	weft_traffic_free(t);
	sim_free(&c);
}

/* A shift meets nobody, so that each host is a queue of its own. */
TEST(test_load)
{
	struct sim_case c = sim_make("pgft:2;4,4;1,4;1,1", "dmodk");
	struct weft_traffic *t;
	struct weft_sim out;

	ASSERT_EQ(weft_traffic_new("shift:distance=4", 16, &t, NULL), 0);
	c.spec.sequence = t;
	c.spec.check = false;
	c.spec.time = 20000 * US;
	for (unsigned percent = 20; percent <= 100; percent += 40) {
		c.spec.load = percent / 100.;
		out = sim_run(&c);
		EXPECT_NEAR(out.throughput.mean, c.spec.load, .01);
		/* Three switches, four cables and a packet. */
		EXPECT(percent < 100 || out.packet.max < 3 * 100 + 4 * 20 + 519);
		weft_sim_free(&out);
	}
	c.spec.mapping = &c.mapping;
	c.spec.hot_share = .1;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	c.spec.hot_share = 0;
	c.spec.traffic = t;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	weft_traffic_free(t);
	ASSERT_EQ(weft_traffic_new("shift", 15, &t, NULL), 0);
	c.spec.traffic = NULL;
	c.spec.sequence = t;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	weft_traffic_free(t);
	sim_free(&c);
}

/* Random pairs are those of the seed, and others of another one. */
TEST(test_random)
{
	struct sim_case c = sim_make("pgft:2;4,4;1,4;1,1", "dmodk");
	struct weft_sim a, b, other;
	struct weft_traffic *t;
	unsigned differ = 0;

	ASSERT_EQ(weft_traffic_new("bisect", 16, &t, NULL), 0);
	c.spec.sequence = t;
	c.spec.time = 50 * US;
	a = sim_run(&c);
	b = sim_run(&c);
	c.spec.seed = 2;
	other = sim_run(&c);
	for (unsigned i = 0; i < 16; i++) {
		EXPECT_EQ(a.host[i].sent, b.host[i].sent);
		differ += !a.host[i].sent != !other.host[i].sent;
		EXPECT(!a.host[i].sent || !a.host[i].received);
	}
	EXPECT(differ > 0);
	weft_sim_free(&a);
	weft_sim_free(&b);
	weft_sim_free(&other);
	weft_traffic_free(t);
	sim_free(&c);
}
