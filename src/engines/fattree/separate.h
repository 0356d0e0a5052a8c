/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Separating routes to the ports of one node that meet in a switch. */
#ifndef WEFT_ENGINES_FATTREE_SEPARATE_H
#define WEFT_ENGINES_FATTREE_SEPARATE_H

#include "engines/fattree/engine.h"

struct weft__separator {
	const struct weft__fattree_run *run;
	uint32_t *source;	/* [nsources] switches with hosts */
	uint32_t nsources;
	uint32_t *met;		/* [nsw] routes to ports that pass the switch */
	uint32_t *touched;	/* [nsw] switches whose met[] is not 0 */
	uint32_t *avoid;	/* [nsw] stamp */
	uint32_t *seen;		/* [nsw] stamp */
	uint32_t *from;		/* [nsw] switch from which the search came */
	uint32_t *queue;	/* [nsw] */
	uint8_t *by;		/* [nsw] position of that edge in from[]'s
				 * adjacency */
	uint32_t *narrow;	/* [trees][nsw] see narrows.h, as far as known[] */
	bool *known;		/* [trees] */
	uint8_t *before;	/* [nsw] choices before a change */
	uint32_t stamp;
	double work;		/* edges and switches that may be looked at */
	uint64_t looked, limit;	/* those so far, and now, beyond which no route
				 * changes */
};

/* Returns false without memory. */
bool weft__separator_init(struct weft__separator *m,
			  const struct weft__fattree_run *run);

/* Gives out the work for a share of all nodes, the one that comes next included.
 * Where it has run out, no more is given out. */
void weft__separator_go_on(struct weft__separator *m, double share);

/*
 * Changes choices of n trees, those of the ports of one node, such that from
 * fewer switches with hosts all routes to them pass through one switch.
 * Returns from how many they still do.  Ways stay Up*Down*, but may not be the
 * shortest.  O(switches with hosts x hops), and for each of those found
 * O(cables), until the limit.
 */
uint32_t weft__separate_node(struct weft__separator *m,
			     const struct weft__tree *const *tree, uint32_t n);

#endif
