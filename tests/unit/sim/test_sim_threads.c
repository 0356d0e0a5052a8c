// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A simulation by several threads gives what one gives, to the last event: on
 * random fabrics with tables and lanes of any kind, which lose packets and
 * deadlock, and where whole trees and tori are in step, so that much happens at
 * the same time.
 */
#include "../proof_random.h"
#include "sim_util.h"

#include <stdlib.h>

#define US 1000000ull /* ps */
#define MOST 4	      /* threads, an even number */
#define ROUNDS 90

/* All that runs differ in are pointers: takes these out. */
static struct weft_sim without_pointers(const struct weft_sim *r)
{
	struct weft_sim out = *r;

	out.host = NULL;
	out.lane_bytes = NULL;
	out.packet_bin = out.message_bin = out.part_bin = NULL;
	out.flow = NULL;
	out.part = NULL;
	out.round_ps = out.job_began = out.job_done = NULL;
	out.deadlock = (struct weft_sim_deadlock){ .n = r->deadlock.n };
	out.trace.stop = NULL;
	return out;
}

#define SAME(a, b, field, n)                                                   \
	do {                                                                   \
		ASSERT_EQ(!(a)->field, !(b)->field);                           \
		EXPECT(!(a)->field || !memcmp((a)->field, (b)->field,          \
					      (n) * sizeof(*(a)->field)));     \
	} while (0)

static void expect_same(const struct weft_sim *a, const struct weft_sim *b)
{
	const struct weft_sim one = without_pointers(a);
	const struct weft_sim other = without_pointers(b);

	EXPECT(!memcmp(&one, &other, sizeof(one)));
	EXPECT_EQ(a->hops, b->hops);
	for (unsigned i = 0; i < WEFT_SIM_EVENTS; i++)
		EXPECT_EQ(a->events[i], b->events[i]);
	for (uint32_t i = 0; i < a->hosts; i++) {
		EXPECT_EQ(a->host[i].ep, b->host[i].ep);
		EXPECT_EQ(a->host[i].sent, b->host[i].sent);
		EXPECT_EQ(a->host[i].received, b->host[i].received);
	}
	SAME(a, b, lane_bytes, (size_t)a->channels * a->lanes);
	SAME(a, b, packet_bin, a->packet_bins);
	SAME(a, b, message_bin, a->message_bins);
	SAME(a, b, flow, a->flows);
	SAME(a, b, round_ps, a->rounds);
	SAME(a, b, deadlock.channel, a->deadlock.n);
	SAME(a, b, deadlock.lane, a->deadlock.n);
}

/* Runs it by one thread and by more; returns what came of it. */
static struct weft_sim run_all(const struct weft_fabric *f,
			       const struct weft_routes *routes,
			       struct weft_sim_spec *spec)
{
	struct weft_sim one = { 0 };

	spec->check = false;
	spec->threads = 1;
	ASSERT_EQ(weft_sim_run(f, routes, spec, &one, NULL), 0);
	for (unsigned threads = 2; threads <= MOST; threads += 2) {
		struct weft_sim out = { 0 };

		spec->threads = threads;
		ASSERT_EQ(weft_sim_run(f, routes, spec, &out, NULL), 0);
		expect_same(&one, &out);
		weft_sim_free(&out);
	}
	return one;
}

/* --- random fabrics ------------------------------------------------------- */

struct tally {
	unsigned runs, deadlocks, lost;
};

static void simulate(struct weft_rng *rng, const struct weft_fabric *f,
		     const struct weft_routes *routes,
		     enum weft_sim_queues queues, struct tally *tally)
{
	const struct weft_mapping_spec guid = { .order = WEFT_ORDER_GUID };
	struct weft_mapping mapping;
	struct weft_sim_spec spec;
	struct weft_sim out;

	if (weft_mapping_init(&mapping, f, &guid, NULL))
		return;
	weft_sim_preset(&spec);
	spec.mapping = &mapping;
	spec.mtu = 256;
	spec.buffer = 320u << weft_rng_below(rng, 3);
	spec.outstanding = 1 + weft_rng_below(rng, 4);
	spec.bytes = 1 + weft_rng_below(rng, 1000);
	spec.cable = weft_rng_below(rng, 3) * 10000;
	spec.relay = 10000 + weft_rng_below(rng, 2) * 50000;
	spec.load = weft_rng_below(rng, 2) ? 1 : .6;
	spec.time = 10 * US;
	spec.queues = queues;
	spec.packet_least = weft_rng_below(rng, 2) ? 0 : 1;
	spec.seed = weft_rng_u32(rng);
	if (mapping.nranks > 1) {
		spec.threads = 1;
		if (!weft_sim_run(f, routes, &spec, &out, NULL)) {
			weft_sim_free(&out);
			out = run_all(f, routes, &spec);
			tally->runs++;
			tally->deadlocks += out.deadlocked;
			tally->lost +=
				out.injected > out.delivered + out.queued;
			weft_sim_free(&out);
		}
	}
	weft_mapping_free(&mapping);
}

static void simulate_random(enum weft_sim_queues queues, uint64_t seed)
{
	struct weft_rng *rng = weft_rng_new(seed);
	struct tally tally = { 0 };

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct weft_fabric *f = random_fabric(
			rng, i % SHAPES, 4 + weft_rng_below(rng, 12));
		struct weft_routes routes = { .how = "" };
		/* One in six loses packets. */
		bool spoilt = !weft_rng_below(rng, 6);

		random_routes(rng, f, spoilt ? TABLES_HOLED : i / SHAPES % 2,
			      &routes);
		random_any_layers(rng, f, SL2VL_OUTPUT_DROPS, &routes.layers);
		simulate(rng, f, &routes, queues, &tally);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
	printf("%u runs, %u deadlocks, %u lost packets ", tally.runs,
	       tally.deadlocks, tally.lost);
	EXPECT(tally.runs >= ROUNDS / 4);
	EXPECT(tally.deadlocks > 0);
	EXPECT(tally.lost > 0);
	weft_rng_free(rng);
}

TEST(test_random)
{
	simulate_random(WEFT_SIM_FIFO, 7);
}

TEST(test_random_voq)
{
	/* Events of a moment make a difference here. */
	simulate_random(WEFT_SIM_VOQ, 10);
}

/* --- models and patterns -------------------------------------------------- */

/* Runs a case, whose hosts send a load or a pattern. */
static void run_case(struct sim_case *c, const char *pattern)
{
	struct weft_traffic *t = NULL;
	struct weft_sim out;

	c->spec.mapping = &c->mapping;
	if (pattern)
		ASSERT_EQ(
			weft_traffic_new(pattern, c->mapping.nranks, &t, NULL),
			0);
	c->spec.traffic = t;
	if (!t || c->spec.endless)
		c->spec.time = 8 * US;
	out = run_all(c->f, &c->routes, &c->spec);
	EXPECT(out.delivered > 0);
	EXPECT(out.memory > out.hosts * sizeof(struct weft_sim_host));
	EXPECT(!out.deadlocked);
	weft_sim_free(&out);
	weft_traffic_free(t);
}

TEST(test_loads)
{
	static const char *const fabrics[][2] = {
		{ "pgft:3;2,3,4;1,2,3;1,1,1", "dmodk" },
		{ "torus:3x3x2", "weave" },
		{ "dragonfly:4,2,2,9", "weave" },
	};

	for (unsigned i = 0; i < 3; i++) {
		struct sim_case c = sim_make(fabrics[i][0], fabrics[i][1]);
		const struct weft_sim_spec preset = c.spec;

		run_case(&c, NULL);
		c.spec.load = .5;
		c.spec.lossy = true;
		run_case(&c, NULL);
		c.spec = preset;
		c.spec.bytes = 100;
		c.spec.outstanding = 3;
		c.spec.arbitration = WEFT_SIM_AGE;
		run_case(&c, NULL);
		c.spec = preset;
		c.spec.packet_least = 1;
		c.spec.hot_share = .3;
		c.spec.drain = 20000;
		run_case(&c, NULL);
		c.spec = preset;
		c.spec.cable = 0;
		c.spec.switch_load = .5;
		run_case(&c, NULL);
		sim_free(&c);
	}
}

/* Switches that choose by what they see. */
TEST(test_choosing)
{
	struct sim_case c = sim_make("pgft:3;2,3,4;1,2,3;1,1,1", "dmodk");

	c.spec.paths = WEFT_SIM_LEAST;
	run_case(&c, NULL);
	c.spec.paths = WEFT_SIM_FLOWLETS;
	run_case(&c, NULL);
	/* Those that one thread has to itself. */
	c.spec.paths = WEFT_SIM_RANDOM_LEAST;
	run_case(&c, NULL);
	c.spec.paths = WEFT_SIM_LEAST;
	c.spec.queues = WEFT_SIM_VOQ;
	run_case(&c, NULL);
	sim_free(&c);
}

/* Several packets that are lost stand behind one that waits: a lane gets many
 * credits back at a time. */
TEST(test_lost_at_once)
{
	struct sim_case c = sim_make("torus:2,hosts=6", "minhop");
	const struct weft_pair pair[] = { { 0, 6 }, { 7, 6 }, { 8, 6 },
					  { 9, 6 }, { 1, 10 }, { 2, 11 },
					  { 3, 10 }, { 4, 11 } };
	struct weft_traffic *t = sim_round(&c, pair, 8);
	struct weft_sim out;

	for (unsigned rank = 10; rank < 12; rank++) {
		const struct weft_endport *ep =
			&c.f->ep[c.mapping.endport[rank]];

		weft_lft_row(&c.routes.lft, ep->sw)[ep->lid] = WEFT_NO_PORT;
	}
	c.spec.traffic = t;
	c.spec.mapping = &c.mapping;
	for (unsigned i = 0; i < 2; i++) {
		c.spec.queues = i ? WEFT_SIM_VOQ : WEFT_SIM_FIFO;
		out = run_all(c.f, &c.routes, &c.spec);
		EXPECT(out.dropped[WEFT_SIM_NO_ROUTE] > 3);
		weft_sim_free(&out);
	}
	weft_traffic_free(t);
	sim_free(&c);
}

TEST(test_patterns)
{
	static const char *const patterns[] = { "shift:distance=7", "pairwise",
						"bisect", "hot-spot" };
	struct sim_case c = sim_make("pgft:3;2,3,4;1,2,3;1,1,1", "dmodk");

	for (unsigned i = 0; i < 4; i++) {
		c.spec.bytes = 5000;
		run_case(&c, patterns[i]);
	}
	c.spec.endless = true;
	run_case(&c, patterns[0]);
	sim_free(&c);
}
