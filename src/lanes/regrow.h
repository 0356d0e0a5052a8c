/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees grown anew where pairs of switches lack a lane; see regrow.c. */
#ifndef WEFT_LANES_REGROW_H
#define WEFT_LANES_REGROW_H
#include "lanes/lane_masks.h"

/*
 * Grows each tree anew, in two passes; the masks of the masks, which are those
 * of the trees as they are, follow.  Trees may leave the masks's ways.  0 or
 * -ENOMEM, trees untouched.  O(cables x trees), but for switches without a lane.
 */
int weft__regrow(struct weft__lane_masks *masks);

/*
 * The same for all trees, which keep nothing of what they are: of the shortest
 * ways that leave a pair a lane those that leave it more, up to care, then the
 * least loaded.  first: [nsw * nsw] lanes that a pair has to begin with, by
 * destination, then source; NULL: all.
 */
int weft__regrow_all(struct weft__lane_masks *masks, unsigned min_common_lanes,
		     const uint16_t *first);

/*
 * Grows trees anew that pass the most loaded channels, so that these have less
 * to carry, as long as that helps, in so many rounds at most.  evened: before
 * that all trees grow anew by the least loaded ways.  All pairs have a lane,
 * and keep one.  The masks's balance is loaded anew.
 */
int weft__regrow_relieve(struct weft__lane_masks *masks, bool evened,
			 unsigned rounds);

#endif
