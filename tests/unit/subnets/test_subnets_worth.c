// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What mappings between subnets are worth, beside the same fabric as one
 * subnet; and what crc32 draws, bit by bit. */
#include "../proof_random.h"
#include "../route.h"

#include <stdlib.h>

enum { PATTERNS = 400, SEED = 20267 };

static void route(const char *engine, const struct weft_fabric *f,
		  struct weft_routes *out)
{
	weft_routes_free(out);
	ASSERT_EQ(route_by(engine, NULL, f, out, NULL), 0);
}

/* A fabric of subnets from a description, or from a tree cut at its roots. */
static struct weft_subnets *make(const char *spec, const char *engine)
{
	struct weft_subnets *s = NULL;

	if (weft_subnets_is_spec(spec)) {
		ASSERT_EQ(weft_subnets_gen(spec, &s, NULL), 0);
	} else {
		struct weft_fabric *f = route_fabric(spec, -1);
		bool *is_router = need(calloc(f->nsw, sizeof(*is_router)));

		for (uint32_t i = 0; i < f->nsw; i++)
			is_router[i] = f->sw[i].role == WEFT_ROLE_ROOT;
		ASSERT_EQ(weft_subnets_cut(f, is_router, &s, NULL), 0);
		free(is_router);
		weft_fabric_free(f);
	}
	for (uint32_t i = 0; i < s->n; i++)
		route(engine, s->subnet[i].fabric, &s->subnet[i].routes);
	return s;
}

/* Bandwidth of bisections across subnets; of all as one, if it is there. */
static double worth(const struct weft_subnets *s, const struct weft_whole *w,
		    enum weft_router_map_method method,
		    const struct weft_one *one)
{
	const struct weft_router_map_spec how = { .method = method };
	const struct weft_subnets_spec spec = {
		.share = 1, .patterns = PATTERNS, .seed = SEED, .one = one
	};
	struct weft_subnets_bandwidth b;
	struct weft_router_map map;

	ASSERT_EQ(weft_router_map_make(s, &how, &map, NULL), 0);
	ASSERT_EQ(weft_subnets_measure(s, w, &map, &spec, &b, NULL), 0);
	EXPECT_EQ(b.lost, 0);
	weft_router_map_free(&map);
	return b.mean;
}

/*
 * isfr makes of 2, 3 and 6 subnets what they are as one tree, within 1 %, and
 * issr is between that and static.  Subnets by d-mod-k are the same tree, route
 * by route; eftree balances each subnet by itself, where as one subnet its
 * counters go on from branch to branch, so that some ways have other roots.
 */
TEST(test_worth)
{
	static const struct {
		const char *spec, *engine;
		double room;
	} cases[] = {
		{ "pgft:3;4,6,2;1,4,6;1,1,1", "dmodk", 1e-9 },
		{ "pgft:3;4,6,3;1,4,6;1,1,1", "dmodk", 1e-9 },
		{ "pgft:3;4,6,6;1,4,6;1,1,1", "dmodk", 1e-9 },
		{ "pgft:3;4,6,2;1,4,6;1,1,1", "eftree", .01 },
		{ "pgft:3;4,6,3;1,4,6;1,1,1", "eftree", .01 },
		{ "pgft:3;4,6,6;1,4,6;1,1,1", "eftree", .01 },
		{ "subnets:2", "eftree", .01 },
		{ "subnets:3", "eftree", .01 },
		{ "subnets:6", "eftree", .01 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_subnets *s = make(cases[i].spec, cases[i].engine);
		struct weft_one one = { .fabric = NULL };
		double isfr, issr, fixed, whole;
		struct weft_whole w;

		ASSERT_EQ(weft_subnets_whole(s, &w, NULL), 0);
		ASSERT_EQ(weft_one_make(&w, &one, NULL), 0);
		route(cases[i].engine, one.fabric, &one.routes);
		isfr = worth(s, &w, WEFT_ROUTER_MAP_ISFR, NULL);
		issr = worth(s, &w, WEFT_ROUTER_MAP_ISSR, NULL);
		fixed = worth(s, &w, WEFT_ROUTER_MAP_STATIC, NULL);
		whole = worth(s, &w, WEFT_ROUTER_MAP_ISFR, &one);
		EXPECT_NEAR(isfr / whole, 1, cases[i].room);
		EXPECT(isfr > issr);
		EXPECT(issr > fixed);
		weft_one_free(&one);
		weft_whole_free(s, &w);
		weft_subnets_free(s);
	}
}

/* Adds the bits of a number, highest first, to a CRC-32 that is kept with the
 * highest power in the lowest bit. */
static uint32_t add_bytes(uint32_t crc, uint64_t bytes)
{
	for (int i = 56; i >= 0; i -= 8)
		for (int bit = 0; bit < 8; bit++) {
			crc ^= bytes >> i >> bit & 1;
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
		}
	return crc;
}

/* crc32 takes the router port that the CRC of both GIDs says. */
TEST(test_draw)
{
	const struct weft_router_map_spec spec = {
		.method = WEFT_ROUTER_MAP_CRC32
	};
	struct weft_subnets *s = make("subnets:3", "minhop");
	struct weft_router_map map;

	ASSERT_EQ(weft_router_map_make(s, &spec, &map, NULL), 0);
	for (uint32_t a = 0; a < s->nhosts; a++)
		for (uint32_t b = a % 5; b < s->nhosts; b += 5) {
			const struct weft_place *p = &s->host[a];
			const struct weft_place *q = &s->host[b];
			size_t pair = (size_t)p->subnet * s->n + q->subnet;
			struct weft_leg leg[4];
			uint32_t crc = ~0u;
			unsigned n;

			if (p->subnet == q->subnet)
				continue;
			crc = add_bytes(crc, s->subnet[p->subnet].prefix);
			crc = add_bytes(crc,
					weft_subnets_guid(s, p->subnet, p->ep));
			crc = add_bytes(crc, s->subnet[q->subnet].prefix);
			crc = ~add_bytes(
				crc, weft_subnets_guid(s, q->subnet, q->ep));
			EXPECT_EQ(weft_subnets_legs(s, &map, a, b, leg, 4, &n),
				  WEFT_WAY_ARRIVED);
			EXPECT_EQ(leg[0].port, map.choice[pair * s->nports + crc
				  % map.nchoices[pair]]);
		}
	weft_router_map_free(&map);
	weft_subnets_free(s);
}
