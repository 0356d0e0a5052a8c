// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: spread, router ports for any fabric of subnets, one host after another
 *
 * Idea: let each host send to one drawn at random.  Two streams meet on a
 * channel with the probability f g, f and g being the shares of all hosts that
 * send over it to the one destination and to the other one; streams for one
 * destination do not meet, as there is one at a time, and neither do those of
 * one source.  Each host in turn gets the router ports by which packets to it
 * meet the least others per capacity.  So a router's packets join what the
 * destination's own subnet sends there, where that costs nothing, and channels
 * are loaded evenly otherwise.
 *
 * The first hosts were mapped when there was little to meet, so that all are
 * mapped anew in further passes.
 *
 * What the ways to one router port add to the cost of those to another one is
 * the same each time (meet[]), so that the sums over a source's ways need not
 * be made anew.
 *
 * Subnets next to the host's come first, then those that pass through these.
 * Which steps from subnet to subnet come nearer is told by a table of
 * distances, so that the ways may be shortest or follow a tree.
 *
 * Complexity: O(hosts x (switches x hops + router ports x hops)), and for each
 * subnet O(channels x router ports^2) at most.
 */
#include "subnets/map/spread.h"
#include "subnets/map/weave.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASSES 3

static double capacity_at(const struct weft__spread *x, uint32_t port)
{
	const struct weft_router_port *p = &x->s->port[port];
	const struct weft_fabric *f = x->s->subnet[p->subnet].fabric;

	return f->capacity[weft_channel(f, f->ep[p->ep].sw,
					f->ep[p->ep].sw_port)];
}

/* Adds to load[] of each channel what a host's own subnet sends to it. */
static void add_own(const struct weft__spread *x, uint32_t dest, float *load)
{
	const struct weft_place *to = &x->s->host[dest];
	const struct weft_subnet *t = &x->s->subnet[to->subnet];

	for (uint32_t sw = 0; sw < t->fabric->nsw; sw++) {
		uint32_t hosts = x->hosts[to->subnet][sw];
		struct weft__step at = { .sw = sw };
		int on = 1;

		while (hosts && on > 0) {
			on = weft__step(t, to->ep, &at);
			if (on >= 0)
				load[at.channel] += (float)hosts / x->s->nhosts;
		}
	}
}

/* Returns the endport that packets for a host go to in a subnet: the host, or
 * the router port by which the subnet sends to it; WEFT_NONE: none. */
static uint32_t next_endport(const struct weft__spread *x, uint32_t subnet,
			     uint32_t dest)
{
	uint32_t via = x->m->via[(size_t)subnet * x->s->nhosts + dest];

	if (subnet == x->s->host[dest].subnet)
		return x->s->host[dest].ep;
	return via == WEFT_NONE ? WEFT_NONE : x->s->port[via].ep;
}

/* Returns the port by which packets for a host leave a router that they came to
 * by one; WEFT_NONE: none. */
static uint32_t exit_of(const struct weft__spread *x, uint32_t in,
			uint32_t dest)
{
	return x->m->out[(size_t)x->s->port[in].router * x->s->nhosts + dest];
}

/* Returns what a packet meets that a router sends to a host by a port, all the
 * way; INFINITY if it does not arrive. */
static double cost_of(const struct weft__spread *x, uint32_t port,
		      uint32_t dest)
{
	uint32_t subnet = x->s->port[port].subnet;
	const struct weft_subnet *t = &x->s->subnet[subnet];
	bool home = subnet == x->s->host[dest].subnet;
	struct weft__step at = { .sw = t->fabric->ep[x->s->port[port].ep].sw };
	uint32_t ep = next_endport(x, subnet, dest);
	double sum = x->sent[port] / capacity_at(x, port);
	int on = ep == WEFT_NONE ? -1 : 1;

	while (on > 0) {
		on = weft__step(t, ep, &at);
		if (on >= 0)
			sum += (x->load[subnet][at.channel] -
				(home ? x->own[at.channel] : 0)) /
			       t->fabric->capacity[at.channel];
	}
	if (on < 0)
		return INFINITY;
	return home ? sum :
		      sum + x->cost[exit_of(
				    x,
				    x->m->via[(size_t)subnet * x->s->nhosts +
					      dest],
				    dest)];
}

/* Has every router next to a subnet at a distance send to a host by the best of
 * its ports there, unless it is nearer. */
static void choose_exits(struct weft__spread *x, uint32_t dest,
			 uint32_t distance)
{
	const struct weft_subnets *s = x->s;
	uint32_t goal = s->host[dest].subnet;

	for (uint32_t p = 0; p < s->nports; p++) {
		const struct weft_router_port *q = &s->port[p];
		uint32_t *out =
			&x->m->out[(size_t)q->router * s->nhosts + dest];

		if (x->far[(size_t)q->subnet * s->n + goal] != distance ||
		    (*out != WEFT_NONE &&
		     x->far[(size_t)s->port[*out].subnet * s->n + goal] !=
			     distance))
			continue;
		x->cost[p] = cost_of(x, p, dest);
		if (x->cost[p] < (*out == WEFT_NONE ? INFINITY : x->cost[*out]))
			*out = p;
	}
}

/* Has the hosts of the subnets at a distance take a router port to a host. */
static void choose_vias(struct weft__spread *x, uint32_t dest,
			uint32_t distance)
{
	const struct weft_subnets *s = x->s;
	uint32_t goal = s->host[dest].subnet;

	for (uint32_t p = 0; p < s->nports; p++) {
		uint32_t from = s->port[p].subnet, out = exit_of(x, p, dest);
		double hosts = s->first_host[from + 1] - s->first_host[from];
		double cost;

		if (x->far[(size_t)from * s->n + goal] != distance ||
		    out == WEFT_NONE ||
		    x->far[(size_t)s->port[out].subnet * s->n + goal] + 1 !=
			    distance)
			continue;
		cost = hosts / s->nhosts * x->cost[out] + x->approach[p];
		if (cost >= x->way[from])
			continue;
		x->way[from] = cost;
		x->m->via[(size_t)from * s->nhosts + dest] = p;
	}
}

/* Loads the ways of a subnet's hosts to a host, from the first router on, or
 * takes them off with the sign -1. */
static void load_way(struct weft__spread *x, uint32_t from, uint32_t dest,
		     int sign)
{
	const struct weft_subnets *s = x->s;
	float hosts = s->first_host[from + 1] - s->first_host[from];
	float share = sign * hosts / s->nhosts;
	uint32_t subnet = from;

	while (subnet != s->host[dest].subnet) {
		uint32_t via = x->m->via[(size_t)subnet * s->nhosts + dest];
		uint32_t out = exit_of(x, via, dest), ep;
		const struct weft_subnet *t;
		struct weft__step at = { .sw = 0 };
		int on = 1;

		x->sent[out] += share;
		subnet = s->port[out].subnet;
		t = &s->subnet[subnet];
		ep = next_endport(x, subnet, dest);
		at.sw = t->fabric->ep[s->port[out].ep].sw;
		while (on > 0) {
			on = weft__step(t, ep, &at);
			if (on >= 0)
				x->load[subnet][at.channel] += share;
		}
	}
}

/* Loads all that other subnets send to a host, or takes it off. */
static void load_host(struct weft__spread *x, uint32_t dest, int sign)
{
	const struct weft_subnets *s = x->s;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t via = x->m->via[(size_t)i * s->nhosts + dest];

		if (via == WEFT_NONE)
			continue;
		load_way(x, i, dest, sign);
		for (uint32_t p = 0; p < s->nports; p++)
			x->approach[p] +=
				sign * x->meet[(size_t)via * s->nports + p];
	}
}

/* Takes back what was chosen for a host. */
static void forget_host(struct weft__spread *x, uint32_t dest)
{
	const struct weft_subnets *s = x->s;

	load_host(x, dest, -1);
	for (uint32_t i = 0; i < s->n; i++)
		x->m->via[(size_t)i * s->nhosts + dest] = WEFT_NONE;
	for (uint32_t r = 0; r < s->nrouters; r++)
		x->m->out[(size_t)r * s->nhosts + dest] = WEFT_NONE;
}

static void map_host(struct weft__spread *x, uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	uint32_t goal = s->host[dest].subnet, most = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t far = x->far[(size_t)i * s->n + goal];

		x->way[i] = INFINITY;
		if (far != WEFT_NONE && far > most)
			most = far;
	}
	add_own(x, dest, x->own);
	for (uint32_t distance = 1; distance <= most; distance++) {
		choose_exits(x, dest, distance - 1);
		choose_vias(x, dest, distance);
	}
	/* Rounding must not leave anything behind. */
	memset(x->own, 0, s->subnet[goal].fabric->nch * sizeof(*x->own));
	load_host(x, dest, 1);
}

/* Makes the arrays of each subnet. */
static bool start_subnets(struct weft__spread *x)
{
	const struct weft_subnets *s = x->s;
	uint32_t most = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft_fabric *f = s->subnet[i].fabric;

		x->load[i] = calloc(f->nch + 1ull, sizeof(*x->load[i]));
		x->hosts[i] = calloc(f->nsw + 1ull, sizeof(*x->hosts[i]));
		if (!x->load[i] || !x->hosts[i])
			return false;
		for (uint32_t e = 0; e < f->nep; e++)
			x->hosts[i][f->ep[e].sw] +=
				s->subnet[i].host_of[e] != WEFT_NONE;
		most = f->nch > most ? f->nch : most;
	}
	x->own = calloc(most + 1ull, sizeof(*x->own));
	return x->own;
}

static bool start(struct weft__spread *x)
{
	const struct weft_subnets *s = x->s;
	size_t nvia = (size_t)s->n * s->nhosts;
	size_t nout = (size_t)s->nrouters * s->nhosts;

	x->m->via = malloc((nvia + 1) * sizeof(*x->m->via));
	x->m->out = malloc((nout + 1) * sizeof(*x->m->out));
	x->load = calloc(s->n + 1ull, sizeof(*x->load));
	x->hosts = calloc(s->n + 1ull, sizeof(*x->hosts));
	x->sent = calloc(s->nports + 1ull, sizeof(*x->sent));
	x->meet = calloc((size_t)s->nports * s->nports + 1, sizeof(*x->meet));
	x->approach = malloc((s->nports + 1ull) * sizeof(*x->approach));
	x->cost = malloc((s->nports + 1ull) * sizeof(*x->cost));
	x->way = malloc((s->n + 1ull) * sizeof(*x->way));
	if (!x->m->via || !x->m->out || !x->load || !x->hosts || !x->sent ||
	    !x->meet || !x->approach || !x->cost || !x->way ||
	    !start_subnets(x))
		return false;
	memset(x->m->via, 0xff, nvia * sizeof(*x->m->via));
	memset(x->m->out, 0xff, nout * sizeof(*x->m->out));
	for (uint32_t h = 0; h < s->nhosts; h++)
		add_own(x, h, x->load[s->host[h].subnet]);
	for (uint32_t i = 0; i < s->n; i++)
		if (!weft__approaches_find(x, i))
			return false;
	return true;
}

int weft__spread_map(const struct weft_subnets *s, const uint32_t *far,
		     struct weft_router_map *m)
{
	struct weft__spread x = { .s = s, .m = m, .far = far };
	bool ok = start(&x);

	for (int pass = 0; ok && pass < PASSES; pass++)
		for (uint32_t h = 0; h < s->nhosts; h++) {
			if (pass)
				forget_host(&x, h);
			map_host(&x, h);
		}
	for (uint32_t i = 0; x.load && x.hosts && i < s->n; i++) {
		free(x.load[i]);
		free(x.hosts[i]);
	}
	free(x.load);
	free(x.hosts);
	free(x.own);
	free(x.sent);
	free(x.meet);
	free(x.approach);
	free(x.cost);
	free(x.way);
	return ok ? 0 : -ENOMEM;
}
