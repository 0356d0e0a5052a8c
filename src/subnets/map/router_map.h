/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the methods of mapping have in common. */
#ifndef WEFT_SUBNETS_ROUTER_MAP_H
#define WEFT_SUBNETS_ROUTER_MAP_H

#include <weft/subnets.h>

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

/* Returns which of n ports the hash of a mapping chooses; if that is symmetric,
 * the same one for both orders of the LIDs. */
uint32_t weft__router_map_hash(const struct weft_router_map *m,
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

/* weft_router_dump_read() of text that is there already. */
int weft__router_dump_parse(const struct weft__source *source,
			    const struct weft_subnets *s,
			    struct weft_router_map *map,
			    struct weft_diag *diag);

/* weft_router_map_make() by any method but weave. */
int weft__router_map_by_method(const struct weft_subnets *s,
			       const struct weft_router_map_spec *spec,
			       struct weft_router_map *out,
			       struct weft_diag *diag);

/* Adds the choices of ISFR to a mapping that ISSR made.  -ENOMEM. */
int weft__isfr(const struct weft_subnets *s, struct weft_router_map *m);

/* An endport that sends, or a router whose packets it is about: then the GUID
 * is its node's. */
struct weft__sender {
	uint32_t subnet;
	unsigned lid;
	uint64_t guid;
};

/* Returns the router port by which one sends to a host of another subnet. */
uint32_t weft__router_map_via(const struct weft_subnets *s,
			      const struct weft_router_map *m,
			      const struct weft__sender *from, uint32_t dest);

/* Returns the same for a host that sends, faster where pairs are drawn. */
uint32_t weft__router_map_host_via(const struct weft_subnets *s,
				   const struct weft_router_map *m,
				   uint32_t source, uint32_t dest);

/* Returns the port of a router's rank-th cable into a subnet, modulo the number
 * of these; WEFT_NONE if there is none. */
uint32_t weft__router_port_in(const struct weft_subnets *s, uint32_t router,
			      uint32_t subnet, uint32_t rank);

/* Returns the port to take when another one's router is down: of n that there
 * are, the next one of another router that is not down[], unless NULL, itself;
 * WEFT_NONE if there is none. */
uint32_t weft__router_map_backup(const struct weft_subnets *s,
				 const uint32_t *choice, uint32_t n,
				 uint32_t via, const bool *down);

/* Mixes bits as the finaliser of splitmix64 does. */
uint64_t weft__router_map_mix(uint64_t x);

/* Makes a static mapping anew, so that it is symmetric; see symmetric.c.
 * -ENOTSUP or -ENOMEM after an error. */
int weft__symmetric_static(const struct weft_subnets *s,
			   struct weft_router_map *m, struct weft_diag *diag);
/* Checks that crc32 can be symmetric.  -ENOTSUP after an error. */
int weft__symmetric_crc32(const struct weft_subnets *s, struct weft_diag *diag);
/* Fills in crc[] of a mapping by CRC-32.  Returns false without memory. */
bool weft__draw_init(const struct weft_subnets *s, struct weft_router_map *m);

/* Returns the router port that symmetric crc32 draws by the CRC of a pair. */
uint32_t weft__symmetric_draw(const struct weft_subnets *s,
			      const struct weft_router_map *m,
			      const struct weft__sender *from, uint32_t dest,
			      uint32_t crc);

#endif
