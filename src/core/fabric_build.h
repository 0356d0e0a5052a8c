/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A fabric while it is being made: the same struct with its arrays writable.
 * Shared by the builder and by what copies fabrics; nobody else writes to one.
 */
#ifndef WEFT_CORE_FABRIC_BUILD_H
#define WEFT_CORE_FABRIC_BUILD_H
#include "core/arena.h"

#include <weft/fabric.h>

/* Arrays of a fabric that is not finished yet belong to us. */
#define WEFT_WRITABLE(type, array) ((type *)(uintptr_t)(array))

/* An empty fabric with an arena of its own, NULL without memory. */
struct weft_fabric *weft__fabric_new(void);

/*
 * Fills in max_lid and lid_owner from the LIDs of switches and endports, which
 * may be changed: a LID out of range or taken already is reported (file may be
 * NULL) and set to 0.  Switches are served before endports, each in order.
 */
int weft__fabric_map_lids(struct weft_fabric *f, const char *file,
			  struct weft_diag *diag);

#endif
