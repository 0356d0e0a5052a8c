/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees grown anew where pairs of switches lack a lane; see regrow.c. */
#ifndef WEFT_ENGINES_REGROW_H
#define WEFT_ENGINES_REGROW_H

#include "engines/spread.h"

/*
 * Grows each tree anew, in two passes; the masks of the spread, which are those
 * of the trees as they are, follow.  Trees may leave the spread's ways.  0 or
 * -ENOMEM, trees untouched.  O(cables x trees), but for switches without a lane.
 */
int weft__regrow(struct weft__spread *spread);

#endif
