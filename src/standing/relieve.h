/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Moves a few entries away from the most loaded channels. */
#ifndef WEFT_STANDING_RELIEVE_H
#define WEFT_STANDING_RELIEVE_H

#include "loads/blocks.h"
#include "loads/loads.h"

#include <weft/routes.h>

#include <stdatomic.h>

struct weft__relief {
	struct weft__loads *loads;
	struct weft_routes *routes;
	uint64_t changes;	/* entries that may change */
	struct weft__blocks *blocks;	/* what changes anyway */
	uint64_t anyway;	/* blocks to compare those with that are sent
				 * for relief alone */
	const atomic_bool *stop;	/* set: nobody needs it; or NULL */
	uint64_t pairs;		/* out: of switches, that changed lanes, */
	uint64_t moved;		/* moves made, */
	uint64_t changed;	/* and entries that change for them alone */
};

/* Lowers the highest load by moving entries, as many as may change, and has shifts
 * meet less often with those that are left.  0 or -ENOMEM. */
int weft__relieve(struct weft__relief *r, struct weft_arena *arena);

/* Returns what the latter looks at (weft__shifted_work()); 0 if it is not worth
 * that, where so many blocks are sent anyway. */
uint64_t weft__relief_shifts(const struct weft__loads *loads, uint64_t anyway);

/* Returns how many columns it looks at, at most, to move so many entries. */
uint64_t weft__relief_looks(const struct weft_fabric *f, uint64_t changes);

#endif
