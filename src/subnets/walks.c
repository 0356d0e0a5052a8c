// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packets' ways into the channel-dependency graph; see walks.h. */
#include "subnets/walks.h"

#include "subnets/router_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
		weft__cdg_add(&x->cdg, p->at, x->mixed ? lane : 0, port);
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

void weft__walks_within(struct weft__walks *x)
{
	for (uint32_t i = 0; i < x->s->n; i++)
		for (uint32_t e = 0; e < x->s->subnet[i].fabric->nep; e++)
			if (x->s->subnet[i].host_of[e] != WEFT_NONE)
				walk_tree(x, i, e, 0);
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

/* Sends a packet that waits at a router on by one of its ports. */
static void pass_router(struct weft__walks *x, const struct packet *came,
			uint32_t out, uint32_t dest)
{
	const struct weft_place *to = &x->s->host[dest];
	struct packet p;

	if (out == WEFT_NONE)
		return;
	p = leave_router(x, came, out);
	if (p.subnet == to->subnet) {
		walk(x, &p, to->ep, NULL);
		return;
	}
	x->arrived[out] |= 1u << p.sl;
	x->any = true;
}

/*
 * Finds the ports by which a router sends what the hosts of a subnet send to a
 * host through a port of it, into x->choice[]; returns how many.  The search
 * ends when there are no more, which with many hosts is soon.
 */
static uint32_t find_exits(struct weft__walks *x, uint32_t subnet, uint32_t in,
			   uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	const struct weft_fabric *f = s->subnet[subnet].fabric;
	uint32_t router = s->port[in].router, n = 0;
	uint32_t most = weft__router_map_exits(s, router, s->host[dest].subnet,
					       x->choice);

	for (uint32_t h = s->first_host[subnet];
	     n < most && h < s->first_host[subnet + 1]; h++) {
		uint32_t ep = s->host[h].ep, out, i = 0;
		const struct weft__sender sender = { subnet, f->ep[ep].lid,
						     f->ep[ep].guid };

		if (!x->m->via &&
		    weft__router_map_via(s, x->m, &sender, dest) != in)
			continue;
		out = weft__router_exit(s, x->m, router, f->ep[ep].lid, dest);
		while (i < n && x->choice[i] != out)
			i++;
		if (i == n)
			x->choice[n++] = out;
		if (x->m->out &&
		    x->m->out[(size_t)router * s->nhosts + dest] != WEFT_NONE)
			break;
	}
	return n;
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
	uint32_t n = find_exits(x, subnet, in, dest);

	for (unsigned sl = 0; sl < x->stride && used >> sl; sl++) {
		struct packet p = { .t = t, .subnet = subnet, .sw = ep->sw };
		unsigned lane;

		if (!(used & 1u << sl))
			continue;
		p.sl = sl + (x->m->level ? x->m->level[pair] * x->stride : 0);
		lane = lane_at(x, &p, ep->sw_port);
		p.at = lane * x->cdg.nch + last;
		for (uint32_t i = 0; lane < x->cdg.nlanes && i < n; i++)
			pass_router(x, &p, x->choice[i], dest);
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
		for (uint32_t o = 0; o < x->s->nports; o++) {
			uint16_t sls = x->arrived[o] & ~x->passed[o];
			const uint32_t *via;
			uint32_t n;

			if (!sls)
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
		for (uint32_t k = 0; k < n; k++)
			set_out(x, i, dest, via[k]);
	}
	if (!x->any)
		return;
	pass_subnets(x, dest);
	memset(x->arrived, 0, s->nports * sizeof(*x->arrived));
	memset(x->passed, 0, s->nports * sizeof(*x->passed));
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

int weft__walks_init(struct weft__walks *x, const struct weft_subnets *s,
		     const struct weft_whole *whole,
		     const struct weft_router_map *map, unsigned levels)
{
	unsigned lanes = weft__walks_lanes(s);
	uint32_t most = 0;

	*x = (struct weft__walks){ .s = s, .w = whole, .m = map };
	for (uint32_t i = 0; i < s->n; i++)
		if (s->subnet[i].fabric->nsw > most)
			most = s->subnet[i].fabric->nsw;
	x->mixed = lanes > 1;
	x->stride = levels > 1 ? lanes : WEFT_NSL;
	x->port_sl = calloc(s->n + 1ull, sizeof(*x->port_sl));
	x->seen = malloc((most + 1ull) * sizeof(*x->seen));
	x->arrived = calloc(s->nports + 1ull, sizeof(*x->arrived));
	x->passed = calloc(s->nports + 1ull, sizeof(*x->passed));
	x->choice = malloc((s->nports + 1ull) * sizeof(*x->choice));
	if (!x->port_sl || !x->seen || !x->arrived || !x->passed || !x->choice)
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
	free(x->seen);
	free(x->arrived);
	free(x->passed);
	free(x->choice);
	weft__cdg_free(&x->cdg);
}
