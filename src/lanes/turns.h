/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which turns the lanes allow: from an edge (adjacency entry) of a switch into
 * one that leaves its head.  A way may use the lanes that all of its turns
 * allow.  Where those of a lane follow an order of the channels, no cycle can
 * come of it, whoever uses it.
 */
#ifndef WEFT_LANES_TURNS_H
#define WEFT_LANES_TURNS_H
#include <weft/fabric.h>

struct weft_arena;

struct weft__turns {
	const struct weft_fabric *fabric;
	uint32_t *first;	/* [edges] where those of an edge begin: */
	uint16_t *lanes;	/* for each edge of the head, by position, and
				 * for the end of a way there; a bit each */
};

/* All are allowed in all lanes.  false without memory.  2 bytes for each turn
 * of the fabric. */
bool weft__turns_init(struct weft__turns *t, const struct weft_fabric *fabric,
		      struct weft_arena *arena);

/* Allows those of orders of the switches: all but from an edge that leads down
 * into one that leads up.  up: [edges] bit: lane in which it does. */
void weft__turns_climb(struct weft__turns *t, const uint16_t *up);

/* Those from an edge on. */
static inline uint16_t *weft__turns_from(const struct weft__turns *t,
					 uint32_t edge)
{
	return t->lanes + t->first[edge];
}

/* The position that stands for the end of a way. */
static inline uint8_t weft__turns_end(const struct weft__turns *t, uint32_t s)
{
	return t->fabric->adj_first[s + 1] - t->fabric->adj_first[s];
}

#endif
