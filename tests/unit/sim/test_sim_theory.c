// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The packet simulator against closed forms and against the static model.
 */
#include "sim_util.h"

#include <math.h>

#define US 1000000ull	/* ps */
#define PACKET_NS 518.5 /* 2074 bytes at 32 Gbit/s */

/* Hosts that send to one other each are M/D/1 queues: packets wait
 * load / (2 - 2 load) of what one takes. */
TEST(test_queue)
{
	for (double load = .3; load < .85; load += .2) {
		struct sim_case c = sim_make("pgft:1;2;1;1", "minhop");
		struct weft_sim out;
		double wait;

		c.spec.check = false;
		c.spec.load = load;
		c.spec.time = 400000 * US;
		out = sim_run(&c);
		EXPECT_NEAR(out.throughput.mean, load, .01);
		wait = out.packet.mean.mean - PACKET_NS - 140;
		EXPECT_NEAR(wait / (load / (2 - 2 * load) * PACKET_NS), 1, .03);
		EXPECT_NEAR(out.packet.min, PACKET_NS + 140, .1);
		EXPECT(out.steady);
		weft_sim_free(&out);
		sim_free(&c);
	}
}

/* Hosts with links of different speeds send a share of their own. */
TEST(test_mixed_links)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	uint32_t slow = c.mapping.endport[1];
	uint32_t ch = c.f->first_injection + slow;
	uint8_t *speed = (uint8_t *)c.f->speed;
	struct weft_sim out;

	speed[ch] = speed[c.f->reverse[ch]] = WEFT_SDR;
	c.spec.check = false;
	c.spec.load = .1;
	c.spec.time = 20000 * US;
	out = sim_run(&c);
	EXPECT_NEAR(4. * out.host[1].sent / out.host[0].sent, 1, .06);
	EXPECT_NEAR((double)out.host[3].sent / out.host[0].sent, 1, .06);
	weft_sim_free(&out);
	sim_free(&c);
}

static struct weft_sim saturate(const char *fabric, uint64_t time,
				enum weft_sim_queues queues)
{
	struct sim_case c = sim_make(fabric, "minhop");
	struct weft_sim out;

	c.spec.check = false;
	c.spec.time = time;
	c.spec.queues = queues;
	c.spec.buffer = queues == WEFT_SIM_VOQ ? 128 * 2112 : 16384;
	out = sim_run(&c);
	sim_free(&c);
	return out;
}

/* A switch with a queue at each input gives 2 - sqrt(2) of uniform traffic
 * (Karol, Hluchyj, Morgan 1987), a little more where it has few ports. */
TEST(test_saturation)
{
	struct weft_sim out =
		saturate("pgft:1;128;1;1", 4000 * US, WEFT_SIM_FIFO);

	EXPECT_NEAR(out.throughput.mean, 2 - sqrt(2), .005);
	weft_sim_free(&out);
	out = saturate("pgft:1;8;1;1", 20000 * US, WEFT_SIM_FIFO);
	/* 7 others to send to; 0.6234 and 0.6184 are of 7 and 8 outputs */
	EXPECT_NEAR(out.throughput.mean, .621, .015);
	weft_sim_free(&out);
	/* with a queue for each output nobody waits for somebody else; 128
	 * packets of room, for the outputs not to run dry */
	out = saturate("pgft:1;128;1;1", 1000 * US, WEFT_SIM_VOQ);
	EXPECT(out.throughput.mean > .97);
	weft_sim_free(&out);
	/* nobody in the way */
	out = saturate("pgft:1;2;1;1", 1000 * US, WEFT_SIM_FIFO);
	EXPECT_NEAR(out.throughput.mean, 1, .002);
	EXPECT_NEAR(out.gbps.mean, 32 * 2048. / 2074, .1);
	weft_sim_free(&out);
}

/* --- the static model ----------------------------------------------------- */

#define MAX_PAIRS 64
#define MAX_HOPS 16

/* Pairs whose streams meet on the first cable that they take, or nowhere: no
 * packet waits behind one that waits for something else. */
struct trial {
	uint64_t n;
	struct weft_pair pair[MAX_PAIRS];
	uint32_t channel[MAX_PAIRS][MAX_HOPS];
	size_t hops[MAX_PAIRS];
	unsigned worst;
};

static void draw_pairs(const struct sim_case *c, struct weft_rng *rng,
		       struct trial *t)
{
	uint32_t from[MAX_PAIRS], to[MAX_PAIRS], n = c->mapping.nranks;

	for (uint32_t i = 0; i < n; i++)
		from[i] = to[i] = i;
	weft_rng_shuffle(rng, from, n);
	weft_rng_shuffle(rng, to, n);
	t->n = 0;
	for (uint32_t i = 0; i < n / 2; i++)
		if (from[i] != to[i])
			t->pair[t->n++] = (struct weft_pair){ from[i], to[i] };
}

static void walk_pairs(const struct sim_case *c, struct trial *t)
{
	for (uint64_t i = 0; i < t->n; i++)
		weft_lft_walk(
			c->f, &c->routes.lft, c->f->ep[t->pair[i].from].sw,
			c->f->ep[t->pair[i].to].lid,
			(struct weft_walk_path){ t->channel[i], MAX_HOPS },
			&t->hops[i]);
}

/* Whether streams that meet take the same first cable; sets t->worst to the
 * most that do. */
static bool meet_first(const struct sim_case *c, struct trial *t)
{
	uint32_t *first = calloc(c->f->nch, sizeof(*first));
	unsigned *load = calloc(c->f->nch, sizeof(*load));
	bool fine = true;

	ASSERT(first && load);
	t->worst = 1;
	for (uint64_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->hops[i]; k++) {
			uint32_t ch = t->channel[i][k];

			fine &= !load[ch] || first[ch] == t->channel[i][0];
			first[ch] = t->channel[i][0];
			if (++load[ch] > t->worst)
				t->worst = load[ch];
		}
	free(first);
	free(load);
	return fine;
}

/* The congestion of the slowest stream by the static model. */
static double static_worst(const struct sim_case *c, const struct trial *t)
{
	struct weft_pair_list list = {
		.nranks = c->mapping.nranks,
		.nrounds = 1,
		.first = calloc(2, sizeof(uint64_t)),
		.pair = malloc(t->n * sizeof(struct weft_pair)),
	};
	struct weft_model_spec spec = { .mapping = &c->mapping,
					.samples = 1,
					.endpoints = true };
	struct weft_traffic *traffic;
	struct weft_model model;
	double worst;

	ASSERT(list.first && list.pair);
	list.first[1] = t->n;
	memcpy(list.pair, t->pair, t->n * sizeof(*t->pair));
	ASSERT_EQ(weft_traffic_from_list(&list, c->mapping.nranks, &traffic,
		  NULL), 0);
	spec.traffic = traffic;
	ASSERT_EQ(weft_model_run(c->f, &c->routes, &spec, &model, NULL), 0);
	worst = 1 / model.measure[WEFT_LOWER].mean;
	weft_model_free(&model);
	weft_traffic_free(traffic);
	return worst;
}

/* Long messages take as much longer as the static model says. */
TEST(test_static)
{
	static const struct {
		const char *fabric, *engine;
	} runs[] = {
		{ "pgft:2;8,4;1,2;1,1", "weave" },
		{ "pgft:2;4,8;1,1;1,2", "minhop" },
		{ "pgft:2;6,3;1,3;1,1,speed=fdr", "psssp" },
		{ "full:4,hosts=4", "minhop" },
	};
	struct weft_rng *rng = weft_rng_new(21);
	unsigned compared = 0, crowded = 0;

	for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct sim_case c = sim_make(runs[i].fabric, runs[i].engine);
		struct weft_sim one = sim_pairs(
			&c, (struct weft_pair[]){ { 0, 1 } }, 1, 4000000);

		for (unsigned k = 0; k < 300; k++) {
			struct weft_sim out;
			struct trial t;
			double worst;

			draw_pairs(&c, rng, &t);
			walk_pairs(&c, &t);
			if (!meet_first(&c, &t))
				continue;
			worst = static_worst(&c, &t);
			c.spec.check = false;
			out = sim_pairs(&c, t.pair, t.n, 4000000);
			EXPECT_NEAR((double)out.time / one.time / worst, 1,
				    .02);
			EXPECT_NEAR(worst, t.worst, 1e-9);
			compared++;
			crowded += worst > 1;
			weft_sim_free(&out);
		}
		weft_sim_free(&one);
		sim_free(&c);
	}
	printf("%u compared, %u of them with congestion ", compared, crowded);
	EXPECT(compared >= 100);
	EXPECT(crowded >= 50);
	weft_rng_free(rng);
}

/* --- head-of-line blocking ------------------------------------------------ */

/* What flows get, Gbit/s on the wire, of hosts that take 13, as those of the
 * hardware of Bogdanski's vFtree (PCIe 1.1), each in the lane that it is given.
 * Hosts count from 1. */
static void measure_flows(const char *fabric, const struct weft_pair *pair,
			  unsigned n, const uint8_t *lane, double *gbps)
{
	struct sim_case c = sim_make(fabric, "eft");
	struct weft_layers *l = &c.routes.layers;
	struct weft_pair from_0[8];
	struct weft_sim out;

	l->form = WEFT_SL_ENDPORT_LID;
	l->nsw = c.f->nsw;
	l->nep = c.f->nep;
	l->max_lid = c.f->max_lid;
	l->nvl = 3;
	l->table = calloc((size_t)c.f->nep * (c.f->max_lid + 1), 1);
	ASSERT(l->table);
	for (unsigned i = 0; i < n; i++) {
		from_0[i].from = pair[i].from - 1;
		from_0[i].to = pair[i].to - 1;
		l->table[from_0[i].from * (c.f->max_lid + 1) +
			 c.f->ep[from_0[i].to].lid] = lane[i];
	}
	c.spec.drain = c.spec.inject = 13000;
	c.spec.endless = true;
	c.spec.time = 2000 * US;
	out = sim_pairs(&c, from_0, n, 65536);
	EXPECT(!out.deadlocked);
	ASSERT_EQ(out.flows, n);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++)
			if (out.flow[k].from == from_0[i].from &&
			    out.flow[k].to == from_0[i].to)
				gbps[i] = out.flow[k].gbps * 2074 / 2048;
	weft_sim_free(&out);
	sim_free(&c);
}

/*
 * A flow within the leaf of a hot spot has half of it, as inputs take turns;
 * the others share the rest, and flows that only share a cable with these are
 * held up to the same rate, unless they have a lane of their own: 6.5, 3.25
 * and 3.25 of the paper's figure 4a, and some 2.1 Gbit/s of 4b, as measured
 * there.
 */
TEST(test_head_of_line)
{
	static const struct weft_pair a[] = {
		{ 6, 5 }, { 1, 5 }, { 3, 5 }, { 2, 3 }, { 4, 1 }
	};
	static const struct weft_pair b[] = {
		{ 10, 9 }, { 1, 9 }, { 6, 9 }, { 8, 11 }
	};
	double got[5] = { 0 };

	measure_flows("pgft:2;2,3;1,1;1,2,speed=ddr", a, 5,
		      (uint8_t[]){ 0, 0, 0, 0, 0 }, got);
	EXPECT_NEAR(got[0], 6.5, .05);
	for (unsigned i = 1; i < 5; i++)
		EXPECT_NEAR(got[i], 3.25, .05);
	/* what the others leave of 16 Gbit/s */
	measure_flows("pgft:2;2,3;1,1;1,2,speed=ddr", a, 5,
		      (uint8_t[]){ 0, 0, 0, 1, 1 }, got);
	EXPECT_NEAR(got[0], 6.5, .05);
	for (unsigned i = 1; i < 5; i++)
		EXPECT_NEAR(got[i], i < 3 ? 3.25 : 12.75, .05);
	measure_flows("pgft:2;4,3;1,1;1,2,speed=ddr", b, 4,
		      (uint8_t[]){ 0, 0, 0, 0 }, got);
	EXPECT_NEAR(got[2], 13 / 6., .1);
	EXPECT_NEAR(got[3], 13 / 6., .1);
	EXPECT_NEAR(got[0] + got[1] + got[2], 13, .1);
}

/* Throughput beside a hot spot, with a queue for each lane in the hosts. */
static double beside_hot_spot(const char *engine, const char *option,
			      bool lossy)
{
	struct sim_case c = sim_make("pgft:2;12,12;1,12;1,1", "dmodk");
	struct weft_routes lanes = { .how = "" };
	struct weft_sim out;
	double got;

	ASSERT_EQ(route_by(engine, option, c.f, &lanes, NULL), 0);
	weft_routes_free(&c.routes);
	c.routes = lanes;
	c.spec.check = false;
	c.spec.hot_share = .05;
	c.spec.outstanding = 8;
	c.spec.queues = WEFT_SIM_VOQ;
	c.spec.lossy = lossy;
	c.spec.time = 1000 * US;
	out = sim_run(&c);
	EXPECT_EQ(out.refused > 0, lossy);
	got = out.throughput.mean;
	weft_sim_free(&out);
	sim_free(&c);
	return got;
}

/* A hot spot takes all with it in one lane, and in hosts with one queue; not
 * where it has lanes of its own. */
TEST(test_hot_lanes)
{
	double one = beside_hot_spot("dmodk", NULL, true);
	double queue = beside_hot_spot("vftree", "lanes=8", false);
	double lanes = beside_hot_spot("vftree", "lanes=8", true);

	EXPECT(one < .2);
	EXPECT(queue < .3);
	EXPECT(lanes > 2 * one);
}
