// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Routers in the packet simulator: packets take the ways that the methods say,
 * as fast as the static model has it, and what a proof finds free of credit
 * loops never deadlocks.
 */
#include "sim_util.h"
#include "../subnets/subnets_util.h"

#include <errno.h>
#include <math.h>

#define US 1000000ull	 /* ps */
#define GRH_NS (40 / 4.) /* at 32 Gbit/s */

/* Subnets as the simulator has them. */
struct join {
	struct weft_subnets *s;
	struct weft_router_map map;
	struct weft_subnets_net net;
	struct weft_mapping mapping;
	struct weft_sim_spec spec;
};

/* Takes the subnets over, and routes them. */
static struct join *join_by(struct weft_subnets *s, const char *engine,
			    const struct weft_router_map_spec *how)
{
	const struct weft_mapping_spec guid = { .order = WEFT_ORDER_GUID };
	struct join *j = calloc(1, sizeof(*j));

	ASSERT(j != NULL);
	j->s = s;
	route_all(s, engine);
	ASSERT_EQ(weft_router_map_make(s, how, &j->map, NULL), 0);
	ASSERT_EQ(weft_subnets_net_make(s, &j->map, &j->net, NULL), 0);
	ASSERT_EQ(weft_mapping_init(&j->mapping, &j->net.fabric, &guid, NULL),
		  0);
	weft_sim_preset(&j->spec);
	j->spec.mapping = &j->mapping;
	j->spec.subnets = &j->net.sim;
	j->spec.check = true;
	return j;
}

static struct join *join_spec(const char *spec, const char *engine,
			      enum weft_router_map_method method,
			      enum weft_router_map_hash hash)
{
	const struct weft_router_map_spec how = { .method = method,
						  .hash = hash };
	struct weft_subnets *s = NULL;

	ASSERT_EQ(weft_subnets_gen(spec, &s, NULL), 0);
	return join_by(s, engine, &how);
}

static void join_free(struct join *j)
{
	weft_mapping_free(&j->mapping);
	weft_subnets_net_free(&j->net);
	weft_router_map_free(&j->map);
	weft_subnets_free(j->s);
	free(j);
}

static struct weft_sim simulate(struct join *j)
{
	struct weft_sim out = { 0 };
	uint64_t dropped = 0;

	ASSERT_EQ(weft_sim_run(&j->net.fabric, &j->net.routes, &j->spec, &out,
		  NULL), 0);
	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		dropped += out.dropped[i];
	EXPECT_EQ(out.violations, 0);
	EXPECT_EQ(out.injected, out.delivered + out.queued + dropped);
	return out;
}

/* One round of these pairs of ranks. */
static struct weft_sim simulate_pairs(struct join *j,
				      const struct weft_pair *pair, uint64_t n)
{
	struct weft_pair_list list = {
		.nranks = j->mapping.nranks,
		.nrounds = 1,
		.first = calloc(2, sizeof(uint64_t)),
		.pair = malloc((n + 1) * sizeof(*pair)),
	};
	struct weft_traffic *t;
	struct weft_sim out;

	ASSERT(list.first && list.pair);
	list.first[1] = n;
	memcpy(list.pair, pair, n * sizeof(*pair));
	ASSERT_EQ(weft_traffic_from_list(&list, j->mapping.nranks, &t, NULL),
		  0);
	j->spec.traffic = t;
	out = simulate(j);
	j->spec.traffic = NULL;
	weft_traffic_free(t);
	return out;
}

static uint32_t host_of(const struct join *j, uint32_t rank)
{
	uint32_t h = 0;

	while (j->net.whole.ep[h] != j->mapping.endport[rank])
		h++;
	return h;
}

/* --- ways ----------------------------------------------------------------- */

/* The switches and routers that packets pass from a rank to all others, by the
 * mapping and the tables; *lost: that do not arrive. */
static uint64_t count_hops(const struct join *j, uint32_t from, uint32_t *lost)
{
	uint32_t channel[256], source = host_of(j, from);
	uint64_t hops = 0;
	unsigned n;

	*lost = 0;
	for (uint32_t h = 0; h < j->s->nhosts; h++) {
		if (h == source)
			continue;
		if (weft_subnets_way(j->s, &j->net.whole, &j->map, source, h,
				     channel, 256, &n) == WEFT_WAY_ARRIVED)
			hops += n;
		else
			(*lost)++;
	}
	return hops;
}

/* One packet from a rank to all others passes as many. */
static void check_ways(struct join *j, uint32_t from)
{
	struct weft_pair *pair = calloc(j->s->nhosts, sizeof(*pair));
	uint32_t n = 0, lost, ranks = j->mapping.nranks;
	uint64_t hops = count_hops(j, from, &lost);
	struct weft_sim out;

	ASSERT(pair != NULL);
	for (uint32_t i = 0; i < ranks; i++)
		if (i != from)
			pair[n++] = (struct weft_pair){ from, i };
	j->spec.bytes = 100;
	out = simulate_pairs(j, pair, n);
	EXPECT_EQ(out.delivered, n - lost);
	EXPECT_EQ(out.queued, 0);
	if (!lost)
		EXPECT_EQ(out.hops, hops);
	for (uint32_t i = 0; i < ranks && !lost; i++)
		EXPECT_EQ(out.host[i].received, i == from ? 0 : 100);
	weft_sim_free(&out);
	free(pair);
}

TEST(test_ways)
{
	static const struct {
		const char *spec, *engine;
	} cases[] = {
		{ "subnets:3", "eftree" },
		{ "subnets:2,routers=3,ports=2,of=mesh:3x3,hosts=2", "updn" },
		{ "subnets:3,routers=2,ports=1,of=random:8x2,5", "weave" },
		{ "subnets:2,routers=2,ports=2,of=torus:4x4,hosts=1", "weave" },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int m = 0; m < WEFT_ROUTER_MAP_WEAVE; m++) {
			struct join *j = join_spec(cases[i].spec,
						   cases[i].engine, m, m % 2);

			for (uint32_t r = 0; r < j->mapping.nranks; r += 7)
				check_ways(j, r);
			join_free(j);
		}
}

/* Two routers and more, and a hop limit that some ways exceed. */
TEST(test_transit)
{
	for (unsigned n = 2; n < 6; n++)
		for (int m = 0; m < WEFT_ROUTER_MAP_WEAVE; m++) {
			const struct weft_router_map_spec how = { .method = m };
			struct weft_subnets *s = ring(n);
			struct join *j;

			s->hop_limit = m % 2 ? 1 : WEFT_HOP_LIMIT;
			j = join_by(s, "minhop", &how);
			for (uint32_t r = 0; r < j->mapping.nranks; r++)
				check_ways(j, r);
			join_free(j);
		}
}

/* --- time ----------------------------------------------------------------- */

/* An empty network: what wires, switches and routers take, and a GRH. */
TEST(test_latency)
{
	struct join *j =
		join_spec("subnets:2,routers=1,ports=1,of=pgft:2;2,1;1,1;1,2",
			  "minhop", WEFT_ROUTER_MAP_STATIC, 0);
	const struct weft_pair pair[] = { { 0, 2 } }, back[] = { { 0, 1 } };
	double packet = 2074 / 4.;
	struct weft_sim out;

	j->spec.bytes = 2048;
	j->spec.router_relay = 500000;
	out = simulate_pairs(j, pair, 1);
	/* six cables; four switches and a router */
	EXPECT_NEAR(out.time / 1e3, packet + GRH_NS + 6 * 20 + 4 * 100 + 500,
		    .01);
	weft_sim_free(&out);
	out = simulate_pairs(j, back, 1);
	EXPECT_NEAR(out.time / 1e3, packet + 2 * 20 + 100, .01);
	weft_sim_free(&out);
	join_free(j);
}

/* Shares of what streams get that meet at router ports and nowhere else, beside
 * those of the static model. */
static void check_shares(struct join *j, const struct weft_pair *pair,
			 uint64_t n)
{
	uint32_t *count = calloc(j->net.fabric.nch, sizeof(*count));
	uint32_t channel[64];
	struct weft_sim out;
	unsigned len;

	ASSERT(count != NULL);
	for (int pass = 0; pass < 2; pass++) {
		if (pass)
			out = simulate_pairs(j, pair, n);
		for (uint64_t i = 0; i < n; i++) {
			double share = 1, full = 32 * 2048. / (2048 + 66);

			weft_subnets_way(j->s, &j->net.whole, &j->map,
					 host_of(j, pair[i].from),
					 host_of(j, pair[i].to), channel, 64,
					 &len);
			for (unsigned k = 0; k < len; k++) {
				count[channel[k]] += !pass;
				share = fmin(share, 1. / count[channel[k]]);
			}
			if (pass)
				EXPECT_NEAR(out.flow[i].gbps / (full * share),
					    1, .02);
		}
	}
	weft_sim_free(&out);
	free(count);
}

TEST(test_static_model)
{
	struct weft_rng *rng = weft_rng_new(3);

	for (int m = 0; m < WEFT_ROUTER_MAP_WEAVE; m++)
		for (unsigned trial = 0; trial < 6; trial++) {
			struct join *j = join_spec("subnets:2,routers=5,ports=1,of=pgft:2;12,1;1,1;1,12",
						   "minhop", m, trial % 2);
			struct weft_pair pair[12];
			uint32_t to[12];

			for (uint32_t i = 0; i < 12; i++)
				to[i] = 12 + i;
			weft_rng_shuffle(rng, to, 12);
			for (uint32_t i = 0; i < 12; i++)
				pair[i] = (struct weft_pair){ i, to[i] };
			j->spec.endless = true;
			j->spec.check = false;
			j->spec.time = 800 * US;
			j->spec.queues = WEFT_SIM_VOQ;
			check_shares(j, pair, 12);
			join_free(j);
		}
	weft_rng_free(rng);
}

/* --- deadlocks ------------------------------------------------------------ */

struct tally {
	unsigned loops, deadlocks;
};

static bool leaves_router(const struct join *j, uint32_t channel)
{
	const struct weft_fabric *f = &j->net.fabric;

	for (uint32_t sw = 0; sw < f->nsw; sw++)
		if (channel >= f->first_channel[sw] &&
		    channel < f->first_channel[sw + 1])
			return j->net.is_router[sw];
	return false;
}

/* Full load, in little room. */
static void check_proof(struct join *j, struct tally *tally)
{
	struct weft_subnets_proof proof;
	struct weft_sim out;
	bool router = false;

	ASSERT_EQ(weft_subnets_prove(j->s, &j->net.whole, &j->map, &proof,
		  NULL), 0);
	j->spec.time = 200 * US;
	j->spec.mtu = 256;
	j->spec.buffer = j->spec.router_buffer = 384;
	j->spec.bytes = 1000;
	j->spec.outstanding = 4;
	out = simulate(j);
	EXPECT(!out.deadlocked || proof.cyclic_vls);
	for (uint32_t i = 0; i < out.deadlock.n; i++)
		router |= leaves_router(j, out.deadlock.channel[i]);
	tally->loops += proof.cyclic_vls > 0;
	tally->deadlocks += out.deadlocked && router;
	weft_sim_free(&out);
	weft_subnets_proof_free(&proof);
}

TEST(test_deadlocks)
{
	static const struct {
		const char *spec, *engine;
		enum weft_router_map_method method;
		bool loops;
	} cases[] = {
		{ "subnets:2,routers=3,ports=2,of=mesh:5x5,hosts=1", "updn",
		  WEFT_ROUTER_MAP_ISSR, true },
		{ "subnets:2,routers=3,ports=2,of=mesh:5x5,hosts=1", "updn",
		  WEFT_ROUTER_MAP_WEAVE, false },
		{ "subnets:3,routers=2,ports=2,of=pgft:2;3,3;1,2;1,1", "updn",
		  WEFT_ROUTER_MAP_ISFR, false },
		{ "subnets:3,routers=2,ports=1,of=random:8x2,5", "updn",
		  WEFT_ROUTER_MAP_WEAVE, false },
		{ "subnets:2,routers=2,ports=1,of=torus:4x4,hosts=1", "weave",
		  WEFT_ROUTER_MAP_WEAVE, false },
	};
	struct tally tally = { 0, 0 };

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct join *j = join_spec(cases[i].spec, cases[i].engine,
					   cases[i].method, 0);
		unsigned before = tally.loops;

		check_proof(j, &tally);
		EXPECT_EQ(tally.loops - before, cases[i].loops);
		join_free(j);
	}
	for (unsigned n = 3; n < 7; n++)
		for (int m = 0; m < WEFT_ROUTER_MAP_METHODS; m++) {
			const struct weft_router_map_spec how = { .method = m };
			struct join *j = join_by(ring(n), "minhop", &how);

			check_proof(j, &tally);
			join_free(j);
		}
	EXPECT(tally.deadlocks >= 4);
	EXPECT(tally.loops >= tally.deadlocks);
}

/* --- traffic -------------------------------------------------------------- */

static struct weft_sim load(struct join *j, double leave, double hot)
{
	j->spec.time = 300 * US;
	j->spec.check = false;
	j->spec.leave = leave;
	j->spec.hot_share = hot;
	return simulate(j);
}

/* As many messages leave as are to, and with hot spots each subnet has one. */
TEST(test_leaving)
{
	struct join *j =
		join_spec("subnets:3,routers=4,ports=1,of=pgft:2;12,1;1,1;1,12",
			  "minhop", WEFT_ROUTER_MAP_ISSR, 0);
	struct weft_sim out;

	for (double leave = 0; leave <= 1; leave += .25) {
		out = load(j, leave, 0);
		EXPECT_NEAR((double)out.crossing / out.injected, leave,
			    leave * (1 - leave) * .1);
		weft_sim_free(&out);
	}
	out = load(j, -1, 0);
	EXPECT_NEAR((double)out.crossing / out.injected, 24. / 35, .02);
	weft_sim_free(&out);
	/* of 12 hosts each: 11 send a third of their messages to one */
	j->spec.load = .2;
	out = load(j, 0, 1. / 3);
	EXPECT_NEAR(out.most, .2 * (11 / 3. + 11 / 12. * 2 / 3), .12);
	for (uint32_t i = 0, hot = 0; i < 36; i++) {
		hot += out.host[i].received > 3 * out.host[i].sent;
		if (i % 12 == 11)
			EXPECT_EQ(hot, i / 12 + 1);
	}
	weft_sim_free(&out);
	join_free(j);
}

/* A load is what is asked for, whatever headers it takes. */
TEST(test_load)
{
	struct join *j =
		join_spec("subnets:2,routers=4,ports=1,of=pgft:2;4,1;1,1;1,4",
			  "minhop", WEFT_ROUTER_MAP_ISSR, 0);
	struct weft_sim out;

	j->spec.load = .4;
	j->spec.bytes = 64;
	j->spec.time = 1000 * US;
	j->spec.check = false;
	for (double leave = 0; leave <= 1; leave += .5) {
		j->spec.leave = leave;
		out = simulate(j);
		EXPECT_NEAR(out.throughput.mean, .4, .01);
		weft_sim_free(&out);
	}
	join_free(j);
}

/* Packets of any size between both make up messages of one size. */
TEST(test_sizes)
{
	struct join *j =
		join_spec("subnets:2,routers=2,ports=1,of=pgft:2;4,1;1,1;1,4",
			  "minhop", WEFT_ROUTER_MAP_ISSR, 0);
	struct weft_sim out;

	j->spec.packet_least = 58;
	j->spec.time = 2000 * US;
	out = simulate(j);
	EXPECT(out.message.n > 1000);
	EXPECT((double)out.packet.n / out.message.n > 2.2);
	EXPECT((double)out.packet.n / out.message.n < 3);
	EXPECT(out.packet.min * 4 < 2048);
	weft_sim_free(&out);
	join_free(j);
}

/* --- congestion control --------------------------------------------------- */

/* Three flows across a router and two beside it go into one host; a fourth one
 * that only shares the router with them gets far more with congestion control,
 * by notifications that cross the router. */
TEST(test_congestion)
{
	static const struct weft_pair pair[] = { { 0, 5 }, { 1, 4 }, { 2, 4 },
						 { 3, 4 }, { 6, 4 }, { 7, 4 } };
	struct join *j =
		join_spec("subnets:2,routers=1,ports=1,of=pgft:2;4,1;1,1;1,4",
			  "minhop", WEFT_ROUTER_MAP_STATIC, 0);
	double victim[2] = { 0 };
	struct weft_sim out;

	j->spec.endless = true;
	j->spec.queues = WEFT_SIM_VOQ;
	j->spec.check = false;
	j->spec.time = 10000 * US;
	for (unsigned on = 0; on < 2; on++) {
		j->spec.cc.on = on;
		out = simulate_pairs(j, pair, 6);
		EXPECT_EQ(out.marked > 0, on);
		EXPECT_EQ(out.notified > 0, on);
		EXPECT(out.notified <= out.marked);
		for (unsigned i = 0; i < 6; i++)
			if (out.flow[i].from == 0)
				victim[on] = out.flow[i].gbps;
		weft_sim_free(&out);
	}
	EXPECT(victim[0] < 5);
	EXPECT(victim[1] > 2 * victim[0]);
	/* Nothing is lost, and no buffer overflows. */
	j->spec.check = true;
	j->spec.time = 300 * US;
	for (unsigned queues = 0; queues < 2; queues++) {
		j->spec.queues = queues;
		j->spec.router_buffer = 4480;
		j->spec.header = 64; /* a block, two with the GRH */
		out = simulate_pairs(j, pair, 6);
		EXPECT(out.notified > 0);
		weft_sim_free(&out);
	}
	join_free(j);
}

/* --- switches ------------------------------------------------------------- */

/* Where switches choose, packets get to the same routers by ways as short, and
 * nothing is lost; the load is so low that all arrives. */
TEST(test_adaptive)
{
	struct join *j =
		join_spec("subnets:3,routers=4,ports=1,of=pgft:2;4,4;1,4;1,1",
			  "eftree", WEFT_ROUTER_MAP_ISFR, 0);
	struct weft_sim tables, out;
	uint64_t away = 0;

	j->spec.time = 100 * US;
	j->spec.load = .1;
	tables = simulate(j);
	for (unsigned paths = WEFT_SIM_LEAST; paths <= WEFT_SIM_FLOWLETS;
	     paths++) {
		j->spec.paths = paths;
		j->spec.queues = paths % 2 ? WEFT_SIM_VOQ : WEFT_SIM_FIFO;
		out = simulate(j);
		EXPECT_EQ(out.injected, tables.injected);
		EXPECT_EQ(out.crossing, tables.crossing);
		EXPECT_NEAR((double)out.hops / tables.hops, 1, .02);
		EXPECT(out.delivered > .98 * out.injected);
		for (uint64_t l = 0; l < (uint64_t)out.channels * out.lanes;
		     l++)
			away += out.lane_bytes[l] != tables.lane_bytes[l];
		weft_sim_free(&out);
	}
	EXPECT(away > 0);
	/* All at once, in little room. */
	j->spec.time = 60 * US;
	j->spec.load = 1;
	j->spec.buffer = j->spec.router_buffer = 4480;
	out = simulate(j);
	EXPECT(out.delivered > 1000);
	weft_sim_free(&out);
	weft_sim_free(&tables);
	join_free(j);
}

/* Switches send to those of their own subnet, whose LIDs others have, too. */
TEST(test_switches)
{
	struct join *j =
		join_spec("subnets:3,routers=2,ports=1,of=pgft:2;4,4;1,4;1,1",
			  "sftree", WEFT_ROUTER_MAP_ISFR, 0);
	struct weft_sim out;

	j->spec.time = 2000 * US;
	j->spec.check = false;
	j->spec.load = .1;
	j->spec.leave = 0;
	j->spec.switch_load = .5;
	j->spec.cc.on = true;
	for (unsigned queues = 0; queues < 2; queues++) {
		j->spec.queues = queues;
		out = simulate(j);
		EXPECT_EQ(out.crossing, 0);
		for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
			EXPECT_EQ(out.dropped[i], 0);
		EXPECT_NEAR(out.switch_throughput.mean, .5, .05);
		EXPECT_NEAR(out.throughput.mean, .1, .02);
		weft_sim_free(&out);
	}
	j->spec.check = true;
	j->spec.time = 100 * US;
	j->spec.load = j->spec.switch_load = 1;
	j->spec.leave = .5;
	out = simulate(j);
	EXPECT(out.crossing > 0);
	weft_sim_free(&out);
	join_free(j);
}

TEST(test_refused)
{
	struct join *j =
		join_spec("subnets:2,routers=2,ports=1,of=pgft:2;4,1;1,1;1,4",
			  "minhop", WEFT_ROUTER_MAP_ISSR, 0);
	const struct weft_sim_spec fine = j->spec;
	struct weft_sim out;
	struct weft_sim_spec bad[6];

	for (unsigned i = 0; i < 6; i++) {
		bad[i] = fine;
		bad[i].time = 100 * US;
	}
	bad[0].leave = 1.5;
	bad[1].leave = .5;
	bad[1].subnets = NULL;
	bad[2].paths = WEFT_SIM_OBLIVIOUS;
	bad[3].packet_least = 4096;
	bad[4].router_buffer = 2048 + 26;
	bad[5].router_relay = 1ull << 40;
	for (unsigned i = 0; i < 6; i++)
		EXPECT_EQ(weft_sim_run(&j->net.fabric, &j->net.routes, &bad[i],
			  &out, NULL), -EINVAL);
	join_free(j);
}
