/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the methods of mapping have in common. */
#ifndef WEFT_SUBNETS_ROUTER_MAP_H
#define WEFT_SUBNETS_ROUTER_MAP_H

#include <weft/subnets.h>

/* Returns true if a router leads from a subnet towards another one. */
bool weft__router_leads(const struct weft_subnets *s, uint32_t router,
			uint32_t from, uint32_t to);

/*
 * Finds the router ports in a subnet by which another one is reached on a
 * shortest way: first ports of all routers, then second ones, and so on.
 * out[nports]; returns how many.
 */
uint32_t weft__router_map_choices(const struct weft_subnets *s, uint32_t from,
				  uint32_t to, uint32_t *out);

/*
 * Finds the ports by which a router sends towards a subnet, of those in subnets
 * nearest to it; out[ports of the router]; returns how many.
 */
uint32_t weft__router_map_exits(const struct weft_subnets *s, uint32_t router,
				uint32_t to, uint32_t *out);

/* Returns which of n ports the hash chooses. */
uint32_t weft__router_map_hash(enum weft_router_map_hash hash,
			       unsigned source_lid, unsigned dest_lid,
			       uint32_t n);

/* Returns the port by which a router sends to a host a packet that came with
 * that source LID; WEFT_NONE: there is none. */
uint32_t weft__router_exit(const struct weft_subnets *s,
			   const struct weft_router_map *m, uint32_t router,
			   unsigned source_lid, uint32_t dest);

struct weft__source;

/* weft_router_map_read() of text that is there already. */
int weft__router_map_parse(const struct weft__source *source,
			   const struct weft_subnets *s, uint32_t subnet,
			   struct weft_router_map *map, struct weft_diag *diag);

/* Adds the choices of ISFR to a mapping that ISSR made.  -ENOMEM. */
int weft__isfr(const struct weft_subnets *s, struct weft_router_map *m);

/* Returns the router port by which a host sends to a host of another subnet. */
uint32_t weft__router_map_via(const struct weft_subnets *s,
			      const struct weft_router_map *m, uint32_t subnet,
			      uint64_t source_guid, uint32_t dest);

#endif
