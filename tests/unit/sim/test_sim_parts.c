// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Latencies of hosts, flows and lanes, and waiting for channels: they add up to
 * those of all, and are what arithmetic gives for a few packets.
 */
#include "sim_util.h"

#include <math.h>

#define US 1000000ull	/* ps */
#define PACKET_NS 518.5 /* 2074 bytes at 32 Gbit/s */

/* What the parts of a kind have together. */
struct sum {
	uint64_t n, parts;
	double ns, min, max;
};

static struct sum sum_kind(const struct weft_sim *r,
			   enum weft_sim_part_kind kind)
{
	struct sum sum = { .min = INFINITY };

	for (uint32_t i = 0; i < r->parts; i++) {
		const struct weft_sim_part *p = &r->part[i];
		const struct weft_sim_bin *bin = &r->part_bin[p->first_bin];
		uint64_t n = 0;

		ASSERT(p->first_bin + p->bins <= r->part_bins);
		if (p->kind != kind)
			continue;
		for (uint32_t k = 0; k < p->bins; k++) {
			n += bin[k].n;
			EXPECT(bin[k].n > 0);
			EXPECT(!k || bin[k].ns > bin[k - 1].ns);
		}
		EXPECT_EQ(n, p->ns.n);
		EXPECT(p->ns.min <= p->ns.p50 && p->ns.p50 <= p->ns.p90);
		EXPECT(p->ns.p90 <= p->ns.p99 && p->ns.p999 <= p->ns.max);
		sum.parts++;
		sum.n += n;
		sum.ns += n * p->ns.mean.mean;
		sum.min = fmin(sum.min, p->ns.min);
		sum.max = fmax(sum.max, p->ns.max);
	}
	return sum;
}

/* Whether parts of a kind have all packets of a load. */
static void add_up(const struct weft_sim *r, enum weft_sim_part_kind kind,
		   uint64_t parts)
{
	struct sum sum = sum_kind(r, kind);

	EXPECT_EQ(sum.parts, parts);
	EXPECT_EQ(sum.n, r->packet.n);
	EXPECT_NEAR(sum.ns / sum.n, r->packet.mean.mean, 1e-6);
	EXPECT_NEAR(sum.min, r->packet.min, 1e-6);
	EXPECT_NEAR(sum.max, r->packet.max, 1e-6);
}

/* The time is long enough for segments to be merged several times. */
TEST(test_load)
{
	struct sim_case c = sim_make("torus:4x4,hosts=2", "weave");
	struct weft_sim plain, out;
	const struct weft_sim_part *lane = NULL;

	c.spec.time = 400 * US;
	c.spec.load = .3;
	c.spec.check = false;
	plain = sim_run(&c);
	EXPECT_EQ(plain.parts, 0);
	EXPECT(!plain.part);
	c.spec.parts = true;
	out = sim_run(&c);
	EXPECT_EQ(out.hops, plain.hops);
	EXPECT_EQ(out.delivered, plain.delivered);
	EXPECT_EQ(out.packet.p99, plain.packet.p99);
	add_up(&out, WEFT_SIM_OF_HOST, 32);
	add_up(&out, WEFT_SIM_OF_LANE, 1);
	EXPECT_EQ(sum_kind(&out, WEFT_SIM_OF_FLOW).parts, 0);
	/* Those that are still in a queue are not counted. */
	EXPECT_EQ(sum_kind(&out, WEFT_SIM_OF_CHANNEL).n, out.hops);
	for (uint32_t i = 0; i < out.parts; i++)
		if (out.part[i].kind == WEFT_SIM_OF_LANE)
			lane = &out.part[i];
	ASSERT(lane);
	EXPECT_NEAR(lane->ns.p50 / out.packet.p50, 1, .05);
	EXPECT_NEAR(lane->ns.p99 / out.packet.p99, 1, .05);
	EXPECT_NEAR(lane->ns.mean.ci99, out.packet.mean.ci99, 1e-6);
	weft_sim_free(&plain);
	weft_sim_free(&out);
	sim_free(&c);
}

/* Two hosts send to a third one without end, one to the fourth. */
TEST(test_flows)
{
	static const struct weft_pair pair[] = {
		{ 0, 2 }, { 1, 2 }, { 2, 3 }
	};
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct weft_sim out;

	c.spec.endless = true;
	c.spec.time = 200 * US;
	c.spec.parts = true;
	out = sim_pairs(&c, pair, 3, 2048);
	add_up(&out, WEFT_SIM_OF_FLOW, 3);
	add_up(&out, WEFT_SIM_OF_HOST, 2);
	for (uint32_t i = 0; i < out.parts; i++) {
		const struct weft_sim_part *p = &out.part[i];
		double us = (out.time - out.warmup) / 1e6;

		if (p->kind != WEFT_SIM_OF_FLOW)
			continue;
		EXPECT_NEAR(p->ns.n * 2048 * 8 / us / 1e3 /
			    out.flow[p->item].gbps, 1, .02);
	}
	weft_sim_free(&out);
	sim_free(&c);
}

/* Of two packets that come at a time one waits until the other has left. */
TEST(test_few)
{
	static const struct weft_pair pair[] = { { 0, 2 }, { 1, 2 } };
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	double arrive = PACKET_NS + 140; /* two cables and a switch */
	struct weft_sim out;
	bool seen = false;

	c.spec.parts = true;
	out = sim_pairs(&c, pair, 2, 2048);
	for (uint32_t i = 0; i < out.parts; i++) {
		const struct weft_sim_part *p = &out.part[i];

		EXPECT_EQ(p->ns.n, 2);
		EXPECT_EQ(p->lane, 0);
		if (p->kind == WEFT_SIM_OF_HOST) {
			EXPECT_EQ(p->item, 2);
			EXPECT_NEAR(p->ns.min, arrive, .01);
			EXPECT_NEAR(p->ns.max, arrive + PACKET_NS, .01);
		} else if (p->kind == WEFT_SIM_OF_CHANNEL) {
			EXPECT_EQ(c.f->peer[p->item],
				  c.mapping.endport[2] | WEFT_ENDPORT);
			EXPECT_NEAR(p->ns.min, 0, .01);
			EXPECT_NEAR(p->ns.max, PACKET_NS, .01);
			seen = true;
		}
	}
	EXPECT(seen);
	EXPECT_EQ(out.parts, 3);
	weft_sim_free(&out);
	sim_free(&c);
}
