// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rooms of the simulator by themselves, where a whole run hides what a number
 * does: pauses and marks of congestion control, the least queue, probes, tables
 * of VL arbitration, events.
 */
#include "sim_util.h"

#include "sim/host/host.h"
#include "sim/kernel/random.h"
#include "sim/net/net.h"

/* Ticks of the timer with these values of the preset: 150 times 1.024 us. */
#define STEP (150 * 1024ull * WEFT__TICKS_NS)

/* A network of a case, which nothing moves in. */
struct room {
	struct sim_case c;
	struct weft_arena *arena;
	struct weft__clock clock;
	struct weft__net net;
};

static void make_room(struct room *room, const char *fabric)
{
	room->c = sim_make(fabric, "dmodk");
	room->arena = weft__arena_new();
	ASSERT(room->arena);
}

/* Makes the network once the case's spec is set. */
static void make_net(struct room *room)
{
	room->clock = (struct weft__clock){ .end = UINT64_MAX };
	room->net = (struct weft__net){ .f = room->c.f,
					.r = &room->c.routes,
					.spec = &room->c.spec };
	room->c.spec.mapping = &room->c.mapping;
	ASSERT_EQ(weft__net_init(&room->net, &room->clock, room->arena, NULL),
		  0);
}

static void free_room(struct room *room)
{
	weft__arena_free(room->arena);
	sim_free(&room->c);
}

/* An event comes forward, never back. */
TEST(test_wake)
{
	struct room room;
	const uint64_t *time;

	make_room(&room, "pgft:1;4;1;1");
	make_net(&room);
	time = &room.clock.wheel.time[room.clock.hosts];
	EXPECT(!weft__clock_has(&room.clock, room.clock.hosts));
	weft__clock_wake(&room.clock, room.clock.hosts, 500);
	EXPECT_EQ(*time, 500);
	weft__clock_wake(&room.clock, room.clock.hosts, 501);
	EXPECT_EQ(*time, 500);
	weft__clock_wake(&room.clock, room.clock.hosts, 499);
	EXPECT_EQ(*time, 499);
	free_room(&room);
}

/* Events come by time, however far that is, and then by slot. */
TEST(test_events)
{
	static const uint64_t times[] = { 7, 7, 1ull << 50, 3, 1ull << 60 };
	static const unsigned order[] = { 3, 0, 1, 2, 4 };
	struct weft__event e = { .slot = 0 };
	struct room room;

	make_room(&room, "pgft:1;4;1;1");
	make_net(&room);
	for (unsigned i = 0; i < 5; i++)
		weft__clock_add(&room.clock, i, times[i]);
	for (unsigned i = 0; i < 5; i++) {
		ASSERT(weft__wheel_ready(&room.clock.wheel, WEFT__NEVER));
		e = weft__wheel_take(&room.clock.wheel);
		EXPECT_EQ(e.slot, order[i]);
		EXPECT_EQ(e.time, times[order[i]]);
		EXPECT(!weft__clock_has(&room.clock, e.slot));
	}
	EXPECT(!weft__wheel_ready(&room.clock.wheel, WEFT__NEVER));
	free_room(&room);
}

/* However many come and are taken back, those that are left come in order: in
 * the bucket under way, in lists of chunks, and far away. */
TEST(test_many_events)
{
	static const uint64_t spans[] = { 100, 1u << 16, 1u << 30, 1ull << 45 };
	struct weft__wheel *wheel;
	struct weft__event last = { 0 }, e;
	uint64_t random = 1, left = 0;
	struct room room;

	make_room(&room, "pgft:2;4,4;1,4;1,1");
	make_net(&room);
	wheel = &room.clock.wheel;
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t what = weft__sim_random(&random);
		uint32_t slot = what % room.clock.change;

		if (!weft__wheel_has(wheel, slot)) {
			weft__wheel_add(wheel, slot,
					last.time + what / 8 % spans[i % 4]);
			left++;
		} else if (what >> 62) {
			weft__wheel_remove(wheel, slot);
			left--;
		}
		if (what >> 60 & 1 || !weft__wheel_ready(wheel, WEFT__NEVER))
			continue;
		e = weft__wheel_take(wheel);
		left--;
		EXPECT(e.time >= last.time);
		for (uint32_t k = 0; k < room.clock.change; k++)
			EXPECT(wheel->time[k] > e.time ||
			       (wheel->time[k] == e.time && k > e.slot));
		last = e;
	}
	while (weft__wheel_ready(wheel, WEFT__NEVER)) {
		e = weft__wheel_take(wheel);
		EXPECT(e.time >= last.time);
		last = e;
		left--;
	}
	EXPECT_EQ(left, 0);
	free_room(&room);
}

/* Host 0 may send to host 1 again at that time, and not before. */
static void expect_next(struct weft__pacing *pacing, struct weft__clock *clock,
			uint64_t time)
{
	const struct weft__message m = { .dest = 1 };

	clock->now = time;
	EXPECT(!weft__pace_waits(pacing, clock, 0, &m));
	clock->now = time - 1;
	EXPECT(weft__pace_waits(pacing, clock, 0, &m));
	EXPECT_EQ(clock->wheel.time[clock->hosts], time);
	weft__wheel_remove(&clock->wheel, clock->hosts);
}

/* A notification takes the source an entry on, as far as the limit, and the
 * timer takes it back; an entry is a pause of as many packets, shifted. */
TEST(test_pace)
{
	const struct weft__packet note = { .source = 1, .dest = 0 };
	const struct weft__packet packet = { .source = 0, .dest = 1 };
	struct weft__hosts hosts;
	struct room room;

	make_room(&room, "pgft:1;4;1;1");
	room.c.spec.cc.on = true;
	room.c.spec.cc.ccti_min = 2;
	make_net(&room);
	hosts = (struct weft__hosts){ .spec = &room.c.spec };
	ASSERT(weft__pace_init(&hosts, 4, room.arena));
	weft__pace_sent(hosts.pacing, 0, &packet, 1000);
	expect_next(hosts.pacing, &room.clock, 1000 + 2 * 1000);
	for (unsigned i = 0; i < 10; i++)
		weft__pace_notified(hosts.pacing, 0, &note);
	weft__pace_sent(hosts.pacing, STEP - 1, &packet, 1000);
	expect_next(hosts.pacing, &room.clock, STEP - 1 + 13 * 1000);
	weft__pace_sent(hosts.pacing, 3 * STEP, &packet, 1000);
	expect_next(hosts.pacing, &room.clock, 3 * STEP + 10 * 1000);
	room.c.spec.cc.shift = 2;
	weft__pace_sent(hosts.pacing, 4 * STEP, &packet, 1000);
	expect_next(hosts.pacing, &room.clock, 4 * STEP + 1000 + 2000);
	room.c.spec.cc.shift = 0;
	for (unsigned i = 0; i < 200; i++)
		weft__pace_notified(hosts.pacing, 4 * STEP, &note);
	weft__pace_sent(hosts.pacing, 4 * STEP, &packet, 1000);
	expect_next(hosts.pacing, &room.clock, 4 * STEP + 128 * 1000);
	/* Long after it is at the least. */
	weft__pace_sent(hosts.pacing, 400 * STEP, &packet, 1000);
	expect_next(hosts.pacing, &room.clock, 400 * STEP + 3 * 1000);
	free_room(&room);
}

/* Whether a packet from host 0 to host 2 of a switch is marked there, where its
 * output has that many credits, others wait, and its buffer is filled so far. */
static bool is_marked(struct room *room, int32_t credits, uint32_t waiting,
		      int32_t filled)
{
	struct weft__net *net = &room->net;
	const struct weft_fabric *f = room->c.f;
	uint32_t in = weft__net_injection(net, 0);
	uint32_t out = f->reverse[weft__net_injection(net, 2)];
	struct weft__packet p = { .source = 0, .dest = 2 };
	bool marked;

	net->lane[out].credits = credits;
	net->waiting[out] = waiting;
	net->lane[in].credits = room->c.spec.buffer / WEFT_SIM_BLOCK - filled;
	marked = weft__marks_packet(net, out, &net->queue[in], &p);
	EXPECT_EQ(p.marked, marked);
	return marked;
}

/* A switch marks from the threshold on, which is a share of the buffer, and a
 * packet at least: half of 256 blocks, and beside it the packet of 33. */
TEST(test_marks)
{
	struct room room;

	make_room(&room, "pgft:1;4;1;1");
	room.c.spec.cc.on = true;
	room.c.spec.cc.threshold = 8;
	make_net(&room);
	EXPECT(!is_marked(&room, 66, 1, 128 + 33 - 1));
	EXPECT(is_marked(&room, 66, 1, 128 + 33));
	/* Nobody else waits for it; its host has no room for two packets. */
	EXPECT(!is_marked(&room, 66, 0, 128 + 33));
	EXPECT(is_marked(&room, 65, 0, 128 + 33));
	room.c.spec.cc.marking_rate = 2;
	for (unsigned i = 0; i < 6; i++)
		EXPECT_EQ(is_marked(&room, 66, 1, 200), i % 3 == 2);
	room.c.spec.cc.marking_rate = 0;
	room.c.spec.cc.threshold = 15;
	make_net(&room);
	EXPECT(!is_marked(&room, 66, 1, 33 + 33 - 1));
	EXPECT(is_marked(&room, 66, 1, 33 + 33));
	/* With queues for outputs what waits for this one counts. */
	room.c.spec.queues = WEFT_SIM_VOQ;
	room.c.spec.cc.threshold = 8;
	make_net(&room);
	EXPECT(!is_marked(&room, 66, 128 / 33, 0));
	EXPECT(is_marked(&room, 66, 128 / 33 + 1, 0));
	free_room(&room);
}

/* Packets that wait for an output, the one under way and those in the buffer at
 * its end count alike. */
TEST(test_least)
{
	struct weft__packet p = { .source = 0, .dest = 4 };
	uint32_t sw, up[4], n = 0;
	const struct weft_fabric *f;
	struct weft__net *net;
	struct room room;
	uint8_t first;

	make_room(&room, "pgft:2;4,4;1,4;1,1");
	room.c.spec.paths = WEFT_SIM_LEAST;
	make_net(&room);
	net = &room.net;
	f = room.c.f;
	sw = f->ep[0].sw;
	p.lid = f->ep[4].lid;
	for (uint32_t i = f->adj_first[sw]; i < f->adj_first[sw + 1]; i++)
		up[n++] = f->adj[i];
	ASSERT_EQ(n, 4);
	first = up[0] - f->first_channel[sw];
	for (unsigned i = 1; i < 4; i++)
		EXPECT(up[i] == up[0] + i);
	EXPECT_EQ(weft__choose_port(net, 50, &p, 1, sw, first), first);
	net->out[up[0]].busy = 51;
	EXPECT_EQ(weft__choose_port(net, 50, &p, 1, sw, first), first + 1);
	net->waiting[up[1]] = 1;
	EXPECT_EQ(weft__choose_port(net, 50, &p, 1, sw, first), first + 2);
	net->lane[up[2]].credits -= 33;
	EXPECT_EQ(weft__choose_port(net, 50, &p, 1, sw, first), first + 3);
	net->out[up[3]].down = true;
	EXPECT_EQ(weft__choose_port(net, 50, &p, 1, sw, first), first);
	net->waiting[up[0]] = 1;
	EXPECT_EQ(weft__choose_port(net, 50, &p, 1, sw, first), first + 1);
	/* It is not under way any more. */
	EXPECT_EQ(weft__choose_port(net, 51, &p, 1, sw, first), first);
	free_room(&room);
}

/* Routes of hosts that choose by a rule. */
struct chooser {
	struct weft_sim_spec spec;
	struct weft_sim result;
	struct weft_arena *arena;
	struct weft__hosts hosts;
};

static void make_chooser(struct chooser *c, enum weft_sim_paths paths)
{
	*c = (struct chooser){ .arena = weft__arena_new() };
	ASSERT(c->arena);
	weft_sim_preset(&c->spec);
	c->spec.paths = paths;
	c->spec.routes = 4;
	c->spec.patience = 1000;
	c->hosts.spec = &c->spec;
	ASSERT(weft__probing_init(&c->hosts, 2, &c->result, c->arena));
}

/* Sends a packet after a host has waited for so long; whether it is a probe. */
static bool send_after(struct chooser *c, uint64_t now, uint64_t waited,
		       struct weft__packet *p)
{
	*p = (struct weft__packet){ .source = 0, .dest = 1, .hops = 1 };
	weft__probing_stalled(c->hosts.probing, now - waited, 0);
	return weft__probing_route(c->hosts.probing, now, p);
}

/* A host has patience, and then any other route, each as often. */
TEST(test_adaptive)
{
	uint64_t patience = 1000 * WEFT_SIM_TICKS, now = 10 * patience;
	uint32_t to[4][4] = { { 0 } };
	struct chooser c;
	struct weft__packet p;
	uint8_t route;

	make_chooser(&c, WEFT_SIM_ADAPTIVE);
	EXPECT(!send_after(&c, now, patience, &p));
	route = p.route;
	EXPECT(!send_after(&c, now, patience, &p));
	EXPECT_EQ(p.route, route);
	EXPECT_EQ(c.result.reroutes, 0);
	for (unsigned i = 1; i <= 12000; i++) {
		EXPECT(!send_after(&c, now, patience + 1, &p));
		EXPECT_EQ(c.result.reroutes, i);
		ASSERT(p.route < 4);
		to[route][p.route]++;
		route = p.route;
	}
	for (unsigned i = 0; i < 16; i++)
		EXPECT_NEAR(to[i / 4][i % 4], i % 5 ? 1000 : 0,
			    i % 5 ? 150 : 0);
	weft__arena_free(c.arena);
}

/* A probe that is late by no more than the patience finds a route, which is
 * taken once its answer is back. */
TEST(test_probes)
{
	const struct weft__out out = { .byte = 3, .wire = 10, .ahead = 100 };
	uint64_t patience = 1000 * WEFT_SIM_TICKS, now = 10 * patience;
	uint64_t empty = 100 + 10 + 26 * 3;

	for (unsigned late = 0; late < 2; late++) {
		uint64_t there = now + empty + patience + late;
		struct weft__packet p, probe;
		struct chooser c;

		make_chooser(&c, WEFT_SIM_PROBING);
		EXPECT(!send_after(&c, now, 1, &p));
		EXPECT(send_after(&c, now, patience + 1, &probe));
		EXPECT(probe.route != p.route);
		EXPECT_EQ(c.result.probes, 1);
		/* One at a time. */
		EXPECT(!send_after(&c, now, patience + 1, &p));
		probe.created = now;
		probe.bytes = 26;
		weft__probing_answer(c.hosts.probing, &probe, &out, there);
		send_after(&c, there + empty - 1, 1, &p);
		EXPECT(p.route != probe.route);
		send_after(&c, there + empty, 1, &p);
		EXPECT_EQ(p.route == probe.route, !late);
		EXPECT_EQ(c.result.reroutes, !late);
		weft__arena_free(c.arena);
	}
}

/* Returns how many packets of that many blocks the high table sends before the
 * low one has its turn. */
static unsigned highs(uint8_t limit, uint8_t size)
{
	const struct weft_sim_spec spec = {
		.high = { 1, { { 0, 255 } } },
		.low = { 1, { { 1, 255 } } },
		.limit = limit,
	};
	const uint8_t blocks[2] = { size, size };
	struct weft__out out = { .limit_left = limit ? limit * 64 : 1 };
	unsigned n = 0, again = 0;

	while (n < 1000 && !weft__vlarb_choose(&spec, &out, 3, blocks))
		n++;
	while (again < 1000 && !weft__vlarb_choose(&spec, &out, 3, blocks))
		again++;
	EXPECT_EQ(again, n);
	return n;
}

/* Limits count 4096 bytes, 64 blocks: as many packets as begin within. */
TEST(test_limits)
{
	struct room room;

	EXPECT_EQ(highs(0, 33), 1);
	EXPECT_EQ(highs(1, 32), 2);
	EXPECT_EQ(highs(1, 33), 2);
	EXPECT_EQ(highs(1, 31), 3);
	EXPECT_EQ(highs(3, 64), 3);
	EXPECT_EQ(highs(254, 64), 254);
	EXPECT_EQ(highs(255, 64), 1000);
	make_room(&room, "pgft:1;4;1;1");
	for (unsigned limit = 0; limit < 4; limit++) {
		room.c.spec.limit = limit;
		make_net(&room);
		EXPECT_EQ(room.net.out[1].limit_left,
			  (int32_t)(limit ? limit * 64 : 1));
	}
	free_room(&room);
}

/* Returns how often each of 6 ranks, two in each of three subnets, has messages
 * of rank 2, of 6000; hot: all go to hot spots. */
static void draw_across(double leave, bool hot, uint32_t *to)
{
	const uint32_t subnet[] = { 0, 0, 1, 1, 2, 2 };
	const struct weft_sim_subnets subnets = { .n = 3, .subnet = subnet };
	const struct weft_sim_spec spec = { .subnets = &subnets,
					    .leave = leave };
	uint32_t rank_host[] = { 0, 1, 2, 3, 4, 5 };
	struct weft__host host = { .random = 1, .rank = 2 };
	struct weft__hosts hosts = {
		.spec = &spec,
		.rng = weft_rng_new(1),
		.rank_host = rank_host,
		.nranks = 6,
		.hot = hot ? 1ull << 32 : 0,
	};
	struct weft_arena *arena = weft__arena_new();

	ASSERT(hosts.rng && arena);
	ASSERT(weft__leaving_init(&hosts, arena));
	for (unsigned i = 0; i < 6000; i++)
		to[weft__leaving_draw(&hosts, &host)]++;
	weft_rng_free(hosts.rng);
	weft__arena_free(arena);
}

/* What leaves goes to all of the other subnets alike, what stays to the other
 * one; to hot spots, where these are asked for, of which each subnet has one.
 */
TEST(test_leaving)
{
	uint32_t plain[6] = { 0 }, hot[6] = { 0 };

	draw_across(.25, false, plain);
	EXPECT_EQ(plain[2], 0);
	EXPECT_NEAR(plain[3], 4500, 150);
	for (unsigned i = 0; i < 6; i++)
		if (i / 2 != 1)
			EXPECT_NEAR(plain[i], 375, 75);
	draw_across(1, true, hot);
	EXPECT_EQ(hot[2] + hot[3], 0);
	EXPECT(!hot[0] || !hot[1]);
	EXPECT(!hot[4] || !hot[5]);
	EXPECT_NEAR(hot[0] + hot[1], 3000, 150);
	EXPECT_EQ(hot[0] + hot[1] + hot[4] + hot[5], 6000);
}
