// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: symmetric mappings, answers take the way back
 *
 * The passive side of a connection answers through the router port that the
 * request came out of, and connected queue pairs may compare LIDs.  A mapping
 * is symmetric if its choice for the way back is that port, for each pair.
 *
 * A mapping that goes by destination alone is symmetric only if it is static.
 * Let a in A send to b in B by port p of a router and out of port q.  The way
 * back enters q, which depends on b's subnet and a alone, and out of the router
 * it is p, which depends on b alone.  So all a have the same q and all b the
 * same p.
 *
 * static: each pair of subnets next to each other has one router, and each
 * router one port in each subnet that serves it.  Subnets further away are
 * reached over the chain of subnets that is shortest by hops, then by numbers
 * drawn for each pair; being unique, it is the same one for both directions.
 *
 * crc32: the CRC-32 of both GIDs, the lower one first, draws the router, and
 * that one's own hash, which is one of both LIDs in any order, the port.
 *
 * Complexity: O(subnets^3 + subnets x hosts).
 */
#include "subnets/map/router_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HOP (1ull << 48) /* above what is drawn for a pair of subnets */

/* Returns the router that joins two subnets next to each other: those that do
 * take turns, so that no two pairs of a subnet share one as long as there are
 * enough. */
static uint32_t joint_router(const struct weft_subnets *s, uint32_t a,
			     uint32_t b)
{
	uint32_t n = 0, turn;

	for (uint32_t r = 0; r < s->nrouters; r++)
		n += weft__router_port_in(s, r, a, 0) != WEFT_NONE &&
		     weft__router_port_in(s, r, b, 0) != WEFT_NONE;
	if (!n)
		return WEFT_NONE;
	turn = (a + b) % s->n % n;
	for (uint32_t r = 0; r < s->nrouters; r++)
		if (weft__router_port_in(s, r, a, 0) != WEFT_NONE &&
		    weft__router_port_in(s, r, b, 0) != WEFT_NONE && !turn--)
			return r;
	return WEFT_NONE;
}

/* Returns the length of the cable, as it were, between two subnets: a hop and
 * a number of its own; UINT64_MAX if no router joins them. */
static uint64_t length_of(const struct weft_subnets *s, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a < b ? b : a;

	if (s->hops[(size_t)a * s->n + b] != 1)
		return UINT64_MAX;
	return HOP + (weft__router_map_mix((uint64_t)low << 32 | high) >> 24);
}

/* Finds from each subnet the next one on the chain to a subnet. */
static void find_chain(const struct weft_subnets *s, uint32_t to, uint64_t *far,
		       uint32_t *next)
{
	bool changed = true;

	for (uint32_t i = 0; i < s->n; i++) {
		far[i] = i == to ? 0 : UINT64_MAX;
		next[i] = WEFT_NONE;
	}
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < s->n; i++)
			for (uint32_t k = 0; k < s->n; k++) {
				uint64_t step = length_of(s, i, k);

				if (step == UINT64_MAX ||
				    far[k] == UINT64_MAX ||
				    far[k] + step >= far[i])
					continue;
				far[i] = far[k] + step;
				next[i] = k;
				changed = true;
			}
	}
}

/* Has a router send to the hosts of a subnet by its port in another one, unless
 * it sends to them by a port elsewhere. */
static bool set_out(const struct weft_subnets *s, struct weft_router_map *m,
		    uint32_t router, uint32_t to, uint32_t port)
{
	uint32_t *out = &m->out[(size_t)router * s->nhosts];

	for (uint32_t h = s->first_host[to]; h < s->first_host[to + 1]; h++) {
		if (out[h] != WEFT_NONE && out[h] != port)
			return false;
		out[h] = port;
	}
	return true;
}

int weft__symmetric_static(const struct weft_subnets *s,
			   struct weft_router_map *m, struct weft_diag *diag)
{
	size_t n = (size_t)s->nrouters * s->nhosts;
	uint64_t *far = malloc((s->n + 1ull) * sizeof(*far));
	uint32_t *next = malloc((s->n + 1ull) * sizeof(*next));
	int err = 0;

	m->out = malloc((n + 1) * sizeof(*m->out));
	if (!m->out || !far || !next)
		err = weft_no_memory(diag);
	else
		memset(m->out, 0xff, n * sizeof(*m->out));
	for (uint32_t to = 0; to < s->n && !err; to++) {
		find_chain(s, to, far, next);
		for (uint32_t i = 0; i < s->n && !err; i++) {
			uint32_t r, in;

			if (next[i] == WEFT_NONE)
				continue;
			r = joint_router(s, i, next[i]);
			in = weft__router_port_in(s, r, i, 0);
			for (uint32_t h = s->first_host[to];
			     h < s->first_host[to + 1]; h++)
				m->via[(size_t)i * s->nhosts + h] = in;
			if (!set_out(s, m, r, to,
				     weft__router_port_in(s, r, next[i], 0)))
				err = weft_fail(
					diag, ENOTSUP,
					"router %s would have to send to subnet %s by way of two subnets for a symmetric mapping",
					s->router[r].name, s->subnet[to].name);
		}
	}
	free(far);
	free(next);
	return err;
}

int weft__symmetric_crc32(const struct weft_subnets *s, struct weft_diag *diag)
{
	for (uint32_t a = 0; a < s->n; a++)
		for (uint32_t b = 0; b < s->n; b++) {
			uint32_t apart = s->hops[(size_t)a * s->n + b];

			if (apart > 1 && apart != WEFT_NONE)
				return weft_fail(
					diag, ENOTSUP,
					"subnets %s and %s are %u routers apart: crc32 is symmetric only where there is one; -m static is anywhere",
					s->subnet[a].name, s->subnet[b].name,
					(unsigned)apart);
		}
	return 0;
}

uint32_t weft__symmetric_draw(const struct weft_subnets *s,
			      const struct weft_router_map *m,
			      const struct weft__sender *from, uint32_t dest,
			      uint32_t crc)
{
	const struct weft_place *to = &s->host[dest];
	size_t pair = (size_t)from->subnet * s->n + to->subnet;
	const uint32_t *choice = &m->choice[pair * s->nports];
	unsigned lid = s->subnet[to->subnet].fabric->ep[to->ep].lid;
	uint32_t n = 1, router, ports = 0;

	/* First ports of all routers come first, in the order of routers. */
	while (n < m->nchoices[pair] &&
	       s->port[choice[n]].router > s->port[choice[n - 1]].router)
		n++;
	router = s->port[choice[crc % n]].router;
	for (uint32_t i = 0; i < m->nchoices[pair]; i++)
		ports += s->port[choice[i]].router == router;
	return weft__router_port_in(
		s, router, from->subnet,
		weft__router_map_hash(m, from->lid, lid, ports));
}
