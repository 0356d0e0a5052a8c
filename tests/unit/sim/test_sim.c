// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The packet simulator: invariants, deadlock, lost packets, lanes, limits, and
 * the same result again.
 */
#include "sim_util.h"

#include <errno.h>
#include <math.h>

#define US 1000000ull /* ps */

/* Whatever the fabric, the speeds, the buffers: nothing is lost, no buffer
 * overflows, flows keep their order; sim_run() looks. */
TEST(test_invariants)
{
	static const struct {
		const char *fabric, *engine;
		uint32_t mtu, buffer, inject, drain, outstanding;
		uint64_t bytes;
	} runs[] = {
		{ "pgft:2;4,4;1,2;1,1", "weave", 2048, 16384, 0, 0, 1, 2048 },
		{ "torus:3x3,hosts=2", "weave", 256, 320, 0, 0, 4, 1000 },
		{ "dragonfly:4,2,2,9", "weave", 4096, 8192, 20000, 9000, 3,
		  100000 },
		{ "random:6,3,2,seed=3", "updn", 1024, 2048, 0, 13000, 2, 1 },
		{ "hypercube:3,hosts=2", "weave", 512, 1024, 0, 0, 8, 513 },
	};

	for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct sim_case c = sim_make(runs[i].fabric, runs[i].engine);

		c.spec.mtu = runs[i].mtu;
		c.spec.buffer = runs[i].buffer;
		c.spec.inject = runs[i].inject;
		c.spec.drain = runs[i].drain;
		c.spec.outstanding = runs[i].outstanding;
		c.spec.bytes = runs[i].bytes;
		c.spec.time = 100 * US;
		for (double load = .3; load <= 1; load += .35) {
			struct weft_sim out;

			c.spec.load = load;
			c.spec.lossy = load > .5;
			c.spec.queues = load < .5 || load > .9 ? WEFT_SIM_VOQ :
								 WEFT_SIM_FIFO;
			out = sim_run(&c);
			EXPECT(!out.deadlocked);
			EXPECT(out.delivered > 100);
			EXPECT(out.throughput.mean > 0);
			EXPECT(out.throughput.mean < 1.01);
			weft_sim_free(&out);
		}
		sim_free(&c);
	}
}

/* Each packet of a workload arrives, in as much time as the wire takes. */
TEST(test_workload)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	const struct weft_pair pair[] = { { 0, 1 }, { 1, 0 }, { 2, 3 } };
	struct weft_sim out = sim_pairs(&c, pair, 3, 1000000);
	/* 489 packets with 26 bytes of headers at 32 Gbit/s, the last byte
	 * over two cables and a switch */
	double ps = (1000000 + 489 * 26) * 250. + 140000;

	EXPECT_EQ(out.delivered, 3 * 489);
	for (unsigned i = 0; i < 3; i++) {
		EXPECT_EQ(out.host[pair[i].from].sent, 1000000);
		EXPECT_EQ(out.host[pair[i].to].received, 1000000);
	}
	EXPECT_EQ(out.rounds, 1);
	EXPECT_NEAR(out.round_ps[0], ps, 1);
	EXPECT_EQ(out.time, out.round_ps[0]);
	EXPECT_EQ(out.queued, 0);
	weft_sim_free(&out);
	/* two streams into one host share its link, two out of one likewise */
	out = sim_pairs(&c, (struct weft_pair[]){ { 0, 2 }, { 1, 2 } }, 2,
			1000000);
	EXPECT_NEAR(out.time / (2 * ps), 1, .01);
	weft_sim_free(&out);
	out = sim_pairs(&c, (struct weft_pair[]){ { 2, 0 }, { 2, 1 } }, 2,
			1000000);
	EXPECT_NEAR(out.time / (2 * ps), 1, .01);
	weft_sim_free(&out);
	/* a host that takes 13 Gbit/s, one that sends 8 */
	c.spec.drain = 13000;
	out = sim_pairs(&c, pair, 1, 1000000);
	EXPECT_NEAR(out.time / ps, 32. / 13, .01);
	weft_sim_free(&out);
	c.spec.inject = 8000;
	out = sim_pairs(&c, pair, 1, 1000000);
	EXPECT_NEAR(out.time / ps, 32. / 8, .01);
	weft_sim_free(&out);
	sim_free(&c);
}

/* Messages of a host take turns, packet by packet: endless ones have equal
 * shares of its link. */
TEST(test_turns)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	const struct weft_pair pair[] = { { 0, 1 }, { 0, 2 }, { 0, 3 } };
	struct weft_sim out;

	c.spec.endless = true;
	c.spec.time = 300 * US;
	out = sim_pairs(&c, pair, 3, 100000);
	for (unsigned i = 0; i < 3; i++)
		EXPECT_NEAR(out.flow[i].gbps, 32. / 3 * 2048 / 2074, .1);
	weft_sim_free(&out);
	sim_free(&c);
}

/* Speeds are what their names say, line coding included. */
TEST(test_speeds)
{
	static const struct {
		const char *fabric;
		double ns; /* of a packet of 2074 bytes */
	} runs[] = {
		{ "pgft:1;2;1;1,speed=sdr", 2074 * 1. + 140 },
		{ "pgft:1;2;1;1,speed=ddr", 2074 * .5 + 140 },
		{ "pgft:1;2;1;1,speed=qdr", 2074 * .25 + 140 },
		{ "pgft:1;2;1;1,speed=fdr",
		  2074 * 8 / (14.0625 * 4 * 64 / 66) + 140 },
		{ "pgft:1;2;1;1,speed=edr", 2074 * .08 + 140 },
		{ "pgft:1;2;1;1,speed=hdr", 2074 * .04 + 140 },
		{ "pgft:1;2;1;1,speed=ndr", 2074 * .02 + 140 },
		{ "pgft:1;2;1;1,speed=xdr", 2074 * .01 + 140 },
	};

	for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct sim_case c = sim_make(runs[i].fabric, "minhop");
		struct weft_sim out = sim_pairs(
			&c, (struct weft_pair[]){ { 0, 1 } }, 1, 2048);

		EXPECT_NEAR(out.time / 1e3, runs[i].ns, .002);
		weft_sim_free(&out);
		sim_free(&c);
	}
}

/* A packet that came by a slow cable goes on by a fast one without a gap, one
 * from a fast to a slow one at once: either way its last byte has two cables, a
 * switch and the slow one's 1 ns a byte behind it.  One whose speed nobody
 * knows is as slow as the slowest. */
TEST(test_two_speeds)
{
	for (uint32_t slow = 0; slow < 3; slow++) {
		struct sim_case c =
			sim_make("pgft:1;3;1;1,speed=xdr", "minhop");
		uint8_t *speed = (uint8_t *)c.f->speed;
		struct weft_sim out;

		for (uint32_t i = 0; i < 3; i++) {
			uint32_t ch =
				c.f->first_injection + c.mapping.endport[i];

			if (i == slow)
				speed[ch] = speed[c.f->reverse[ch]] = WEFT_SDR;
			else if (slow == 2)
				speed[ch] = speed[c.f->reverse[ch]] = 0;
		}
		out = sim_pairs(&c, (struct weft_pair[]){ { 0, 1 } }, 1, 2048);
		EXPECT_NEAR(out.time / 1e3, 2074 + 140, .002);
		/* nobody else is there: what the slow cable takes */
		EXPECT_NEAR(out.ideal_ps / 1e3, 2074, .002);
		weft_sim_free(&out);
		sim_free(&c);
	}
}

/* Whether the circle is one of waiting channels, each into the next's switch,
 * held by packets that go on to the next. */
static bool is_circle(const struct sim_case *c, const struct weft_sim *out)
{
	const struct weft_sim_deadlock *d = &out->deadlock;

	for (uint32_t i = 0; i < d->n; i++) {
		uint32_t next = d->channel[(i + 1) % d->n];
		uint32_t sw = c->f->peer[d->channel[i]];
		uint8_t port = weft_lft_get(&c->routes.lft, sw, d->lid[i]);

		if (!weft_is_switch(sw) || weft_channel(c->f, sw, port) != next)
			return false;
		if (c->f->ep[d->packet[i].to].lid != d->lid[i])
			return false;
	}
	return d->n > 0;
}

TEST(test_deadlock)
{
	struct sim_case c = sim_make("ring:4,hosts=2", "minhop");
	struct weft_sim out;

	c.spec.time = 10000 * US;
	out = sim_run(&c);
	EXPECT(out.deadlocked);
	EXPECT(out.queued > 0);
	EXPECT(out.time < c.spec.time);
	EXPECT_EQ(out.deadlock.n, 4);
	EXPECT(is_circle(&c, &out));
	weft_sim_free(&out);
	sim_free(&c);

	c = sim_make("ring:4,hosts=2", "weave");
	c.spec.time = 10000 * US;
	out = sim_run(&c);
	EXPECT(!out.deadlocked);
	EXPECT_EQ(out.deadlock.n, 0);
	EXPECT_NEAR(out.time, c.spec.time, 1);
	weft_sim_free(&out);
	sim_free(&c);
}

/* The flows that a proof names for a credit loop are enough for a deadlock:
 * their first packets fill all buffers of it, where these hold one each. */
TEST(test_named_traffic)
{
	static const char *const fabrics[] = { "ring:4,hosts=2", "ring:5",
					       "ring:6,hosts=2" };
	const struct weft_proof_spec prove = { .credit_loops = true,
					       .explain = true };

	for (unsigned i = 0; i < 6; i++) {
		struct sim_case c = sim_make(fabrics[i / 2], "psssp");
		struct weft_pair pair[16];
		struct weft_proof proof;
		struct weft_sim out;
		uint32_t n;

		ASSERT_EQ(weft_proof_run(c.f, &c.routes, &prove, &proof, NULL),
			  0);
		ASSERT(proof.ncycles > 0);
		c.spec.buffer = 33 * WEFT_SIM_BLOCK;
		c.spec.queues = i % 2;
		n = proof.cycle[0].n;
		ASSERT(n <= 16);
		for (uint32_t k = 0; k < n; k++) {
			const struct weft_flow *by = &proof.cycle[0].by[k];

			pair[k].from = by->source & ~WEFT_ENDPORT;
			pair[k].to = by->dest & ~WEFT_ENDPORT;
		}
		out = sim_pairs(&c, pair, n, 10000000);
		EXPECT(out.deadlocked);
		EXPECT_EQ(out.deadlock.n, n);
		EXPECT(is_circle(&c, &out));
		weft_sim_free(&out);
		weft_proof_free(&proof);
		sim_free(&c);
	}
}

/* Tables with a hole, a wrong end, a loop: packets are dropped and counted. */
TEST(test_drops)
{
	struct sim_case c = sim_make("ring:4", "updn");
	unsigned lid = c.f->ep[2].lid;
	struct weft_pair pair = { 0, 2 };
	uint32_t sw = c.f->ep[0].sw, peer;
	uint8_t *entry = &weft_lft_row(&c.routes.lft, sw)[lid], good = *entry;
	struct weft_sim out;

	*entry = WEFT_NO_PORT;
	out = sim_pairs(&c, &pair, 1, 100000);
	EXPECT_EQ(out.dropped[WEFT_SIM_NO_ROUTE], 49);
	EXPECT_EQ(out.delivered, 0);
	EXPECT(!out.deadlocked);
	weft_sim_free(&out);
	*entry = c.f->ep[0].sw_port;
	out = sim_pairs(&c, &pair, 1, 100000);
	EXPECT_EQ(out.dropped[WEFT_SIM_WRONG_END], 49);
	weft_sim_free(&out);
	*entry = 0;
	out = sim_pairs(&c, &pair, 1, 100000);
	EXPECT_EQ(out.dropped[WEFT_SIM_WRONG_END], 49);
	weft_sim_free(&out);
	/* to and fro */
	*entry = good;
	peer = c.f->peer[weft_channel(c.f, sw, good)];
	weft_lft_row(&c.routes.lft, peer)[lid] =
		c.f->peer_port[weft_channel(c.f, sw, good)];
	out = sim_pairs(&c, &pair, 1, 2000);
	EXPECT_EQ(out.dropped[WEFT_SIM_TOO_FAR], 1);
	weft_sim_free(&out);
	sim_free(&c);
}

/* SL2VL tables may discard. */
TEST(test_no_lane)
{
	struct sim_case c = sim_make("ring:4", "updn");
	struct weft_sim out;

	c.routes.layers.sl2vl = malloc((size_t)c.f->nch * WEFT_NSL);
	ASSERT(c.routes.layers.sl2vl);
	memset(c.routes.layers.sl2vl, WEFT_VL_DROP,
	       (size_t)c.f->nch * WEFT_NSL);
	out = sim_pairs(&c, (struct weft_pair[]){ { 0, 1 } }, 1, 100000);
	EXPECT_EQ(out.dropped[WEFT_SIM_NO_LANE], 49);
	weft_sim_free(&out);
	sim_free(&c);
}

/* Two hosts send to two others over one cable, each in a lane of its own;
 * returns what lane 0 gets of it. */
static double share_of_lane_0(const struct weft_sim_spec *like)
{
	struct sim_case c = sim_make("chain:2,hosts=2", "minhop");
	const struct weft_pair pair[] = { { 0, 2 }, { 1, 3 } };
	struct weft_layers *l = &c.routes.layers;
	struct weft_sim out;
	double a, b;

	l->form = WEFT_SL_DESTINATION;
	l->nvl = 2;
	l->table = calloc(c.f->max_lid + 1, 1);
	ASSERT(l->table);
	l->table[c.f->ep[3].lid] = 1;
	c.spec.high = like->high;
	c.spec.low = like->low;
	c.spec.limit = like->limit;
	c.spec.time = 1000 * US;
	out = sim_pairs(&c, pair, 2, 100000000);
	EXPECT(out.timeout);
	a = out.host[2].received;
	b = out.host[3].received;
	EXPECT_NEAR((a + b) / 2048 / (1000. / .5185), 1, .01);
	weft_sim_free(&out);
	sim_free(&c);
	return a / (a + b);
}

/* Tables of VL arbitration: none, weights, one over the other, a limit. */
TEST(test_lanes)
{
	struct weft_sim_spec spec = { .limit = 0 };

	EXPECT_NEAR(share_of_lane_0(&spec), .5, .01);
	spec.low = (struct weft_sim_vlarb){ 2, { { 0, 99 }, { 1, 33 } } };
	EXPECT_NEAR(share_of_lane_0(&spec), .75, .01);
	spec.low =
		(struct weft_sim_vlarb){ 3,
					 { { 0, 33 }, { 1, 66 }, { 0, 33 } } };
	EXPECT_NEAR(share_of_lane_0(&spec), .5, .01);
	spec.low = (struct weft_sim_vlarb){ 1, { { 1, 33 } } };
	spec.high = (struct weft_sim_vlarb){ 1, { { 0, 33 } } };
	spec.limit = 255;
	EXPECT_NEAR(share_of_lane_0(&spec), 1, .01);
	/* one packet of the high table, then one of the low one */
	spec.limit = 0;
	EXPECT_NEAR(share_of_lane_0(&spec), .5, .01);
	/* 33 blocks a packet: the fourth is beyond 2 * 64 - 33 blocks */
	spec.limit = 2;
	EXPECT_NEAR(share_of_lane_0(&spec), .8, .01);
}

static bool same(const struct weft_sim *a, const struct weft_sim *b)
{
	return a->delivered == b->delivered && a->hops == b->hops &&
	       !memcmp(a->events, b->events, sizeof(a->events)) &&
	       !memcmp(a->series, b->series, sizeof(a->series)) &&
	       !memcmp(&a->packet, &b->packet, sizeof(a->packet));
}

/* A seed gives the same again; looking gives the same as not looking, and
 * another seed something else. */
TEST(test_seeds)
{
	struct sim_case c = sim_make("torus:4x4,hosts=2", "weave");
	struct weft_sim a, b;

	c.spec.time = 200 * US;
	a = sim_run(&c);
	c.spec.check = false;
	b = sim_run(&c);
	EXPECT(same(&a, &b));
	weft_sim_free(&b);
	c.spec.seed = 2;
	b = sim_run(&c);
	EXPECT(!same(&a, &b));
	EXPECT_NEAR(a.throughput.mean / b.throughput.mean, 1, .05);
	weft_sim_free(&a);
	weft_sim_free(&b);
	sim_free(&c);
}

/* Hosts send the same whatever the tables: at a load that both bear. */
TEST(test_common_traffic)
{
	struct sim_case c = sim_make("torus:3x3", "updn");
	struct sim_case d = sim_make("torus:3x3", "weave");
	struct weft_sim a, b;

	c.spec.load = d.spec.load = .2;
	c.spec.time = d.spec.time = 500 * US;
	a = sim_run(&c);
	b = sim_run(&d);
	for (uint32_t i = 0; i < a.hosts; i++)
		EXPECT(llabs((long long)(a.host[i].sent - b.host[i].sent)) <=
		       4096);
	weft_sim_free(&a);
	weft_sim_free(&b);
	sim_free(&c);
	sim_free(&d);
}

/* A share of the messages goes to hot spots, each host's to that of its group.
 * */
TEST(test_hot_spots)
{
	struct sim_case c = sim_make("pgft:2;6,6;1,6;1,1", "dmodk");
	double all = 0, hot = 0;
	struct weft_sim out;

	c.spec.load = .1;
	c.spec.hot_share = .2;
	c.spec.hot_spots = 3;
	c.spec.time = 10000 * US;
	c.spec.check = false;
	out = sim_run(&c);
	for (uint32_t i = 0; i < 36; i++) {
		all += out.host[i].received;
		if (i % 12 == 0) {
			/* 11 of its group, and what everybody spreads */
			EXPECT_NEAR(out.host[i].received /
				    (double)out.host[i].sent, 11 * .2 + 33 / 35.
				    * .8 + 2 / 35., .1);
			hot += out.host[i].received;
		}
	}
	EXPECT_NEAR(hot / all, (33 * .2 + 3 * 33 / 35. * .8 + 3 * 2 / 35.) / 36,
		    .01);
	weft_sim_free(&out);
	sim_free(&c);
}

static bool stop_soon(void *context, const struct weft_sim_progress *at)
{
	unsigned *calls = context;

	return at->now < 20 * US && ++*calls < 1000;
}

/* A run that is ended early tells what it measured. */
TEST(test_interrupt)
{
	struct sim_case c = sim_make("torus:4x4,hosts=2", "weave");
	unsigned calls = 0;
	struct weft_sim out;

	c.spec.time = 100 * US;
	c.spec.warmup = 0;
	c.spec.progress = stop_soon;
	c.spec.progress_context = &calls;
	out = sim_run(&c);
	EXPECT(out.interrupted);
	EXPECT(calls > 0);
	EXPECT(out.time >= 20 * US && out.time < 40 * US);
	EXPECT(out.throughput.mean > .3);
	weft_sim_free(&out);
	sim_free(&c);
}

static int refuse(struct sim_case *c, struct suite_words *words)
{
	struct weft_diag d = { .emit = suite_hear, .context = words };
	struct weft_sim out = { 0 };
	int err;

	c->spec.mapping = &c->mapping;
	err = weft_sim_run(c->f, &c->routes, &c->spec, &out, &d);
	EXPECT_EQ(out.hosts, 0);
	return err;
}

#define REFUSE(field, value, says)                                             \
	do {                                                                   \
		struct sim_case bad = c;                                       \
		bad.spec.field = value;                                        \
		EXPECT_EQ(refuse(&bad, &words), -EINVAL);                \
		EXPECT(strstr(words.text, says));              \
	} while (0)

TEST(test_refusals)
{
	struct sim_case c = sim_make("ring:4", "updn");
	struct suite_words words;

	c.spec.time = 10 * US;
	REFUSE(mtu, 1000, "MTU of 1000 bytes");
	REFUSE(mtu, 8192, "MTU of 8192 bytes");
	REFUSE(header, 0, "headers of 0 bytes");
	REFUSE(buffer, 0, "no credits");
	REFUSE(buffer, 33 * 64 - 1, "2112 are needed");
	REFUSE(buffer, 1u << 30, "at most");
	REFUSE(cable, 1ull << 40, "delay");
	REFUSE(bytes, 0, "1 byte");
	REFUSE(load, 0, "load of 0");
	REFUSE(load, NAN, "load of nan");
	REFUSE(load, 1.5, "load of 1.5");
	REFUSE(time, 0, "has to last");
	REFUSE(warmup, 10 * US, "nothing is left");
	REFUSE(outstanding, 0, "outstanding");
	REFUSE(hot_share, 1.1, "share of 1.1");
	REFUSE(hot_share, NAN, "share of nan");
	REFUSE(hot_spots, 0, "0 hot spots");
	REFUSE(hot_spots, 5, "5 hot spots among 4");
	REFUSE(low.n, 65, "65 entries");
	c.spec.low = (struct weft_sim_vlarb){ 1, { { 15, 1 } } };
	REFUSE(seed, 1, "lane 15");
	c.spec.low.n = 0;
	c.mapping.nranks = 1;
	REFUSE(seed, 1, "nobody to send");
	c.mapping.nranks = 4;
	sim_free(&c);
}

/* Port 0 of switches sends to that of others, as fast as it may; hosts are told
 * apart, and a lane of their own keeps switches out of their way. */
TEST(test_switches)
{
	struct sim_case c = sim_make("pgft:2;4,4;1,4;1,1", "sftree");
	struct weft_sim one, lanes, without;

	c.spec.queues = WEFT_SIM_VOQ;
	c.spec.time = 300 * US;
	without = sim_run(&c);
	EXPECT_EQ(without.switch_throughput.mean, 0);
	c.spec.switch_load = .3;
	c.spec.load = .2;
	one = sim_run(&c);
	EXPECT_NEAR(one.switch_throughput.mean, .3, .06);
	EXPECT_NEAR(one.throughput.mean, .2, .02);
	weft_sim_free(&one);
	c.spec.switch_load = c.spec.load = 1;
	one = sim_run(&c);
	c.spec.host_sl = 1;
	c.spec.switch_sl = 0;
	lanes = sim_run(&c);
	EXPECT(one.switch_throughput.mean > .4);
	EXPECT(one.switch_throughput.mean <= 1.01);
	EXPECT(one.throughput.mean < without.throughput.mean);
	EXPECT(lanes.throughput.mean > one.throughput.mean);
	weft_sim_free(&one);
	weft_sim_free(&lanes);
	weft_sim_free(&without);
	c.spec.mapping = &c.mapping;
	c.spec.paths = WEFT_SIM_ADAPTIVE;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &one, NULL), -EINVAL);
	sim_free(&c);
}

/* Three flows into one host leave a fourth one, which only shares a cable with
 * them, a quarter of what hosts take; with congestion control it has most of
 * that. */
TEST(test_congestion)
{
	struct sim_case c = sim_make("chain:2,hosts=4:2", "updn");
	const struct weft_pair pair[] = {
		{ 0, 4 }, { 1, 5 }, { 3, 5 }, { 2, 5 }
	};
	double victim[2], others[2] = { 0 };

	c.spec.endless = true;
	c.spec.queues = WEFT_SIM_VOQ;
	c.spec.inject = c.spec.drain = 13000;
	c.spec.time = 10000 * US;
	c.spec.check = false;
	for (unsigned on = 0; on < 2; on++) {
		struct weft_sim out;

		c.spec.cc.on = on;
		out = sim_pairs(&c, pair, 4, 2048);
		EXPECT_EQ(out.marked > 0, on);
		EXPECT(out.notified <= out.marked);
		for (unsigned i = 0; i < 4; i++)
			if (out.flow[i].from == 0)
				victim[on] = out.flow[i].gbps;
			else
				others[on] += out.flow[i].gbps;
		weft_sim_free(&out);
	}
	EXPECT(victim[0] < 4.5);
	EXPECT(victim[1] > 2 * victim[0]);
	EXPECT(others[1] > .6 * others[0]);
	/* Nothing is lost, and no buffer overflows. */
	c.spec.time = 300 * US;
	c.spec.check = true;
	for (unsigned queues = 0; queues < 2; queues++) {
		struct weft_sim out;

		c.spec.queues = queues;
		out = sim_pairs(&c, pair, 4, 2048);
		EXPECT(out.notified > 0);
		weft_sim_free(&out);
	}
	c.spec.mapping = &c.mapping;
	c.spec.cc.threshold = 16;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &(struct weft_sim){ 0 },
		  NULL), -EINVAL);
	sim_free(&c);
}
