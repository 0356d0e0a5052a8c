/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * DOC: walks, what packets wait for in a fabric of subnets
 *
 * The channel-dependency graph is that of the whole fabric, routers being
 * switches.  Within a subnet the routes to a LID form a tree, which is walked
 * from each switch with hosts.  At a router, packets that came in by the port
 * that a mapping names go on to the ports that the router may send by; from
 * these each destination's tree is walked on.  Only pairs that a mapping
 * produces count, so that no dependency is there for nothing.
 *
 * A packet keeps its service level, SL = level * stride + what the source's
 * subnet says, where the level is that of the pair of subnets.  Lanes in a
 * subnet follow by its SL2VL tables, on a router's way out by the SL modulo the
 * lanes of the subnet behind; each level has lanes of its own.
 *
 * Complexity: O(hosts x switches x service levels in use) for trees, and
 * O(hosts x ports of a router x hops) for each subnet behind routers.
 */
#ifndef WEFT_SUBNETS_WALKS_H
#define WEFT_SUBNETS_WALKS_H

#include "graph/cdg.h"

#include <weft/subnets.h>

struct weft__walks {
	const struct weft_subnets *s;
	const struct weft_whole *w;
	const struct weft_router_map *m;
	struct weft__cdg cdg;
	bool mixed;
	unsigned stride;    /* SLs of a level, 16 if there is one only */
	uint16_t **port_sl; /* [n][nep] SLs, less their level's, by which the
			     * hosts of a subnet send to a router port */
	uint16_t *seen;	    /* [most switches] SLs that a walk had there */
	/* [nports] SLs by which packets to the current host leave a router, and
	 * those of them that were followed beyond a subnet on the way. */
	uint16_t *arrived, *passed;
	bool any;	  /* some were not followed yet */
	uint32_t *left;	  /* [nleft] ports by which some leave */
	uint32_t nleft;
	/* [nports] of each port that packets come to routers by, a bit for each
	 * port of its router by which they go on */
	uint64_t *exits;
	/* The subnet for which it is known by which of its ports each router
	 * may send there: way[nports], nways[nrouters] from each one's
	 * first. */
	uint32_t goal;
	uint32_t *way, *nways;
};

/* Returns the lanes that a level needs: as many as the subnet with most. */
unsigned weft__walks_lanes(const struct weft_subnets *s);

/* Makes an empty graph with lanes for that many levels.  -ENOMEM. */
int weft__walks_init(struct weft__walks *x, const struct weft_subnets *s,
		     const struct weft_whole *whole,
		     const struct weft_router_map *map, unsigned levels);
void weft__walks_free(struct weft__walks *x); /* zeroed is fine */

/* Walks what hosts send to hosts of their own subnet, on level 0.  -ENOMEM. */
int weft__walks_within(struct weft__walks *x);
/* Walks what the hosts of a subnet send to a router port of it. */
void weft__walks_to_port(struct weft__walks *x, uint32_t port, unsigned level);
/* Walks what hosts of other subnets, or of one of them unless WEFT_NONE, send
 * to a host, once it is at the first router.  weft__walks_to_port() comes
 * before. */
void weft__walks_to_host(struct weft__walks *x, uint32_t dest, uint32_t from);
/* Walks what hosts send to hosts of all other subnets.  -ENOMEM. */
int weft__walks_across(struct weft__walks *x);

#endif
