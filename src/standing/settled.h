/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finds ways and lanes for pairs that mending has left without one. */
#ifndef WEFT_STANDING_SETTLED_H
#define WEFT_STANDING_SETTLED_H

#include "loads/loads.h"

#include <weft/routes.h>

/*
 * Takes tables in which entries are missing (WEFT_NO_PORT), the others of which
 * arrive, and the dependencies of these, and of others to be kept, in order.
 * Makes *lft, tables without gaps, and has pairs of switches change lanes, such
 * that all that waits is in that order, too; *settled: it could.  Otherwise
 * nothing changes.  The form of service levels is one for all or for each pair,
 * the same in both directions.  0 or -ENOMEM.
 */
int weft__settle_left(const struct weft__loads *loads,
		      struct weft_routes *routes, struct weft_lft *lft,
		      bool *settled);

#endif
