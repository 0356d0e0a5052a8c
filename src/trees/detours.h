/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Balancing of destination trees without regard to hops: least weight wins, and
 * a route may take a longer way around loaded cables.  For research.
 */
#ifndef WEFT_TREES_DETOURS_H
#define WEFT_TREES_DETOURS_H

#include "trees/balance.h"

/*
 * Routes all trees, each by the tree of least weight, where an edge weighs as
 * much as initial (> 0) routes over it and those that use it; switches' own
 * LIDs load nothing.  Returns false without memory.  O(LIDs x cables x log
 * cables).
 */
bool weft__detours_route(struct weft__balance *b, struct weft_arena *arena,
			 const struct weft__trees *trees, long initial);

#endif
