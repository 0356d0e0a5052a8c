/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tables in force, seen in the fabric as it is now: which columns have to
 * be looked at, and what all of them put on the channels.
 */
#ifndef WEFT_STANDING_SURVEY_H
#define WEFT_STANDING_SURVEY_H

#include "standing/base.h"
#include "standing/branches.h"

struct weft__survey {
	const struct weft_fabric *fabric;
	const struct weft_standing_spec *spec;
	struct weft__carried *now;	/* the tables; entries that might close
					 * a credit loop go */
	struct weft__loads *loads;	/* begun, and without traffic */
	struct weft__column *column;	/* scratch */

	struct weft_standing_base *own;	/* made here, if nobody gave one */
	struct weft__match same;	/* of the fabric with itself */
	struct weft__inherited known;
	uint8_t *touched;	/* [max_lid + 1] columns that are not all as
				 * they were, and why */
	struct weft__branches branches;	/* of those of which that is enough */
	uint8_t *lost;		/* [max_lid + 1] weft__gather() */
};

/*
 * Finds out.  Loads are those of all ways that arrive, and dependencies those
 * of all ways that did: old and new ones together.  0 or -ENOMEM; must be freed
 * in both cases.  O(columns touched x switches), beside the base.
 */
int weft__survey_run(struct weft__survey *v, struct weft_arena *arena);
void weft__survey_free(struct weft__survey *v);

#endif
