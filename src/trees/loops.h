/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whether trees in one lane close a credit loop, before there are tables. */
#ifndef WEFT_TREES_LOOPS_H
#define WEFT_TREES_LOOPS_H

#include "trees/trees.h"

/*
 * Returns 1 if the routes from all switches by the first n trees close a credit
 * loop in one lane, 0 if they close none, or -ENOMEM.  scratch: of the fabric's
 * size.  O(n x switches), a small part of what a proof takes.
 */
int weft__trees_cyclic(const struct weft_fabric *fabric,
		       const struct weft__trees *trees, uint32_t n,
		       struct weft_arena *scratch);

#endif
