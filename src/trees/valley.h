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

/* Makes room.  The caller finds the maxima.  Returns false without memory. */
bool weft__valley_init(struct weft__valley *v, struct weft__ways *w);

/* Makes the valley with its root at that switch. */
void weft__valley_make(struct weft__valley *v, uint32_t bottom);

/* Returns how many bits are set in both. */
unsigned weft__valley_overlap(const uint64_t *a, const uint64_t *b,
			      uint32_t nwords);

#endif
