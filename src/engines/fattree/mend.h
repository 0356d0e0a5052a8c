/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Nodes with several ports whose routes meet: finding and mending them. */
#ifndef WEFT_ENGINES_FATTREE_MEND_H
#define WEFT_ENGINES_FATTREE_MEND_H
#include "engines/fattree/engine.h"

struct weft__mend {
	const struct weft__fattree_run *run;
	uint32_t *source;	/* [nsources] switches with hosts */
	uint32_t nsources;
	uint32_t *met;		/* [nsw] routes to ports that pass a switch */
	uint32_t *touched;	/* [nsw] switches with met[] */
	uint32_t *avoid;	/* [nsw] stamp */
	uint32_t *seen;		/* [nsw] stamp */
	uint32_t *from;		/* [nsw] switch from which the search came */
	uint32_t *queue;	/* [nsw] */
	uint8_t *by;		/* [nsw] and its position there */
	uint8_t *before;	/* [nsw] choices before a change */
	uint32_t stamp;
};

/* false without memory. */
bool weft__mend_init(struct weft__mend *m, const struct weft__fattree_run *run);

/*
 * Changes choices of n trees, those of the ports of one node, so that from
 * fewer switches with hosts all routes to them pass through one switch; returns
 * from how many they still do.  Ways stay Up*Down*, but not the shortest.
 * O(switches with hosts x hops), and for each of those found O(cables).
 */
uint32_t weft__mend_node(struct weft__mend *m,
			 const struct weft__tree *const *tree, uint32_t n);

#endif
