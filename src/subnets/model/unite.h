/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Routers whose ports have node GUIDs of their own in each subnet. */
#ifndef WEFT_SUBNETS_UNITE_H
#define WEFT_SUBNETS_UNITE_H

#include <weft/subnets.h>

/* A port of a router while routers are being collected. */
struct weft__found {
	uint64_t guid; /* of the router */
	uint64_t node; /* GUID of its node in the subnet */
	const char *name;
	struct weft_router_port port;
};

/*
 * Makes the nodes that a file says are one router one: each of the n ports gets
 * the smallest of their GUIDs for the router's.  -EINVAL, said with file and
 * line: a port that is not a router's of the subnet, or in two routers.
 * -ENOMEM.  O(ports x ports told).
 */
int weft__unite_routers(const struct weft_subnets *s,
			const struct weft_subnets_ini *ini,
			struct weft__found *all, uint32_t n,
			struct weft_diag *diag);

#endif
