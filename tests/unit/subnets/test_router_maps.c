// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which router ports lead from a subnet to another one, and what mappings make of
 * them, against distances and lists that are made from scratch. */
#include "subnets_util.h"
#include "subnets/map/router_map.h"

enum { CASES = 7 };

static struct weft_subnets *make(unsigned i)
{
	static const char *const specs[] = {
		"subnets:3,routers=3,ports=2,of=pgft:2;4,4;1,2;1,2",
		"subnets:2,routers=2,ports=3,of=ring:4,hosts=3", "subnets:3",
	};
	struct weft_subnets *s = NULL;

	suite_case("case %u", i);
	if (i < 3) {
		ASSERT_EQ(weft_subnets_gen(specs[i], &s, NULL), 0);
		route_all(s, "minhop");
		return s;
	}
	s = i == 3 ? cut("pgft:3;2,3,4;1,2,6;1,1,1") : i == 4 ? ring(4) :
	    i == 5 ? ring(7) : rings(3, 2);
	route_all(s, "minhop");
	return s;
}

static void each_case(void (*test)(const struct weft_subnets *s))
{
	for (unsigned i = 0; i < CASES; i++) {
		struct weft_subnets *s = make(i);

		test(s);
		weft_subnets_free(s);
	}
}

/* Routers to pass from each subnet to each other one, by relaxing until nothing
 * changes; WEFT_NONE: none leads there. */
static uint32_t *find_hops(const struct weft_subnets *s)
{
	uint32_t *hops = need(malloc((size_t)s->n * s->n * sizeof(*hops)));
	bool changed = true;

	for (uint32_t i = 0; i < s->n * s->n; i++)
		hops[i] = i / s->n == i % s->n ? 0 : WEFT_NONE;
	while (changed) {
		changed = false;
		for (uint32_t p = 0; p < s->nports; p++)
			for (uint32_t q = 0; q < s->nports; q++)
				for (uint32_t to = 0; to < s->n; to++) {
					uint32_t *a = &hops[s->port[p].subnet *
							    s->n + to];
					uint32_t b = hops[s->port[q].subnet *
							  s->n + to];

					if (s->port[p].router !=
						    s->port[q].router ||
					    b == WEFT_NONE || b + 1 >= *a)
						continue;
					*a = b + 1;
					changed = true;
				}
	}
	return hops;
}

/* Which of a router's ports into its subnet a port is. */
static uint32_t rank_of(const struct weft_subnets *s, uint32_t port)
{
	uint32_t rank = 0;

	for (uint32_t p = 0; p < port; p++)
		rank += s->port[p].router == s->port[port].router &&
			s->port[p].subnet == s->port[port].subnet;
	return rank;
}

/* The least distance from a router to a subnet. */
static uint32_t from_router(const struct weft_subnets *s, const uint32_t *hops,
			    uint32_t router, uint32_t to)
{
	uint32_t least = WEFT_NONE;

	for (uint32_t p = 0; p < s->nports; p++)
		if (s->port[p].router == router &&
		    hops[s->port[p].subnet * s->n + to] < least)
			least = hops[s->port[p].subnet * s->n + to];
	return least;
}

/* Ports that lead nearer, first ones of all routers before second ones. */
static uint32_t list_choices(const struct weft_subnets *s, const uint32_t *hops,
			     uint32_t from, uint32_t to, uint32_t *out)
{
	uint32_t far = hops[from * s->n + to], n = 0;

	for (uint32_t rank = 0; rank < s->nports; rank++)
		for (uint32_t r = 0; r < s->nrouters; r++)
			for (uint32_t p = 0; p < s->nports; p++)
				if (s->port[p].router == r && from != to &&
				    s->port[p].subnet == from &&
				    rank_of(s, p) == rank && far != WEFT_NONE &&
				    from_router(s, hops, r, to) < far)
					out[n++] = p;
	return n;
}

static void check_choices(const struct weft_subnets *s)
{
	uint32_t *hops = find_hops(s);
	uint32_t *is = need(malloc((s->nports + 1ul) * sizeof(*is)));
	uint32_t *was = need(malloc((s->nports + 1ul) * sizeof(*was)));

	ASSERT_MEM(s->hops, hops, (size_t)s->n * s->n * sizeof(*hops));
	for (uint32_t from = 0; from < s->n; from++)
		for (uint32_t to = 0; to < s->n; to++) {
			uint32_t n = list_choices(s, hops, from, to, was);

			EXPECT_EQ(weft__router_map_choices(s, from, to, is), n);
			ASSERT_MEM(is, was, n * sizeof(*is));
		}
	for (uint32_t r = 0; r < s->nrouters; r++)
		for (uint32_t to = 0; to < s->n; to++) {
			uint32_t n = 0, least = from_router(s, hops, r, to);

			for (uint32_t p = 0; p < s->nports; p++)
				if (s->port[p].router == r &&
				    least != WEFT_NONE &&
				    hops[s->port[p].subnet * s->n + to] == least)
					was[n++] = p;
			EXPECT_EQ(weft__router_map_exits(s, r, to, is), n);
			ASSERT_MEM(is, was, n * sizeof(*is));
			n = 0;
			for (uint32_t p = 0; p < s->nports; p++)
				if (s->port[p].router == r &&
				    s->port[p].subnet == to)
					was[n++] = p;
			for (uint32_t rank = 0; rank < 9; rank++)
				EXPECT_EQ(weft__router_port_in(s, r, to, rank),
					  n ? was[rank % n] : WEFT_NONE);
		}
	free(hops);
	free(is);
	free(was);
}

TEST(test_choices)
{
	each_case(check_choices);
}

/* static: one port for all hosts of a subnet, another one for the next subnet;
 * issr: the ports in turn; crc32 has all to draw from. */
static void check_methods(const struct weft_subnets *s)
{
	uint32_t *hops = find_hops(s);
	uint32_t *list = need(malloc((s->nports + 1ul) * sizeof(*list)));

	for (unsigned m = 0; m <= WEFT_ROUTER_MAP_ISSR; m++) {
		const struct weft_router_map_spec spec = { .method = m };
		struct weft_router_map map;

		ASSERT_EQ(weft_router_map_make(s, &spec, &map, NULL), 0);
		EXPECT_EQ(!map.via, m == WEFT_ROUTER_MAP_CRC32);
		for (uint32_t k = 0; k < s->n * s->n; k++) {
			uint32_t from = k / s->n, to = k % s->n;
			uint32_t n = list_choices(s, hops, from, to, list);
			uint32_t turn = (to + s->n - from - 1) % s->n;

			if (!map.via) {
				EXPECT_EQ(map.nchoices[k], n);
				ASSERT_MEM(map.choice + k * s->nports, list,
					   n * sizeof(*list));
				continue;
			}
			for (uint32_t h = s->first_host[to];
			     h < s->first_host[to + 1]; h++)
				EXPECT_EQ(map.via[from * s->nhosts + h], !n ?
					  WEFT_NONE :
					  list[(m == WEFT_ROUTER_MAP_STATIC ?
						turn : h - s->first_host[to]) %
					       n]);
		}
		weft_router_map_free(&map);
	}
	free(hops);
	free(list);
}

TEST(test_methods)
{
	each_case(check_methods);
}

/* The next port on the list, round and round, whose router is another one that is
 * up. */
static uint32_t next_up(const struct weft_subnets *s, const uint32_t *list,
			uint32_t n, uint32_t via, const bool *down)
{
	uint32_t at = 0;

	while (list[at] != via)
		at++;
	for (uint32_t i = 1; i < n; i++) {
		uint32_t p = list[(at + i) % n];

		if (s->port[p].router != s->port[via].router &&
		    !down[s->port[p].router])
			return p;
	}
	return WEFT_NONE;
}

/* Without one router, or two, or all. */
static void check_lost(const struct weft_subnets *s)
{
	uint32_t *hops = find_hops(s);
	uint32_t *list = need(malloc((s->nports + 1ul) * sizeof(*list)));
	bool *down = need(malloc(s->nrouters));

	for (unsigned i = 0; i < 9; i++) {
		const struct weft_router_map_spec spec = {
			.method = i % 3,
		};
		struct weft_router_map map, left;

		for (uint32_t r = 0; r < s->nrouters; r++)
			down[r] = i < 3 ? r == 1 : i < 6 ? r < 2 : true;
		ASSERT_EQ(weft_router_map_make(s, &spec, &map, NULL), 0);
		ASSERT_EQ(weft_router_map_make(s, &spec, &left, NULL), 0);
		ASSERT_EQ(weft_router_map_lose(s, down, &left), 0);
		for (uint32_t k = 0; k < s->n * s->n; k++) {
			uint32_t from = k / s->n, to = k % s->n, up = 0;
			uint32_t n = list_choices(s, hops, from, to, list);

			for (uint32_t c = 0; !map.via && c < n; c++)
				if (!down[s->port[list[c]].router])
					EXPECT_EQ(left.choice[k * s->nports +
							      up++], list[c]);
			if (!map.via)
				EXPECT_EQ(left.nchoices[k], up);
			for (uint32_t h = s->first_host[to];
			     map.via && h < s->first_host[to + 1]; h++) {
				uint32_t via = map.via[from * s->nhosts + h];

				EXPECT_EQ(left.via[from * s->nhosts + h],
					  via != WEFT_NONE &&
					  down[s->port[via].router] ?
					  next_up(s, list, n, via, down) : via);
			}
		}
		weft_router_map_free(&map);
		weft_router_map_free(&left);
	}
	free(hops);
	free(list);
	free(down);
}

TEST(test_lost)
{
	each_case(check_lost);
}

/* Pairs of a subnet and a host elsewhere that go by a router. */
static void check_moved(const struct weft_subnets *s)
{
	struct weft_router_loss *loss = need(calloc(s->nrouters,
						    sizeof(*loss)));

	for (unsigned m = 0; m <= WEFT_ROUTER_MAP_ISSR; m++) {
		const struct weft_router_map_spec spec = { .method = m };
		struct weft_router_map map;

		ASSERT_EQ(weft_router_map_make(s, &spec, &map, NULL), 0);
		ASSERT_EQ(weft_router_losses(s, &map, loss), 0);
		for (uint32_t r = 0; r < s->nrouters; r++) {
			uint64_t moved = 0;

			for (uint32_t k = 0; map.via && k < s->n * s->nhosts; k++)
				moved += map.via[k] != WEFT_NONE &&
					s->port[map.via[k]].router == r;
			EXPECT_EQ(loss[r].router, r);
			EXPECT_EQ(loss[r].moved, moved);
			EXPECT(map.via || !loss[r].pairs);
		}
		weft_router_map_free(&map);
	}
	free(loss);
}

TEST(test_moved)
{
	each_case(check_moved);
}

/* splitmix64 from a seed of 0, as Vigna has it; and what mappings draw by it is one
 * number for both orders where they are symmetric. */
TEST(test_mix)
{
	const struct weft_router_map one = { .hash = WEFT_HASH_MIX };
	const struct weft_router_map both = { .hash = WEFT_HASH_MIX,
					      .symmetric = true };
	unsigned differ = 0;

	EXPECT(weft__router_map_mix(0x9e3779b97f4a7c15u) == 0xe220a8397b1dcdafu);
	EXPECT(weft__router_map_mix(0x3c6ef372fe94f82au) == 0x6e789e6aa1b965f4u);
	for (unsigned a = 1; a < 60; a++)
		for (unsigned b = a; b < 60; b++) {
			uint32_t ab = weft__router_map_hash(&one, a, b, 5);

			EXPECT_EQ(ab, weft__router_map_mix(a << 16 | b) % 5);
			EXPECT_EQ(weft__router_map_hash(&both, a, b, 5), ab);
			EXPECT_EQ(weft__router_map_hash(&both, b, a, 5), ab);
			differ += weft__router_map_hash(&one, b, a, 5) != ab;
		}
	EXPECT(differ > 1000);
}

/* --- isfr ----------------------------------------------------------------- */

/* The switch with routers that ways from most switches with hosts to one pass, the
 * first of equals; WEFT_NONE: none. */
static uint32_t find_primary(const struct weft_subnets *s, uint32_t dest)
{
	const struct weft_place *to = &s->host[dest];
	const struct weft_subnet *t = &s->subnet[to->subnet];
	const struct weft_fabric *f = t->fabric;
	uint32_t *ways = need(calloc(f->nsw, sizeof(*ways))), best = WEFT_NONE;
	bool *above = need(calloc(f->nsw, 1)), *leaf = need(calloc(f->nsw, 1));

	for (uint32_t e = 0; e < f->nep; e++) {
		above[f->ep[e].sw] |= t->host_of[e] == WEFT_NONE;
		leaf[f->ep[e].sw] |= t->host_of[e] != WEFT_NONE;
	}
	for (uint32_t from = 0; from < f->nsw; from++)
		for (uint32_t sw = from; leaf[from]; ) {
			uint8_t port = weft_lft_get(&t->routes.lft, sw,
						    f->ep[to->ep].lid);

			ways[sw] += above[sw];
			sw = f->peer[weft_channel(f, sw, port)];
			if (!weft_is_switch(sw))
				break;
		}
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		if (ways[sw] && (best == WEFT_NONE || ways[sw] > ways[best]))
			best = sw;
	free(ways);
	free(above);
	free(leaf);
	return best;
}

static uint32_t switch_of(const struct weft_subnets *s, uint32_t port)
{
	return s->subnet[s->port[port].subnet].fabric->ep[s->port[port].ep].sw;
}

/* Each router next to the primary switch of a host sends to the host by that; other
 * subnets take one of these routers, by their port of the same rank. */
static uint64_t check_primary(const struct weft_subnets *s,
			      const struct weft_router_map *map, uint32_t h)
{
	uint32_t home = s->host[h].subnet, primary = find_primary(s, h);
	uint64_t unfit = 0;
	bool any = false;

	for (uint32_t r = 0; r < s->nrouters; r++) {
		uint32_t first = WEFT_NONE;

		for (uint32_t p = s->nports; p--; )
			if (s->port[p].router == r && primary != WEFT_NONE &&
			    s->port[p].subnet == home &&
			    switch_of(s, p) == primary)
				first = p;
		EXPECT_EQ(map->out[r * s->nhosts + h], first);
		any |= first != WEFT_NONE;
	}
	for (uint32_t from = 0; from < s->n; from++) {
		uint32_t via = map->via[from * s->nhosts + h], out;

		if (from == home || via == WEFT_NONE)
			continue;
		EXPECT_EQ(s->port[via].subnet, from);
		out = map->out[s->port[via].router * s->nhosts + h];
		unfit += !any || out == WEFT_NONE;
		if (any && out != WEFT_NONE)
			EXPECT_EQ(rank_of(s, via), rank_of(s, out));
	}
	return unfit;
}

static void check_isfr(const struct weft_subnets *s)
{
	const struct weft_router_map_spec spec = {
		.method = WEFT_ROUTER_MAP_ISFR,
	};
	struct weft_router_map map;
	uint64_t unfit = 0;

	ASSERT_EQ(weft_router_map_make(s, &spec, &map, NULL), 0);
	for (uint32_t h = 0; h < s->nhosts; h++)
		unfit += check_primary(s, &map, h);
	/* issr's choice may be a router next to the primary switch */
	EXPECT(map.unfit >= unfit);
	EXPECT(map.unfit || !unfit);
	EXPECT_EQ(!map.reason[0], !map.unfit);
	weft_router_map_free(&map);
}

TEST(test_isfr)
{
	each_case(check_isfr);
}

/* On trees every level divides hosts evenly: routers below as many primary switches
 * get as many hosts of each subnet to send to. */
TEST(test_isfr_even)
{
	const struct weft_router_map_spec spec = {
		.method = WEFT_ROUTER_MAP_ISFR,
	};
	struct weft_subnets *s = cut("pgft:3;4,4,3;1,4,4;1,1,1");
	uint32_t *hosts = need(calloc(s->nports, sizeof(*hosts)));
	struct weft_router_map map;

	route_all(s, "dmodk");
	ASSERT_EQ(weft_router_map_make(s, &spec, &map, NULL), 0);
	EXPECT_EQ(map.unfit, 0);
	for (uint32_t k = 0; k < s->n * s->nhosts; k++)
		if (map.via[k] != WEFT_NONE)
			hosts[map.via[k]]++;
	/* 16 hosts of two other subnets by 16 ports */
	for (uint32_t p = 0; p < s->nports; p++)
		EXPECT_EQ(hosts[p], 2);
	free(hosts);
	weft_router_map_free(&map);
	weft_subnets_free(s);
}
