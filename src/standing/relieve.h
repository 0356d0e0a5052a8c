/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Moves a few entries away from the most loaded channels. */
#ifndef WEFT_STANDING_RELIEVE_H
#define WEFT_STANDING_RELIEVE_H

#include "standing/blocks.h"
#include "loads/loads.h"

#include <stdatomic.h>

struct weft__relief {
	struct weft__loads *loads;
	struct weft_lft *lft;
	struct weft__column column;
	uint64_t changes;	/* entries that may change */
	struct weft__blocks *blocks;	/* that are sent */
	uint64_t fresh;		/* blocks that may be sent beside these */
	uint64_t anyway;	/* that a fault takes, to compare them with */
	bool sends;		/* moves may need them now */
	uint64_t worth;		/* by how much each must lower the peak */
	const atomic_bool *stop;	/* set: nobody needs it; or NULL */
	uint64_t moved;		/* entries that did */
	struct weft__moved {	/* [ndone] what they were */
		uint32_t sw;
		uint16_t lid;
		uint8_t from;
		bool fresh;	/* its block is sent on its account */
	} *done;
	uint32_t ndone;
	uint64_t looks_left;	/* at columns */
	unsigned last;		/* LID that was looked at last */
	uint32_t *hot;		/* [nhot] channels that carry more than level */
	uint32_t nhot;
	uint64_t level;
	uint32_t steepest;	/* the highest scale of a channel */

	/* by switch, of the column: */
	uint64_t *worst;	/* [nsw] highest load of the way from there */
	uint32_t *mark;		/* [nsw] round in which it was on a way */
	bool *barred;		/* [nsw] its best move is not legal */
	uint32_t round;

	/* by idle switch, in the look at the column that it was met in: */
	uint32_t look, *looked;	/* [nsw] */
	uint32_t *nbeyond;	/* [nsw] ports to ways that are not loaded, */
	uint32_t *beyond;	/* [adj_first[s] on] their channels */
};

/*
 * Lowers the highest load by moving entries, as many as may change, to ways
 * that are no longer, until that falls no more.  0 or -ENOMEM.
 */
int weft__relieve(struct weft__relief *r, struct weft_arena *arena);

/* Returns how many columns it looks at, at most, to move so many entries. */
uint64_t weft__relief_looks(const struct weft_fabric *f, uint64_t changes);

/*
 * Moves entries of the column of a LID, one after the other the one that
 * relieves its way most, until none gains.  Returns whether any was moved.
 */
bool weft__relieve_column(struct weft__relief *r, unsigned lid);

/* Whether a channel that was hot still carries more than the level: no other
 * one does.  O(hot channels). */
bool weft__relief_is_due(const struct weft__relief *r);

/* Takes moves back, all but the first n. */
void weft__relieve_less(struct weft__relief *r, uint32_t n);

static inline uint64_t weft__relief_weight(const struct weft__relief *r,
					   uint32_t channel)
{
	return r->loads->load[channel] * r->loads->scale[channel];
}

#endif
