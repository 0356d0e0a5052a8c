// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What becomes of a mapping when routers fail: who is sent to a port of one
 * takes the next port of another router on the list of those that lead there,
 * as weft-routers.map names it, or none if there is none left.
 */
#include "subnets/map/router_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Keeps of a list the ports of routers that are up; returns how many. */
static uint32_t keep_up(const struct weft_subnets *s, const bool *down,
			uint32_t *choice, uint32_t n)
{
	uint32_t m = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!down[s->port[choice[i]].router])
			choice[m++] = choice[i];
	return m;
}

uint32_t weft__router_map_backup(const struct weft_subnets *s,
				 const uint32_t *choice, uint32_t n,
				 uint32_t via, const bool *down)
{
	uint32_t at = 0;

	while (at < n && choice[at] != via)
		at++;
	for (uint32_t i = 1; i <= n; i++) {
		uint32_t router = s->port[choice[(at + i) % n]].router;

		if (router != s->port[via].router && !(down && down[router]))
			return choice[(at + i) % n];
	}
	return WEFT_NONE;
}

int weft_router_map_lose(const struct weft_subnets *s, const bool *down,
			 struct weft_router_map *m)
{
	uint32_t *choice = malloc((s->nports + 1ull) * sizeof(*choice));

	if (!choice)
		return -ENOMEM;
	for (uint32_t from = 0; from < s->n; from++)
		for (uint32_t to = 0; to < s->n; to++) {
			size_t pair = (size_t)from * s->n + to;
			uint32_t n =
				weft__router_map_choices(s, from, to, choice);
			uint32_t *via = m->via ? m->via + (size_t)from * s->nhosts : NULL;

			for (uint32_t h = s->first_host[to];
			     via && h < s->first_host[to + 1]; h++)
				if (via[h] != WEFT_NONE &&
				    down[s->port[via[h]].router])
					via[h] = weft__router_map_backup(
						s, choice, n, via[h], down);
			if (!via)
				m->nchoices[pair] = keep_up(
					s, down, &m->choice[pair * s->nports],
					m->nchoices[pair]);
		}
	free(choice);
	return 0;
}

/* Looks what a subnet's hosts lose when a router does, towards another one.
 * load[] are hosts by port. */
static void lose_pair(const struct weft_subnets *s,
		      const struct weft_router_map *m, const uint32_t *choice,
		      uint32_t n, uint32_t from, uint32_t to, uint32_t *load,
		      struct weft_router_loss *out)
{
	const uint32_t *via = m->via + (size_t)from * s->nhosts;
	uint32_t hosts = s->first_host[from + 1] - s->first_host[from];

	for (uint32_t h = s->first_host[to]; h < s->first_host[to + 1]; h++) {
		uint32_t port = via[h];

		if (port != WEFT_NONE && s->port[port].router == out->router) {
			out->moved++;
			port = weft__router_map_backup(s, choice, n, port,
						       NULL);
			out->pairs += port == WEFT_NONE ? hosts : 0;
		}
		if (port != WEFT_NONE && ++load[port] > out->most)
			out->most = load[port];
	}
}

int weft_router_losses(const struct weft_subnets *s,
		       const struct weft_router_map *m,
		       struct weft_router_loss *out)
{
	size_t pairs = (size_t)s->n * s->n;
	uint32_t *choice = malloc((pairs * s->nports + 1) * sizeof(*choice));
	uint32_t *n = malloc((pairs + 1) * sizeof(*n));
	uint32_t *load = malloc((s->nports + 1ull) * sizeof(*load));
	bool ok = choice && n && load;

	for (size_t p = 0; ok && p < pairs; p++)
		n[p] = weft__router_map_choices(s, p / s->n, p % s->n,
						&choice[p * s->nports]);
	for (uint32_t r = 0; ok && r < s->nrouters; r++) {
		out[r] = (struct weft_router_loss){ .router = r };
		memset(load, 0, s->nports * sizeof(*load));
		for (size_t p = 0; m->via && p < pairs; p++)
			if (n[p])
				lose_pair(s, m, &choice[p * s->nports], n[p],
					  p / s->n, p % s->n, load, &out[r]);
	}
	free(choice);
	free(n);
	free(load);
	return ok ? 0 : -ENOMEM;
}
