/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hosts of several kinds, which engines balance each by itself. */
#ifndef WEFT_ENGINES_KINDS_H
#define WEFT_ENGINES_KINDS_H

#include <weft/routes.h>

struct weft_diag;

/* Where hosts are of several groups, has the streams of each meet less often
 * (loads/shifts.h); single: routes to machines with several ports stay as they are.
 * Returns 0, or -errno after it has freed the routes. */
int weft__shift_groups(const struct weft_fabric *fabric, bool single,
		       struct weft_routes *routes, struct weft_diag *diag);

#endif
