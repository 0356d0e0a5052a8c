/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All routes of a fabric one by one, with the vertices of the dependency graph
 * that they visit.  Trees give counts; these walks give the names where they
 * are needed.
 */
#ifndef WEFT_PROOF_WALKS_H
#define WEFT_PROOF_WALKS_H

#include "proof/run.h"

/* The worth of a route's traffic as an example, the best last. */
enum weft__rank {
	WEFT__RANK_NONE, WEFT__RANK_SWITCH, WEFT__RANK_ENDPORT, WEFT__RANK_HOST,
};

struct weft__proof_way {
	struct weft_route route;	/* without its turn */
	struct weft_flow by;		/* the best example */
	enum weft__rank rank;
	uint32_t *vertex;	/* [n] of the CDG, in order, until the route
				 * ends or the last one is a repetition */
	uint32_t n;
};

/*
 * Calls visit() for each route that dependencies come from, by LID, then
 * switch, until it returns an error, which is returned. -ENOMEM.  O(routes x
 * hops), with SLs by endport also O(endports x LIDs).
 */
int weft__proof_ways_each(const struct weft__proof_run *r,
			  int (*visit)(const struct weft__proof_way *way,
				       void *context),
			  void *context);

#endif
