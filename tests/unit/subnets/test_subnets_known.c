// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is known of subnets without following a way. */
#include "subnets_util.h"
#include "subnets/map/router_map.h"

static struct weft_subnets *make(const char *spec)
{
	struct weft_subnets *s = NULL;

	ASSERT_EQ(weft_subnets_gen(spec, &s, NULL), 0);
	return s;
}

static void map_by(const struct weft_subnets *s,
		   enum weft_router_map_method method,
		   struct weft_router_map *map)
{
	const struct weft_router_map_spec spec = { .method = method };

	ASSERT_EQ(weft_router_map_make(s, &spec, map, NULL), 0);
}

/* rand() after srand() with the sum of both LIDs, as the C standard has it. */
TEST(test_hash)
{
	const struct weft_router_map m = { .hash = WEFT_HASH_SUM };

	for (unsigned a = 1; a < 400; a += 7)
		for (unsigned b = 1; b < 49000; b += 977) {
			uint64_t next = (a + b) * 1103515245ull + 12345;
			unsigned drawn = (next & 0xffffffff) / 65536 % 32768;

			EXPECT_EQ(weft__router_map_hash(&m, a, b, 3),
				  drawn % 3);
			EXPECT_EQ(weft__router_map_hash(&m, a, b, 7),
				  drawn % 7);
		}
}

/* The next port on the list of another router that is up, from the last one on
 * the first again. */
TEST(test_backup)
{
	struct weft_subnets *s =
		make("subnets:2,routers=3,ports=1,of=ring:4,hosts=1");
	uint32_t list[8], n = weft__router_map_choices(s, 0, 1, list);
	bool down[3] = { false };

	ASSERT_EQ(n, 3);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = list[(i + 1) % 3], last = list[(i + 2) % 3];

		EXPECT_EQ(weft__router_map_backup(s, list, n, list[i], NULL),
			  next);
		down[s->port[next].router] = true;
		EXPECT_EQ(weft__router_map_backup(s, list, n, list[i], down),
			  last);
		down[s->port[last].router] = true;
		EXPECT_EQ(weft__router_map_backup(s, list, n, list[i], down),
			  WEFT_NONE);
		down[s->port[next].router] = down[s->port[last].router] =
			false;
	}
	weft_subnets_free(s);
}

/* Of 48 hosts a quarter each is behind four ports that are drawn alike. */
TEST(test_weights)
{
	struct weft_subnets *s =
		make("subnets:2,routers=4,ports=1,of=hypercube:4,hosts=3");
	struct weft_router_map map;

	map_by(s, WEFT_ROUTER_MAP_CRC32, &map);
	weft_subnets_weigh(s, &map);
	for (uint32_t p = 0; p < s->nports; p++) {
		const struct weft_router_port *o = &s->port[p];

		EXPECT_EQ(s->subnet[o->subnet].fabric->ep[o->ep].weight, 12);
	}
	weft_router_map_free(&map);
	weft_subnets_free(s);
}

static struct weft_subnets_bandwidth measure(const struct weft_subnets *s,
					     const struct weft_router_map *map,
					     uint64_t patterns,
					     uint64_t *streams)
{
	const struct weft_subnets_spec spec = {
		.share = 1, .patterns = patterns, .seed = 3,
		.port_streams = streams,
	};
	struct weft_subnets_bandwidth b;
	struct weft_whole w;

	ASSERT_EQ(weft_subnets_whole(s, &w, NULL), 0);
	ASSERT_EQ(weft_subnets_measure(s, &w, map, &spec, &b, NULL), 0);
	weft_whole_free(s, &w);
	return b;
}

/* Streams come into routers by the ports that hosts are mapped to alone, each of
 * those that cross once, and leave as many times. */
TEST(test_streams)
{
	struct weft_subnets *s =
		make("subnets:2,routers=3,ports=2,of=ring:4,hosts=2");
	uint64_t *streams = need(calloc(2 * s->nports, sizeof(*streams)));
	bool *used = need(calloc(s->nports, sizeof(*used)));
	uint64_t in = 0, out = 0;
	struct weft_subnets_bandwidth b;
	struct weft_router_map map;

	route_all(s, "updn");
	map_by(s, WEFT_ROUTER_MAP_STATIC, &map);
	b = measure(s, &map, 50, streams);
	for (uint32_t i = 0; i < s->n * s->nhosts; i++)
		if (map.via[i] != WEFT_NONE)
			used[map.via[i]] = true;
	for (uint32_t p = 0; p < s->nports; p++) {
		EXPECT(used[p] || !streams[p]);
		in += streams[p];
		out += streams[s->nports + p];
	}
	EXPECT_EQ(in, b.streams);
	EXPECT_EQ(out, b.streams);
	free(used);
	free(streams);
	weft_router_map_free(&map);
	weft_subnets_free(s);
}

/* Sixteen times as many samples have a fourth of the standard error. */
TEST(test_error)
{
	struct weft_subnets *s =
		make("subnets:2,routers=3,ports=2,of=ring:4,hosts=2");
	struct weft_router_map map;
	double few, many;

	route_all(s, "updn");
	map_by(s, WEFT_ROUTER_MAP_CRC32, &map);
	few = measure(s, &map, 200, NULL).error;
	many = measure(s, &map, 3200, NULL).error;
	EXPECT_NEAR(few / many, 4, .8);
	/* of no samples there is nothing to tell */
	EXPECT_EQ(measure(s, &map, 0, NULL).crossing, 0.);
	EXPECT_EQ(measure(s, &map, 0, NULL).mean, 0.);
	weft_router_map_free(&map);
	weft_subnets_free(s);
}

/* Routers that a way between hosts of two subnets passes. */
static unsigned routers(const struct weft_subnets *s,
			const struct weft_router_map *map, uint32_t from,
			uint32_t to)
{
	struct weft_leg leg[64];
	unsigned n;

	EXPECT_EQ(weft_subnets_legs(s, map, s->first_host[from],
		  s->first_host[to], leg, 64, &n), WEFT_WAY_ARRIVED);
	return n - 1;
}

/*
 * In one lane a ring of subnets, each as near to all others as the next one, is
 * cut where it is farthest from the first: those on both sides of the cut send
 * all around, and nobody crosses it.
 */
TEST(test_cut_ring)
{
	const struct weft_router_map_spec how = {
		.method = WEFT_ROUTER_MAP_WEAVE, .lanes = 1,
	};

	for (unsigned n = 5; n <= 9; n += 2) {
		struct weft_subnets *s = ring(n);
		struct weft_router_map map;
		unsigned half = n / 2;

		route_all(s, "minhop");
		ASSERT_EQ(weft_router_map_make(s, &how, &map, NULL), 0);
		suite_case("%u subnets", n);
		for (unsigned i = 0; i < n; i++)
			EXPECT_EQ(s->hops[i * n + (i + 1) % n], 1);
		/* places on the line from half + 1 by 0 to half */
		for (unsigned i = 0; i < n; i++)
			for (unsigned k = 0; k < n; k++) {
				unsigned a = (i + half) % n;
				unsigned b = (k + half) % n;

				if (i != k)
					EXPECT_EQ(routers(s, &map, i, k),
						  a > b ? a - b : b - a);
			}
		weft_router_map_free(&map);
		weft_subnets_free(s);
	}
}
