/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entries of the tables of a whole product for which there is no cable. */
#ifndef WEFT_ENGINES_WEAVE_HOLES_H
#define WEFT_ENGINES_WEAVE_HOLES_H

#include "engines/weave/weave.h"

struct weft__holes {
	struct weft__hole {
		uint32_t sw;
		uint16_t lid;
	} *hole;		/* [n] */
	size_t n, room;
	const uint32_t *order;	/* struct weft__fill_spec; the arena's, or NULL */
};

/* 0 or -ENOMEM. */
int weft__holes_note(struct weft__holes *holes, uint32_t sw, unsigned lid);
void weft__holes_free(struct weft__holes *holes);

/* Finds ways for these entries, within the lanes of the run; more change where
 * theirs go on by them.  -ENOTSUP: some are left; -ENOMEM.  Routes stay to be freed
 * in any case. */
int weft__holes_mend(struct weft__weave *w, const struct weft__holes *holes,
		     struct weft_routes *routes);

/* Returns how many edges that looks at, about, on the product of the facts. */
double weft__holes_work(const struct weft__weave *w);

#endif
