/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Orders of the switches, one of which a lane may get. */
#ifndef WEFT_LANES_ORDER_CANDIDATES_H
#define WEFT_LANES_ORDER_CANDIDATES_H

#include "graph/closeness.h"

#define WEFT__CANDIDATES 64

struct weft__order_candidates {
	const struct weft_fabric *fabric;
	const struct weft__closeness *close;
	unsigned n;
	uint64_t *up; /* [edges] bit: candidate in which it climbs */
	uint32_t top[WEFT__CANDIDATES]; /* first switch of each */
	uint32_t *home;			/* [nhomes] switches with hosts */
	uint32_t nhomes;

	/* scratch */
	uint16_t *hops;	 /* [nhomes * nsw] hops from each home */
	uint16_t *near;	 /* [nsw] hops from the nearest center so far */
	uint16_t *from;	 /* [nsw] hops from the current center */
	uint64_t *key;	 /* [nsw] */
	uint32_t *queue; /* [nsw] */
	uint64_t *scratch; /* [3 * nsw] */
};

/* Makes room for candidates, without one.  Returns false without memory. */
bool weft__candidates_init(struct weft__order_candidates *c,
			   const struct weft_fabric *fabric,
			   const struct weft__closeness *close,
			   struct weft_arena *arena);

/* Adds the order of closeness, then, up to most of them, orders by closeness
 * to the hosts around a switch, each time one far from those before. */
void weft__candidates_close(struct weft__order_candidates *c, unsigned most);

/* Adds orders by the hops from a switch, until there are n candidates. */
void weft__candidates_hops(struct weft__order_candidates *c, unsigned n);

/*
 * Adds random orders until there are n candidates.  A share of the switches is
 * at the bottom of each, such that any two switches are at the bottom of some:
 * hardly a short way between those is illegal.
 */
void weft__candidates_bottoms(struct weft__order_candidates *c, unsigned n);

#endif
