/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Up*Down* trees from one root, balanced over all that are made.
 *
 * Switches are placed by their distance from the root, then by id.  A route
 * climbs towards the root, then descends, never climbs again: dependencies of
 * such routes, all taken together, are acyclic (Schroeder et al., 1991), and so
 * is the graph of all turns that are legal, which weft__updown_turns() makes.
 * With one root everyone has a legal way to everyone.
 */
#ifndef WEFT_LAYERS_UPDOWN_H
#define WEFT_LAYERS_UPDOWN_H

#include "layers/traffic.h"

struct weft__updown {
	const struct weft_fabric *fabric;
	uint32_t root;
	uint32_t *place;	/* [nsw] 0 = the root */
	uint32_t *by_place;	/* [nsw] its inverse */
	uint64_t *load;		/* [first_injection] routes of trees so far */

	/* of the tree at hand */
	uint32_t *hops;		/* [nsw] of the legal route */
	uint32_t *order;	/* [nsw] next hops come before those that use
				 * them */
	uint8_t *down;		/* [nsw] a way that only descends */
	uint64_t *flow;		/* [nsw] */
};

/* Takes the root that makes legal routes shortest, among the 8 switches nearest
 * to all endports.  -ENETUNREACH (said) when the fabric is in parts; -ENOMEM.
 * O(switches x cables). */
int weft__updown_init(struct weft__updown *u, const struct weft_fabric *fabric,
		      struct weft_diag *diag);
void weft__updown_free(struct weft__updown *u);

/* The tree to a LID on switch home, over the least loaded of the shortest legal
 * ways; its routes are added to the loads.  O(cables). */
void weft__updown_tree(struct weft__updown *u, uint32_t home, uint8_t *tree);

/* Adds every legal turn to a lane. */
void weft__updown_turns(const struct weft__updown *u, struct weft__cdg *g,
			uint32_t lane);

#endif
