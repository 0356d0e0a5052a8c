/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Layering where some cables have fewer lanes than others; see within.c. */
#ifndef WEFT_LAYERS_WITHIN_H
#define WEFT_LAYERS_WITHIN_H

#include <weft/layering.h>

/*
 * Gives out the lanes of a fabric in one part, as weft_layering_run() does, but
 * makes no SL2VL tables: layers may have to share lanes (graph/vls.h).
 */
int weft__layering_within(const struct weft_fabric *fabric,
			  struct weft_routes *routes,
			  const struct weft_layering_spec *spec,
			  struct weft_layering *out, struct weft_diag *diag);

/* Does so where channels have as many lanes as room[] says, [first_injection];
 * NULL: all have enough.  See joined.c. */
int weft__layering_with(const struct weft_fabric *fabric, const uint8_t *room,
			struct weft_routes *routes,
			const struct weft_layering_spec *spec,
			struct weft_layering *out, struct weft_diag *diag);

/*
 * Leads all routes of tables around channels with fewer than n lanes, by the
 * shortest ways there are from where they meet such a channel. *g: the fabric
 * without these, freed by the caller; NULL: it is in parts then, and the tables
 * are void.  Returns 0 or -ENOMEM.  O(LIDs x cables) at most.
 */
int weft__go_around(const struct weft_fabric *f, const uint8_t *room,
		    unsigned n, struct weft_lft *lft, struct weft_fabric **g);

#endif
