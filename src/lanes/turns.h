/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The turns that lanes allow.  A turn leads from an edge (adjacency entry) of a
 * switch into one that leaves its head.  A way may use the lanes that all of
 * its turns allow.  Where the turns of a lane follow an order of the channels,
 * its ways close no cycle, whichever of them are used.
 */
#ifndef WEFT_LANES_TURNS_H
#define WEFT_LANES_TURNS_H

#include <weft/fabric.h>

struct weft_arena;

struct weft__turns {
	const struct weft_fabric *fabric;
	uint32_t *first;	/* [edges] first turn of an edge */
	uint16_t *lanes;	/* a bit each, for each edge of the head by
				 * position and for the end of a way there */
	const uint16_t *room;	/* [edges] lanes that an edge may carry at all;
				 * NULL: all of them */
};

/* Allows all turns in all lanes.  Returns false without memory.  Takes 2 bytes
 * for each turn of the fabric. */
bool weft__turns_init(struct weft__turns *t, const struct weft_fabric *fabric,
		      struct weft_arena *arena);

/* Allows the turns of orders of the switches: all but those from an edge that
 * leads down into one that leads up. up: [edges] bit: lane in which the edge
 * leads up. */
void weft__turns_climb(struct weft__turns *t, const uint16_t *up);

/* Allows no lane on an edge but those of room[], from now on. */
void weft__turns_limit(struct weft__turns *t, const uint16_t *room);

/* Returns the lanes that an edge may carry. */
static inline uint16_t weft__turns_room(const struct weft__turns *t,
					uint32_t edge)
{
	return t->room ? t->room[edge] : UINT16_MAX;
}

/* Returns the turns from an edge. */
static inline uint16_t *weft__turns_from(const struct weft__turns *t,
					 uint32_t edge)
{
	return t->lanes + t->first[edge];
}

/* Returns the position that stands for the end of a way. */
static inline uint8_t weft__turns_end(const struct weft__turns *t, uint32_t s)
{
	return t->fabric->adj_first[s + 1] - t->fabric->adj_first[s];
}

#endif
