/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Switches that every legal way to the root of a tree passes. */
#ifndef WEFT_ENGINES_FATTREE_NARROWS_H
#define WEFT_ENGINES_FATTREE_NARROWS_H

#include "engines/fattree/engine.h"

/* Returns true if s leads down to the root of the tree, or is the root. */
bool weft__descends(const struct weft__fattree_run *run,
		    const struct weft__tree *tree, uint32_t s);

/* Returns true if s may send by entry e of its own on its way to the root
 * without closing a cycle: a switch that leads down goes on down, the others
 * climb. */
bool weft__may_send(const struct weft__fattree_run *run,
		    const struct weft__tree *tree, uint32_t s, uint32_t e);

/*
 * Finds for each switch the next one that all of these ways to the root pass:
 * narrow[nsw], the root for itself, WEFT_NONE where there is no way.  Those
 * behind it are found from there on.  O(cables x hops).
 */
void weft__narrows_find(const struct weft__fattree_run *run,
			const struct weft__tree *tree, uint32_t *narrow);

#endif
