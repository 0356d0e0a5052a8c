// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Longer ways over groups of a dragonfly: no circle of full buffers, however
 * small these are; as many switches as Valiant's way has at most; and traffic
 * that short ways have one cable for gets what longer ones give; all as much as
 * in booksim2.
 */
#include "sim_util.h"

#include <weft/shape.h>

#include <errno.h>
#include <string.h>

#define US 1000000ull /* ps */
#define HOSTS 72u

/* Nine groups of four switches with two hosts each: all hosts of a group send
 * to those of the next one, which takes one cable by the short way. */
struct bad {
	struct sim_case c;
	struct weft_shape shape;
	struct weft_traffic *next;
};

static struct bad make(void)
{
	struct bad b = { .c = sim_make("dragonfly:4,2,2,9", "updn") };
	struct weft_pair_list list = {
		.nranks = HOSTS,
		.nrounds = 8,
		.first = malloc(9 * sizeof(*list.first)),
		.pair = malloc(8ul * HOSTS * sizeof(*list.pair)),
	};

	ASSERT(list.first && list.pair);
	ASSERT_EQ(weft_shape_find(b.c.f, &b.shape, NULL), 0);
	ASSERT_EQ(b.shape.part[0].ngroups, 9);
	for (uint32_t r = 0; r <= 8; r++)
		list.first[r] = (uint64_t)r * HOSTS;
	for (uint32_t r = 0; r < 8; r++)
		for (uint32_t i = 0; i < HOSTS; i++)
			list.pair[r * HOSTS + i] =
				(struct weft_pair){ i, (i / 8 + 1) % 9 * 8 +
							       (i + r) % 8 };
	ASSERT_EQ(weft_traffic_from_list(&list, HOSTS, &b.next, NULL), 0);
	b.c.spec.group = b.shape.group;
	b.c.spec.time = 200 * US;
	return b;
}

static void leave(struct bad *b)
{
	weft_traffic_free(b->next);
	weft_shape_free(&b->shape);
	sim_free(&b->c);
}

TEST(test_no_circle)
{
	struct bad b = make();
	struct weft_sim out;

	b.c.spec.buffer = 2176;
	for (unsigned i = 0; i < 16; i++) {
		suite_case("case %u", i);
		b.c.spec.paths = WEFT_SIM_VALIANT + i % 4;
		b.c.spec.queues = i & 4 ? WEFT_SIM_VOQ : WEFT_SIM_FIFO;
		b.c.spec.sequence = i & 8 ? b.next : NULL;
		out = sim_run(&b.c);
		EXPECT(!out.deadlocked);
		EXPECT(out.throughput.mean > .1);
		/* Two in each of three groups, PAR one more. */
		EXPECT(out.hops <= out.injected * 7);
		EXPECT_EQ(out.lanes, b.c.spec.paths == WEFT_SIM_PAR ? 4 : 3);
		weft_sim_free(&out);
	}
	leave(&b);
}

TEST(test_gain)
{
	struct bad b = make();
	struct weft_sim out;
	double got[5];

	b.c.spec.check = false;
	b.c.spec.queues = WEFT_SIM_VOQ;
	b.c.spec.sequence = b.next;
	for (unsigned i = 0; i < 5; i++) {
		b.c.spec.paths = i ? WEFT_SIM_VALIANT + i - 1 : WEFT_SIM_UGAL_L;
		b.c.spec.bias = i ? 3 : 1000000;
		out = sim_run(&b.c);
		got[i] = out.throughput.mean;
		weft_sim_free(&out);
	}
	/* Eight hosts share a cable. */
	EXPECT(got[0] > .124 && got[0] <= .1251);
	/* Seven other groups, each way over two cables. */
	EXPECT(got[1] > .36 && got[1] < .5);
	for (unsigned i = 2; i < 5; i++)
		EXPECT(got[i] > got[1] * 1.2 && got[i] < .6);
	leave(&b);
}

/* Without load to speak of packets take short ways, but for Valiant's. */
TEST(test_idle)
{
	struct bad b = make();
	struct weft_sim out;
	uint64_t hops[2];

	b.c.spec.load = .01;
	for (unsigned i = 0; i < 2; i++) {
		b.c.spec.paths = i ? WEFT_SIM_PAR : WEFT_SIM_VALIANT;
		out = sim_run(&b.c);
		hops[i] = out.hops * 1000 / out.delivered;
		weft_sim_free(&out);
	}
	EXPECT(hops[0] > 4500);
	EXPECT(hops[1] < 3700);
	leave(&b);
}

/* Where all send to all, short ways carry nearly everything, and packets keep to
 * them: a longer way, over twice the cables, has to be less than half as full. */
TEST(test_uniform)
{
	struct bad b = make();
	struct weft_sim out;

	b.c.spec.check = false;
	b.c.spec.queues = WEFT_SIM_VOQ;
	b.c.spec.load = .9;
	b.c.spec.bias = 1;
	for (unsigned i = 0; i < 3; i++) {
		b.c.spec.paths = WEFT_SIM_VALIANT + 1 + i;
		suite_case("paths %u", b.c.spec.paths);
		out = sim_run(&b.c);
		EXPECT(out.throughput.mean > .87);
		EXPECT(out.hops * 1000 / out.delivered < 3650);
		weft_sim_free(&out);
	}
	leave(&b);
}

#define FLIT 16203 /* ps that a 32th of a packet is on a cable of 4x QDR */

/* What cables of booksim2's dragonfly take. */
static uint64_t *lengths(const struct bad *b)
{
	const struct weft_fabric *f = b->c.f;
	const uint32_t *group = b->shape.group;
	uint64_t *cable = calloc(f->nch, sizeof(*cable));

	ASSERT(cable);
	for (uint32_t ch = 0; ch < f->nch; ch++) {
		uint32_t to = f->peer[ch], from;

		if (to == WEFT_NONE)
			continue;
		from = f->peer[f->reverse[ch]];
		cable[ch] =
			!weft_is_switch(to) || !weft_is_switch(from) ?
				FLIT :
				(group[from] == group[to] ? 10 : 100) * FLIT;
	}
	return cable;
}

/* What is saturated gets what it gets in booksim2 with the same rules, lanes,
 * queues, buffers and delays, as bench-sim has it. */
TEST(test_booksim)
{
	static const double share[][2] = { /* anywhere, to the next group */
					   [WEFT_SIM_VALIANT] = { .559, .441 },
					   [WEFT_SIM_UGAL_L] = { .967, .527 },
					   [WEFT_SIM_UGAL_G] = { .963, .549 },
					   [WEFT_SIM_PAR] = { .969, .548 }
	};
	struct bad b = make();
	uint64_t *cable = lengths(&b);
	struct weft_sim out;

	b.c.spec.check = false;
	b.c.spec.queues = WEFT_SIM_VOQ;
	b.c.spec.cable_of = cable;
	b.c.spec.relay = 3 * FLIT;
	b.c.spec.buffer = 16 * 33 * WEFT_SIM_BLOCK;
	b.c.spec.bias = 1;
	b.c.spec.load = 1;
	b.c.spec.time = 500 * US;
	for (unsigned i = 0; i < 8; i++) {
		double want = share[WEFT_SIM_VALIANT + i / 2][i % 2];

		suite_case("rule %u, traffic %u", i / 2, i % 2);
		b.c.spec.paths = WEFT_SIM_VALIANT + i / 2;
		b.c.spec.sequence = i % 2 ? b.next : NULL;
		out = sim_run(&b.c);
		EXPECT(out.throughput.mean > want * .95 &&
		       out.throughput.mean < want * 1.05);
		weft_sim_free(&out);
	}
	free(cable);
	leave(&b);
}

TEST(test_bad)
{
	struct bad b = make();
	struct weft_sim out;

	b.c.spec.mapping = &b.c.mapping;
	b.c.spec.paths = WEFT_SIM_UGAL_L;
	b.c.spec.group = NULL;
	EXPECT_EQ(weft_sim_run(b.c.f, &b.c.routes, &b.c.spec, &out, NULL),
		  -EINVAL);
	b.c.spec.group = b.shape.group;
	b.shape.group[3] = WEFT_NONE;
	EXPECT_EQ(weft_sim_run(b.c.f, &b.c.routes, &b.c.spec, &out, NULL),
		  -EINVAL);
	memset(b.shape.group, 0, b.c.f->nsw * sizeof(*b.shape.group));
	EXPECT_EQ(weft_sim_run(b.c.f, &b.c.routes, &b.c.spec, &out, NULL),
		  -EINVAL);
	leave(&b);
}
