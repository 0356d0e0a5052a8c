/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A step to other tables, as its parts share it: step.c chooses blocks,
 * step_entries.c changes entries and step_pairs.c the lanes of pairs of
 * switches.
 */
#ifndef WEFT_STANDING_STEP_H
#define WEFT_STANDING_STEP_H

#include "core/tables/lft.h"
#include "standing/base.h"
#include "standing/mixture.h"

/* A block of LIDs that differs. */
struct weft__step_block {
	uint32_t first;		/* LID */
	uint32_t switches;	/* whose entries differ there: blocks to send */
	double gain;		/* by which loaded cables are relieved */
};

struct weft__step {
	const struct weft_fabric *f;
	const struct weft_routes *was;	/* in force */
	const struct weft_routes *target;
	struct weft_arena *arena;
	struct weft_standing_base *own;
	struct weft__match match;	/* of the fabric with itself */
	struct weft__inherited known;
	struct weft__loads loads;
	struct weft_routes routes;	/* now, and then after the step */
	struct weft__column column, goal;
	struct weft__step_block *block;	/* [max_lid / 64 + 1] */
	uint32_t nblocks;
	bool *sent;		/* [nsw] switches with an entry of the block
				 * that changes */
	struct weft__mixture mixture;	/* of the column and what it was */
	struct weft__lid_set away;	/* LIDs with entries to change */
	uint64_t blocks;	/* that the step may change */
	bool stuck;		/* nothing changes by itself any more: pairs make way */
	bool ahead;		/* pairs move only to lanes with room for ways to come,
				 * too */
	struct weft_standing_move out;

	/* Lanes in which something may pass a switch to the column's LID, by
	 * any mixture of entries. */
	uint16_t *lanes;	/* [nsw] */
	struct weft__step_gain {
		uint32_t sw;
		uint16_t had;
	} *gain;		/* [16 * nsw] what an entry added to these */
	uint32_t ngains;
	unsigned refused;	/* lane in which the last entry that was
				 * refused would have closed a loop */

	bool levels;		/* pairs are not all in the lane that they are
				 * to have, but can change it */
	bool *behind;		/* [nsw] scratch */
};

/* --- entries -------------------------------------------------------------- */

/* Makes room.  Returns false without memory. */
bool weft__step_entries_init(struct weft__step *t);

/* Begins with a column that has old entries, and where these are to go. */
void weft__step_column(struct weft__step *t, unsigned lid);

/* Why an entry does not change. */
enum weft__refusal {
	WEFT__CHANGED,
	WEFT__CIRCLE,		/* a packet might go round */
	WEFT__LOOP,		/* a credit loop; t->refused */
};

/* Has a switch send as it is to, if that is safe. */
enum weft__refusal weft__step_entry(struct weft__step *t, uint32_t s,
				    uint8_t port);

/* --- lanes of pairs ------------------------------------------------------- */

/* Finds whether steps can change service levels, and how many differ: sets
 * out.lanes and out.pairs_left.  0 or -ENOMEM. */
int weft__step_pairs_begin(struct weft__step *t);

/* Moves pairs to the lanes they are to have, where there is room for their ways.
 * Entries have changed as far as they do. */
void weft__step_pairs(struct weft__step *t);

/* Moves pairs that send by a switch, in the lane that refused its entry, to
 * others in which there is room for their ways now, and at the end if t->ahead. */
void weft__step_make_way(struct weft__step *t, uint32_t s);

/* Moves pairs out of lanes in which others are to be. */
void weft__step_clear_lanes(struct weft__step *t);

/* Where all pairs are where they are to be, their service levels are those of
 * the target in each respect.  0 or -ENOMEM. */
int weft__step_pairs_end(struct weft__step *t);

#endif
