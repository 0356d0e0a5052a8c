// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: routers in the simulation
 *
 * A router is a switch here, with buffers and credits as others have, that has
 * no entry for any LID.  What it does instead is looked up once for a packet,
 * when it is first in its queue: the next leg, which sets the LID that switches
 * go by from there on.  Legs are kept beside the packets, so that a simulation
 * of one subnet does not carry them along.
 */
#include "core/fabric/components.h"
#include "sim/net/net.h"

#define NOWHERE UINT32_MAX

/* Where a packet is on its way. */
struct way {
	struct weft_sim_leg leg;
	uint32_t hops;	 /* that it had when it was given the leg by a router */
	uint32_t passed; /* routers */
};

struct weft__routers {
	struct way *way; /* [npool] of each packet */
};

bool weft__routers_part(struct weft__net *net, struct weft_arena *arena)
{
	uint32_t nsw = net->f->nsw;
	uint32_t *queue = weft__arena_alloc(arena, nsw, sizeof(*queue));

	net->part = weft__arena_zalloc(arena, nsw, sizeof(*net->part));
	if (weft__arena_failed(arena))
		return false;
	net->nparts = net->spec->subnets ?
			      weft__components_around(
				      net->f, net->spec->subnets->is_router,
				      net->part, queue) :
			      1;
	return true;
}

bool weft__routers_init(struct weft__net *net, struct weft_arena *arena)
{
	struct weft__routers *r;

	if (!net->spec->subnets)
		return true;
	r = net->routers = weft__arena_zalloc(arena, 1, sizeof(*r));
	if (!r)
		return false;
	r->way = weft__arena_alloc(arena, net->npool, sizeof(*r->way));
	return r->way;
}

bool weft__routers_send(struct weft__net *net, uint32_t packet)
{
	const struct weft__packet *p = &net->packet[packet];
	bool host = p->source < net->f->nep;

	net->routers->way[packet] = (struct way){
		.leg = { .from = host ? net->f->ep[p->source].lid : 0,
			 .to = p->lid },
		.hops = NOWHERE,
	};
	return weft__net_crosses(net, p->source, p->dest);
}

bool weft__routers_pass(struct weft__net *net, const struct weft__queue *queue,
			struct weft__packet *p, enum weft_sim_drop *why)
{
	const struct weft_sim_subnets *n = net->spec->subnets;
	struct way *way = &net->routers->way[p - net->packet];
	const struct weft_sim_arrival at = { queue->sw, p->dest, queue->port,
					     &way->leg };
	struct weft_sim_leg next = { .sl = p->sl };

	if (way->hops == p->hops)
		return true;
	*why = WEFT_SIM_NO_ROUTE;
	if (p->dest >= net->f->nep)
		return false;
	if (!n->is_router[queue->sw] || !n->pass(n->context, &at, &next))
		return false;
	*why = WEFT_SIM_TOO_FAR;
	if (way->passed == n->hop_limit || p->hops > net->f->nsw)
		return false;
	*why = WEFT_SIM_NO_LANE;
	p->out = weft_channel(net->f, queue->sw, next.port);
	p->vl = next.vl;
	p->sl = next.sl;
	p->lid = next.to;
	way->leg = next;
	way->hops = p->hops;
	way->passed++;
	if (net->out[p->out].to == WEFT_NONE) {
		*why = WEFT_SIM_NO_ROUTE;
		return false;
	}
	return p->vl < net->nvl;
}
