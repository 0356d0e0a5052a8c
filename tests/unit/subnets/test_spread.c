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

/* --- the host that was mapped last ---------------------------------------- */

/* What packets meet in fabrics whose subnets are next to each other, but for the
 * last host, which was mapped when all others were. */
struct met {
	const struct weft_subnets *s;
	const struct weft_router_map *m;
	uint32_t last;
	double **load;		/* [n][channels] shares of hosts */
	double **own;		/* [n][channels] of these, within the subnet, to
				 * the last host, too */
	double *sent;		/* [nports] likewise, by routers */
	double **sources;	/* [n][nports][channels] hosts on ways to ports */
};

/* Adds a share to the channels from a switch to an endport. */
static double along(const struct met *x, uint32_t subnet, uint32_t sw,
		    uint32_t ep, double share, double *load)
{
	const struct weft_subnet *t = &x->s->subnet[subnet];
	const struct weft_fabric *f = t->fabric;
	double sum = 0;

	for (;;) {
		uint32_t ch = weft_channel(f, sw, weft_lft_get(
			&t->routes.lft, sw, f->ep[ep].lid));

		sum += load[ch] / f->capacity[ch];
		load[ch] += share;
		if (!weft_is_switch(f->peer[ch]))
			return sum;
		sw = f->peer[ch];
	}
}

/* The switch that a router port leads to. */
static uint32_t behind(const struct weft_subnets *s, uint32_t port)
{
	return s->subnet[s->port[port].subnet].fabric->ep[s->port[port].ep].sw;
}

static void meet_all(struct met *x)
{
	const struct weft_subnets *s = x->s;

	for (uint32_t d = 0; d < s->nhosts; d++) {
		const struct weft_place *to = &s->host[d];
		const struct weft_fabric *f = s->subnet[to->subnet].fabric;

		for (uint32_t e = 0; e < f->nep; e++) {
			if (s->subnet[to->subnet].host_of[e] == WEFT_NONE)
				continue;
			along(x, to->subnet, f->ep[e].sw, to->ep,
			      1. / s->nhosts, x->own[to->subnet]);
			if (d != x->last)
				along(x, to->subnet, f->ep[e].sw, to->ep,
				      1. / s->nhosts, x->load[to->subnet]);
		}
		for (uint32_t i = 0; i < s->n; i++) {
			uint32_t via = x->m->via[i * s->nhosts + d], out;
			double share = (s->first_host[i + 1] -
					s->first_host[i]) / (double)s->nhosts;

			if (via == WEFT_NONE || d == x->last)
				continue;
			out = x->m->out[s->port[via].router * s->nhosts + d];
			x->sent[out] += share;
			along(x, to->subnet, behind(s, out), to->ep, share,
			      x->load[to->subnet]);
		}
	}
}

/* What a packet to the last host meets from a router port on. */
static double from_port(const struct met *x, uint32_t port)
{
	const struct weft_router_port *p = &x->s->port[port];
	const struct weft_fabric *f = x->s->subnet[p->subnet].fabric;

	return x->sent[port] /
		       f->capacity[weft_channel(f, f->ep[p->ep].sw,
						f->ep[p->ep].sw_port)] +
	       along(x, p->subnet, behind(x->s, port), x->s->host[x->last].ep,
		     0, x->load[p->subnet]);
}

/* What those of a subnet meet on their ways to a router port. */
static double to_port(const struct met *x, uint32_t port)
{
	const struct weft_subnets *s = x->s;
	uint32_t subnet = s->port[port].subnet;
	const struct weft_fabric *f = s->subnet[subnet].fabric;
	const double *a = x->sources[subnet] + (size_t)port * f->nch;
	double sum = 0, n = s->nhosts;

	for (uint32_t ch = 0; ch < f->nch; ch++)
		if (a[ch] > 0)
			sum += (a[ch] - 1) / n * x->own[subnet][ch] /
			       f->capacity[ch];
	for (uint32_t d = 0; d < s->nhosts; d++) {
		uint32_t via = x->m->via[subnet * s->nhosts + d];
		const double *b = x->sources[subnet] + (size_t)via * f->nch;

		for (uint32_t ch = 0; ch < f->nch && d != x->last &&
				      via != WEFT_NONE; ch++)
			if (a[ch] > 0)
				sum += (a[ch] - 1) * b[ch] / n / n /
				       f->capacity[ch];
	}
	return sum;
}

/* Each router sends by the port, and each subnet to the router port, by which
 * packets meet least, in whole. */
static void expect_best(const struct met *x)
{
	const struct weft_subnets *s = x->s;
	uint32_t goal = s->host[x->last].subnet;

	for (uint32_t p = 0; p < s->nports; p++) {
		uint32_t r = s->port[p].router, from = s->port[p].subnet;
		uint32_t out = x->m->out[r * s->nhosts + x->last], via, by;
		double hosts = s->first_host[from + 1] - s->first_host[from];
		double share = hosts / s->nhosts, here, best;

		ASSERT_EQ(s->port[out].subnet, goal);
		if (from == goal) {
			here = from_port(x, p);
			best = from_port(x, out);
			EXPECT(best <= here * (1 + 1e-4) + 1e-9);
			continue;
		}
		via = x->m->via[from * s->nhosts + x->last];
		ASSERT_EQ(s->port[via].subnet, from);
		by = x->m->out[s->port[via].router * s->nhosts + x->last];
		here = share * from_port(x, out) + to_port(x, p);
		best = share * from_port(x, by) + to_port(x, via);
		EXPECT(best <= here * (1 + 1e-4) + 1e-9);
	}
}

TEST(test_last)
{
	static const char *const specs[][2] = {
		{ "subnets:2,routers=3,ports=2,of=torus:3x3,hosts=2", "updn" },
		{ "subnets:3,routers=2,ports=2,of=pgft:2;3,4;1,2;1,1",
		  "minhop" },
		{ "subnets:2,routers=2,ports=3,of=random:10x2,6", "psssp" },
		{ "subnets:3,routers=3,ports=1,of=mesh:3x4,hosts=1", "updn" },
		{ "subnets:2,routers=4,ports=2,of=random:12x1,5", "minhop" },
	};

	for (unsigned i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct weft_subnets *s = make(specs[i][0], specs[i][1]);
		struct weft_router_map map = { .hash = WEFT_HASH_MIX };
		struct met x = { .s = s, .m = &map, .last = s->nhosts - 1 };

		suite_case("%s", specs[i][0]);
		ASSERT_EQ(weft__spread_map(s, s->hops, &map), 0);
		x.load = need(calloc(s->n, sizeof(*x.load)));
		x.own = need(calloc(s->n, sizeof(*x.own)));
		x.sources = need(calloc(s->n, sizeof(*x.sources)));
		x.sent = need(calloc(s->nports, sizeof(*x.sent)));
		for (uint32_t k = 0; k < s->n; k++) {
			uint32_t nch = s->subnet[k].fabric->nch;

			x.load[k] = need(calloc(nch, sizeof(**x.load)));
			x.own[k] = need(calloc(nch, sizeof(**x.own)));
			x.sources[k] = count_all(s, k);
		}
		meet_all(&x);
		expect_best(&x);
		for (uint32_t k = 0; k < s->n; k++) {
			free(x.load[k]);
			free(x.own[k]);
			free(x.sources[k]);
		}
		free(x.load);
		free(x.own);
		free(x.sources);
		free(x.sent);
		weft_router_map_free(&map);
		weft_subnets_free(s);
	}
}
