/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A fabric under construction: the same struct with its arrays writable.  For
 * the builder and for code that copies fabrics; nothing else writes to one.
 */
#ifndef WEFT_CORE_FABRIC_BUILD_H
#define WEFT_CORE_FABRIC_BUILD_H

#include "core/arena.h"

#include <weft/fabric.h>

/* Makes the arrays of a fabric that is not finished yet writable. */
#define WEFT_WRITABLE(type, array) ((type *)(uintptr_t)(array))

/* Returns an empty fabric with an arena of its own, or NULL without memory. */
struct weft_fabric *weft__fabric_new(void);

/* Returns a copy of a fabric, names included, without the LID map; NULL without
 * memory. */
struct weft_fabric *weft__fabric_copy(const struct weft_fabric *f);

/*
 * Fills in max_lid and lid_owner from the LIDs of switches and endports.  A LID
 * out of range, or taken already, is reported (file may be NULL) and set to 0.
 * Switches come before endports, each in order.
 */
int weft__fabric_map_lids(struct weft_fabric *f, const char *file,
			  struct weft_diag *diag);

/*
 * A copy of a fabric in which port i (switches, then endports) has an LMC of
 * lmc[i] at least, with the LIDs that it has and those behind them, which have
 * to be free.  0 or -ENOMEM after an error.
 */
int weft__fabric_with_lmc(const struct weft_fabric *fabric, const uint8_t *lmc,
			  struct weft_fabric **out, struct weft_diag *diag);

#endif
