/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A column: the entries of all switches for one LID, which make a tree where
 * all of them work.
 */
#ifndef WEFT_STANDING_COLUMN_H
#define WEFT_STANDING_COLUMN_H

#include "graph/bfs.h"

#include <weft/lft.h>

struct weft_arena;

struct weft__column {
	const struct weft_fabric *fabric;
	unsigned lid;
	uint32_t owner;		/* vertex */
	uint32_t root;		/* the owner's switch */
	uint8_t *port;		/* [nsw] */
	uint16_t *hops;		/* [nsw] cables to the root; WEFT__FAR: the way
				 * from there does not arrive */
	uint32_t *stack;	/* [nsw] */
	uint32_t *lost;		/* [nlost] switches that cables join with the
				 * root, and that do not arrive, ascending */
	uint32_t nlost;
	uint32_t *part;		/* [nsw] those that cables join are of one */
	uint32_t njoined;	/* switches of the root's part */
};

/* Makes room.  Returns false without memory. */
bool weft__column_init(struct weft__column *c, const struct weft_fabric *f,
		       struct weft_arena *arena);

/* Returns the switch that switch s sends to, or WEFT_NONE.  O(1). */
static inline uint32_t weft__column_next(const struct weft__column *c,
					 uint32_t s)
{
	uint8_t port = c->port[s];
	uint32_t to;

	if (!port || port > c->fabric->sw[s].nports)
		return WEFT_NONE;
	to = c->fabric->peer[weft_channel(c->fabric, s, port)];
	return weft_is_switch(to) ? to : WEFT_NONE;
}

/* Takes the column of a LID, which has an owner, out of tables; its own switch
 * delivers. */
void weft__column_read(struct weft__column *c, const struct weft_lft *lft,
		       unsigned lid);

/* Finds the hops of all switches, and those that are lost.  O(switches). */
void weft__column_survey(struct weft__column *c);

#endif
