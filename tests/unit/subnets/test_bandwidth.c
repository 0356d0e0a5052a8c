// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Bandwidth across subnets, stream by stream, beside a count by hand; and how
 * bisections are drawn. */
#include "subnets_util.h"

#include <math.h>
#include <stdlib.h>

#define MAX_WAY 256

/* What comes of shifts, rounds of which are judged: all, or one of each
 * stretch. */
struct sums {
	double mean, squares;
	uint64_t streams, lost, crossing, most;
	uint64_t *port; /* [2 * nports] in, and out */
};

static uint32_t *count; /* [nch] */

/* Each host by the order in which people count them. */
static uint32_t *list_ranks(const struct weft_subnets *s,
			    const struct weft_whole *w)
{
	uint32_t *rank = need(malloc(s->nhosts * sizeof(*rank)));
	struct weft_mapping m;
	bool by_name;

	ASSERT_EQ(weft_mapping_natural(w->fabric, true, &m, &by_name, NULL), 0);
	for (uint32_t r = 0; r < s->nhosts; r++)
		for (uint32_t h = 0; h < s->nhosts; h++)
			if (w->ep[h] == m.endport[r])
				rank[r] = h;
	weft_mapping_free(&m);
	return rank;
}

static bool way_of(const struct weft_subnets *s, const struct weft_whole *w,
		   const struct weft_router_map *map, uint32_t a, uint32_t b,
		   uint32_t *ch, unsigned *n)
{
	return weft_subnets_way(s, w, map, a, b, ch, MAX_WAY, n) ==
	       WEFT_WAY_ARRIVED;
}

/* A round in which rank i sends to rank i + by: each host one stream. */
static void add_round(const struct weft_subnets *s, const struct weft_whole *w,
		      const struct weft_router_map *map, const uint32_t *rank,
		      uint32_t by, struct sums *x)
{
	const struct weft_fabric *f = w->fabric;
	double sum = 0;
	uint32_t ch[MAX_WAY];
	unsigned n;

	memset(count, 0, f->nch * sizeof(*count));
	for (uint32_t i = 0; i < s->nhosts; i++) {
		uint32_t a = rank[i], b = rank[(i + by) % s->nhosts];

		x->streams++;
		x->crossing += s->host[a].subnet != s->host[b].subnet;
		if (way_of(s, w, map, a, b, ch, &n))
			for (unsigned k = 0; k < n; k++)
				count[ch[k]]++;
		else
			x->lost++;
	}
	for (uint32_t i = 0; i < s->nhosts; i++) {
		uint32_t a = rank[i], b = rank[(i + by) % s->nhosts];
		double least = 1;

		if (!way_of(s, w, map, a, b, ch, &n))
			continue;
		/* all cables are alike */
		for (unsigned k = 0; k < n; k++)
			least = fmin(least, 1.0 / count[ch[k]]);
		sum += least;
	}
	for (uint32_t p = 0; p < s->nports; p++) {
		uint32_t out = weft_channel(f, w->router[s->port[p].router],
					    s->port[p].port);
		uint32_t in = f->reverse[out];

		x->port[p] += count[in];
		x->port[s->nports + p] += count[out];
		x->most = count[in] > x->most ? count[in] : x->most;
		x->most = count[out] > x->most ? count[out] : x->most;
	}
	x->mean += sum / s->nhosts;
	x->squares += sum / s->nhosts * (sum / s->nhosts);
}

/* Compares that many rounds, at most, of all shifts. */
static void check_shifts(const struct weft_subnets *s,
			 const struct weft_router_map *map, uint64_t most)
{
	uint64_t all = s->nhosts - 1, rounds = most < all ? most : all;
	struct weft_subnets_spec spec = { .pattern = "shift",
					  .patterns = most };
	struct sums x = { .mean = 0 };
	struct weft_subnets_bandwidth b;
	struct weft_whole w;
	uint32_t *rank;

	ASSERT_EQ(weft_subnets_whole(s, &w, NULL), 0);
	rank = list_ranks(s, &w);
	count = need(malloc(w.fabric->nch * sizeof(*count)));
	x.port = need(calloc(2 * s->nports, sizeof(*x.port)));
	spec.port_streams = need(calloc(2 * s->nports, sizeof(*x.port)));
	for (uint64_t i = 0; i < rounds; i++)
		add_round(s, &w, map, rank, 1 + i * all / rounds, &x);
	x.mean /= rounds;
	ASSERT_EQ(weft_subnets_measure(s, &w, map, &spec, &b, NULL), 0);
	EXPECT_NEAR(b.mean, x.mean, 1e-9);
	if (rounds > 1)
		EXPECT_NEAR(b.error, sqrt(fmax(x.squares / rounds - x.mean *
			    x.mean, 0) / (rounds - 1)), 1e-7);
	EXPECT_EQ(b.rounds, rounds);
	EXPECT_EQ(b.streams, x.streams);
	EXPECT_EQ(b.lost, x.lost);
	EXPECT_NEAR(b.crossing, (double)x.crossing / x.streams, 1e-12);
	EXPECT_EQ(b.port_most, x.most);
	for (uint32_t p = 0; p < 2 * s->nports; p++)
		EXPECT_EQ(spec.port_streams[p], x.port[p]);
	free(rank);
	free(count);
	free(x.port);
	free(spec.port_streams);
	weft_whole_free(s, &w);
}

static const char *const specs[] = {
	"subnets:2,routers=3,ports=2,of=torus:3x3,hosts=1",
	"subnets:3,routers=2,ports=1,of=pgft:2;3,3;1,2;1,1",
	"subnets:2,routers=1,ports=1,of=ring:4,hosts=3",
};
#define NSPECS (sizeof(specs) / sizeof(specs[0]))

/* Whole, and with a tenth of the entries missing. */
TEST(test_shifts)
{
	static const uint64_t most[] = { 1, 2, 7, 1000 };
	struct weft_rng *rng = weft_rng_new(3);

	for (unsigned i = 0; i < 2 * NSPECS * WEFT_ROUTER_MAP_WEAVE; i++) {
		const struct weft_router_map_spec how = {
			.method = i / 2 % WEFT_ROUTER_MAP_WEAVE,
		};
		struct weft_subnets *s = NULL;
		struct weft_router_map map;

		suite_case("%s, %u", specs[i / 2 / WEFT_ROUTER_MAP_WEAVE], i);
		ASSERT_EQ(weft_subnets_gen(
			  specs[i / 2 / WEFT_ROUTER_MAP_WEAVE], &s, NULL), 0);
		route_all(s, "updn");
		ASSERT_EQ(weft_router_map_make(s, &how, &map, NULL), 0);
		for (uint32_t k = 0; i % 2 && k < s->n; k++) {
			struct weft_lft *lft = &s->subnet[k].routes.lft;

			for (uint32_t sw = 0; sw < lft->nsw; sw++)
				for (unsigned l = 1; l <= lft->max_lid; l++)
					if (!weft_rng_below(rng, 10))
						weft_lft_row(lft, sw)[l] =
							WEFT_NO_PORT;
		}
		for (unsigned k = 0; k < 4; k++)
			check_shifts(s, &map, most[k]);
		weft_router_map_free(&map);
		weft_subnets_free(s);
	}
	weft_rng_free(rng);
}

/* Hosts of two subnets pair up as often across as is asked for, as far as both
 * have as many; each host is in one pair. */
TEST(test_bisections)
{
	static const double shares[] = { 0, .25, .5, 1 };
	const struct weft_router_map_spec how = {
		.method = WEFT_ROUTER_MAP_STATIC
	};
	struct weft_subnets *s = NULL;
	struct weft_router_map map;
	struct weft_whole w;

	ASSERT_EQ(weft_subnets_gen(
		  "subnets:2,routers=2,ports=2,of=hypercube:4,hosts=4", &s,
		  NULL), 0);
	route_all(s, "minhop");
	ASSERT_EQ(weft_router_map_make(s, &how, &map, NULL), 0);
	ASSERT_EQ(weft_subnets_whole(s, &w, NULL), 0);
	ASSERT_EQ(s->nhosts, 128);
	for (unsigned i = 0; i < 4; i++) {
		const struct weft_subnets_spec spec = { .share = shares[i],
							.patterns = 200,
							.seed = 5 };
		struct weft_subnets_bandwidth b, other;
		struct weft_subnets_spec again = spec;

		ASSERT_EQ(weft_subnets_measure(s, &w, &map, &spec, &b, NULL),
			  0);
		suite_case("a share of %g", shares[i]);
		EXPECT_EQ(b.rounds, 200);
		EXPECT_EQ(b.streams, 200 * 64);
		EXPECT_EQ(b.lost, 0);
		/* 12800 pairs: five standard deviations */
		EXPECT_NEAR(b.crossing, shares[i], i % 3 ? .022 : 0);
		again.seed = 6;
		ASSERT_EQ(weft_subnets_measure(s, &w, &map, &again, &other,
			  NULL), 0);
		EXPECT(other.mean != b.mean);
		EXPECT_NEAR(other.mean, b.mean, 6 * b.error);
	}
	weft_whole_free(s, &w);
	weft_router_map_free(&map);
	weft_subnets_free(s);
}
