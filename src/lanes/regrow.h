/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Grows trees again where pairs of switches lack a lane; see regrow.c. */
#ifndef WEFT_LANES_REGROW_H
#define WEFT_LANES_REGROW_H

#include "lanes/lane_masks.h"

/*
 * Grows each tree anew, in some passes, and keeps the masks up to date, which
 * must be those of the trees as they are.  Trees may leave masks->ways.
 * Returns 0 or -ENOMEM, with the trees untouched.  Where the trees to one
 * switch have to leave their ways, they take the same ones, which takes less
 * time.  O(cables x trees) for a pass, if few switches lack a lane.
 */
int weft__regrow(struct weft__lane_masks *masks, unsigned passes);

/*
 * Grows all trees anew without regard to what they were.  Of the shortest ways
 * that leave the pair a lane, a switch prefers those that leave more, up to
 * min_common_lanes, then the least loaded. first: [nsw * nsw] lanes that a pair
 * may use at the beginning, by destination, then source; NULL: all.
 */
int weft__regrow_all(struct weft__lane_masks *masks, unsigned min_common_lanes,
		     const uint16_t *first);

/*
 * Grows trees that pass the most loaded channels anew so that these carry less,
 * as long as that helps and for at most so many rounds. evened: all trees grow
 * anew by the least loaded ways before that.  All pairs must have a lane, and
 * keep one.  Loads masks->balance anew.
 */
int weft__regrow_relieve(struct weft__lane_masks *masks, bool evened,
			 unsigned rounds);

#endif
