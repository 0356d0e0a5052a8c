// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What changes while packets move: cables that fail, tables that are written,
 * packets that wait for too long.  sim_run() proves that none is lost
 * uncounted.
 */
#include "sim_util.h"

#include <errno.h>

#define US 1000000ull /* ps */

static uint64_t dropped(const struct weft_sim *out)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		n += out->dropped[i];
	return n;
}

/* The channel up from a leaf by which its table sends to a host. */
static uint32_t channel_to(const struct sim_case *c, uint32_t from, uint32_t to)
{
	uint32_t sw = c->f->ep[from].sw;

	return weft_channel(c->f, sw,
			    weft_lft_get(&c->routes.lft, sw, c->f->ep[to].lid));
}

/* A flow whose cable is away for a third of the time has two thirds. */
TEST(test_fail)
{
	struct sim_case c = sim_make("pgft:2;2,2;1,2;1,1", "dmodk");
	struct weft_pair pair = { 0, 3 };
	uint32_t from = c.mapping.endport[0], to = c.mapping.endport[3];
	struct weft_sim_change change[] = {
		{ 1000 * US, WEFT_SIM_FAIL, channel_to(&c, from, to), NULL },
		{ 2000 * US, WEFT_SIM_REPAIR, channel_to(&c, from, to), NULL },
	};
	struct weft_sim out;

	c.spec.endless = true;
	c.spec.time = 3000 * US;
	c.spec.warmup = 0;
	for (unsigned queues = 0; queues < 2; queues++) {
		c.spec.queues = queues;
		c.spec.change = change;
		c.spec.nchanges = 2;
		out = sim_pairs(&c, &pair, 1, 2048);
		EXPECT(out.dropped[WEFT_SIM_LINK_DOWN] > 1000);
		EXPECT_EQ(dropped(&out), out.dropped[WEFT_SIM_LINK_DOWN]);
		EXPECT_NEAR(out.gbps.mean * 4, 31.6 * 2 / 3, .3);
		EXPECT(out.series[10] > 0);
		EXPECT_EQ(out.series[32], 0);
		EXPECT(out.series[50] > 0);
		weft_sim_free(&out);
		/* The host's own cable: it waits, and loses nothing. */
		change[0].what = change[1].what = c.f->first_injection + from;
		out = sim_pairs(&c, &pair, 1, 2048);
		EXPECT_EQ(dropped(&out), 0);
		EXPECT_NEAR(out.gbps.mean * 4, 31.6 * 2 / 3, .3);
		weft_sim_free(&out);
		change[0].what = change[1].what = channel_to(&c, from, to);
	}
	sim_free(&c);
}

/* A host whose cable goes once the first of ten packets has begun sends the
 * others when that is back: over two cables and a switch, of 2074 bytes at
 * 4 GB/s. */
TEST(test_late)
{
	static const uint64_t back[] = { 1 * US, 7 * US, 100 * US };

	for (unsigned i = 0; i < 6; i++) {
		struct sim_case c = sim_make("pgft:1;2;1;1,speed=qdr",
					     "minhop");
		struct weft_pair pair = { 0, 1 };
		uint32_t ch = c.f->first_injection + c.mapping.endport[i / 3];
		struct weft_sim_change change[] = {
			{ 0, WEFT_SIM_FAIL, ch, NULL },
			{ back[i % 3], WEFT_SIM_REPAIR, ch, NULL },
		};
		struct weft_sim out;

		c.spec.change = change;
		c.spec.nchanges = 2;
		out = sim_pairs(&c, &pair, 1, 10 * 2048);
		suite_case("case %u", i);
		/* those that wait at the switch for the other host's cable are
		 * lost there */
		if (i < 3) {
			EXPECT_EQ(out.delivered, 10);
			EXPECT_EQ(dropped(&out), 0);
			EXPECT_NEAR(out.time / 1e3, back[i] / 1e3 + 9 * 2074 *
				    .25 + 140, 1);
		} else {
			EXPECT_EQ(out.delivered + dropped(&out), 10);
		}
		weft_sim_free(&out);
		sim_free(&c);
	}
}

/* New tables lead around the cable that failed. */
TEST(test_tables)
{
	struct sim_case c = sim_make("pgft:2;2,2;1,2;1,1", "dmodk");
	struct weft_pair pair = { 0, 3 };
	uint32_t from = c.mapping.endport[0], to = c.mapping.endport[3];
	uint32_t ch = channel_to(&c, from, to), sw = c.f->ep[from].sw;
	uint32_t port = ch - c.f->first_channel[sw];
	struct weft_sim_change change[] = {
		{ 100 * US, WEFT_SIM_FAIL, ch, NULL },
		{ 150 * US, WEFT_SIM_TABLE, sw, NULL },
	};
	struct weft_lft lft;
	struct weft_sim out;

	ASSERT_EQ(weft_lft_init(&lft, c.f->nsw, c.routes.lft.max_lid), 0);
	memcpy(lft.port, c.routes.lft.port, (size_t)lft.stride * lft.nsw);
	for (unsigned lid = 0; lid <= lft.max_lid; lid++)
		for (uint32_t i = c.f->adj_first[sw];
		     i < c.f->adj_first[sw + 1]; i++)
			if (weft_lft_row(&lft, sw)[lid] == port &&
			    c.f->adj[i] != ch)
				weft_lft_row(&lft, sw)[lid] =
					c.f->adj[i] - c.f->first_channel[sw];
	change[1].lft = &lft;
	c.spec.endless = true;
	c.spec.time = 1000 * US;
	c.spec.warmup = 0;
	c.spec.change = change;
	c.spec.nchanges = 2;
	out = sim_pairs(&c, &pair, 1, 2048);
	EXPECT(out.dropped[WEFT_SIM_LINK_DOWN] > 50);
	EXPECT_NEAR(out.gbps.mean * 4, 31.6 * .95, .3);
	weft_sim_free(&out);
	weft_lft_free(&lft);
	sim_free(&c);
}

/* Cables come and go at random. */
TEST(test_random)
{
	static const char *const fabrics[] = {
		"pgft:2;4,4;1,4;1,1",
		"torus:4x4,hosts=2",
		"random:8,4,3,seed=5",
	};
	struct weft_rng *rng = weft_rng_new(7);

	for (unsigned round = 0; round < 36; round++) {
		struct sim_case c = sim_make(fabrics[round % 3], "updn");
		struct weft_sim_change change[40];
		uint64_t at = 0;
		struct weft_sim out;

		for (unsigned i = 0; i < 40; i++) {
			uint32_t ch;

			do
				ch = weft_rng_below(rng, c.f->nch);
			while (c.f->peer[ch] == WEFT_NONE);
			at += weft_rng_below(rng, 3) * US;
			change[i] = (struct weft_sim_change){
				at, weft_rng_below(rng, 2), ch, NULL
			};
		}
		c.spec.change = change;
		c.spec.nchanges = 40;
		c.spec.time = 60 * US;
		c.spec.buffer = 4352;
		c.spec.bytes = 3000;
		c.spec.queues = round % 2;
		c.spec.paths = round / 3 % 4;
		c.spec.hoq = round % 5 ? 0 : 2 * US;
		out = sim_run(&c);
		EXPECT(out.delivered > 50);
		weft_sim_free(&out);
		sim_free(&c);
	}
	weft_rng_free(rng);
}

/* What would lock up goes on where packets are dropped that wait for too long,
 * and loses some. */
TEST(test_hoq)
{
	struct sim_case c = sim_make("ring:4,hosts=2", "minhop");
	struct weft_sim out;
	uint64_t before;

	c.spec.time = 500 * US;
	out = sim_run(&c);
	EXPECT(out.deadlocked);
	before = out.delivered;
	weft_sim_free(&out);
	c.spec.hoq = 8 * US;
	out = sim_run(&c);
	EXPECT(!out.deadlocked);
	EXPECT(out.dropped[WEFT_SIM_TOO_LONG] > 10);
	EXPECT(out.delivered > 2 * before);
	EXPECT_EQ(out.time, 500 * US);
	weft_sim_free(&out);
	sim_free(&c);
	/* A hot spot makes nobody wait that long. */
	c = sim_make("pgft:2;4,4;1,4;1,1", "dmodk");
	c.spec.hoq = 100 * US;
	c.spec.time = 500 * US;
	out = sim_run(&c);
	EXPECT_EQ(dropped(&out), 0);
	weft_sim_free(&out);
	sim_free(&c);
}

/* A packet is dropped when it has been first in its queue for as long as that,
 * or a quarter of it longer. */
TEST(test_hoq_exact)
{
	struct sim_case c = sim_make("ring:4,hosts=2", "minhop");
	struct weft_sim out;
	unsigned n = 0;
	bool sent;

	c.spec.time = 200 * US;
	out = sim_run(&c);
	ASSERT(out.deadlocked);
	c.spec.trace_from = out.deadlock.packet[0].from;
	c.spec.trace_to = out.deadlock.packet[0].to;
	weft_sim_free(&out);
	c.spec.hoq = 8 * US;
	do {
		uint64_t waited;

		c.spec.trace_number++;
		out = sim_run(&c);
		sent = out.trace.n;
		if (sent && out.trace.lost != UINT64_MAX) {
			waited = out.trace.lost -
				 out.trace.stop[out.trace.n - 1].first;
			EXPECT_EQ(out.trace.why, WEFT_SIM_TOO_LONG);
			EXPECT(waited >= c.spec.hoq);
			EXPECT(waited <= c.spec.hoq + c.spec.hoq / 4 + 1);
			n++;
		}
		weft_sim_free(&out);
	} while (sent);
	EXPECT(n > 0);
	sim_free(&c);
}

TEST(test_bad)
{
	struct sim_case c = sim_make("ring:4", "weave");
	struct weft_sim_change change[] = {
		{ 20 * US, WEFT_SIM_FAIL, c.f->first_injection, NULL },
		{ 10 * US, WEFT_SIM_REPAIR, c.f->first_injection, NULL },
	};
	struct weft_sim out;

	c.spec.mapping = &c.mapping;
	c.spec.time = 100 * US;
	c.spec.change = change;
	c.spec.nchanges = 2;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	c.spec.nchanges = 1;
	change[0].what = c.f->nch;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	change[0] = (struct weft_sim_change){ 0, WEFT_SIM_TABLE, 0, NULL };
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	sim_free(&c);
}
