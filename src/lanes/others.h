/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The lanes that a pair of switches has by all of its ways but one, while the
 * trees to one switch grow one after the other.  What the others allow is found
 * once for all trees to a switch, as far as they grow in the order of the list.
 */
#ifndef WEFT_LANES_OTHERS_H
#define WEFT_LANES_OTHERS_H

#include "lanes/legal_counts.h"

struct weft__others {
	const struct weft__legal_counts *counts;
	uint32_t root;		/* of the trees at work; WEFT_NONE: none */
	uint32_t next;		/* its trees that done[] holds */
	uint16_t *back;		/* [nsw] lanes that all ways from the root to
				 * the switch have */
	uint16_t *done;		/* [nsw] lanes that the first next trees have */
	uint16_t *rest;		/* [nsw][trees to the root] lanes that all trees
				 * behind this one have */
};

/* Makes room.  Returns false without memory. */
bool weft__others_init(struct weft__others *o,
		       const struct weft__legal_counts *counts,
		       struct weft_arena *arena);

/* To be called when other masks have changed than those of trees to the switch
 * that was looked at last. */
void weft__others_forget(struct weft__others *o);

/* Finds the lanes in which all ways between each switch and a tree's root but
 * those along the tree are legal, [nsw]. */
void weft__others_find(struct weft__others *o, uint32_t tree, uint16_t *lanes);

#endif
