/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lanes that all ways between two switches have in common, while trees are
 * chosen one after the other: each lane allows some turns, and holds every way
 * of only these.
 *
 *	weft__legal_reset(&c);
 *	for each tree:
 *		weft__legal_start(&c, root);
 *		for each switch s, nearest first:
 *			of edges e, the one with the highest
 *			weft__legal_rank(&c, s, e, head of e);
 *			weft__legal_take(&c, s, e, head of e);
 */
#ifndef WEFT_TREES_LEGAL_H
#define WEFT_TREES_LEGAL_H

#include "trees/turns.h"

struct weft__legal {
	const struct weft__turns *turns;
	uint32_t nsw;
	uint16_t all;		/* every lane */
	unsigned care;		/* lanes that are better than fewer; more are
				 * no better: 1, 2 or 16 */
	const uint16_t *first;	/* [nsw * nsw] what left[] is at first; NULL:
				 * every lane */
	uint16_t *left;		/* [nsw * nsw] lanes that the ways to a switch
				 * leave, by destination, then source */

	/* of the tree at hand */
	uint16_t *to;		/* [nsw] its row of left[] */
	uint32_t root;
	uint16_t *allowed;	/* [nsw] lanes that other ways of the pair
				 * leave; all where these have none already */
	uint16_t *legal;	/* [nsw] lanes in which the way is legal */
	uint8_t *next;		/* [nsw] position of the edge that is taken */
};

/* turns: of that many lanes; must outlive it.  false without memory. */
bool weft__legal_init(struct weft__legal *legal,
		      const struct weft__turns *turns, unsigned lanes,
		      struct weft_arena *arena);

/* No tree is chosen.  O(switches^2), in two-byte numbers. */
void weft__legal_reset(struct weft__legal *legal);

/* The next tree is one to root.  O(switches), where root is another one than
 * before. */
void weft__legal_start(struct weft__legal *legal, uint32_t root);

/* Lanes that a way is legal in which goes on to switch head by that edge. */
static inline uint16_t weft__legal_lanes(const struct weft__legal *c,
					  uint32_t edge, uint32_t head)
{
	return c->legal[head] &
		weft__turns_from(c->turns, edge)[c->next[head]];
}

/* Lanes that all ways of switch s and the root have if it takes that, at most
 * as many as care says. */
static inline unsigned weft__legal_rank(const struct weft__legal *c, uint32_t s,
					uint32_t edge, uint32_t head)
{
	unsigned lanes = weft__legal_lanes(c, edge, head) & c->allowed[s];

	if (c->care > 2)
		return __builtin_popcount(lanes);
	return !!lanes + (c->care > 1 && (lanes & (lanes - 1)));
}

/* Switch s takes that edge. */
static inline void weft__legal_take(struct weft__legal *c, uint32_t s,
				     uint32_t edge, uint32_t head)
{
	uint16_t legal = weft__legal_lanes(c, edge, head);

	c->next[s] = edge - c->turns->fabric->adj_first[s];
	c->legal[s] = legal;
	c->to[s] &= legal;
	if (c->allowed[s] & legal)
		c->allowed[s] &= legal;
}

#endif
