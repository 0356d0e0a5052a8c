/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hosts of several kinds, which engines balance each by itself. */
#ifndef WEFT_ENGINES_KINDS_H
#define WEFT_ENGINES_KINDS_H

#include <weft/routes.h>

struct weft_diag;

/* Finds the ranks of endports, group by group, in the order in which people count
 * hosts; those of endports that are no hosts come last.  rank: [nep].  Returns 0
 * or -ENOMEM. */
int weft__ranks_by_group(const struct weft_fabric *fabric, uint32_t *rank);

/* Where hosts are of several groups, has the streams of each meet less often
 * (loads/shifts.h); single: routes to machines with several ports stay as they are.
 * Returns 0, or -errno after it has freed the routes. */
int weft__shift_groups(const struct weft_fabric *fabric, bool single,
		       struct weft_routes *routes, struct weft_diag *diag);

#endif
