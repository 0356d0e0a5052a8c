// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What messages of a schedule cost their hosts: formulas of the model LogGOPS
 * for hosts at one switch, where nothing else is in the way.
 */
#include "sim_util.h"

#include <errno.h>
#include <string.h>

#define US 1000000ull /* ps */
#define HOSTS 16u
#define WIRE (2074 * 250ull) /* a packet of 2048 bytes at 32 Gbit/s */
#define WAY (2 * 20000 + 100000ull)

struct plan {
	struct weft_sim_job job[256];
	uint64_t first[257];
	uint32_t after[256];
	struct weft_sim_schedule g;
};

/* Adds a job that waits for one condition, or for none: WEFT_NONE. */
static uint32_t add(struct plan *p, struct weft_sim_job job, uint32_t waits)
{
	uint32_t i = p->g.n++;

	p->job[i] = job;
	p->first[i + 1] = p->first[i];
	if (waits != WEFT_NONE)
		p->after[p->first[i + 1]++] = waits;
	return i;
}

static void plan_begin(struct plan *p)
{
	memset(p, 0, sizeof(*p));
	p->g = (struct weft_sim_schedule){
		.nranks = HOSTS,
		.job = p->job,
		.first = p->first,
		.after = p->after,
	};
}

static struct sim_case make(uint64_t o, uint64_t g, uint64_t O)
{
	struct sim_case c = sim_make("pgft:1;16;1;1", "minhop");

	c.spec.in_order = true;
	c.spec.logp = (struct weft_sim_logp){ true, o, g, O };
	return c;
}

static struct weft_sim run(struct sim_case *c, struct plan *p)
{
	struct weft_sim out;

	c->spec.schedule = &p->g;
	out = sim_run(c);
	EXPECT_EQ(out.queued, 0);
	for (uint32_t i = 0; i < out.jobs; i++)
		EXPECT(out.job_done[i] != UINT64_MAX);
	return out;
}

/* In order, messages of one host to others arrive one after the other; in turn
 * all of them nearly as late as the last one. */
TEST(test_order)
{
	struct sim_case c = sim_make("pgft:1;16;1;1", "minhop");
	struct weft_sim out;
	struct plan p;

	for (unsigned order = 0; order < 2; order++) {
		plan_begin(&p);
		for (uint32_t i = 1; i < 5; i++)
			add(&p, (struct weft_sim_job){ 0, i, 10 * 2048, 0, 0 },
			    WEFT_NONE);
		c.spec.in_order = order;
		out = run(&c, &p);
		for (uint32_t i = 0; i < 4; i++)
			if (order)
				EXPECT_EQ(out.job_done[i],
					  WAY + WIRE * 10 * (i + 1));
			else
				EXPECT(out.job_done[i] >= WAY + WIRE * 37);
		weft_sim_free(&out);
	}
	sim_free(&c);
}

/* A tree in which each host that has the message sends it on: each level takes
 * o, the way, the wire and o. */
TEST(test_tree)
{
	struct sim_case c = make(US, 0, 0);
	uint32_t has[HOSTS];
	struct weft_sim out;
	struct plan p;

	plan_begin(&p);
	for (uint32_t d = HOSTS / 2; d; d /= 2)
		for (uint32_t i = 0; i < HOSTS; i += 2 * d)
			has[i + d] = add(
				&p,
				(struct weft_sim_job){ i, i + d, 2048, 0, 0 },
				i ? WEFT_SIM_DELIVERED(has[i]) : WEFT_NONE);
	out = run(&c, &p);
	EXPECT_EQ(out.time, 4 * (2 * US + WAY + WIRE));
	weft_sim_free(&out);
	sim_free(&c);
}

/* A host that sends, or takes, half of what its link carries has its messages
 * twice as far apart: who sends them waits for the gap besides, who takes them is
 * busy with the first one. */
TEST(test_slow_hosts)
{
	for (unsigned takes = 0; takes < 2; takes++) {
		struct sim_case c = make(1000, takes ? 0 : 7000, 0);
		struct weft_sim out;
		struct plan p;

		suite_case("%s", takes ? "takes" : "sends");
		*(takes ? &c.spec.drain : &c.spec.inject) = 16000;
		plan_begin(&p);
		for (uint32_t i = 1; i < 3; i++)
			add(&p,
			    (struct weft_sim_job){ takes ? i : 0, takes ? 0 : i,
						   2048, 0, 0 },
			    WEFT_NONE);
		out = run(&c, &p);
		EXPECT_EQ(out.job_done[1] - out.job_done[0],
			  2 * WIRE + (takes ? 1000 : 7000));
		weft_sim_free(&out);
		sim_free(&c);
	}
}

/* The gap: two messages begin g and the bytes of the first one apart, or o and
 * O for each byte where that is more. */
TEST(test_gap)
{
	static const struct {
		uint64_t o, g, O, apart;
	} row[] = {
		{ 1000, 0, 0, WIRE },
		{ 1000, 7000, 0, 7000 + WIRE },
		{ US, 7000, 0, US },
		{ 1000, 7000, 500, 1000 + 500 * 2048 },
	};
	struct weft_sim out;
	struct plan p;

	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct sim_case c = make(row[i].o, row[i].g, row[i].O);

		suite_case("row %u", i);
		plan_begin(&p);
		add(&p, (struct weft_sim_job){ 0, 1, 2048, 0, 0 }, WEFT_NONE);
		add(&p, (struct weft_sim_job){ 0, 2, 2048, 0, 0 }, WEFT_NONE);
		out = run(&c, &p);
		EXPECT_EQ(out.job_done[1] - out.job_done[0], row[i].apart);
		EXPECT_EQ(out.job_done[0],
			  2 * row[i].o + WAY +
				  (row[i].O ? 2048 * row[i].O : WIRE));
		weft_sim_free(&out);
		sim_free(&c);
	}
}

/* A host takes messages one after the other, each o after its bytes, whoever
 * they are from; and none while it calculates. */
TEST(test_receive)
{
	struct sim_case c = make(US, 0, 0);
	struct weft_sim out;
	struct plan p;

	plan_begin(&p);
	for (uint32_t i = 1; i < HOSTS; i++)
		add(&p, (struct weft_sim_job){ i, 0, 2048, 0, 0 }, WEFT_NONE);
	out = run(&c, &p);
	EXPECT_EQ(out.time, US + WAY + 15 * (WIRE + US));
	weft_sim_free(&out);

	plan_begin(&p);
	add(&p, (struct weft_sim_job){ 1, 0, 2048, 0, 0 }, WEFT_NONE);
	add(&p, (struct weft_sim_job){ 0, 0, 0, 0, 9 * US }, WEFT_NONE);
	add(&p, (struct weft_sim_job){ 0, 0, 0, 0, 3 * US }, WEFT_NONE);
	out = run(&c, &p);
	EXPECT_EQ(out.job_done[1], 9 * US);
	EXPECT_EQ(out.job_done[2], 12 * US);
	EXPECT_EQ(out.job_done[0], 13 * US + WIRE);
	weft_sim_free(&out);
	sim_free(&c);
}

/* What costs hosts time is in order, and of a schedule. */
TEST(test_bad)
{
	struct sim_case c = make(US, 0, 0);
	struct weft_sim out;
	struct plan p;

	plan_begin(&p);
	add(&p, (struct weft_sim_job){ 1, 0, 2048, 0, 0 }, WEFT_NONE);
	c.spec.mapping = &c.mapping;
	c.spec.time = US;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	c.spec.schedule = &p.g;
	c.spec.in_order = false;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	c.spec.in_order = true;
	c.spec.logp.o = UINT64_MAX;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	sim_free(&c);
}
