// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The legs of a way from subnet to subnet. */
#include "subnets/map/router_map.h"

uint32_t weft__router_exit(const struct weft_subnets *s,
			   const struct weft_router_map *m, uint32_t router,
			   unsigned source_lid, uint32_t dest)
{
	const struct weft_place *to = &s->host[dest];
	uint32_t exits[WEFT_MAX_PORTS + 1], n, next;
	unsigned lid;

	if (m->out) {
		uint32_t port = m->out[(size_t)router * s->nhosts + dest];

		if (port != WEFT_NONE)
			return port;
	}
	n = weft__router_map_exits(s, router, to->subnet, exits);
	if (!n)
		return WEFT_NONE;
	next = s->port[exits[0]].subnet;
	if (next == to->subnet) {
		lid = s->subnet[next].fabric->ep[to->ep].lid;
	} else {
		const struct weft__sender here = {
			.subnet = next, .guid = s->router[router].guid
		};
		uint32_t via = weft__router_map_via(s, m, &here, dest);

		lid = via == WEFT_NONE ?
			      0 :
			      s->subnet[next].fabric->ep[s->port[via].ep].lid;
	}
	return exits[weft__router_map_hash(m, source_lid, lid, n)];
}

enum weft_way_end weft_subnets_legs(const struct weft_subnets *s,
				    const struct weft_router_map *m,
				    uint32_t source, uint32_t dest,
				    struct weft_leg *leg, unsigned max,
				    unsigned *n)
{
	const struct weft_place *from = &s->host[source], *to = &s->host[dest];
	uint32_t subnet = from->subnet, at = from->ep;
	uint64_t guid = weft_subnets_guid(s, subnet, at);

	for (*n = 0; *n < max && *n <= s->hop_limit;) {
		const struct weft_fabric *f = s->subnet[subnet].fabric;
		const struct weft__sender sender = { subnet, f->ep[at].lid,
						     guid };
		struct weft_leg *l = &leg[(*n)++];
		uint32_t port;

		*l = (struct weft_leg){ subnet, at, to->ep, WEFT_NONE };
		if (subnet == to->subnet)
			return WEFT_WAY_ARRIVED;
		l->port = weft__router_map_via(s, m, &sender, dest);
		if (l->port == WEFT_NONE)
			return WEFT_WAY_NO_ROUTER;
		l->to = s->port[l->port].ep;
		guid = s->router[s->port[l->port].router].guid;
		port = weft__router_exit(s, m, s->port[l->port].router,
					 f->ep[at].lid, dest);
		if (port == WEFT_NONE)
			return WEFT_WAY_NO_ROUTER;
		subnet = s->port[port].subnet;
		at = s->port[port].ep;
	}
	return WEFT_WAY_HOP_LIMIT;
}

const char *weft_way_end_name(enum weft_way_end end)
{
	static const char *const name[] = {
		[WEFT_WAY_ARRIVED] = "arrives",
		[WEFT_WAY_NO_ROUTER] = "no router leads to the subnet",
		[WEFT_WAY_NO_ROUTE] = "no route within a subnet",
		[WEFT_WAY_LOOP] = "a loop within a subnet",
		[WEFT_WAY_HOP_LIMIT] = "more routers than the hop limit",
	};

	return name[end];
}
