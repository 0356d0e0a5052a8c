/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which parts of another state of a fabric are here. */
#ifndef WEFT_STANDING_PARTS_H
#define WEFT_STANDING_PARTS_H

#include "diff/match.h"

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

#endif
