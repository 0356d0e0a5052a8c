// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: isfr, routers in the place of a fat tree's roots
 *
 * Idea (the paper of methods.c): for each destination there is one switch of
 * its subnet, of those with routers above them, through which the subnet's own
 * tables lead up and down to it, its primary path.  Routers that have a port to
 * that switch send to the destination by it.  A source's subnet takes such a
 * router, so that the whole is routed like one fat tree.
 *
 * The paper leaves open which of these routers.  Here destinations that have
 * the same switch take them in turn, as d-mod-k's next digit does, and the port
 * to the router in the source's subnet is that of the same rank as the router's
 * port to the destination's switch.  So every level divides destinations
 * evenly.
 *
 * The primary switch is the one that most leaves send through.  Where there is
 * none, or a subnet that is further than one router away, issr's choice stays,
 * and is counted.
 *
 * Complexity: O(hosts x leaves x hops).
 */
#include "subnets/map/router_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct isfr {
	const struct weft_subnets *s;
	struct weft_router_map *m;
	uint32_t *above;   /* [nsw] router ports on a switch */
	uint32_t *passing; /* [nsw] leaves that send through it */
	uint32_t *turn;	   /* [nsw] destinations that had it so far */
	uint32_t *leaf;	   /* [nsw] switches with hosts */
	uint32_t nleaves;
	uint32_t *primary; /* [hosts of the subnet] */
	uint32_t *order;   /* [hosts of the subnet] turn of each */
	uint32_t *ports;   /* [nports] scratch */
	/* [nports] destinations of the subnets before, so that turns go on from
	 * subnet to subnet; see place_of(). */
	uint32_t *before;
};

static bool start_subnet(struct isfr *x, uint32_t subnet)
{
	const struct weft_fabric *f = x->s->subnet[subnet].fabric;
	uint32_t hosts =
		x->s->first_host[subnet + 1] - x->s->first_host[subnet];

	x->above = calloc(f->nsw + 1ull, sizeof(*x->above));
	x->passing = calloc(f->nsw + 1ull, sizeof(*x->passing));
	x->turn = calloc(f->nsw + 1ull, sizeof(*x->turn));
	x->leaf = malloc((f->nsw + 1ull) * sizeof(*x->leaf));
	x->primary = malloc((hosts + 1ull) * sizeof(*x->primary));
	x->order = calloc(hosts + 1ull, sizeof(*x->order));
	x->nleaves = 0;
	return x->above && x->passing && x->turn && x->leaf && x->primary &&
	       x->order;
}

static void end_subnet(struct isfr *x)
{
	free(x->above);
	free(x->passing);
	free(x->turn);
	free(x->leaf);
	free(x->primary);
	free(x->order);
}

/* Counts the leaves that send to a host through each switch with routers, or
 * has none counted where a route does not arrive. */
static void count_leaves(struct isfr *x, const struct weft_subnet *t,
			 uint32_t ep)
{
	const struct weft_fabric *f = t->fabric;
	unsigned lid = f->ep[ep].lid;

	memset(x->passing, 0, f->nsw * sizeof(*x->passing));
	for (uint32_t i = 0; i < x->nleaves; i++) {
		uint32_t sw = x->leaf[i];

		for (uint32_t hops = 0; hops < f->nsw; hops++) {
			unsigned port = weft_lft_get(&t->routes.lft, sw, lid);
			uint32_t peer;

			x->passing[sw] += x->above[sw] != 0;
			if (!port || port > f->sw[sw].nports)
				break;
			peer = f->peer[weft_channel(f, sw, port)];
			if (peer == WEFT_NONE || !weft_is_switch(peer))
				break;
			sw = peer;
		}
	}
}

/* Returns the switch with routers that most leaves send through; the first of
 * those that are alike. */
static uint32_t find_primary(const struct isfr *x, uint32_t nsw)
{
	uint32_t best = WEFT_NONE;

	for (uint32_t sw = 0; sw < nsw; sw++)
		if (x->passing[sw] &&
		    (best == WEFT_NONE || x->passing[sw] > x->passing[best]))
			best = sw;
	return best;
}

static void find_primaries(struct isfr *x, uint32_t subnet)
{
	const struct weft_subnets *s = x->s;
	const struct weft_subnet *t = &s->subnet[subnet];
	const struct weft_fabric *f = t->fabric;

	for (uint32_t e = 0; e < f->nep; e++)
		x->above[f->ep[e].sw] += t->host_of[e] == WEFT_NONE;
	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		bool hosts = false;

		for (uint32_t i = f->sw_ep_first[sw];
		     i < f->sw_ep_first[sw + 1]; i++)
			hosts |= t->host_of[f->sw_endport[i]] != WEFT_NONE;
		if (hosts)
			x->leaf[x->nleaves++] = sw;
	}
	for (uint32_t h = s->first_host[subnet]; h < s->first_host[subnet + 1];
	     h++) {
		uint32_t i = h - s->first_host[subnet], p;

		count_leaves(x, t, s->host[h].ep);
		p = find_primary(x, f->nsw);
		x->primary[i] = p;
		if (p != WEFT_NONE)
			x->order[i] = x->turn[p]++;
	}
}

/* Notes a destination for which issr's choice stays. */
static void unfit(struct isfr *x, uint32_t from, uint32_t dest, const char *why)
{
	const struct weft_place *to = &x->s->host[dest];

	if (!x->m->unfit++)
		snprintf(x->m->reason, sizeof(x->m->reason),
			 "from subnet %.40s to 0x%016" PRIx64 ": %s",
			 x->s->subnet[from].name,
			 weft_subnets_guid(x->s, to->subnet, to->ep), why);
}

/* Returns the rank of a port among those of its router in its subnet. */
static uint32_t rank_of(const struct weft_subnets *s, uint32_t port)
{
	const struct weft_router *r = &s->router[s->port[port].router];
	uint32_t rank = 0;

	for (uint32_t i = r->first; i < port; i++)
		rank += s->port[i].subnet == s->port[port].subnet;
	return rank;
}

/* Returns what switches of all subnets that are in the same place below the
 * same routers have in common, given the first router port on one: the first
 * port of that router, and which of its ports in the subnet it is. */
static uint32_t place_of(const struct weft_subnets *s, uint32_t port)
{
	return s->router[s->port[port].router].first + rank_of(s, port);
}

/* Has the turns of the next subnet go on behind those of this one. */
static void count_turns(struct isfr *x, uint32_t subnet)
{
	const struct weft_fabric *f = x->s->subnet[subnet].fabric;

	for (uint32_t p = 0; p < x->s->nports; p++) {
		const struct weft_router_port *o = &x->s->port[p];
		uint32_t sw;

		if (o->subnet != subnet)
			continue;
		sw = f->ep[o->ep].sw;
		x->before[place_of(x->s, p)] += x->turn[sw];
		x->turn[sw] = 0;
	}
}

/* Chooses for a destination: every router that has a port to its primary switch
 * sends by it, and each other subnet takes one of these routers. */
static void choose(struct isfr *x, uint32_t subnet, uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	uint32_t i = dest - s->first_host[subnet], n = 0;
	uint32_t *ports = x->ports;

	for (uint32_t p = 0; x->primary[i] != WEFT_NONE && p < s->nports; p++) {
		uint32_t *out =
			&x->m->out[(size_t)s->port[p].router * s->nhosts +
				   dest];

		if (s->port[p].subnet != subnet ||
		    s->subnet[subnet].fabric->ep[s->port[p].ep].sw !=
			    x->primary[i] ||
		    *out != WEFT_NONE)
			continue;
		*out = p;
		ports[n++] = p;
	}
	for (uint32_t from = 0; from < s->n; from++) {
		uint32_t *via = &x->m->via[(size_t)from * s->nhosts + dest];
		uint32_t out, via_port;

		if (from == subnet || *via == WEFT_NONE)
			continue;
		if (!n) {
			unfit(x, from, dest,
			      "its routes pass no switch with a router");
			continue;
		}
		out = ports[(x->before[place_of(s, ports[0])] + x->order[i]) %
			    n];
		via_port = weft__router_port_in(s, s->port[out].router, from,
				     rank_of(s, out));
		if (via_port == WEFT_NONE)
			unfit(x, from, dest,
			      "no router is next to both subnets");
		else
			*via = via_port;
	}
}

int weft__isfr(const struct weft_subnets *s, struct weft_router_map *m)
{
	size_t n = (size_t)s->nrouters * s->nhosts;
	struct isfr x = {
		.s = s,
		.m = m,
		.ports = malloc((s->nports + 1ull) * sizeof(*x.ports)),
		.before = calloc(s->nports + 1ull, sizeof(*x.before)),
	};
	bool ok = x.ports && x.before;

	m->out = malloc((n + 1) * sizeof(*m->out));
	ok = ok && m->out;
	if (ok)
		memset(m->out, 0xff, n * sizeof(*m->out));
	for (uint32_t i = 0; ok && i < s->n; i++) {
		ok = start_subnet(&x, i);
		if (ok && s->subnet[i].routes.lft.port)
			find_primaries(&x, i);
		for (uint32_t h = s->first_host[i];
		     ok && h < s->first_host[i + 1]; h++) {
			if (!s->subnet[i].routes.lft.port)
				x.primary[h - s->first_host[i]] = WEFT_NONE;
			choose(&x, i, h);
		}
		if (ok)
			count_turns(&x, i);
		end_subnet(&x);
	}
	free(x.ports);
	free(x.before);
	return ok ? 0 : -ENOMEM;
}
