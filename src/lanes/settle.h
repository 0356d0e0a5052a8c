/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees bent until every pair of switches has a lane, for sure; see settle.c. */
#ifndef WEFT_LANES_SETTLE_H
#define WEFT_LANES_SETTLE_H
#include "lanes/lane_masks.h"

/*
 * Bends trees such that all ways between two switches, both directions and all
 * LIDs, have a lane in common that allows all of their turns; the masks of the
 * spread, which are those of the trees as they are, follow.  up: [lanes * nsw]
 * the edge to the parent in a tree of each lane all turns of which it allows,
 * WEFT_NONE at its top; NULL: there are none, and pairs may be left.  Once as
 * many edges were looked at as patience says these are all that is used.  0 or
 * -ENOMEM, trees untouched.
 * Memory: 3 bytes for each switch and LID, and for each pair of switches 4,
 * and 2 for each lane.
 */
int weft__settle_pairs(struct weft__lane_masks *masks, const uint32_t *up,
		       uint64_t work_limit);

#endif
