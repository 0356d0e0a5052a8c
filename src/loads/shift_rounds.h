/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What hosts of a group put on channels when each sends to the one that is so
 * many ranks behind it, round by round, and when each sends to another one at
 * random.
 */
#ifndef WEFT_LOADS_SHIFT_ROUNDS_H
#define WEFT_LOADS_SHIFT_ROUNDS_H

#include "loads/column.h"

#define WEFT__SHIFT_ROUNDS 256u	/* at most, as many as are judged */

/* What of the group passes a switch of a column: part of these lists. */
struct weft__shift_behind {
	uint32_t hosts;
	uint32_t source, nsources;
	uint32_t home, nhomes;
};

struct weft__shift_rounds {
	const struct weft_fabric *f;
	const uint32_t *scale;	/* [nch] as of loads.h */
	uint32_t *host;		/* [n] endports of the group by rank */
	uint32_t n;
	uint32_t step, nrounds;	/* shifts by 1, 1 + step, 1 + 2 step, ... */
	uint32_t random;	/* rounds at random for each shift */
	uint16_t *streams;	/* [nch][nrounds] */
	uint32_t *pairs;	/* [nch] in all shifts */
	uint32_t *from;		/* [nch][nhomes] hosts that those of a switch send
				 * to by a channel */
	uint32_t *hosts;	/* [nsw] of the group on a switch */
	uint32_t *number;	/* [nsw] of switches with some, which are */
	uint32_t nhomes;

	/* The column that was read last. */
	struct weft__shift_behind *behind;	/* [nsw] */
	uint32_t *source;	/* [nrounds] rounds in which hosts send to the
				 * column's owner, by switch; and the switches */
	uint32_t *home;		/* [nhomes] where all senders are */
	uint64_t looked;
};

/* Makes room for the largest group.  Returns false without memory. */
bool weft__shift_rounds_init(struct weft__shift_rounds *r,
			     const struct weft_fabric *f, uint32_t most,
			     struct weft_arena *arena);

/* Begins with the hosts of a group, r->host[n], none of which sends anything yet.
 * O(channels x rounds). */
void weft__shift_rounds_begin(struct weft__shift_rounds *r, uint32_t n);

/* Finds what passes each switch to the host of that rank, whose column was
 * surveyed.  O(switches + rounds). */
void weft__shift_rounds_read(struct weft__shift_rounds *r,
			     const struct weft__column *c, uint32_t rank);

/* Adds what passes s to a channel, or takes it away (sign -1). */
void weft__shift_rounds_add(struct weft__shift_rounds *r, uint32_t s,
			    uint32_t channel, int sign);

/*
 * Returns what it costs that streams which pass s meet others on a channel, in all
 * shifts and in rounds at random.  through: hosts that send to the
 * column's owner by that channel; carries: those that pass s are among them.
 */
int64_t weft__shift_rounds_meet(struct weft__shift_rounds *r, uint32_t s,
				uint32_t channel, uint32_t through,
				bool carries);

#endif
