/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Moves of entries to where streams of shifts meet less often, one at a time: what
 * engines do with all entries (shifts.c), and standing tables with a few.
 */
#ifndef WEFT_LOADS_SHIFT_MOVES_H
#define WEFT_LOADS_SHIFT_MOVES_H

#include "loads/easing.h"
#include "loads/shift_rounds.h"
#include "loads/shifts.h"

#include <stdatomic.h>

struct weft__shift_moves {
	struct weft__easing *z;	/* with loads, and who waits for whom */
	const atomic_bool *stop;	/* set: nobody needs it; or NULL */
	struct weft__shift_rounds rounds;
	enum weft__longer longer;	/* set before */
	bool even;		/* set before: no channel gets more load than the
				 * highest one on the way that is left */
	bool detours;		/* the entry that is looked at may take a longer
				 * way: nobody sends by its switch */
	uint64_t peak;		/* load that no channel exceeds; if even, by the
				 * move that is looked at */
	uint32_t *by_rank;	/* [nep] endports */
	uint32_t rank;		/* whose column was read last, */
	uint32_t nreads;	/* which was that read */
	uint32_t *outdated;	/* [nsw] read after which something else passes
				 * there */
	int64_t *saves;		/* [nsw] what leaving the way saves up to there */
	double cost;		/* that streams meet on the ways of all entries looked
				 * at, */
	double saved;		/* and of that, by all moves */
};

/* Makes room, where z is known.  rank: [nep], as of weft__shifts_spec.  0 or
 * -ENOMEM. */
int weft__shift_moves_init(struct weft__shift_moves *m, const uint32_t *rank,
			   struct weft_arena *arena);

/* Returns at how much counting all streams looks: hosts x (switches + rounds). */
uint64_t weft__shift_moves_work(const struct weft_fabric *fabric);

/* Returns the sets of hosts among which shifts are: groups, and behind them kinds
 * on all rails, where rails are looked at together. */
uint32_t weft__shift_sets(const struct weft_fabric *fabric, bool single);

/* Counts the streams of a set.  Returns false if it is too small to have any that
 * meet, or nobody needs them.  O(hosts x (switches + rounds x hops)). */
bool weft__shift_moves_begin(struct weft__shift_moves *m, uint32_t set);

static inline bool weft__shift_moves_stopped(const struct weft__shift_moves *m)
{
	return m->stop && atomic_load(m->stop);
}

/* Takes out the column of the host of that rank in the set.  O(switches +
 * rounds). */
void weft__shift_moves_read(struct weft__shift_moves *m, uint32_t rank);

/* Returns what the best move of the entry at s in the column saves; 0: none
 * does. */
int64_t weft__shift_moves_look(struct weft__shift_moves *m, uint32_t s);

/* Has the entry at s take the way where its streams meet least, if that closes no
 * cycle.  Returns whether it moved.  The column is read again if need be: the order
 * of its switches is then another one for those that have sent before. */
bool weft__shift_moves_make(struct weft__shift_moves *m, uint32_t s);

#endif
