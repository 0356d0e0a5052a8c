/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Old and new entries for a LID at once, as switches have them while a subnet
 * manager writes: whatever mixture it is, packets must not go in a circle.
 */
#ifndef WEFT_STANDING_MIXTURE_H
#define WEFT_STANDING_MIXTURE_H

#include "loads/column.h"
#include "standing/carried.h"

struct weft__mixture {
	struct weft__column *column;	/* new entries, as far as they are
					 * made */
	uint8_t *was;		/* [nsw] old ones; WEFT_NO_PORT: there is none,
				 * or it leads nowhere */
	uint32_t *seen;		/* [nsw] scratch */
	uint32_t round;
};

/* Makes room.  Returns false without memory. */
bool weft__mixture_init(struct weft__mixture *m, struct weft__column *column,
			struct weft_arena *arena);

/* The switch that an entry leads to, or WEFT_NONE. */
uint32_t weft__mixture_next(const struct weft__mixture *m, uint32_t s,
			    uint8_t port);

/* Whether old and new entries lead from a switch to another one.
 * O(switches). */
bool weft__mixture_leads(struct weft__mixture *m, uint32_t from, uint32_t to);

/*
 * Holds new entries back, whose old ones still serve, while others have to be
 * written first: now has the old ones there then.  changed: the LIDs that differ.  Each call with its outcome
 * as old tables leaves fewer.  Returns how many wait; without memory, nothing
 * is held back.  O(LIDs that change x switches x entries that do).
 */
uint64_t weft__hold_back(const struct weft__source *was,
			 const struct weft__lid_set *changed,
			 struct weft_lft *now, struct weft_arena *arena);

#endif
