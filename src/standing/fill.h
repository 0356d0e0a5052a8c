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
	const uint32_t *order;	/* [channels of switches] an order of these in which
				 * there are ways around most of what is missing: if
				 * pairs are left, ways follow it in each lane; NULL:
				 * none is known */
};

struct weft__filled {
	uint64_t left;		/* entries that are still without a port */
	bool in_order;		/* if none is: no credit loop comes of what switches
				 * send and get, either */
	uint64_t looked;	/* to prove that, in units of trees/balance.h */
};

/*
 * Gives entries without a port one: whoever has a way keeps it unless it goes on by
 * theirs, and new ways close no credit loop between hosts.  0 or -ENOMEM, which is
 * reported; *routes must be freed in any case.  O(switches x LIDs).
 */
int weft__standing_fill(const struct weft_fabric *fabric,
			struct weft_routes *routes,
			const struct weft__fill_spec *spec,
			struct weft__filled *out, struct weft_diag *diag);

#endif
