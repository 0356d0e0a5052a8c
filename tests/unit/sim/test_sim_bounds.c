// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What can be simulated: of each parameter the least and the most, and that
 * what is beyond is refused and said. */
#include "sim_util.h"

#include <errno.h>

#define HOSTS 4

static int run(struct sim_case *c, struct suite_words *heard)
{
	struct weft_diag diag = { .emit = suite_hear, .context = heard };
	struct weft_sim out;
	int err;

	memset(heard, 0, sizeof(*heard));
	c->spec.mapping = &c->mapping;
	err = weft_sim_run(c->f, &c->routes, &c->spec, &out, &diag);
	if (!err)
		weft_sim_free(&out);
	return err;
}

static struct sim_case make(void)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");

	c.spec.time = 200000;
	c.spec.buffer = 65536;
	return c;
}

/* Fails unless a field may have that value, or, refused for a reason, not. */
#define EXPECT_BOUND(field, value, reason)                                     \
	do {                                                                   \
		const char *text = reason;                                     \
		struct suite_words heard;                                      \
		struct sim_case c = make();                                    \
                                                                               \
		suite_case(#field " = " #value);                               \
		c.spec.field = value;                                          \
		EXPECT_EQ(run(&c, &heard), text ? -EINVAL : 0);                \
		if (text) {                                                    \
			EXPECT_EQ(heard.severity, WEFT_ERROR);                 \
			EXPECT(strstr(heard.text, text));                      \
		} else {                                                       \
			EXPECT_STR(heard.text, "");                            \
		}                                                              \
		sim_free(&c);                                                  \
	} while (0)
#define EXPECT_RANGE(field, least, most, below, above, reason)                 \
	do {                                                                   \
		EXPECT_BOUND(field, least, NULL);                              \
		EXPECT_BOUND(field, most, NULL);                               \
		EXPECT_BOUND(field, below, reason);                            \
		EXPECT_BOUND(field, above, reason);                            \
	} while (0)

TEST(test_packets)
{
	EXPECT_RANGE(mtu, 256, 4096, 128, 8192, "InfiniBand has 256");
	EXPECT_BOUND(mtu, 1024, NULL);
	EXPECT_BOUND(mtu, 1536, "MTU of 1536 bytes");
	EXPECT_RANGE(header, 1, 512, 0, 513, "1 to 512");
	/* 33 blocks of 64 bytes for 2048 bytes and a header of 26 */
	EXPECT_RANGE(buffer, 33 * 64, 1u << 24, 33 * 64 - 1, (1u << 24) + 1,
		     "a buffer of ");
	EXPECT_BOUND(buffer, 32 * 64, "2112 are needed");
}

TEST(test_ways)
{
	EXPECT_RANGE(routes, 1, 255, 0, 256, "1 to 255 are possible");
	EXPECT_BOUND(cable, 100000000, NULL);
	EXPECT_BOUND(cable, 100000001, "more than 100 microseconds");
	EXPECT_BOUND(relay, 100000000, NULL);
	EXPECT_BOUND(relay, 100000001, "more than 100 microseconds");
	EXPECT_BOUND(router_relay, 100000001, "more than 100 microseconds");
}

TEST(test_loads)
{
	EXPECT_RANGE(load, 1e-9, 1, 0, 1.000001, "more than 0 and 1 at most");
	EXPECT_BOUND(time, 64000, NULL);
	EXPECT_BOUND(time, 63999, "64 ns at least");
	EXPECT_BOUND(warmup, 199999, NULL);
	EXPECT_BOUND(warmup, 200000, "nothing is left to measure");
	EXPECT_RANGE(hot_share, 0, 1, -.001, 1.001, "0 to 1");
	EXPECT_RANGE(hot_spots, 1, HOSTS, 0, HOSTS + 1, "among 4 hosts");
	EXPECT_RANGE(outstanding, 1, 65536, 0, 65537, "1 to 65536 messages");
	EXPECT_RANGE(bytes, 1, 1ull << 40, 0, (1ull << 40) + 1,
		     "1 byte to 1 TiB");
}

/* 64 entries of lanes 0 to 14. */
TEST(test_arbitration)
{
	for (unsigned i = 0; i < 6; i++) {
		struct sim_case c = make();
		struct weft_sim_vlarb *t = i % 2 ? &c.spec.high : &c.spec.low;
		struct suite_words heard;

		t->n = i / 2 == 1 ? 65 : 64;
		for (unsigned k = 0; k < 64; k++) {
			t->entry[k].vl = k % 15;
			t->entry[k].weight = 1 + k;
		}
		if (i / 2 == 2)
			t->entry[63].vl = 15;
		suite_case("table %u", i);
		EXPECT_EQ(run(&c, &heard), i / 2 ? -EINVAL : 0);
		EXPECT(strstr(heard.text, i / 2 == 1 ? "65 entries" :
			      i / 2 ? "lane 15" : ""));
		sim_free(&c);
	}
}
