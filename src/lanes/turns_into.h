/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The turns that lanes allow, by the edge that they lead into.  While a tree
 * grows, the edge by which a switch goes on is known, and the turns into it
 * from all edges to that switch are looked at: here they are next to each
 * other, whereas turns.h would have them all over a table too large for caches.
 */
#ifndef WEFT_LANES_TURNS_INTO_H
#define WEFT_LANES_TURNS_INTO_H

#include "lanes/turns.h"

struct weft__turns_into {
	const struct weft_fabric *fabric;
	uint8_t *back;		/* [edges] position of the other direction */
	uint32_t *first;	/* [nsw] first turn at a switch */
	uint32_t n;		/* turns in all */
	uint16_t *lanes;	/* [n] for each edge that leaves the switch by
				 * position, and the end of a way there: a mask
				 * for each edge to it */
};

/* Makes room.  Returns false without memory. */
bool weft__turns_into_init(struct weft__turns_into *t,
			   const struct weft_fabric *fabric,
			   struct weft_arena *arena);

/* Copies the turns.  O(turns). */
void weft__turns_into_read(struct weft__turns_into *t,
			   const struct weft__turns *turns);

/* Returns where the turns into an edge of a switch by position, or into the end
 * of a way there, begin in t->lanes. */
static inline uint32_t weft__turns_row(const struct weft__turns_into *t,
				       uint32_t s, uint8_t next)
{
	const uint32_t *first = t->fabric->adj_first;

	return t->first[s] + next * (first[s + 1] - first[s]);
}

/* Returns the turn of such a row from an edge. */
static inline uint16_t weft__turn_of_row(const struct weft__turns_into *t,
					 uint32_t row, uint32_t edge)
{
	return t->lanes[row + t->back[edge]];
}

/* Has it fetched, as all rows are too many for caches. */
static inline void weft__turn_fetch(const struct weft__turns_into *t,
				    uint32_t row, uint32_t edge)
{
	__builtin_prefetch(t->lanes + row + t->back[edge]);
}

#endif
