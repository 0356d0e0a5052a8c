// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What packets meet on the way to router ports, host by host; and that router
 * ports are spread evenly where all are alike. */
#include "subnets_util.h"
#include "subnets/map/spread.h"
#include "subnets/map/weave.h"

#include <math.h>
#include <stdlib.h>

static struct weft_subnets *make(const char *spec, const char *engine)
{
	struct weft_subnets *s = NULL;

	ASSERT_EQ(weft_subnets_gen(spec, &s, NULL), 0);
	route_all(s, engine);
	return s;
}

/* Adds a host's way to an endport of its subnet; false: it does not arrive. */
static bool add_way(const struct weft_subnet *t, uint32_t host, uint32_t ep,
		    double *sources)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t sw = f->ep[host].sw;

	for (uint32_t hops = 0; hops <= f->nsw; hops++) {
		unsigned port = weft_lft_get(&t->routes.lft, sw,
					     f->ep[ep].lid);
		uint32_t ch, peer;

		if (!port || port > f->sw[sw].nports)
			return false;
		ch = weft_channel(f, sw, port);
		peer = f->peer[ch];
		if (peer == WEFT_NONE)
			return false;
		sources[ch]++;
		if (!weft_is_switch(peer))
			return peer == (ep | WEFT_ENDPORT);
		sw = peer;
	}
	return false;
}

/* Fills in the hosts that send over each channel to each router port of a
 * subnet, [nports][nch]; a port that not all reach has none, and NAN. */
static double *count_all(const struct weft_subnets *s, uint32_t subnet)
{
	const struct weft_subnet *t = &s->subnet[subnet];
	uint32_t nch = t->fabric->nch;
	double *all = need(calloc((size_t)s->nports * nch, sizeof(*all)));

	for (uint32_t p = 0; p < s->nports; p++) {
		bool arrive = true;

		for (uint32_t e = 0; e < t->fabric->nep; e++)
			if (s->port[p].subnet == subnet &&
			    t->host_of[e] != WEFT_NONE)
				arrive &= add_way(t, e, s->port[p].ep,
						  all + p * nch);
		for (uint32_t ch = 0; ch < nch && !arrive; ch++)
			all[p * nch + ch] = ch ? 0 : NAN;
	}
	return all;
}

/* Streams of those that send over a channel to a port meet as many others as the
 * load says, and others to another port, but for each one's own. */
static void check_approaches(const struct weft_subnets *s, uint32_t subnet,
			     struct weft__spread *x)
{
	const struct weft_fabric *f = s->subnet[subnet].fabric;
	double *all = count_all(s, subnet), n = s->nhosts;

	ASSERT(weft__approaches_find(x, subnet));
	for (uint32_t p = 0; p < s->nports; p++) {
		const double *a = all + p * f->nch;
		double sum = 0;

		if (s->port[p].subnet != subnet)
			continue;
		if (isnan(a[0])) {
			EXPECT(isinf(x->approach[p]));
			continue;
		}
		for (uint32_t ch = 0; ch < f->nch; ch++)
			if (a[ch] > 0)
				sum += (a[ch] - 1) / n * x->load[subnet][ch] /
				       f->capacity[ch];
		EXPECT_NEAR(x->approach[p], sum, 1e-5 * sum + 1e-12);
		for (uint32_t q = 0; q < s->nports; q++) {
			const double *b = all + q * f->nch;

			if (s->port[q].subnet != subnet || isnan(b[0]))
				continue;
			sum = 0;
			for (uint32_t ch = 0; ch < f->nch; ch++)
				if (b[ch] > 0)
					sum += (b[ch] - 1) * a[ch] / n / n /
					       f->capacity[ch];
			EXPECT_NEAR(x->meet[p * s->nports + q], sum,
				    1e-5 * sum + 1e-12);
		}
	}
	free(all);
}

TEST(test_approaches)
{
	static const char *const specs[][2] = {
		{ "subnets:2,routers=3,ports=2,of=torus:3x3,hosts=2", "updn" },
		{ "subnets:3,routers=2,ports=1,of=pgft:2;3,4;1,2;1,1",
		  "minhop" },
		{ "subnets:2,routers=2,ports=2,of=random:10x2,6", "psssp" },
	};
	struct weft_rng *rng = weft_rng_new(8);

	for (unsigned i = 0; i < 12; i++) {
		struct weft_subnets *s = make(specs[i % 3][0], specs[i % 3][1]);
		uint32_t n = s->nports;
		struct weft__spread x = {
			.s = s,
			.hosts = need(calloc(s->n, sizeof(*x.hosts))),
			.load = need(calloc(s->n, sizeof(*x.load))),
			.approach = need(calloc(n, sizeof(*x.approach))),
			.meet = need(calloc((size_t)n * n, sizeof(*x.meet))),
		};

		suite_case("round %u", i);
		for (uint32_t k = 0; k < s->n; k++) {
			const struct weft_fabric *f = s->subnet[k].fabric;
			struct weft_lft *lft = &s->subnet[k].routes.lft;

			x.hosts[k] = need(calloc(f->nsw, sizeof(uint32_t)));
			x.load[k] = need(calloc(f->nch, sizeof(float)));
			for (uint32_t ch = 0; ch < f->nch; ch++)
				x.load[k][ch] = weft_rng_below(rng, 9) / 4.f;
			for (uint32_t e = 0; e < f->nep; e++)
				x.hosts[k][f->ep[e].sw] +=
					s->subnet[k].host_of[e] != WEFT_NONE;
			/* some do not arrive */
			for (unsigned d = 0; d < 2 && i >= 6; d++)
				weft_lft_row(lft, weft_rng_below(rng, f->nsw))[
					1 + weft_rng_below(rng, f->max_lid)] =
					WEFT_NO_PORT;
		}
		for (uint32_t k = 0; k < s->n; k++)
			check_approaches(s, k, &x);
		for (uint32_t k = 0; k < s->n; k++) {
			free(x.hosts[k]);
			free(x.load[k]);
		}
		free(x.hosts);
		free(x.load);
		free(x.approach);
		free(x.meet);
		weft_subnets_free(s);
	}
	weft_rng_free(rng);
}

/* Every host is reached, by shortest ways, and a router sends by ports that lead
 * nearer. */
static void check_ways(const struct weft_subnets *s,
		       const struct weft_router_map *map)
{
	struct weft_leg leg[64];
	unsigned n;

	for (uint32_t a = 0; a < s->nhosts; a++)
		for (uint32_t b = 0; b < s->nhosts; b++) {
			if (a == b)
				continue;
			EXPECT_EQ(weft_subnets_legs(s, map, a, b, leg, 64, &n),
				  WEFT_WAY_ARRIVED);
			EXPECT_EQ(n - 1, s->hops[s->host[a].subnet * s->n +
				  s->host[b].subnet]);
		}
}

/* How many hosts a subnet sends to by each port, the least and the most; and
 * how many routers send to by each. */
static void find_range(const struct weft_subnets *s,
		       const struct weft_router_map *map, uint32_t range[4])
{
	uint32_t *in = need(calloc(s->nports, sizeof(*in)));
	uint32_t *out = need(calloc(s->nports, sizeof(*out)));

	for (uint32_t i = 0; i < s->n * s->nhosts; i++) {
		uint32_t via = map->via[i], dest = i % s->nhosts;

		EXPECT_EQ(via == WEFT_NONE,
			  s->host[dest].subnet == i / s->nhosts);
		if (via == WEFT_NONE)
			continue;
		EXPECT_EQ(s->port[via].subnet, i / s->nhosts);
		in[via]++;
		out[map->out[s->port[via].router * s->nhosts + dest]]++;
	}
	range[0] = range[2] = UINT32_MAX;
	range[1] = range[3] = 0;
	for (uint32_t p = 0; p < s->nports; p++) {
		range[0] = in[p] < range[0] ? in[p] : range[0];
		range[1] = in[p] > range[1] ? in[p] : range[1];
		range[2] = out[p] < range[2] ? out[p] : range[2];
		range[3] = out[p] > range[3] ? out[p] : range[3];
	}
	free(in);
	free(out);
}

/* Router ports that are alike get as many hosts each. */
TEST(test_even)
{
	static const struct {
		const char *spec, *engine;
		uint32_t each, room;
	} cases[] = {
		{ "subnets:2,routers=2,ports=2,of=pgft:2;4,4;1,4;1,1", "dmodk",
		  4, 0 },
		{ "subnets:2,routers=4,ports=1,of=pgft:2;3,4;1,4;1,1", "dmodk",
		  3, 0 },
		{ "subnets:3,routers=2,ports=2,of=pgft:2;4,4;1,4;1,1", "eftree",
		  8, 0 },
		{ "subnets:2,routers=4,ports=1,of=hypercube:2,hosts=4",
		  "minhop", 4, 0 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_subnets *s = make(cases[i].spec, cases[i].engine);
		struct weft_router_map map = { .hash = WEFT_HASH_MIX };
		uint32_t range[4];

		suite_case("%s", cases[i].spec);
		ASSERT_EQ(weft__spread_map(s, s->hops, &map), 0);
		check_ways(s, &map);
		find_range(s, &map, range);
		for (unsigned k = 0; k < 4; k++)
			ASSERT_WITHIN(range[k], cases[i].each - cases[i].room,
				      cases[i].each + cases[i].room);
		weft_router_map_free(&map);
		weft_subnets_free(s);
	}
}
