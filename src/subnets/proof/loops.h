/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Credit loops across subnets, and levels that break them. */
#ifndef WEFT_SUBNETS_LOOPS_H
#define WEFT_SUBNETS_LOOPS_H

#include <weft/subnets.h>

/* Finds the cycles of the whole fabric's channel-dependency graph and fills in
 * their part of a proof.  -ENOMEM. */
int weft__subnets_loops(const struct weft_subnets *s,
			const struct weft_whole *whole,
			const struct weft_router_map *map,
			struct weft_subnets_proof *out);

/*
 * Gives pairs of subnets levels, so that a mapping by destination has no credit
 * loop within that many lanes of each subnet; none if it has no loop anyway.
 * -ENOTSUP: there are not lanes enough; -ELOOP: a subnet has a loop of its own;
 * -ENOMEM.
 */
int weft__subnets_levels(const struct weft_subnets *s,
			 const struct weft_whole *whole,
			 struct weft_router_map *map, unsigned lanes);

#endif
