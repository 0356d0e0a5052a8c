/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A valley: a tree of switches that joins all local maxima of an order; see
 * valleys.c. */
#ifndef WEFT_TREES_VALLEY_H
#define WEFT_TREES_VALLEY_H

#include "trees/maxima.h"
#include "trees/ways.h"

struct weft__valley {
	struct weft__ways *w;
	struct weft__maxima maxima;
	uint32_t *next;		/* [nsw] next switch on the way to the valley */
	uint64_t *duty;		/* [nsw * nwords] maxima that a switch of the
				 * valley leads to */
};

/* A switch that may become the root of a valley. */
struct weft__valley_candidate {
	uint32_t maxima;	/* how many are above it */
	uint32_t endports;
	uint32_t place;
	uint32_t sw;
};

/* Makes room.  Returns false without memory. */
bool weft__valley_init(struct weft__valley *v, struct weft__ways *w);

/* Finds the maxima, and lists all switches, the best root first (valleys.c). */
void weft__valley_list_candidates(struct weft__valley *v,
				  struct weft__valley_candidate *candidate);

/* Makes the valley with its root at that switch. */
void weft__valley_make(struct weft__valley *v, uint32_t bottom);

/* True if two neighbours of s that are above it in the valley have a maximum
 * above them in common: what climbs by one may come down by the other. */
bool weft__valley_doubles(const struct weft__valley *v, uint32_t s);

#endif
