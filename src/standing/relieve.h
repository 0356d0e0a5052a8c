/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Moves a few entries away from the most loaded channels. */
#ifndef WEFT_STANDING_RELIEVE_H
#define WEFT_STANDING_RELIEVE_H

#include "standing/loads.h"

struct weft__relief {
	struct weft__loads *loads;
	struct weft_lft *lft;
	struct weft__column column;
	uint64_t changes;	/* entries that may still change */
	uint64_t moved;		/* entries that did */
	struct weft__relief_move *move, *done;
	uint32_t nmoves, ndone;
	uint64_t columns_left;	/* to look at */
	unsigned last;		/* LID that was looked at last */
	bool *passes;		/* [nsw] scratch */
};

/*
 * Lowers the highest load by moving entries, as many as may change, to ways
 * that are no longer, until that falls no more.  0 or -ENOMEM.
 */
int weft__relieve(struct weft__relief *r, struct weft_arena *arena);

#endif
