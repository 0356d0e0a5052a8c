/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Local maxima of an order of the switches: those without a neighbour above.
 * Two switches have a common ancestor if and only if some maximum is above
 * both.
 */
#ifndef WEFT_TREES_MAXIMA_H
#define WEFT_TREES_MAXIMA_H

#include <weft/fabric.h>

struct weft_arena;

struct weft__maxima {
	const struct weft_fabric *fabric;
	uint32_t *sw;		/* [n] the maxima, from the top down */
	uint32_t n;
	uint32_t nwords;	/* of a set of maxima; bit i is sw[i] */
	uint64_t *above;	/* [nsw * nwords], see weft__above() */
};

/* Makes room for switches^2 / 8 bytes.  Returns false without memory. */
bool weft__maxima_init(struct weft__maxima *m, const struct weft_fabric *fabric,
		       struct weft_arena *arena);

/* Finds the maxima, and those above each switch. place[nsw]: 0 = the top;
 * by_place[nsw]: its inverse.  O(cables x maxima / 64). */
void weft__maxima_find(struct weft__maxima *m, const uint32_t *place,
		       const uint32_t *by_place);

/* Returns the maxima above switch s, itself included if it is one: [nwords]. */
static inline uint64_t *weft__above(const struct weft__maxima *m, uint32_t s)
{
	return m->above + (size_t)s * m->nwords;
}

#endif
