/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees of the further LIDs of ports (LMC), within lanes; see spread.c. */
#ifndef WEFT_LANES_SPREAD_H
#define WEFT_LANES_SPREAD_H

#include "lanes/lane_masks.h"

struct weft__spread_spec {
	uint32_t from;	     /* trees of endports from this one on grow, which
			      * are those of further LIDs; the base LIDs'
			      * trees, which are all before, stay */
	double apart;	     /* what a cable costs more for each other LID
			      * of the port whose way has it, in mean
			      * loads */
	bool switches;	     /* sharing a switch costs as much */
	unsigned longer;     /* cables by which ways may exceed shortest
			      * ones; 0: no more than lanes make them */
	unsigned passes;     /* times that each tree grows */
	bool afresh;	     /* without regard to what these trees are, and
			      * port by port; else LID by LID */
	const uint8_t *lane; /* [nsw * nsw] lane of a pair of switches;
			      * WEFT__NO_LANE: any that its other ways
			      * have */
};

/*
 * Grows the trees of further LIDs anew.  All trees must be there, with all
 * pairs legal in a lane, and the masks those of the trees; they follow.  A tree
 * that finds no other ways stays, so that all pairs keep a lane.  Loads
 * masks->balance with all trees of endports.  Returns 0 or -ENOMEM, with the
 * trees untouched.
 * O(passes x trees x (cables + switches x LIDs of a port x hops)).
 */
int weft__spread_grow(struct weft__lane_masks *masks,
		      const struct weft__spread_spec *spec);

/* Returns about how many edges a pass looks at, for so many ports with so many
 * LIDs each, so many hops away on an average. */
double weft__spread_work(const struct weft_fabric *fabric, uint32_t nports,
			 unsigned lids, double hops);

/*
 * Chooses a lane for each pair of switches with endports, both directions,
 * among those in which all of its ways are legal: one that allows ways which
 * begin and end by many cables and are at most so many cables longer than
 * shortest ones. lane: [nsw * nsw]; other pairs have WEFT__NO_LANE.  Returns
 * false without memory.  O(switches with endports x turns x hops) if there are
 * several lanes.
 */
bool weft__spread_lanes(const struct weft__lane_masks *masks, unsigned longer,
			uint8_t *lane, struct weft_arena *arena);

#endif
