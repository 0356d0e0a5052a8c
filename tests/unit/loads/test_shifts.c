// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Entries move such that streams of shifts meet less often, in those of each
 * group of hosts: no load rises above the highest there was, no way becomes
 * longer, and all still reach each other without a credit loop.
 */
#include "../engines/weave_util.h"
#include "../route.h"

#include "core/arena.h"
#include "core/tables/routes.h"
#include "graph/bfs.h"
#include "loads/gather.h"
#include "loads/shifts.h"
#include "standing/shifted.h"

#include <stdlib.h>
#include <string.h>

#define ENOUGH 1000000000

#define PLAIN "effort=0"
#define MINIMAL "effort=0,strategy=minimal"

/* Fabrics, one host in how many is storage (0: none), and by how much streams
 * meet less often, in per mille, at least; the same if only entries in a third of
 * all blocks move, at most 40 in which nothing else changed, and nobody waits for
 * other buffers than before (-1: nothing moves then). */
static const struct {
	const char *spec;
	unsigned lanes, storage, less;
	int sent;
	const char *options;	/* of weave */
} cases[] = {
	{ "pgft:2;5,8;1,4;1,1,fail-links=6%", 1, 0, 40, 0, PLAIN },
	{ "pgft:2;5,8;1,4;1,1,fail-links=6%", 1, 5, 20, 0, PLAIN },
	{ "pgft:3;4,4,4;1,4,4;1,1,1,fail-links=8%,seed=3", 1, 4, 300, 30, PLAIN },
	{ "dragonfly:4,2,2,9", 8, 0, 100, 2, PLAIN },
	{ "torus:6x6,hosts=4,fail-links=20%", 2, 0, 150, 0, MINIMAL },
	{ "torus:5x5x5,fail-links=4%", 4, 0, 200, -1, MINIMAL },
	{ "random:32,6,6", 8, 3, 300, 0, PLAIN },
	/* where none meet, none move */
	{ "pgft:3;3,3,4;1,3,3;1,1,1", 1, 0, 0, -1, PLAIN },
};

/* Has one host in so many be of another kind. */
static void divide(struct weft_fabric *f, unsigned storage)
{
	static const char *const kinds[] = { "compute", "storage" };
	uint8_t *use = calloc(f->nep, 1);

	for (uint32_t e = 0; storage && e < f->nep; e++)
		use[e] = e % storage == 0;
	ASSERT_EQ(weft_fabric_use(f, use, kinds, storage ? 2 : 1), 0);
	free(use);
}

/* The hosts by name, group by group; their ranks among all. */
static uint32_t *list_hosts(const struct weft_fabric *f, uint32_t *rank)
{
	struct weft_mapping m = { 0 };
	uint32_t *host = calloc(f->nep, sizeof(*host)), n = 0;
	bool by_name;

	ASSERT_EQ(weft_mapping_natural(f, false, &m, &by_name, NULL), 0);
	ASSERT_EQ(m.nslots, f->nep);
	for (uint32_t g = 0; g < f->ngroups; g++)
		for (uint32_t i = 0; i < f->nep; i++)
			if (f->ep[m.endport[i]].group == g) {
				rank[m.endport[i]] = n;
				host[n++] = m.endport[i];
			}
	weft_mapping_free(&m);
	return host;
}

static uint32_t hops_of(const struct weft_fabric *f, const struct weft_routes *r,
			uint32_t from, uint32_t to, uint32_t *streams)
{
	uint32_t s = f->ep[from].sw, n = 0;

	for (; s != f->ep[to].sw; n++) {
		uint32_t ch = weft_channel(f, s, weft_lft_get(&r->lft, s,
							      f->ep[to].lid));

		if (streams)
			streams[ch]++;
		s = f->peer[ch];
	}
	return n;
}

/* Adds how often two streams share a channel in a shift of n hosts. */
static uint64_t count_meeting(const struct weft_fabric *f,
			      const struct weft_routes *r, const uint32_t *host,
			      uint32_t n, uint32_t shift)
{
	uint32_t *streams = calloc(f->nch, sizeof(*streams));
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		hops_of(f, r, host[i], host[(i + shift) % n], streams);
	for (uint32_t ch = 0; ch < f->nch; ch++)
		sum += streams[ch] * (streams[ch] - (streams[ch] > 0)) / 2;
	free(streams);
	return sum;
}

static uint64_t count_all(const struct weft_fabric *f,
			  const struct weft_routes *r)
{
	uint32_t *rank = calloc(f->nep, sizeof(*rank));
	uint32_t *host = list_hosts(f, rank), first = 0;
	uint64_t sum = 0;

	for (uint32_t g = 0; g < f->ngroups; first += f->group[g++].nendports)
		for (uint32_t k = 1; k < f->group[g].nendports; k++)
			sum += count_meeting(f, r, host + first,
					     f->group[g].nendports, k);
	free(rank);
	free(host);
	return sum;
}

/* What channels carry, and what waits for what. */
static void gather(struct weft__loads *t, const struct weft_fabric *f,
		   const struct weft_routes *r, struct weft_arena *arena)
{
	uint8_t *lost = calloc(f->max_lid + 1u, 1);

	ASSERT_EQ(weft__loads_init(t, f, &r->layers, 1, arena), 0);
	ASSERT_EQ(weft__gather(t, &r->lft, lost), 0);
	free(lost);
}

static uint64_t find_by(uint64_t (*find)(const struct weft__loads *),
			const struct weft_fabric *f,
			const struct weft_routes *r)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft__loads t;
	uint64_t peak;

	gather(&t, f, r, arena);
	peak = find(&t);
	weft__loads_free(&t);
	weft__arena_free(arena);
	return peak;
}

static uint64_t find_peak(const struct weft_fabric *f,
			  const struct weft_routes *r)
{
	return find_by(weft__loads_peak, f, r);
}

static int run_by(const struct weft_fabric *f, struct weft_routes *r,
		  struct weft__shifts_spec spec, struct weft__shifts_done *done)
{
	uint32_t *rank = calloc(f->nep, sizeof(*rank));
	uint32_t *host = list_hosts(f, rank);
	int err;

	spec.rank = rank;
	err = weft__shifts(f, r, &spec, done);

	free(rank);
	free(host);
	return err;
}

static int run(const struct weft_fabric *f, struct weft_routes *r, uint64_t work,
	       struct weft__shifts_done *done)
{
	return run_by(f, r, (struct weft__shifts_spec){ .work = work }, done);
}

static void compare_hops(const struct weft_fabric *f,
			 const struct weft_routes *was,
			 const struct weft_routes *is)
{
	for (uint32_t a = 0; a < f->nep; a++)
		for (uint32_t b = 0; b < f->nep; b++)
			EXPECT(hops_of(f, is, a, b, NULL) <=
			       hops_of(f, was, a, b, NULL));
}

TEST(test_streams_meet_less)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_fabric *f = weave_fabric(cases[i].spec);
		struct weft_routes was = { 0 }, is = { 0 }, again = { 0 };
		struct weft__shifts_done done, twice;
		uint64_t before, after;

		suite_case("%s, %u lanes, storage %u", cases[i].spec,
			   cases[i].lanes, cases[i].storage);
		divide(f, cases[i].storage);
		ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options, &was, NULL), 0);
		ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options, &is, NULL), 0);
		ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options, &again,
				      NULL), 0);
		ASSERT_EQ(run(f, &is, ENOUGH, &done), 0);
		ASSERT_EQ(run(f, &again, ENOUGH, &twice), 0);
		before = count_all(f, &was);
		after = count_all(f, &is);
		EXPECT_EQ(done.moved != 0, cases[i].less != 0);
		EXPECT(after * 1000 <= before * (1000 - cases[i].less));
		EXPECT(find_peak(f, &is) <= find_peak(f, &was));
		compare_hops(f, &was, &is);
		weave_judge(cases[i].spec, f, &is, cases[i].lanes);
		EXPECT(weave_same(f, &is, &again));
		EXPECT_EQ(done.looked, twice.looked);
		weft_routes_free(&was);
		weft_routes_free(&is);
		weft_routes_free(&again);
		weft_fabric_free(f);
	}
}

/* Where lanes are to stay as free as they were nothing waits for other buffers than
 * before, and streams meet less often still. */
TEST(test_closed)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_fabric *f = weave_fabric(cases[i].spec);
		struct weft_arena *arena = weft__arena_new();
		struct weft_routes was = { 0 }, is = { 0 };
		struct weft__shifts_done done;
		struct weft__loads a, b;

		suite_case("%s, %u lanes", cases[i].spec, cases[i].lanes);
		divide(f, cases[i].storage);
		ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options, &was, NULL), 0);
		ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options, &is, NULL), 0);
		ASSERT_EQ(run_by(f, &is, (struct weft__shifts_spec){
				 .closed = true, .work = ENOUGH }, &done), 0);
		EXPECT_EQ(count_all(f, &is) < count_all(f, &was),
			  done.moved > 0);
		EXPECT(done.moved > 0 || cases[i].sent < 0);
		EXPECT(find_peak(f, &is) <= find_peak(f, &was));
		compare_hops(f, &was, &is);
		weave_judge(cases[i].spec, f, &is, cases[i].lanes);
		gather(&a, f, &was, arena);
		gather(&b, f, &is, arena);
		for (size_t w = 0; w < (size_t)a.order.cdg.nv * a.order.cdg.words;
		     w++)
			EXPECT(!(b.order.cdg.bits[w] & ~a.order.cdg.bits[w]));
		weft__loads_free(&a);
		weft__loads_free(&b);
		weft__arena_free(arena);
		weft_routes_free(&was);
		weft_routes_free(&is);
		weft_fabric_free(f);
	}
}

/* No way has more than one cable more than the shortest.  Returns how many have
 * one. */
static uint64_t count_longer(const struct weft_fabric *f,
			     const struct weft_routes *r)
{
	uint16_t *hops = calloc(f->nsw, sizeof(*hops));
	uint32_t *order = calloc(f->nsw, sizeof(*order));
	uint64_t n = 0;

	for (uint32_t b = 0; b < f->nep; b++) {
		weft__bfs(f, f->ep[b].sw, hops, order);
		for (uint32_t a = 0; a < f->nep; a++) {
			uint32_t is = hops_of(f, r, a, b, NULL);

			EXPECT(is <= hops[f->ep[a].sw] + 1u);
			n += is > hops[f->ep[a].sw];
		}
	}
	free(order);
	free(hops);
	return n;
}

/* Has all entries move, by longer ways, too. */
static void run_longer(const struct weft_fabric *f, struct weft_routes *r,
		       enum weft__longer longer)
{
	const struct weft__shifts_spec spec = { .longer = longer, .work = ENOUGH };
	struct weft__shifts_done done;

	ASSERT_EQ(run_by(f, r, spec, &done), 0);
}

/* Where cables carry less than host links do, ways may be a cable longer, so that
 * streams meet far less often; in trees none is.  Sparingly, fewer are, and cables
 * keep room. */
TEST(test_longer)
{
	static const struct {
		const char *spec;
		unsigned lanes;
		uint64_t less, sparingly;	/* streams that meet, in per cent, at
						 * least */
		bool none;	/* of the ways is longer */
	} some[] = {
		{ "full:16,hosts=8", 1, 70, 50, false },
		{ "slimfly:5,hosts=2", 8, 15, 8, false },
		{ "hyperx:7x7,hosts=3", 4, 20, 10, false },
		{ "pgft:2;5,8;1,4;1,1,fail-links=6%", 1, 4, 0, true },
	};

	for (unsigned i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		struct weft_fabric *f = weave_fabric(some[i].spec);
		struct weft_routes was = { 0 }, is = { 0 }, sparingly = { 0 };
		uint64_t peak, hosts;

		suite_case("%s", some[i].spec);
		ASSERT_EQ(weave_route(f, some[i].lanes, PLAIN, &was, NULL), 0);
		ASSERT_EQ(weft__routes_copy(&was, &is), 0);
		ASSERT_EQ(weft__routes_copy(&was, &sparingly), 0);
		run_longer(f, &is, WEFT__LONGER);
		run_longer(f, &sparingly, WEFT__LONGER_SPARINGLY);
		peak = find_peak(f, &was);
		hosts = find_by(weft__loads_host_peak, f, &was);
		EXPECT(find_peak(f, &is) <= (peak > hosts ? peak : hosts));
		hosts = hosts / 4 * 3;
		EXPECT(find_peak(f, &sparingly) <= (peak > hosts ? peak : hosts));
		EXPECT_EQ(count_longer(f, &is) == 0, some[i].none);
		EXPECT_EQ(count_longer(f, &sparingly) == 0, some[i].none);
		EXPECT(some[i].none ||
		       count_longer(f, &sparingly) < count_longer(f, &is));
		EXPECT(count_all(f, &is) * 100 <=
		       count_all(f, &was) * (100 - some[i].less));
		EXPECT(count_all(f, &sparingly) * 100 <=
		       count_all(f, &was) * (100 - some[i].sparingly));
		weave_judge(some[i].spec, f, &is, some[i].lanes);
		weave_judge(some[i].spec, f, &sparingly, some[i].lanes);
		weft_routes_free(&was);
		weft_routes_free(&is);
		weft_routes_free(&sparingly);
		weft_fabric_free(f);
	}
}

/* Where lanes are left, pairs of switches may take them for longer ways that theirs
 * does not allow: streams meet less often than if they stay.  Work that does not last
 * is told. */
TEST(test_other_lanes)
{
	static const struct {
		const char *spec;
		unsigned lanes, to;
		uint64_t less;	/* streams that meet, in per cent, at least */
	} some[] = {
		{ "full:16,hosts=8", 1, 4, 10 },
		{ "full:16,hosts=8", 1, 2, 10 },
		{ "full:12,hosts=8,fail-links=5%", 1, 2, 1 },
		{ "slimfly:7,hosts=2", 5, 7, 10 },
	};

	for (unsigned i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		struct weft_fabric *f = weave_fabric(some[i].spec);
		struct weft__shifts_spec spec = {
			.longer = WEFT__LONGER_SPARINGLY, .work = ENOUGH,
		};
		struct weft_routes stays = { 0 }, is = { 0 }, cut = { 0 };
		struct weft__shifts_done done;
		unsigned used;

		suite_case("%s to %u lanes", some[i].spec, some[i].to);
		ASSERT_EQ(weave_route(f, some[i].lanes, PLAIN, &stays, NULL), 0);
		ASSERT_EQ(run_by(f, &stays, spec, &done), 0);
		used = stays.layers.nvl;
		ASSERT_EQ(weft__routes_copy(&stays, &is), 0);
		ASSERT_EQ(weft__routes_copy(&stays, &cut), 0);
		ASSERT_EQ(run_by(f, &stays, spec, &done), 0);
		EXPECT(!done.cut && stays.layers.nvl == used);
		spec.lanes = some[i].to;
		ASSERT_EQ(run_by(f, &is, spec, &done), 0);
		EXPECT(done.moved > 0 && !done.cut);
		EXPECT(is.layers.nvl > used && is.layers.nvl <= some[i].to);
		EXPECT(count_all(f, &is) * 100 <=
		       count_all(f, &stays) * (100 - some[i].less));
		weave_judge(some[i].spec, f, &is, some[i].to);
		spec.work = done.looked / 2;
		ASSERT_EQ(run_by(f, &cut, spec, &done), 0);
		EXPECT_EQ(done.cut, spec.work >= weft__shifts_least(f));
		weft_routes_free(&stays);
		weft_routes_free(&is);
		weft_routes_free(&cut);
		weft_fabric_free(f);
	}
}

/* Where the first hosts hardly gain by longer ways, the others are not looked at. */
TEST(test_hopeless)
{
	struct weft_fabric *f = weave_fabric("jellyfish:64,10,4");
	struct weft_routes r = { 0 };
	const enum weft__longer modes[] = { WEFT__LONGER_SPARINGLY, WEFT__LONGER };
	struct weft__shifts_spec spec = { .work = ENOUGH, .closed = true };
	struct weft__shifts_done done[2];

	ASSERT_EQ(weave_route(f, 8, MINIMAL, &r, NULL), 0);
	ASSERT_EQ(run_by(f, &r, spec, &done[0]), 0);
	for (unsigned i = 0; i < 2; i++) {
		struct weft_routes is = { 0 };

		spec.longer = modes[i];
		ASSERT_EQ(weft__routes_copy(&r, &is), 0);
		ASSERT_EQ(run_by(f, &is, spec, &done[i]), 0);
		weft_routes_free(&is);
	}
	EXPECT_EQ(done[0].moved, 0);
	EXPECT(done[1].moved > 0);
	EXPECT(done[0].looked < done[1].looked / 2);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Has entries move in tables that stand, in blocks that are sent. */
static void run_sent(const struct weft_fabric *f, struct weft_routes *r,
		     struct weft__blocks *b, uint64_t *changes,
		     struct weft_arena *arena)
{
	struct weft__loads t;
	struct weft__easing z = {
		.f = f, .routes = r, .lft = &r->lft, .loads = &t,
	};
	struct weft__shifted x = { &z, b, *changes, NULL };

	ASSERT_EQ(weft__ease_init(&z, arena), 0);
	gather(&t, f, r, arena);
	weft__ease_begin(&z, weft__loads_peak(&t), 1);
	ASSERT_EQ(weft__shift_sent(&x, arena), 0);
	*changes = x.changes;
	weft__loads_free(&t);
	free(z.was);
}

/* The block with each third switch's entries for the first LIDs is sent, as one of
 * them changes. */
static void send_some(const struct weft_fabric *f, struct weft__blocks *b,
		      struct weft_arena *arena)
{
	ASSERT(weft__blocks_init(b, f->nsw, f->max_lid, arena));
	for (uint32_t s = 0; s < f->nsw; s += 3)
		weft__blocks_put(b, s, 1);
}

/* How many entries differ, all of which are in blocks that are sent. */
static uint64_t count_moved(const struct weft_fabric *f,
			    const struct weft_routes *was,
			    const struct weft_routes *is,
			    const struct weft__blocks *b)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			if (weft_lft_get(&was->lft, s, lid) !=
			    weft_lft_get(&is->lft, s, lid)) {
				EXPECT(weft__blocks_changes(b, s, lid));
				EXPECT(s % 3 == 0 && lid < WEFT_LFT_BLOCK);
				n += lid != 1;
			}
	return n;
}

TEST(test_sent)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (unsigned most = 0; most <= 40; most += 20) {
			struct weft_fabric *f = weave_fabric(cases[i].spec);
			struct weft_arena *arena = weft__arena_new();
			struct weft_routes was = { 0 }, is = { 0 };
			struct weft__blocks b;
			uint64_t left = most, sent;

			suite_case("%s, %u changes", cases[i].spec, most);
			divide(f, cases[i].storage);
			ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options,
					      &was, NULL), 0);
			ASSERT_EQ(weave_route(f, cases[i].lanes, cases[i].options,
					      &is, NULL), 0);
			send_some(f, &b, arena);
			sent = b.n;
			run_sent(f, &is, &b, &left, arena);
			EXPECT_EQ(b.n, sent);
			EXPECT(count_moved(f, &was, &is, &b) <= most - left);
			EXPECT_EQ(left < most, most && cases[i].sent >= 0);
			if (most == 40 && cases[i].sent > 0)
				EXPECT(count_all(f, &is) * 1000 <=
				       count_all(f, &was) *
				       (1000 - cases[i].sent));
			EXPECT(find_peak(f, &is) <= find_peak(f, &was));
			compare_hops(f, &was, &is);
			weave_judge(cases[i].spec, f, &is, cases[i].lanes);
			weft_routes_free(&was);
			weft_routes_free(&is);
			weft__arena_free(arena);
			weft_fabric_free(f);
		}
}

/* How often streams meet in all shifts of all hosts, rail by rail. */
static uint64_t count_over_rails(const struct weft_fabric *f,
				 const struct weft_routes *r)
{
	uint32_t *rank = calloc(f->nep, sizeof(*rank));
	uint32_t *host = list_hosts(f, rank);
	uint64_t sum = 0;

	for (uint32_t k = 1; k < f->nep; k++)
		sum += count_meeting(f, r, host, f->nep, k);
	free(rank);
	free(host);
	return sum;
}

/* Streams of several rails meet less, too, and each rail's among themselves. */
TEST(test_rails_meet_less)
{
	struct weft_fabric *f = weave_fabric("rails:gpus=4,hosts=24,radix=16,fail-links=5%");
	struct weft_routes was = { 0 }, is = { 0 };
	struct weft__shifts_done done;

	ASSERT_EQ(f->ngroups, 4);
	ASSERT_EQ(f->nuses, 1);
	ASSERT_EQ(weave_route(f, 1, "effort=0", &was, NULL), 0);
	ASSERT_EQ(weave_route(f, 1, "effort=0", &is, NULL), 0);
	ASSERT_EQ(run(f, &is, ENOUGH, &done), 0);
	EXPECT(done.moved != 0);
	EXPECT(count_over_rails(f, &is) * 100 <= count_over_rails(f, &was) * 93);
	EXPECT(count_all(f, &is) * 100 <= count_all(f, &was) * 90);
	EXPECT(find_peak(f, &is) <= find_peak(f, &was));
	weft_routes_free(&was);
	weft_routes_free(&is);
	weft_fabric_free(f);
}

/* With too little work for all entries, none move. */
TEST(test_work_bounds)
{
	struct weft_fabric *f = weave_fabric("random:32,6,6");
	uint64_t least = weft__shifts_least(f);

	for (unsigned i = 0; i < 2; i++) {
		struct weft_routes r = { 0 };
		struct weft__shifts_done done;

		ASSERT_EQ(weave_route(f, 8, "effort=0", &r, NULL), 0);
		ASSERT_EQ(run(f, &r, least - i, &done), 0);
		EXPECT_EQ(done.moved > 0, !i);
		EXPECT(done.looked < 2 * least);
		weft_routes_free(&r);
	}
	weft_fabric_free(f);
}

/* Ways to machines with several ports stay apart where that is asked. */
TEST(test_single)
{
	struct weft_fabric *f =
		weave_fabric("pgft:2;4,8;1,4;1,1,dual=yes,fail-links=8%");

	ASSERT(f->nmachines < f->nep);
	for (unsigned single = 0; single < 2; single++) {
		const struct weft__shifts_spec spec = {
			.single = single, .work = ENOUGH,
		};
		struct weft_routes was = { 0 }, is = { 0 };
		struct weft__shifts_done done;

		ASSERT_EQ(weave_route(f, 1, "effort=0", &was, NULL), 0);
		ASSERT_EQ(weave_route(f, 1, "effort=0", &is, NULL), 0);
		ASSERT_EQ(run_by(f, &is, spec, &done), 0);
		EXPECT_EQ(done.moved != 0, !single);
		EXPECT_EQ(weave_same(f, &was, &is), single);
		weft_routes_free(&was);
		weft_routes_free(&is);
	}
	weft_fabric_free(f);
}
