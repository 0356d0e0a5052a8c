// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: loops, credit loops across subnets
 *
 * The channel-dependency graph is that of the whole fabric, routers being
 * switches.  Within a subnet the routes to a LID form a tree, which is walked
 * from each switch with hosts.  At a router, packets that came in by the port
 * that a mapping names go on to the ports that the router may send by; from
 * these each destination's tree is walked on.  Only pairs that a mapping
 * produces count, so that no dependency is there for nothing.
 *
 * A packet keeps its service level.  Lanes in a subnet follow from it by the
 * subnet's SL2VL tables, on a router's way out it is the SL modulo the lanes of
 * the subnet behind.
 *
 * Complexity: O(hosts x switches x service levels in use) for trees, and
 * O(hosts x ports of a router x hops) for each subnet behind routers.
 */
#include "subnets/loops.h"

#include "graph/cdg.h"
#include "proof/cycle.h"
#include "subnets/router_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct loops {
	const struct weft_subnets *s;
	const struct weft_whole *w;
	const struct weft_router_map *m;
	struct weft__cdg cdg;
	bool mixed;
	uint16_t **levels; /* [n][nports] SLs by which the hosts of a subnet
			    * send to a router port of it */
	uint16_t *seen;	   /* [most switches] SLs that a walk had there */
	bool any;	   /* arrived[] is not all 0 */
	uint16_t *arrived; /* [nports] SLs by which packets to the current
			    * host leave a router */
	uint32_t *choice;  /* [nports] */
	bool *used;	   /* [nports] router ports that hosts send to */
};

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

/* Puts a packet into the next channel: notes that its buffer waits for that. */
static void enter(struct loops *x, struct packet *p, uint32_t sw, unsigned port,
		  unsigned lane)
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
static bool walk(struct loops *x, struct packet *p, uint32_t ep, uint16_t *seen)
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
		lane = weft_layers_vl(&p->t->routes.layers, f, p->sw, p->in,
				      port, p->sl);
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

/* Walks to an endport of a subnet from all of its hosts.  Returns the SLs by
 * which packets arrive. */
static uint16_t walk_tree(struct loops *x, uint32_t subnet, uint32_t ep)
{
	const struct weft_subnet *t = &x->s->subnet[subnet];
	const struct weft_fabric *f = t->fabric;
	const struct weft_layers *y = &t->routes.layers;
	/* Hosts on one switch send alike, so that one of them will do. */
	bool alike = y->form != WEFT_SL_ENDPORT_LID && !y->sl2vl;
	uint32_t last = WEFT_NONE;
	uint16_t used = 0;

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
		p.sl = weft_layers_sl(y, f, e | WEFT_ENDPORT, f->ep[ep].lid);
		if (!(x->seen[p.sw] & 1u << p.sl) && walk(x, &p, ep, x->seen))
			used |= 1u << p.sl;
	}
	return used;
}

/* Notes the router ports that the mapping names for any pair. */
static void find_used(struct loops *x)
{
	const struct weft_subnets *s = x->s;
	size_t pairs = (size_t)s->n * s->n;

	for (size_t i = 0; x->m->via && i < (size_t)s->n * s->nhosts; i++)
		if (x->m->via[i] != WEFT_NONE)
			x->used[x->m->via[i]] = true;
	for (size_t i = 0; !x->m->via && i < pairs; i++)
		for (uint32_t k = 0; k < x->m->nchoices[i]; k++)
			x->used[x->m->choice[i * s->nports + k]] = true;
}

/* Whether any host sends to an endport: a host, or a router port in use. */
static bool is_goal(const struct loops *x, uint32_t subnet, uint32_t ep)
{
	if (x->s->subnet[subnet].host_of[ep] != WEFT_NONE)
		return true;
	for (uint32_t p = 0; p < x->s->nports; p++)
		if (x->s->port[p].subnet == subnet && x->s->port[p].ep == ep)
			return x->used[p];
	return false;
}

/* The hosts' own walks within each subnet, to hosts and to router ports. */
static bool walk_subnets(struct loops *x)
{
	for (uint32_t i = 0; i < x->s->n; i++) {
		const struct weft_subnet *t = &x->s->subnet[i];

		x->levels[i] =
			calloc(t->fabric->nep + 1ull, sizeof(*x->levels[i]));
		if (!x->levels[i])
			return false;
		for (uint32_t e = 0; t->routes.lft.port && e < t->fabric->nep;
		     e++)
			if (is_goal(x, i, e))
				x->levels[i][e] = walk_tree(x, i, e);
	}
	return true;
}

/* Returns a packet that leaves a router by a port of it with an SL, after it
 * came in by port in; false if it came by no channel there. */
static struct packet leave_router(struct loops *x, const struct packet *came,
				  uint32_t out)
{
	const struct weft_router_port *o = &x->s->port[out];
	const struct weft_subnet *t = &x->s->subnet[o->subnet];
	const struct weft_endport *ep = &t->fabric->ep[o->ep];
	struct packet p = *came;

	enter(x, &p, x->w->router[o->router], o->port, p.sl % lanes_of(t));
	p.t = t;
	p.subnet = o->subnet;
	p.sw = ep->sw;
	p.in = ep->sw_port;
	return p;
}

/* Sends a packet that waits at a router on by one of its ports. */
static void pass_router(struct loops *x, const struct packet *came,
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
static uint32_t find_exits(struct loops *x, uint32_t subnet, uint32_t in,
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

/* Follows packets for a host from the hosts of a subnet, and from where they
 * have come into it already, through the next router. */
static void cross(struct loops *x, uint32_t subnet, uint32_t dest, uint32_t in)
{
	const struct weft_subnet *t = &x->s->subnet[subnet];
	const struct weft_fabric *f = t->fabric;
	const struct weft_endport *ep = &f->ep[x->s->port[in].ep];
	uint32_t last = weft_channel(x->w->fabric, x->w->sw[subnet][ep->sw],
				     ep->sw_port);
	uint16_t used = x->levels[subnet][x->s->port[in].ep];
	uint32_t n;

	for (uint32_t o = 0; o < x->s->nports; o++)
		for (unsigned sl = 0;
		     x->s->port[o].subnet == subnet && sl < WEFT_NSL; sl++) {
			struct packet p = {
				.t = t,
				.subnet = subnet,
				.sw = f->ep[x->s->port[o].ep].sw,
				.in = f->ep[x->s->port[o].ep].sw_port,
				.sl = sl,
			};

			if (!(x->arrived[o] & 1u << sl))
				continue;
			p.at = sl % lanes_of(t) * x->cdg.nch +
			       weft_channel(x->w->fabric,
					    x->w->router[x->s->port[o].router],
					    x->s->port[o].port);
			if (walk(x, &p, x->s->port[in].ep, NULL))
				pass_router(x, &p,
					    weft__router_exit(
						    x->s, x->m,
						    x->s->port[in].router,
						    f->ep[x->s->port[o].ep].lid,
						    dest),
					    dest);
		}
	n = find_exits(x, subnet, in, dest);
	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		struct packet p = { .t = t, .subnet = subnet, .sl = sl };
		unsigned lane;

		if (!(used & 1u << sl))
			continue;
		lane = weft_layers_vl(&t->routes.layers, f, ep->sw, 0,
				      ep->sw_port, sl);
		p.at = lane * x->cdg.nch + last;
		for (uint32_t i = 0; lane < x->cdg.nlanes && i < n; i++)
			pass_router(x, &p, x->choice[i], dest);
	}
}

/* All that other subnets send to a host, the farthest ones first. */
static void walk_to(struct loops *x, uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	uint32_t goal = s->host[dest].subnet, far = 0;

	memset(x->arrived, 0, s->nports * sizeof(*x->arrived));
	x->any = false;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->hops[(size_t)i * s->n + goal] != WEFT_NONE &&
		    s->hops[(size_t)i * s->n + goal] > far)
			far = s->hops[(size_t)i * s->n + goal];
	for (; far; far--)
		for (uint32_t i = 0; i < s->n; i++) {
			const uint32_t *some;
			uint32_t n = 1;

			if (s->hops[(size_t)i * s->n + goal] != far ||
			    !s->subnet[i].routes.lft.port)
				continue;
			some = x->m->via ?
				       &x->m->via[(size_t)i * s->nhosts +
						  dest] :
				       &x->m->choice[((size_t)i * s->n + goal) *
						     s->nports];
			if (!x->m->via)
				n = x->m->nchoices[(size_t)i * s->n + goal];
			for (uint32_t k = 0; k < n; k++)
				if (some[k] != WEFT_NONE)
					cross(x, i, dest, some[k]);
		}
}

static int find(struct loops *x, struct weft_subnets_proof *out)
{
	struct weft_arena *scratch = weft__arena_new();
	struct weft__knots knots;
	unsigned lanes = 0;
	int err =
		scratch ? weft__knots_find(&x->cdg, &knots, scratch) : -ENOMEM;

	if (!err) {
		for (uint32_t i = 0; knots.n && i < knots.first[knots.n]; i++)
			lanes |= 1u << knots.vertex[i] / x->cdg.nch;
		out->cyclic_vls = __builtin_popcount(lanes);
		out->ncycles = knots.n;
		err = weft__cdg_cycles(&x->cdg, &knots, &out->cycle);
	}
	if (err)
		out->ncycles = 0;
	if (scratch)
		weft__arena_free(scratch);
	return err;
}

/* Prepares the graph: lanes are mixed unless there is one. */
static int start(struct loops *x)
{
	const struct weft_subnets *s = x->s;
	unsigned lanes = 1;
	uint32_t most = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft_subnet *t = &s->subnet[i];

		if (lanes_of(t) > lanes)
			lanes = lanes_of(t);
		if (t->routes.layers.sl2vl)
			lanes = WEFT_MAX_LANES;
		if (t->fabric->nsw > most)
			most = t->fabric->nsw;
	}
	x->mixed = lanes > 1;
	x->levels = calloc(s->n + 1ull, sizeof(*x->levels));
	x->seen = malloc((most + 1ull) * sizeof(*x->seen));
	x->arrived = malloc((s->nports + 1ull) * sizeof(*x->arrived));
	x->choice = malloc((s->nports + 1ull) * sizeof(*x->choice));
	x->used = calloc(s->nports + 1ull, sizeof(*x->used));
	if (!x->levels || !x->seen || !x->arrived || !x->choice || !x->used)
		return -ENOMEM;
	find_used(x);
	return weft__cdg_init(&x->cdg, x->w->fabric, lanes, x->mixed);
}

int weft__subnets_loops(const struct weft_subnets *s,
			const struct weft_whole *whole,
			const struct weft_router_map *map,
			struct weft_subnets_proof *out)
{
	struct loops x = { .s = s, .w = whole, .m = map };
	int err = start(&x);

	if (!err && !walk_subnets(&x))
		err = -ENOMEM;
	for (uint32_t d = 0; !err && d < s->nhosts; d++)
		walk_to(&x, d);
	if (!err)
		err = find(&x, out);
	for (uint32_t i = 0; x.levels && i < s->n; i++)
		free(x.levels[i]);
	free(x.levels);
	free(x.seen);
	free(x.arrived);
	free(x.choice);
	free(x.used);
	weft__cdg_free(&x.cdg);
	return err;
}
