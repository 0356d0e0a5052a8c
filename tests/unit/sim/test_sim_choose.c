// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Packets whose way switches or hosts choose: none is lost, all take a shortest
 * way, and what is chosen is what each policy says.
 */
#include "sim_util.h"

#include <errno.h>

#define US 1000000ull /* ps */

static struct weft_sim run_by(struct sim_case *c, enum weft_sim_paths paths)
{
	c->spec.paths = paths;
	return sim_run(c);
}

/* Whatever chooses, sim_run() finds that nothing is lost and no buffer
 * overflows, at the end of a deadlock, too. */
TEST(test_invariants)
{
	static const char *const fabrics[] = {
		"pgft:2;4,4;1,4;1,1",  "pgft:3;3,3,3;1,2,3;1,1,2",
		"dragonfly:4,2,2,9",   "torus:4x4,hosts=2",
		"random:8,4,3,seed=5",
	};

	for (unsigned i = 0; i < sizeof(fabrics) / sizeof(fabrics[0]); i++) {
		struct sim_case c = sim_make(fabrics[i], "weave");

		c.spec.time = 60 * US;
		c.spec.buffer = 4352;
		for (unsigned paths = WEFT_SIM_LEAST; paths <= WEFT_SIM_PROBING;
		     paths++) {
			struct weft_sim out;

			c.spec.queues =
				paths % 2 ? WEFT_SIM_VOQ : WEFT_SIM_FIFO;
			c.spec.bytes = paths % 3 ? 2048 : 5000;
			out = run_by(&c, paths);
			EXPECT(out.delivered > 100);
			weft_sim_free(&out);
		}
		sim_free(&c);
	}
}

/* In a tree of two levels each packet passes one switch or three. */
TEST(test_shortest)
{
	struct sim_case c = sim_make("pgft:2;4,4;1,4;1,1", "dmodk");
	struct weft_pair pair[16];

	for (unsigned i = 0; i < 16; i++)
		pair[i] = (struct weft_pair){ i, (i + 5) % 16 };
	for (unsigned paths = WEFT_SIM_TABLES; paths <= WEFT_SIM_PROBING;
	     paths++) {
		struct weft_sim out;

		c.spec.paths = paths;
		out = sim_pairs(&c, pair, 16, 20480);
		EXPECT_EQ(out.hops, 3 * out.injected);
		EXPECT_EQ(out.injected, 160 + out.probes);
		EXPECT_EQ(out.host[3].received, 20480);
		weft_sim_free(&out);
	}
	sim_free(&c);
}

/* All hosts of a leaf send by one cable, as the tables say; where switches
 * choose, each by another one. */
TEST(test_least)
{
	struct sim_case c = sim_make("pgft:2;4,4;1,4;1,1", "dmodk");
	static const struct weft_pair pair[] = {
		{ 0, 4 }, { 1, 8 }, { 2, 12 }, { 4, 0 }, { 8, 1 }, { 12, 2 },
	};
	uint64_t time[WEFT_SIM_PROBING + 1];

	c.spec.queues = WEFT_SIM_VOQ;
	for (unsigned paths = WEFT_SIM_TABLES; paths <= WEFT_SIM_FLOWLETS;
	     paths++) {
		struct weft_sim out;

		c.spec.paths = paths;
		out = sim_pairs(&c, pair, 6, 1 << 20);
		time[paths] = out.time;
		EXPECT(paths != WEFT_SIM_TABLES || !out.overtaken);
		EXPECT_EQ(out.reroutes, 0);
		weft_sim_free(&out);
	}
	EXPECT(time[WEFT_SIM_TABLES] > 2.9 * time[WEFT_SIM_LEAST]);
	EXPECT(time[WEFT_SIM_LEAST] <= time[WEFT_SIM_RANDOM_LEAST]);
	EXPECT(time[WEFT_SIM_TABLES] > 1.9 * time[WEFT_SIM_FLOWLETS]);
	sim_free(&c);
}

/* Packets overtake others where one flow takes several ways, and only there. */
TEST(test_order)
{
	struct sim_case c = sim_make("pgft:2;8,8;1,8;1,1", "dmodk");
	struct weft_sim out;

	c.spec.time = 200 * US;
	c.spec.bytes = 20480;
	out = run_by(&c, WEFT_SIM_OBLIVIOUS);
	EXPECT(out.overtaken > 0);
	weft_sim_free(&out);
	c.spec.routes = 1;
	out = run_by(&c, WEFT_SIM_OBLIVIOUS);
	EXPECT_EQ(out.overtaken, 0);
	weft_sim_free(&out);
	out = run_by(&c, WEFT_SIM_LEAST);
	EXPECT(out.overtaken > 0);
	weft_sim_free(&out);
	/* Flows that keep their place, among so few of them. */
	c.spec.paths = WEFT_SIM_FLOWLETS;
	c.spec.flowlet = 1000 * US;
	out = sim_pairs(&c, (struct weft_pair[]){ { 0, 8 }, { 1, 8 } }, 2,
			1 << 20);
	EXPECT_EQ(out.overtaken, 0);
	weft_sim_free(&out);
	sim_free(&c);
}

/* Hosts that wait take other routes; probes find those that nobody else has, if
 * there are more than hosts. */
TEST(test_hosts)
{
	struct sim_case c = sim_make("pgft:2;8,8;1,12;1,1", "dmodk");
	struct weft_pair pair[64];
	double gbps[WEFT_SIM_PROBING + 1];

	for (unsigned i = 0; i < 64; i++)
		pair[i] = (struct weft_pair){ i, (i + 8) % 64 };
	c.spec.mtu = 4096;
	c.spec.buffer = 8704;
	c.spec.patience = 200000;
	c.spec.endless = true;
	c.spec.time = 2000 * US;
	for (unsigned paths = WEFT_SIM_OBLIVIOUS; paths <= WEFT_SIM_PROBING;
	     paths++) {
		struct weft_sim out;

		c.spec.paths = paths;
		out = sim_pairs(&c, pair, 64, 4096);
		gbps[paths] = out.gbps.mean;
		EXPECT_EQ(out.probes > 0, paths == WEFT_SIM_PROBING);
		EXPECT_EQ(out.reroutes > 0, paths != WEFT_SIM_OBLIVIOUS);
		EXPECT(out.reroutes <= out.probes || paths != WEFT_SIM_PROBING);
		weft_sim_free(&out);
	}
	EXPECT(gbps[WEFT_SIM_PROBING] > 1.2 * gbps[WEFT_SIM_OBLIVIOUS]);
	EXPECT(gbps[WEFT_SIM_ADAPTIVE] > 1.2 * gbps[WEFT_SIM_OBLIVIOUS]);
	EXPECT(gbps[WEFT_SIM_PROBING] > 28);
	sim_free(&c);
}

/* The same run again is the same. */
TEST(test_again)
{
	struct sim_case c = sim_make("dragonfly:4,2,2,9", "weave");

	c.spec.time = 50 * US;
	for (unsigned paths = WEFT_SIM_LEAST; paths <= WEFT_SIM_PROBING;
	     paths++) {
		struct weft_sim a = run_by(&c, paths), b = run_by(&c, paths);

		EXPECT_EQ(a.injected, b.injected);
		EXPECT_EQ(a.hops, b.hops);
		EXPECT_EQ(a.overtaken, b.overtaken);
		EXPECT_EQ(a.reroutes, b.reroutes);
		EXPECT_EQ(a.packet.max, b.packet.max);
		weft_sim_free(&a);
		weft_sim_free(&b);
	}
	sim_free(&c);
}

TEST(test_bad)
{
	struct sim_case c = sim_make("ring:4", "weave");
	struct weft_sim out;

	c.spec.mapping = &c.mapping;
	c.spec.time = 10 * US;
	c.spec.routes = 0;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	c.spec.routes = 256;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	sim_free(&c);
}
