/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reroutes trees until every pair of switches has a lane; see settle.c. */
#ifndef WEFT_LANES_SETTLE_H
#define WEFT_LANES_SETTLE_H

#include "lanes/lane_masks.h"

/*
 * Reroutes trees such that all ways between two switches, both directions and
 * all LIDs, have a lane in common that allows all of their turns.  The masks,
 * which must be those of the trees as they are, follow. up: [lanes * nsw] the
 * edge to the parent in a tree of each lane that has only turns the lane
 * allows, WEFT_NONE at its top; NULL if there are no such trees, and pairs may
 * be left without a lane then.  Once work_limit edges were looked at, twice
 * that as long as no pair moves at the expense of others, only these trees are
 * used.  Returns 0 or -ENOMEM, with the trees untouched.
 *
 * Memory: 3 bytes for each switch and LID, and for each pair of switches 8
 * bytes and 2 for each lane.
 */
int weft__settle_pairs(struct weft__lane_masks *masks, const uint32_t *up,
		       uint64_t work_limit);

#endif
