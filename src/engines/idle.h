/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Switches that a list of roots keeps out of all routes. */
#ifndef WEFT_ENGINES_IDLE_H
#define WEFT_ENGINES_IDLE_H

#include <weft/diag.h>
#include <weft/options.h>
#include <weft/routes.h>

/*
 * Warns if option roots is given and switches that are not in the list carry
 * nothing from switch to switch, although shortest ways between hosts lead over
 * them: names some, and says what share of the capacity towards the top of the
 * tree that leaves without use.  Says nothing where nobody hears it, and none
 * of its own troubles.  O(LIDs x switches), as a proof.
 */
void weft__tell_idle(const struct weft_fabric *f,
		     const struct weft_options *options,
		     const struct weft_routes *routes, struct weft_diag *diag);

#endif
