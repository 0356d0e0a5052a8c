/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Endports that are new, or moved, take the tree of another one on their
 * leaf. */
#ifndef WEFT_STANDING_NEWCOMERS_H
#define WEFT_STANDING_NEWCOMERS_H

#include "diff/match.h"
#include "loads/loads.h"

/*
 * Gives the column of an endport's LID, to which no switch has a way, the
 * entries of another endport on the same switch, of those that all arrive the
 * one whose tree is loaded least; and its service levels.  So nothing waits
 * for anything that did not before.  Returns false, and changes nothing, if
 * there is no other one.  lft: the tables of the others; column: scratch.
 */
bool weft__take_tree(struct weft__loads *t, const struct weft_lft *lft,
		     struct weft_layers *layers, struct weft__column *c,
		     struct weft__column *scratch);

/*
 * Gives each endport that was not on its switch in the other fabric the service
 * levels, as a source, of one that was, if endports have their own.
 */
void weft__take_levels(struct weft_layers *layers, const struct weft__match *m);

/* Whether a switch has endports that were not there in the other fabric, and
 * service levels of their own. */
bool weft__has_new_levels(const struct weft_layers *layers,
			  const struct weft__match *m, uint32_t s);

#endif
