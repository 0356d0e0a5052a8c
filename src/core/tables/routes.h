/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Copies of routes; see weft/routes.h. */
#ifndef WEFT_CORE_ROUTES_H
#define WEFT_CORE_ROUTES_H

#include <weft/routes.h>

/*
 * Copies tables and service levels, and how the engine came by them, but no
 * SL2VL tables and no offsets of LIDs, into routes that are zeroed.  Returns 0
 * or -ENOMEM; they must be freed in both cases.
 */
int weft__routes_copy(const struct weft_routes *routes,
		      struct weft_routes *out);

#endif
