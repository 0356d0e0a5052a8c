// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Switches of more queues than a word has bits: each that asks for an output
 * gets its turn. */
#include "sim_util.h"

#define US 1000000ull /* ps */
#define HOSTS 150

#define BYTES 100000

/* All hosts but one send to that one: none gets more than another by more than
 * a packet in turn, or a message where the one made first goes first. */
static void check_turns(struct sim_case *c, uint32_t to, uint64_t most_apart)
{
	struct weft_pair pair[HOSTS];
	uint64_t least = UINT64_MAX, most = 0, sum = 0;
	struct weft_sim out;
	unsigned n = 0;

	for (uint32_t i = 0; i < HOSTS; i++)
		if (i != to)
			pair[n++] = (struct weft_pair){ i, to };
	out = sim_pairs(c, pair, n, BYTES);
	for (uint32_t i = 0; i < HOSTS; i++) {
		uint64_t sent = out.host[i].sent;

		if (i == to) {
			EXPECT_EQ(sent, 0);
			continue;
		}
		least = sent < least ? sent : least;
		most = sent > most ? sent : most;
		sum += sent;
	}
	EXPECT(sum > 0);
	/* what waits at the switch is sent, too */
	ASSERT_WITHIN((long long)most - (long long)least, 0,
		      most_apart);
	EXPECT_NEAR(out.host[to].received, 300e-6 * 4e9 * 2048 / 2074,
		    20000);
	weft_sim_free(&out);
}

TEST(test_turns)
{
	for (unsigned i = 0; i < 8; i++) {
		struct sim_case c = sim_make("pgft:1;150;1;1,speed=qdr",
					     "minhop");

		suite_case("case %u", i);
		c.spec.endless = true;
		c.spec.time = 300 * US;
		c.spec.arbitration = i & 1 ? WEFT_SIM_AGE :
					     WEFT_SIM_ROUND_ROBIN;
		c.spec.queues = i & 2 ? WEFT_SIM_VOQ : WEFT_SIM_FIFO;
		check_turns(&c, i & 4 ? 149 : 70, i & 1 ? BYTES : 2048);
		sim_free(&c);
	}
}

/* Everyone sends to the one that many ports further on: nobody is in the way of
 * another one. */
TEST(test_shift)
{
	static const unsigned by[] = { 1, 63, 64, 65, 100 };

	for (unsigned i = 0; i < 5; i++) {
		struct sim_case c = sim_make("pgft:1;150;1;1,speed=qdr",
					     "minhop");
		struct weft_pair pair[HOSTS];
		struct weft_sim out;

		for (uint32_t k = 0; k < HOSTS; k++)
			pair[k] = (struct weft_pair){ k, (k + by[i]) % HOSTS };
		out = sim_pairs(&c, pair, HOSTS, 204800);
		/* 100 packets, two cables and a switch */
		EXPECT_NEAR(out.time / 1e3, 100 * 2074 * .25 + 140, 1);
		EXPECT_NEAR(out.ideal_ps / 1e3, 100 * 2074 * .25, 1);
		weft_sim_free(&out);
		sim_free(&c);
	}
}
