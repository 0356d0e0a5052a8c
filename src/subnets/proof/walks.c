// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packets' ways into the channel-dependency graph; see walks.h. */
#include "subnets/proof/walks.h"

#include "subnets/map/router_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_WORDS ((WEFT_MAX_PORTS + 64) / 64) /* of bits for ports */

/* A packet on its way through a subnet. */
struct packet {
	const struct weft_subnet *t;
	uint32_t subnet, sw;
	unsigned in; /* port by which it came, 0 from a host */
	uint32_t at; /* vertex whose buffer it is in; WEFT_NONE: a host's */
	uint8_t sl;
};

static unsigned lanes_of(const struct weft_subnet *t)
{
	return t->routes.layers.nvl ? t->routes.layers.nvl : 1;
}

/* Returns the lane of a packet that leaves a switch; beyond all lanes if it is
 * discarded. */
static unsigned lane_at(const struct weft__walks *x, const struct packet *p,
			unsigned out)
{
	unsigned lane = weft_layers_vl(&p->t->routes.layers, p->t->fabric,
				       p->sw, p->in, out, p->sl % x->stride);

	return lane == WEFT_VL_DROP ? x->cdg.nlanes :
				      lane + p->sl / x->stride * x->stride;
}

/* Returns the lane of a packet that a router sends into its subnet. */
static unsigned lane_into(const struct weft__walks *x,
			  const struct weft_subnet *t, unsigned sl)
{
	return sl % x->stride % lanes_of(t) + sl / x->stride * x->stride;
}

/* Puts a packet into the next channel: notes that its buffer waits for that. */
static void enter(struct weft__walks *x, struct packet *p, uint32_t sw,
		  unsigned port, unsigned lane)
{
	if (p->at != WEFT_NONE)
		weft__cdg_add_shared(&x->cdg, p->at, x->mixed ? lane : 0, port);
	p->at = lane * x->cdg.nch + weft_channel(x->w->fabric, sw, port);
}

/*
 * Walks to a LID.  seen[], unless NULL, ends the walk at a switch where one
 * with that SL has been already; the dependency that leads there is noted.
 * Returns true if it arrives at the endport; the packet is at the last channel
 * then.
 */
static bool walk(struct weft__walks *x, struct packet *p, uint32_t ep,
		 uint16_t *seen)
{
	const struct weft_fabric *f = p->t->fabric;
	const struct weft_lft *lft = &p->t->routes.lft;

	for (uint32_t hops = 0; hops <= f->nsw; hops++) {
		unsigned port = weft_lft_get(lft, p->sw, f->ep[ep].lid), lane;
		bool again = seen && seen[p->sw] & 1u << p->sl;
		uint32_t ch, peer;

		if (!port || port > f->sw[p->sw].nports)
			return false;
		ch = weft_channel(f, p->sw, port);
		peer = f->peer[ch];
		lane = lane_at(x, p, port);
		if (peer == WEFT_NONE || lane >= x->cdg.nlanes)
			return false;
		enter(x, p, x->w->sw[p->subnet][p->sw], port, lane);
		if (seen)
			seen[p->sw] |= 1u << p->sl;
		if (!weft_is_switch(peer))
			return peer == (ep | WEFT_ENDPORT);
		if (again)
			return false;
		p->in = f->peer_port[ch];
		p->sw = peer;
	}
	return false;
}

/* Walks to an endport of a subnet from all of its hosts.  Returns the SLs, less
 * their level's, by which packets arrive. */
static uint16_t walk_tree(struct weft__walks *x, uint32_t subnet, uint32_t ep,
			  unsigned level)
{
	const struct weft_subnet *t = &x->s->subnet[subnet];
	const struct weft_fabric *f = t->fabric;
	const struct weft_layers *y = &t->routes.layers;
	/* Hosts on one switch send alike, so that one of them will do. */
	bool alike = y->form != WEFT_SL_ENDPORT_LID && !y->sl2vl;
	uint32_t last = WEFT_NONE;
	uint16_t used = 0;

	if (!t->routes.lft.port)
		return 0;
	memset(x->seen, 0, f->nsw * sizeof(*x->seen));
	for (uint32_t k = 0; k < f->nep; k++) {
		uint32_t e = f->sw_endport[k];
		struct packet p = {
			.t = t,
			.subnet = subnet,
			.sw = f->ep[e].sw,
			.in = f->ep[e].sw_port,
			.at = WEFT_NONE,
		};

		if (t->host_of[e] == WEFT_NONE || e == ep ||
		    (alike && p.sw == last))
			continue;
		last = p.sw;
		p.sl = weft_layers_sl(y, f, e | WEFT_ENDPORT, f->ep[ep].lid) %
			       x->stride +
		       level * x->stride;
		if (!(x->seen[p.sw] & 1u << p.sl) && walk(x, &p, ep, x->seen))
			used |= 1u << p.sl % x->stride;
	}
	return used;
}

void weft__walks_to_port(struct weft__walks *x, uint32_t port, unsigned level)
{
	const struct weft_router_port *p = &x->s->port[port];

	x->port_sl[p->subnet][p->ep] = walk_tree(x, p->subnet, p->ep, level);
}

/* Returns a packet that leaves a router by a port of it with an SL, after it
 * came in by port in; false if it came by no channel there. */
static struct packet leave_router(struct weft__walks *x,
				  const struct packet *came, uint32_t out)
{
	const struct weft_router_port *o = &x->s->port[out];
	const struct weft_subnet *t = &x->s->subnet[o->subnet];
	const struct weft_endport *ep = &t->fabric->ep[o->ep];
	struct packet p = *came;

	enter(x, &p, x->w->router[o->router], o->port, lane_into(x, t, p.sl));
	p.t = t;
	p.subnet = o->subnet;
	p.sw = ep->sw;
	p.in = ep->sw_port;
	return p;
}

/* Sends a packet that waits at a router on by one of its ports.  What comes
 * after that is the same wherever it came from, and is walked once. */
static void pass_router(struct weft__walks *x, const struct packet *came,
			uint32_t out, uint32_t dest)
{
	const struct weft_place *to = &x->s->host[dest];
	struct packet p;

	if (out == WEFT_NONE)
		return;
	p = leave_router(x, came, out);
	if (x->arrived[out] & 1u << p.sl)
		return;
	if (!x->arrived[out])
		x->left[x->nleft++] = out;
	x->arrived[out] |= 1u << p.sl;
	if (p.subnet == to->subnet)
		walk(x, &p, to->ep, NULL);
	else
		x->any = true;
}

/* Returns the bit of a port among those by which a router sends what it gets
 * by another one. */
static uint64_t *exit_bit(struct weft__walks *x, uint32_t in, uint32_t out,
			  unsigned *bit)
{
	uint32_t k = out - x->s->router[x->s->port[in].router].first;

	*bit = k % 64;
	return &x->exits[(size_t)in * EXIT_WORDS + k / 64];
}

/* Lists the ports by which each router may send to a subnet, unless that is
 * what was listed last. */
static void list_ways(struct weft__walks *x, uint32_t goal)
{
	const struct weft_subnets *s = x->s;

	for (uint32_t r = 0; x->goal != goal && r < s->nrouters; r++)
		x->nways[r] = weft__router_map_exits(
			s, r, goal, &x->way[s->router[r].first]);
	x->goal = goal;
}

/* Returns true if a mapping says by which port a router sends to a host. */
static bool is_told(const struct weft__walks *x, uint32_t router, uint32_t dest)
{
	return x->m->out &&
	       x->m->out[(size_t)router * x->s->nhosts + dest] != WEFT_NONE;
}

/* Returns the port by which a router sends what a host sends to another one. */
static uint32_t exit_for(const struct weft__walks *x, uint32_t router,
			 uint32_t source, uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	const struct weft_place *from = &s->host[source], *to = &s->host[dest];
	const uint32_t *way = &x->way[s->router[router].first];
	unsigned lid = s->subnet[from->subnet].fabric->ep[from->ep].lid;

	if (is_told(x, router, dest) || !x->nways[router] ||
	    s->port[way[0]].subnet != to->subnet)
		return weft__router_exit(s, x->m, router, lid, dest);
	return way[weft__router_map_hash(
		x->m, lid, s->subnet[to->subnet].fabric->ep[to->ep].lid,
		x->nways[router])];
}

/*
 * Finds the ports by which routers send what the hosts of a subnet send to a
 * host, in exits[] of each port by which it comes.  The search ends when there
 * are no more, which with many hosts is soon.
 */
static void find_exits(struct weft__walks *x, uint32_t subnet,
		       const uint32_t *via, uint32_t n, uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	uint32_t found = 0, most = 0;

	list_ways(x, s->host[dest].subnet);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t router = s->port[via[k]].router;

		memset(&x->exits[(size_t)via[k] * EXIT_WORDS], 0,
		       EXIT_WORDS * sizeof(*x->exits));
		most += is_told(x, router, dest) ? 1 : x->nways[router];
	}
	for (uint32_t h = s->first_host[subnet];
	     found < most && h < s->first_host[subnet + 1]; h++) {
		uint32_t in = weft__router_map_host_via(s, x->m, h, dest);
		uint32_t out = exit_for(x, s->port[in].router, h, dest);
		uint64_t *word;
		unsigned bit;

		if (out == WEFT_NONE)
			continue;
		word = exit_bit(x, in, out, &bit);
		found += !(*word >> bit & 1);
		*word |= 1ull << bit;
	}
}

/* Sends what has come into a subnet by a port of a router, with some SLs, on to
 * the router port that the mapping names for the host. */
static void pass_on(struct weft__walks *x, uint32_t came, uint16_t sls,
		    uint32_t in, uint32_t dest)
{
	const struct weft_router_port *q = &x->s->port[came];
	const struct weft_subnet *t = &x->s->subnet[q->subnet];
	const struct weft_endport *ep = &t->fabric->ep[q->ep];
	uint32_t out = weft__router_exit(x->s, x->m, x->s->port[in].router,
					 ep->lid, dest);

	for (unsigned sl = 0; sls >> sl; sl++) {
		struct packet p = { .t = t,
				    .subnet = q->subnet,
				    .sw = ep->sw,
				    .in = ep->sw_port,
				    .sl = sl };

		if (!(sls >> sl & 1))
			continue;
		p.at = lane_into(x, t, sl) * x->cdg.nch +
		       weft_channel(x->w->fabric, x->w->router[q->router],
				    q->port);
		if (walk(x, &p, x->s->port[in].ep, NULL))
			pass_router(x, &p, out, dest);
	}
}

/* Follows packets for a host from the hosts of a subnet through a router. */
static void set_out(struct weft__walks *x, uint32_t subnet, uint32_t dest,
		    uint32_t in)
{
	const struct weft_subnet *t = &x->s->subnet[subnet];
	const struct weft_endport *ep = &t->fabric->ep[x->s->port[in].ep];
	size_t pair = (size_t)subnet * x->s->n + x->s->host[dest].subnet;
	uint16_t used = x->port_sl[subnet][x->s->port[in].ep];
	uint32_t last = weft_channel(x->w->fabric, x->w->sw[subnet][ep->sw],
				     ep->sw_port);
	const struct weft_router *r = &x->s->router[x->s->port[in].router];

	for (unsigned sl = 0; sl < x->stride && used >> sl; sl++) {
		struct packet p = { .t = t, .subnet = subnet, .sw = ep->sw };
		unsigned lane;

		if (!(used & 1u << sl))
			continue;
		p.sl = sl + (x->m->level ? x->m->level[pair] * x->stride : 0);
		lane = lane_at(x, &p, ep->sw_port);
		p.at = lane * x->cdg.nch + last;
		for (uint32_t i = 0; lane < x->cdg.nlanes && i < r->n; i++) {
			unsigned bit;
			const uint64_t *word =
				exit_bit(x, in, r->first + i, &bit);

			if (*word >> bit & 1)
				pass_router(x, &p, r->first + i, dest);
		}
	}
}

/* Lists the router ports by which the hosts of a subnet send to a host. */
static const uint32_t *list_vias(const struct weft__walks *x, uint32_t subnet,
				 uint32_t dest, uint32_t *n)
{
	size_t pair = (size_t)subnet * x->s->n + x->s->host[dest].subnet;
	const uint32_t *via;

	if (!x->m->via) {
		*n = x->m->nchoices[pair];
		return &x->m->choice[pair * x->s->nports];
	}
	via = &x->m->via[(size_t)subnet * x->s->nhosts + dest];
	*n = *via != WEFT_NONE;
	return via;
}

/* Sends on what has come into subnets on the way, until nothing does. */
static void pass_subnets(struct weft__walks *x, uint32_t dest)
{
	while (x->any) {
		x->any = false;
		for (uint32_t i = 0; i < x->nleft; i++) {
			uint32_t o = x->left[i];
			uint16_t sls = x->arrived[o] & ~x->passed[o];
			const uint32_t *via;
			uint32_t n;

			if (!sls ||
			    x->s->port[o].subnet == x->s->host[dest].subnet)
				continue;
			x->passed[o] |= sls;
			via = list_vias(x, x->s->port[o].subnet, dest, &n);
			for (uint32_t k = 0; k < n; k++)
				pass_on(x, o, sls, via[k], dest);
		}
	}
}

void weft__walks_to_host(struct weft__walks *x, uint32_t dest, uint32_t from)
{
	const struct weft_subnets *s = x->s;

	x->any = false;
	for (uint32_t i = 0; i < s->n; i++) {
		const uint32_t *via;
		uint32_t n;

		if (i == s->host[dest].subnet ||
		    (from != WEFT_NONE && from != i) ||
		    !s->subnet[i].routes.lft.port)
			continue;
		via = list_vias(x, i, dest, &n);
		find_exits(x, i, via, n, dest);
		for (uint32_t k = 0; k < n; k++)
			set_out(x, i, dest, via[k]);
	}
	pass_subnets(x, dest);
	while (x->nleft) {
		uint32_t out = x->left[--x->nleft];

		x->arrived[out] = 0;
		x->passed[out] = 0;
	}
}

/* --- the graph ------------------------------------------------------------ */

unsigned weft__walks_lanes(const struct weft_subnets *s)
{
	unsigned lanes = 1;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft_subnet *t = &s->subnet[i];

		if (lanes_of(t) > lanes)
			lanes = lanes_of(t);
		if (t->routes.layers.sl2vl)
			lanes = WEFT_MAX_LANES;
	}
	return lanes;
}

/* Makes what a walk needs for itself.  Returns false without memory. */
static bool make_scratch(struct weft__walks *x)
{
	const struct weft_subnets *s = x->s;
	uint32_t most = 0;

	for (uint32_t i = 0; i < s->n; i++)
		if (s->subnet[i].fabric->nsw > most)
			most = s->subnet[i].fabric->nsw;
	x->goal = WEFT_NONE;
	x->nleft = 0;
	x->seen = malloc((most + 1ull) * sizeof(*x->seen));
	x->arrived = calloc(s->nports + 1ull, sizeof(*x->arrived));
	x->passed = calloc(s->nports + 1ull, sizeof(*x->passed));
	x->left = malloc((s->nports + 1ull) * sizeof(*x->left));
	x->exits = malloc((s->nports * (size_t)EXIT_WORDS + 1) *
			  sizeof(*x->exits));
	x->way = malloc((s->nports + 1ull) * sizeof(*x->way));
	x->nways = malloc((s->nrouters + 1ull) * sizeof(*x->nways));
	return x->seen && x->arrived && x->passed && x->left && x->exits &&
	       x->way && x->nways;
}

static void free_scratch(struct weft__walks *x)
{
	free(x->seen);
	free(x->arrived);
	free(x->passed);
	free(x->left);
	free(x->exits);
	free(x->way);
	free(x->nways);
}

int weft__walks_init(struct weft__walks *x, const struct weft_subnets *s,
		     const struct weft_whole *whole,
		     const struct weft_router_map *map, unsigned levels)
{
	unsigned lanes = weft__walks_lanes(s);

	*x = (struct weft__walks){ .s = s, .w = whole, .m = map };
	x->mixed = lanes > 1;
	x->stride = levels > 1 ? lanes : WEFT_NSL;
	x->port_sl = calloc(s->n + 1ull, sizeof(*x->port_sl));
	if (!make_scratch(x) || !x->port_sl)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n; i++) {
		x->port_sl[i] = calloc(s->subnet[i].fabric->nep + 1ull,
				       sizeof(*x->port_sl[i]));
		if (!x->port_sl[i])
			return -ENOMEM;
	}
	/* Lanes mix within a level only, so that with one lane each they stay
	 * apart. */
	return weft__cdg_init(&x->cdg, whole->fabric, lanes * levels, x->mixed);
}

void weft__walks_free(struct weft__walks *x)
{
	for (uint32_t i = 0; x->port_sl && i < x->s->n; i++)
		free(x->port_sl[i]);
	free(x->port_sl);
	free_scratch(x);
	weft__cdg_free(&x->cdg);
}

/* --- all hosts ------------------------------------------------------------ */

/* Walks to all hosts, from within their subnets or from others.  Threads add to
 * one graph, and what that has in the end does not depend on their order. */
static int walk_to_all(struct weft__walks *x, bool within)
{
	const struct weft_subnets *s = x->s;
	bool failed = false;

#pragma omp parallel
	{
		struct weft__walks mine = *x;
		bool ok = make_scratch(&mine);

#pragma omp for schedule(dynamic, 64)
		for (uint32_t h = 0; h < s->nhosts; h++) {
			if (ok && within)
				walk_tree(&mine, s->host[h].subnet,
					  s->host[h].ep, 0);
			else if (ok)
				weft__walks_to_host(&mine, h, WEFT_NONE);
		}
		free_scratch(&mine);
		if (!ok)
#pragma omp atomic write
			failed = true;
	}
	return failed ? -ENOMEM : 0;
}

int weft__walks_within(struct weft__walks *x)
{
	return walk_to_all(x, true);
}

int weft__walks_across(struct weft__walks *x)
{
	return walk_to_all(x, false);
}
