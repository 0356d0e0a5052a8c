/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A column: the entries of all switches for one LID, which make a tree where
 * all of them work.
 */
#ifndef WEFT_LOADS_COLUMN_H
#define WEFT_LOADS_COLUMN_H

#include "graph/bfs.h"

#include <weft/lft.h>

struct weft_arena;

struct weft__column {
	const struct weft_fabric *fabric;
	unsigned lid;
	uint32_t owner;		/* vertex */
	uint32_t root;		/* the owner's switch */
	uint8_t *port;		/* [nsw] */

	/* As the last survey found them. */
	uint32_t *next;		/* [nsw] where each sends, or WEFT_NONE */
	uint16_t *hops;		/* [nsw] cables to the root; WEFT__FAR: the way
				 * from there does not arrive */
	uint32_t *order;	/* [norder] switches that arrive, but for the
				 * root, each behind the one it sends to */
	uint32_t norder;
	uint32_t *lost;		/* [nlost] switches that cables join with the
				 * root, and that do not arrive, ascending */
	uint32_t nlost;
	uint32_t njoined;	/* switches of the root's part */

	/* The tree that order was made for: another one to the same root in
	 * which all switches send to lower levels keeps it. */
	uint32_t rooted;	/* its root, or WEFT_NONE */
	uint16_t *level;	/* [nsw] hops in it; order has them ascending */

	uint32_t *stack;	/* [nsw] scratch */
	uint32_t *part;		/* [nsw] those that cables join are of one */
	uint32_t *size;		/* [nsw] switches of a part */
};

/* Makes room.  Returns false without memory. */
bool weft__column_init(struct weft__column *c, const struct weft_fabric *f,
		       struct weft_arena *arena);

/* Returns the switch that switch s sends to, or WEFT_NONE.  O(1). */
static inline uint32_t weft__column_next(const struct weft__column *c,
					 uint32_t s)
{
	const struct weft_fabric *f = c->fabric;
	uint32_t channel = weft_channel(f, s, c->port[s]), to;

	if (channel >= f->first_channel[s + 1])
		return WEFT_NONE;
	to = f->peer[channel];
	return weft_is_switch(to) ? to : WEFT_NONE;
}

/* Takes the column of a LID, which has an owner, out of tables; its own switch
 * delivers. */
void weft__column_read(struct weft__column *c, const struct weft_lft *lft,
		       unsigned lid);

/* The same, from the ports themselves, as weft_lft_columns() has them. */
void weft__column_take(struct weft__column *c, unsigned lid,
		       const uint8_t *port);

/* The length of a number of lost switches in binary; 0: none is. */
#define WEFT__LOST_BITS 32
static inline uint8_t weft__lost_bits(uint32_t nlost)
{
	return nlost ? WEFT__LOST_BITS - __builtin_clz(nlost) : 0;
}

/* Puts a column into tables. */
void weft__column_write(const struct weft__column *c, struct weft_lft *lft);

/* Begins the column of a LID whose ports are filled in already. */
void weft__column_begin(struct weft__column *c, unsigned lid);

/* Whether the order of the last tree holds for this column, too.  Finds where
 * all switches send, but no hops, and does so as far as it holds. */
bool weft__column_keeps_order(struct weft__column *c);

/* Finds where all switches send, and those that are lost.  O(switches). */
void weft__column_survey(struct weft__column *c);

#endif
