// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Messages that wait for each other: chains, pauses at random, patterns without
 * barriers, and schedules that cannot be.
 */
#include "sim_util.h"

#include <errno.h>

#define US 1000000ull /* ps */

/* Jobs and conditions in the making. */
struct plan {
	struct weft_sim_job job[4096];
	uint64_t first[4097];
	uint32_t after[16384];
	struct weft_sim_schedule g;
};

static struct plan *plan_new(uint32_t nranks)
{
	struct plan *p = calloc(1, sizeof(*p));

	ASSERT(p != NULL);
	p->g = (struct weft_sim_schedule){
		.nranks = nranks,
		.job = p->job,
		.first = p->first,
		.after = p->after,
	};
	return p;
}

static uint32_t add(struct plan *p, struct weft_sim_job job)
{
	p->job[p->g.n] = job;
	p->first[p->g.n + 1] = p->first[p->g.n];
	return p->g.n++;
}

/* Has the last job wait for something. */
static void wait_for(struct plan *p, uint32_t condition)
{
	p->after[p->first[p->g.n]++] = condition;
}

static struct weft_sim run(struct sim_case *c,
			   const struct weft_sim_schedule *g)
{
	struct weft_sim out;

	c->spec.schedule = g;
	out = sim_run(c);
	c->spec.schedule = NULL;
	EXPECT_EQ(out.queued, 0);
	EXPECT_EQ(out.jobs, g->n);
	for (uint32_t i = 0; i < out.jobs; i++)
		EXPECT(out.job_began[i] <= out.job_done[i]);
	return out;
}

/* Ping-pong: each message begins when the last one has arrived. */
TEST(test_chain)
{
	struct sim_case c = sim_make("pgft:2;2,2;1,2;1,1", "dmodk");
	struct plan *p = plan_new(4);
	/* Three switches and four cables, header in to header out, and one
	 * packet on the wire at 32 Gbit/s. */
	uint64_t one = 3 * 100000 + 4 * 20000 + (1000 + 26) * 250;
	struct weft_sim out;

	for (unsigned i = 0; i < 20; i++) {
		add(p, (struct weft_sim_job){ i % 2 * 3, 3 - i % 2 * 3, 1000, 0,
					      i == 7 ? 5 * US : 0 });
		if (i)
			wait_for(p, WEFT_SIM_DELIVERED(i - 1));
	}
	out = run(&c, &p->g);
	for (unsigned i = 0; i < 20; i++)
		EXPECT_EQ(out.job_done[i],
			  (i + 1) * one + (i < 7 ? 0 : 5 * US));
	EXPECT_EQ(out.time, out.job_done[19]);
	EXPECT_EQ(out.injected, 20);
	weft_sim_free(&out);
	free(p);
	sim_free(&c);
}

/* A message behind one that is on the wire follows without a gap; one that is
 * to begin later does. */
TEST(test_sent)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct plan *p = plan_new(4);
	uint64_t wire = 2074 * 250, way = 2 * 20000 + 100000;
	struct weft_sim out;

	add(p, (struct weft_sim_job){ 0, 1, 2048, 0, 0 });
	add(p, (struct weft_sim_job){ 0, 2, 2048, 0, 0 });
	wait_for(p, WEFT_SIM_SENT_OUT(0));
	add(p, (struct weft_sim_job){ 3, 2, 2048, 90 * US, 0 });
	add(p, (struct weft_sim_job){ 1, 1, 0, 0, 3 * US });
	wait_for(p, WEFT_SIM_DELIVERED(2));
	wait_for(p, WEFT_SIM_SENT_OUT(1));
	out = run(&c, &p->g);
	EXPECT_EQ(out.job_done[0], wire + way);
	EXPECT_EQ(out.job_began[1], wire);
	EXPECT_EQ(out.job_done[1], 2 * wire + way);
	EXPECT_EQ(out.job_began[2], 90 * US);
	EXPECT_EQ(out.job_done[2], 90 * US + wire + way);
	EXPECT_EQ(out.job_done[3], 93 * US + wire + way);
	EXPECT_EQ(out.time, out.job_done[3]);
	weft_sim_free(&out);
	free(p);
	sim_free(&c);
}

/* Pauses end when the longest way to them says. */
TEST(test_pauses)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct weft_rng *rng = weft_rng_new(3);

	for (unsigned round = 0; round < 20; round++) {
		struct plan *p = plan_new(4);
		uint64_t done[1000];
		struct weft_sim out;

		for (uint32_t i = 0; i < 1000; i++) {
			uint32_t rank = weft_rng_below(rng, 4);
			struct weft_sim_job job = { .from = rank, .to = rank };
			uint64_t ready = 0;

			job.wait = weft_rng_below(rng, 3) *
				   weft_rng_below(rng, 2000000);
			if (weft_rng_below(rng, 4) == 0)
				job.at = weft_rng_below(rng, 1000) * US;
			add(p, job);
			for (unsigned k = i ? weft_rng_below(rng, 3) : 0; k;
			     k--) {
				uint32_t to = weft_rng_below(rng, i);

				wait_for(p, 2 * to + k % 2);
				ready = done[to] > ready ? done[to] : ready;
			}
			done[i] = ready + job.wait;
			done[i] = done[i] < job.at ? job.at : done[i];
		}
		out = run(&c, &p->g);
		for (uint32_t i = 0; i < 1000; i++)
			ASSERT_EQ(out.job_done[i], done[i]);
		EXPECT_EQ(out.injected, 0);
		weft_sim_free(&out);
		free(p);
	}
	weft_rng_free(rng);
	sim_free(&c);
}

static struct weft_sim run_pattern(struct sim_case *c, const char *pattern,
				   enum weft_sim_sync sync)
{
	struct weft_sim_schedule g;
	struct weft_traffic *t;
	struct weft_sim out;
	uint32_t stuck;

	ASSERT_EQ(weft_traffic_new(pattern, c->mapping.nranks, &t, NULL), 0);
	if (sync == WEFT_SIM_SYNC_BARRIER) {
		c->spec.traffic = t;
		out = sim_run(c);
		c->spec.traffic = NULL;
	} else {
		ASSERT_EQ(weft_sim_schedule_rounds(t, c->spec.bytes, sync,
			  false, 1, c->spec.seed, &g), 0);
		EXPECT_EQ(weft_sim_schedule_check(&g, &stuck, NULL), 0);
		out = run(c, &g);
		weft_sim_schedule_free(&g);
	}
	weft_traffic_free(t);
	return out;
}

/* Without barriers a pattern sends the same, and takes no longer where ranks
 * wait only for themselves. */
TEST(test_rounds)
{
	static const char *const patterns[] = {
		"shift", "recursive-doubling", "dissemination",
		"ring",	 "ring:order=random",  "bisect",
		"tree",
	};
	struct sim_case c = sim_make("pgft:2;4,4;1,2;1,1", "dmodk");

	c.spec.bytes = 20000;
	for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		struct weft_sim barrier, rank, send;

		barrier = run_pattern(&c, patterns[i], WEFT_SIM_SYNC_BARRIER);
		rank = run_pattern(&c, patterns[i], WEFT_SIM_SYNC_RANK);
		send = run_pattern(&c, patterns[i], WEFT_SIM_SYNC_SEND);
		EXPECT_EQ(rank.injected, barrier.injected);
		EXPECT_EQ(send.injected, barrier.injected);
		EXPECT(rank.time <= barrier.time * 1.1);
		EXPECT(send.time <= rank.time * 1.5);
		for (unsigned k = 0; k < 16; k++)
			EXPECT_EQ(rank.host[k].received,
				  barrier.host[k].received);
		weft_sim_free(&barrier);
		weft_sim_free(&rank);
		weft_sim_free(&send);
	}
	sim_free(&c);
}

/* Of 16 ranks all have heard of all after four rounds of a small message. */
TEST(test_dissemination)
{
	struct sim_case c = sim_make("pgft:1;16;1;1", "minhop");
	uint64_t one = 100000 + 2 * 20000 + (8 + 26) * 250;
	struct weft_sim out;

	c.spec.bytes = 8;
	out = run_pattern(&c, "dissemination", WEFT_SIM_SYNC_RANK);
	EXPECT_EQ(out.time, 4 * one);
	weft_sim_free(&out);
	sim_free(&c);
}

/* Around a ring and back: each rank sends and receives twice, and what comes
 * back waits for what went. */
TEST(test_back)
{
	struct sim_case c = sim_make("pgft:1;8;1;1", "minhop");
	struct weft_sim_schedule g;
	struct weft_traffic *t;
	struct weft_sim out;

	ASSERT_EQ(weft_traffic_new("ring", 8, &t, NULL), 0);
	ASSERT_EQ(weft_sim_schedule_rounds(t, 100000, WEFT_SIM_SYNC_RANK, true,
		  1, 1, &g), 0);
	out = run(&c, &g);
	for (unsigned i = 0; i < 8; i++) {
		EXPECT_EQ(out.host[i].sent, 200000);
		EXPECT_EQ(out.host[i].received, 200000);
	}
	for (uint32_t i = 0; i < g.n; i++)
		if (g.job[i].from != g.job[i].to && i >= 8)
			EXPECT_EQ(out.job_began[i], out.job_done[0]);
	weft_sim_free(&out);
	weft_sim_schedule_free(&g);
	weft_traffic_free(t);
	sim_free(&c);
}

/* Behind a barrier nobody begins before all is delivered, and each pass takes as
 * long as the first one. */
TEST(test_barriers)
{
	struct sim_case c = sim_make("pgft:2;4,2;1,1;1,1", "minhop");
	uint64_t one = 0, last = 0;

	for (unsigned passes = 1; passes <= 3; passes++) {
		struct weft_sim_schedule g;
		struct weft_traffic *t;
		struct weft_sim out;
		uint32_t stuck;

		suite_case("%u passes", passes);
		ASSERT_EQ(weft_traffic_new("shift", 8, &t, NULL), 0);
		ASSERT_EQ(weft_sim_schedule_rounds(t, 20000,
			  WEFT_SIM_SYNC_BARRIER, false, passes, 1, &g), 0);
		EXPECT_EQ(g.n, passes * 7 * (8 + 1));
		EXPECT_EQ(weft_sim_schedule_check(&g, &stuck, NULL), 0);
		out = run(&c, &g);
		one = passes == 1 ? out.time : one;
		EXPECT_EQ(out.time, passes * one);
		for (uint32_t i = 0; i < g.n; i += 9) {
			uint64_t done = 0;

			for (uint32_t k = i; k < i + 8; k++) {
				EXPECT(out.job_began[k] >= last || !i);
				done = out.job_done[k] > done ?
					out.job_done[k] : done;
			}
			EXPECT_EQ(out.job_done[i + 8], done);
			last = done;
		}
		weft_sim_free(&out);
		weft_sim_schedule_free(&g);
		weft_traffic_free(t);
	}
	sim_free(&c);
}

/* Two schedules at one switch take as long as each of them, and one beside pairs
 * that send without end into its host as long as what is left for it. */
TEST(test_beside)
{
	struct sim_case c = sim_make("pgft:1;8;1;1", "minhop");
	struct plan *p = plan_new(8);
	struct weft_pair_list list = {
		.nranks = 8,
		.nrounds = 1,
		.first = calloc(2, sizeof(*list.first)),
		.pair = calloc(2, sizeof(*list.pair)),
	};
	struct weft_sim_schedule both = { .nranks = 8 };
	struct weft_traffic *beside;
	struct weft_sim out;
	uint64_t alone;

	for (unsigned i = 0; i < 8; i++) {
		add(p, (struct weft_sim_job){ i % 2, 1 - i % 2, 40960, 0, 0 });
		if (i)
			wait_for(p, WEFT_SIM_DELIVERED(i - 1));
	}
	out = run(&c, &p->g);
	alone = out.time;
	weft_sim_free(&out);
	for (unsigned i = 0; i < 3; i++)
		ASSERT_EQ(weft_sim_schedule_add(&both, &p->g, 2 * i), 0);
	EXPECT_EQ(both.n, 24);
	out = run(&c, &both);
	for (unsigned i = 0; i < 24; i++)
		EXPECT_EQ(out.job_done[i], out.job_done[i % 8]);
	EXPECT_EQ(out.time, alone);
	weft_sim_free(&out);
	weft_sim_schedule_free(&both);

	list.first[1] = 2;
	list.pair[0] = (struct weft_pair){ 4, 1 };
	list.pair[1] = (struct weft_pair){ 5, 1 };
	ASSERT_EQ(weft_traffic_from_list(&list, 8, &beside, NULL), 0);
	c.spec.beside = beside;
	c.spec.schedule = &p->g;
	out = sim_run(&c);
	EXPECT_EQ(out.time, out.job_done[7]);
	/* The way there has a third of the cable, the way back all of it. */
	EXPECT(out.time > alone * 1.9 && out.time < alone * 2.2);
	EXPECT_EQ(out.flows, 2);
	EXPECT(out.flow[0].gbps > 10 && out.flow[0].gbps < 17);
	c.spec.in_order = true;
	weft_sim_free(&out);
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	weft_traffic_free(beside);
	free(p);
	sim_free(&c);
}

TEST(test_bad)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct plan *p = plan_new(4);
	struct weft_sim out;
	uint32_t stuck;

	c.spec.mapping = &c.mapping;
	c.spec.schedule = &p->g;
	add(p, (struct weft_sim_job){ 0, 1, 10, 0, 0 });
	EXPECT_EQ(weft_sim_schedule_check(&p->g, &stuck, NULL), 0);
	add(p, (struct weft_sim_job){ 1, 2, 10, 0, 0 });
	wait_for(p, WEFT_SIM_DELIVERED(2));
	EXPECT_EQ(weft_sim_schedule_check(&p->g, &stuck, NULL), -EINVAL);
	add(p, (struct weft_sim_job){ 2, 3, 10, 0, 0 });
	EXPECT_EQ(weft_sim_schedule_check(&p->g, &stuck, NULL), 0);
	wait_for(p, WEFT_SIM_SENT_OUT(1));
	EXPECT_EQ(weft_sim_schedule_check(&p->g, &stuck, NULL), -ELOOP);
	EXPECT(stuck == 1 || stuck == 2);
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	p->job[0].to = 4;
	EXPECT_EQ(weft_sim_schedule_check(&p->g, &stuck, NULL), -EINVAL);
	p->job[0] = (struct weft_sim_job){ 0, 1, 0, 0, 0 };
	EXPECT_EQ(weft_sim_schedule_check(&p->g, &stuck, NULL), -EINVAL);
	p->g.nranks = 5;
	EXPECT_EQ(weft_sim_run(c.f, &c.routes, &c.spec, &out, NULL), -EINVAL);
	free(p);
	sim_free(&c);
}
