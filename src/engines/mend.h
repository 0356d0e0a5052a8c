/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees bent until every pair of switches has a lane; see mend.c. */
#ifndef WEFT_ENGINES_MEND_H
#define WEFT_ENGINES_MEND_H

#include "engines/spread.h"

/*
 * Bends trees such that all ways between two switches, both directions and all
 * LIDs, have a lane in common that allows all of their turns; the masks of the
 * spread, which are those of the trees as they are, follow.  Trees may leave
 * the spread's ways.  Gives up when as many switches were looked at as patience
 * says.  *left: pairs that have no lane.  0 or -ENOMEM, trees untouched.
 * Memory: 2 bytes for each pair of switches and lane, and for each switch and
 * LID.
 */
int weft__mend(struct weft__spread *spread, uint64_t patience, uint64_t *left);

#endif
