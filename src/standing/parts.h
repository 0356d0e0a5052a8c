/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which parts of another state of a fabric are here. */
#ifndef WEFT_STANDING_PARTS_H
#define WEFT_STANDING_PARTS_H

#include "diff/match.h"
#include "graph/cdg.h"

struct weft_arena;

/* For each switch here, the ports that lead where they did: a bit each, 256. */
struct weft__alive {
	uint64_t (*port)[4];	/* [nsw] */
};

/* Finds them.  0 or -ENOMEM.  O(ports). */
int weft__alive_find(struct weft__alive *a, const struct weft__match *m,
		     struct weft_arena *arena);

/* Returns an entry of that state as it is here: WEFT_NO_PORT where its cable is
 * gone. */
static inline uint8_t weft__alive_port(const struct weft__alive *a, uint32_t s,
				       uint8_t port)
{
	return a->port[s][port / 64] >> port % 64 & 1 ? port : WEFT_NO_PORT;
}

/* Whether all that the other state has is here: its cables, those to endports
 * included, and its LIDs.  O(ports + LIDs). */
bool weft__parts_whole(const struct weft__match *m);
/* Whether nothing is here that the other state has not. */
bool weft__parts_no_more(const struct weft__match *m);

/* The channels of another state of a fabric that are here. */
struct weft__same {
	uint32_t *channel;	/* [channels of switches there] the same one
				 * here, or WEFT_NONE */
	uint64_t (*port)[4];	/* [nsw] ports with the cable that they had,
				 * the first one is bit 0 */
};

/* Finds them.  0 or -ENOMEM.  O(ports). */
int weft__same_find(struct weft__same *same, const struct weft__match *m,
		    struct weft_arena *arena);

/* Adds the dependencies of that state between channels that are here to a graph
 * of as many lanes.  Lanes never mix.  O(channels x lanes x words). */
void weft__same_join(const struct weft__same *same, const struct weft__cdg *from,
		     struct weft__cdg *to);

#endif
