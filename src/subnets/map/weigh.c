// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Weights of router ports: how many hosts of other subnets are behind them. */
#include <weft/subnets.h>

/* Returns how many hosts a subnet sends to by a router port of it. */
static uint32_t count_behind(const struct weft_subnets *s,
			     const struct weft_router_map *m, uint32_t port)
{
	uint32_t subnet = s->port[port].subnet, n = 0;

	for (uint32_t h = 0; m->via && h < s->nhosts; h++)
		n += m->via[(size_t)subnet * s->nhosts + h] == port;
	for (uint32_t to = 0; !m->via && to < s->n; to++) {
		size_t pair = (size_t)subnet * s->n + to;
		uint32_t hosts = s->first_host[to + 1] - s->first_host[to];

		for (uint32_t k = 0; k < m->nchoices[pair]; k++)
			if (m->choice[pair * s->nports + k] == port)
				n += hosts / m->nchoices[pair];
	}
	return n;
}

void weft_subnets_weigh(struct weft_subnets *s, const struct weft_router_map *m)
{
	for (uint32_t p = 0; p < s->nports; p++)
		weft_fabric_weigh(s->subnet[s->port[p].subnet].fabric,
				  s->port[p].ep, count_behind(s, m, p));
}
