// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The packet simulator: one packet that is followed through all queues. */
#include "sim_util.h"

#define US 1000000ull /* ps */

/* What holds of any packet: it goes on where the last channel leads, by the
 * delays of cable and switch, and waits for no less than nothing. */
static void check_stops(const struct sim_case *c, const struct weft_sim *out)
{
	const struct weft_sim_trace *t = &out->trace;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct weft_sim_stop *at = &t->stop[i];

		EXPECT(at->in <= at->first);
		EXPECT(at->first <= at->out);
		if (at->out == UINT64_MAX)
			continue;
		EXPECT(at->busy <= at->out - at->first);
		EXPECT_EQ(!at->busy, !at->others);
		if (i)
			EXPECT_EQ(!at->ahead, !at->behind.number);
		if (i + 1 == t->n)
			continue;
		EXPECT(at[1].in - at->out - c->spec.cable - c->spec.relay <= 1);
		if (at[1].channel != WEFT_NONE)
			EXPECT_EQ(weft_channel_switch(c->f, at[1].channel),
				  c->f->peer[at->channel]);
	}
}

/* Under load, with both kinds of queues; the run is the same without it. */
TEST(test_load)
{
	struct sim_case c = sim_make("pgft:2;4,4;1,2;1,1", "weave");

	c.spec.time = 200 * US;
	for (int queues = WEFT_SIM_FIFO; queues <= WEFT_SIM_VOQ; queues++) {
		struct weft_sim plain, out;
		const struct weft_sim_stop *last;
		uint64_t waited = 0;

		c.spec.queues = queues;
		c.spec.trace_number = 0;
		plain = sim_run(&c);
		EXPECT(!plain.trace.stop);
		c.spec.trace_from = 0;
		c.spec.trace_to = c.f->nep - 1;
		c.spec.trace_number = 3;
		out = sim_run(&c);
		EXPECT_EQ(out.delivered, plain.delivered);
		EXPECT_EQ(out.packet.max, plain.packet.max);
		check_stops(&c, &out);
		ASSERT_EQ(out.trace.n, 4);
		last = &out.trace.stop[3];
		EXPECT_EQ(c.f->peer[last->channel],
			  c.spec.trace_to | WEFT_ENDPORT);
		/* 2074 bytes at 32 Gbit/s, and the cable */
		EXPECT(out.trace.delivered - last->out - 518500 - c.spec.cable
		       <= 1);
		for (uint32_t i = 0; i < 4; i++)
			waited += out.trace.stop[i].out - out.trace.stop[i].in;
		EXPECT(waited > 1 * US);
		EXPECT_EQ(out.trace.lost, UINT64_MAX);
		weft_sim_free(&plain);
		weft_sim_free(&out);
	}
	sim_free(&c);
}

/* Two hosts send to a third: the second packet of one waits for the first of
 * the other, by name, and for as long as this takes. */
TEST(test_wait)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	const struct weft_pair pair[] = { { 0, 2 }, { 1, 2 } };
	const struct weft_sim_stop *at;
	struct weft_sim out;

	c.spec.trace_from = c.mapping.endport[1];
	c.spec.trace_to = c.mapping.endport[2];
	c.spec.trace_number = 1;
	out = sim_pairs(&c, pair, 2, 2048);
	check_stops(&c, &out);
	ASSERT_EQ(out.trace.n, 2);
	at = &out.trace.stop[1];
	EXPECT_EQ(at->ahead, 0);
	EXPECT_EQ(at->others, 1);
	EXPECT_EQ(at->before.from, c.mapping.endport[0]);
	EXPECT_EQ(at->before.to, c.mapping.endport[2]);
	EXPECT_EQ(at->before.number, 1);
	EXPECT_EQ(at->busy, 518500);
	EXPECT_EQ(at->out - at->first, 518500);
	weft_sim_free(&out);
	/* There is no second one. */
	c.spec.trace_number = 2;
	out = sim_pairs(&c, pair, 2, 2048);
	EXPECT_EQ(out.trace.n, 0);
	EXPECT(out.trace.stop);
	weft_sim_free(&out);
	sim_free(&c);
}

/* One that is lost says where, when and why; one in a deadlock stays. */
TEST(test_end)
{
	struct sim_case c = sim_make("ring:4,hosts=2", "minhop");
	const struct weft_pair pair[] = { { 0, 4 } };
	struct weft_sim out;
	uint32_t sw;

	c.spec.time = 1000 * US;
	out = sim_run(&c);
	ASSERT(out.deadlocked);
	c.spec.trace_from = out.deadlock.packet[0].from;
	c.spec.trace_to = out.deadlock.packet[0].to;
	weft_sim_free(&out);
	for (c.spec.trace_number = 1;; c.spec.trace_number++) {
		out = sim_run(&c);
		check_stops(&c, &out);
		ASSERT(out.trace.n > 0);
		if (out.trace.delivered == UINT64_MAX)
			break;
		weft_sim_free(&out);
	}
	EXPECT_EQ(out.trace.stop[out.trace.n - 1].out, UINT64_MAX);
	EXPECT_EQ(out.trace.lost, UINT64_MAX);
	weft_sim_free(&out);

	sw = weft_vertex_switch(c.f, c.mapping.endport[0] | WEFT_ENDPORT);
	weft_lft_row(&c.routes.lft, sw)[c.f->ep[c.mapping.endport[4]].lid] =
		WEFT_NO_PORT;
	c.spec.trace_from = c.mapping.endport[0];
	c.spec.trace_to = c.mapping.endport[4];
	c.spec.trace_number = 1;
	out = sim_pairs(&c, pair, 1, 2048);
	EXPECT_EQ(out.trace.n, 2);
	EXPECT_EQ(out.trace.delivered, UINT64_MAX);
	EXPECT(out.trace.lost < 1 * US);
	EXPECT_EQ(out.trace.why, WEFT_SIM_NO_ROUTE);
	weft_sim_free(&out);
	sim_free(&c);
}
