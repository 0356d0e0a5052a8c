/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables that an engine made but for some entries, which find their ways as those of
 * switches do whose cables fail.
 */
#ifndef WEFT_STANDING_FILL_H
#define WEFT_STANDING_FILL_H

#include <weft/standing.h>

struct weft__fill_spec {
	unsigned lanes;		/* that pairs may change to, see weft/standing.h */
	bool brief;		/* there are other tables: no long search */
};

/*
 * Gives entries without a port one: whoever has a way keeps it unless it goes on by
 * theirs, and new ways close no credit loop between hosts.  *left: how many entries
 * are still without one.  0 or -ENOMEM, which is reported, with routes as they were.
 */
int weft__standing_fill(const struct weft_fabric *fabric,
			struct weft_routes *routes,
			const struct weft__fill_spec *spec, uint64_t *left,
			struct weft_diag *diag);

#endif
