// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ends that are more than a port with a LID: destinations with several LIDs,
 * nodes with several ports, switches that send.
 */
#include "sim_util.h"

#include <errno.h>

#define US 1000000ull /* ps */

/* As sim_make(), with 2^lmc LIDs for all. */
static struct sim_case make_lmc(const char *fabric, const char *engine, int lmc)
{
	struct sim_case c = { .f = route_fabric(fabric, lmc) };
	const struct weft_mapping_spec guid = { .order = WEFT_ORDER_GUID };

	ASSERT_EQ(route_by(engine, NULL, c.f, &c.routes, NULL), 0);
	ASSERT_EQ(weft_mapping_init(&c.mapping, c.f, &guid, NULL), 0);
	weft_sim_preset(&c.spec);
	c.spec.check = true;
	return c;
}

/* Whatever the rule, sim_run() finds all packets, credits and the order of
 * those to a LID as they should be. */
TEST(test_invariants)
{
	static const char *const fabrics[] = {
		"pgft:2;4,4;1,4;1,1",
		"pgft:2;4,4;1,4;1,1,dual=yes",
		"torus:4x4,hosts=2",
	};

	for (unsigned i = 0; i < sizeof(fabrics) / sizeof(fabrics[0]); i++) {
		struct sim_case c = make_lmc(fabrics[i], "weave", 2);

		c.spec.time = 60 * US;
		c.spec.buffer = 4352;
		for (unsigned rule = 0; rule <= WEFT_SIM_LIDS_ALL; rule++) {
			struct weft_sim out;

			c.spec.lids = rule;
			c.spec.queues = rule % 2 ? WEFT_SIM_VOQ : WEFT_SIM_FIFO;
			c.spec.bytes = rule % 3 ? 2048 : 9000;
			out = sim_run(&c);
			EXPECT(!out.deadlocked);
			EXPECT(out.delivered > 100);
			weft_sim_free(&out);
		}
		sim_free(&c);
	}
}

/* Sends messages of packets to a host one of whose two LIDs has no route, and
 * returns how many packets were lost. */
static uint64_t lost(struct sim_case *c, enum weft_sim_lids rule,
		     unsigned messages, unsigned packets)
{
	struct weft_pair pair[64];
	struct weft_sim out;
	uint64_t n;

	for (unsigned i = 0; i < messages; i++)
		pair[i] = (struct weft_pair){ 0, 3 };
	c->spec.lids = rule;
	out = sim_pairs(c, pair, messages, packets * 2048);
	n = out.dropped[WEFT_SIM_NO_ROUTE];
	EXPECT_EQ(out.injected, messages * packets);
	EXPECT_EQ(out.delivered, out.injected - n);
	weft_sim_free(&out);
	return n;
}

/* Which of the LIDs packets go to, as those to the second one get lost. */
TEST(test_rules)
{
	struct sim_case c = make_lmc("pgft:1;4;1;1", "minhop", 1);
	uint32_t to = c.f->ep[c.mapping.endport[3]].lid;
	unsigned all = 0, seeds = 40;
	uint64_t n;

	weft_lft_row(&c.routes.lft, 0)[to + 1] = WEFT_NO_PORT;
	EXPECT_EQ(lost(&c, WEFT_SIM_LIDS_ROUTES, 10, 8), 0);
	EXPECT_EQ(lost(&c, WEFT_SIM_LIDS_FIRST, 10, 8), 0);
	EXPECT_EQ(lost(&c, WEFT_SIM_LIDS_ROUND_ROBIN, 10, 8), 40);
	EXPECT_EQ(lost(&c, WEFT_SIM_LIDS_ROUND_ROBIN, 10, 1), 5);
	EXPECT_EQ(lost(&c, WEFT_SIM_LIDS_ALL, 1, 8), 4);
	EXPECT_EQ(lost(&c, WEFT_SIM_LIDS_ALL, 10, 8), 40);
	n = lost(&c, WEFT_SIM_LIDS_RANDOM, 64, 2);
	/* Four standard deviations, of messages whole. */
	EXPECT(n % 2 == 0 && n > 2 * (32 - 16) && n < 2 * (32 + 16));
	for (c.spec.seed = 1; c.spec.seed <= seeds; c.spec.seed++) {
		n = lost(&c, WEFT_SIM_LIDS_PAIR, 5, 2);
		EXPECT(n == 0 || n == 10);
		all += n == 10;
	}
	EXPECT(all > 7 && all < 33);
	sim_free(&c);
}

/* Several LIDs are several ways: two streams that share a cable, and have one
 * each where packets take all of them. */
TEST(test_ways)
{
	struct sim_case c = make_lmc("pgft:2;2,2;1,2;1,1", "weave", 1);
	const struct weft_pair pair[] = { { 0, 2 }, { 1, 3 } };
	uint8_t *row =
		weft_lft_row(&c.routes.lft, c.f->ep[c.mapping.endport[0]].sw);
	uint32_t a = c.f->ep[c.mapping.endport[2]].lid;
	uint32_t b = c.f->ep[c.mapping.endport[3]].lid;
	struct weft_sim first, all;

	/* Both by one root, with their second LIDs by the other one. */
	ASSERT_NE(row[a], row[a + 1]);
	row[b] = row[a];
	row[b + 1] = row[a + 1];
	c.spec.queues = WEFT_SIM_VOQ;
	c.spec.lids = WEFT_SIM_LIDS_FIRST;
	first = sim_pairs(&c, pair, 2, 1 << 20);
	c.spec.lids = WEFT_SIM_LIDS_ALL;
	all = sim_pairs(&c, pair, 2, 1 << 20);
	EXPECT_NEAR((double)first.time / all.time, 2, .02);
	weft_sim_free(&first);
	weft_sim_free(&all);
	sim_free(&c);
}

/* Hosts send the same to the same hosts whatever the rule is. */
TEST(test_same_traffic)
{
	struct sim_case c = make_lmc("pgft:1;6;1;1", "minhop", 2);
	struct weft_sim first, other;

	c.spec.time = 100 * US;
	c.spec.load = .3;
	c.spec.lids = WEFT_SIM_LIDS_FIRST;
	first = sim_run(&c);
	for (unsigned rule = WEFT_SIM_LIDS_PAIR; rule <= WEFT_SIM_LIDS_ALL;
	     rule++) {
		c.spec.lids = rule;
		other = sim_run(&c);
		EXPECT(first.delivered > 300);
		for (uint32_t i = 0; i < first.hosts; i++) {
			EXPECT_EQ(first.host[i].sent, other.host[i].sent);
			EXPECT_EQ(first.host[i].received,
				  other.host[i].received);
		}
		weft_sim_free(&other);
	}
	weft_sim_free(&first);
	sim_free(&c);
}

/* Ports of a node do not send to each other under load: what both get is what
 * the one port of another node sends.  The hot spot is one of them. */
TEST(test_nodes)
{
	struct sim_case c = sim_make("pgft:2;4,4;1,4;1,1,dual=yes", "mftree");
	const struct weft_endport *ep = c.f->ep;
	uint32_t *at = c.mapping.endport, second = 1, third = 1;
	struct weft_sim out;

	while (ep[at[second]].node != ep[at[0]].node)
		second++;
	while (ep[at[third]].node == ep[at[0]].node)
		third++;
	at[2] = at[third];
	at[1] = at[second];
	c.mapping.nslots = c.mapping.nranks = 3;
	c.spec.time = 200 * US;
	for (unsigned i = 0; i < 3; i++) {
		c.spec.hot_share = i * .5;
		out = sim_run(&c);
		EXPECT(out.host[2].sent > 700000);
		EXPECT(out.host[0].received + out.host[1].received <=
		       out.host[2].sent);
		EXPECT(out.host[2].received > 700000);
		weft_sim_free(&out);
	}
	c.mapping.nslots = c.mapping.nranks = 2;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	sim_free(&c);
}

/* Has all that is two switches away on a ring of four go the same way around.
 */
static void go_around(struct sim_case *c)
{
	for (uint32_t sw = 0; sw < 4; sw++) {
		uint8_t *row = weft_lft_row(&c->routes.lft, sw);
		uint8_t port = row[c->f->sw[(sw + 1) % 4].lid];

		row[c->f->sw[(sw + 2) % 4].lid] = port;
		for (uint32_t ep = 0; ep < c->f->nep; ep++)
			if (c->f->ep[ep].sw == (sw + 2) % 4)
				row[c->f->ep[ep].lid] = port;
	}
}

/* Figure 6 of sFtree: two roots and two leaves in a ring, whose switches send,
 * too.  Tables changed by hand stop it, sftree's do not. */
TEST(test_ring)
{
	struct sim_case c = sim_make("ring:4,hosts=1", "minhop");
	struct weft_sim out;

	go_around(&c);
	c.spec.queues = WEFT_SIM_VOQ;
	c.spec.time = 3000 * US;
	c.spec.switch_load = 1;
	out = sim_run(&c);
	EXPECT(out.deadlocked);
	EXPECT(out.deadlock.n >= 4);
	EXPECT(out.queued > 0);
	weft_sim_free(&out);
	sim_free(&c);
	c = sim_make("ring:4,hosts=1", "sftree");
	c.spec.queues = WEFT_SIM_VOQ;
	c.spec.time = 3000 * US;
	c.spec.switch_load = 1;
	out = sim_run(&c);
	EXPECT(!out.deadlocked);
	EXPECT(out.throughput.mean > .05);
	EXPECT(out.switch_throughput.mean > .3);
	weft_sim_free(&out);
	sim_free(&c);
}

/* Two switches are enough to send to each other, one is not. */
TEST(test_two_switches)
{
	struct sim_case c = sim_make("torus:2,hosts=2", "minhop");
	struct weft_sim out;

	c.spec.time = 3000 * US;
	c.spec.switch_load = .5;
	out = sim_run(&c);
	EXPECT(out.switch_throughput.mean > .4);
	weft_sim_free(&out);
	sim_free(&c);
	c = sim_make("pgft:1;4;1;1", "minhop");
	c.spec.switch_load = .5;
	c.spec.mapping = &c.mapping;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	sim_free(&c);
}

TEST(test_refusals)
{
	struct sim_case c = make_lmc("pgft:1;4;1;1", "minhop", 1);
	struct weft_sim out;

	c.spec.mapping = &c.mapping;
	c.spec.time = 100 * US;
	c.spec.lids = WEFT_SIM_LIDS_ALL + 1;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	c.spec.lids = WEFT_SIM_LIDS_ALL;
	c.spec.paths = WEFT_SIM_ADAPTIVE;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	sim_free(&c);
}
