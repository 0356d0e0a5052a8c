/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The choice among parallel cables between the same two switches. */
#ifndef WEFT_ENGINES_FATTREE_CABLES_H
#define WEFT_ENGINES_FATTREE_CABLES_H

#include "engines/fattree/engine.h"

struct weft__parallel {
	struct weft__fattree_run *run;
	bool parallel;		/* some cables are parallel */
	uint32_t *start;	/* [edges] first edge to the same switch */
	uint8_t *length;	/* [edges] at a start: number of cables; else
				 * 0 */
	uint32_t *load;		/* [edges] destinations */
	uint32_t *batch;	/* [edges] at a start: trees of the batch */
	uint32_t *dealt;	/* [edges] at a start: trees that have got a
				 * cable */
	uint8_t *carries;	/* [batch][nsw] 1: sends traffic of endports */
	uint8_t *from_last;	/* [edges] at a start: cables down are dealt
				 * from the last one on */
};

/* Prepares, with nothing dealt yet.  Returns false without memory. */
bool weft__parallel_init(struct weft__parallel *c,
			 struct weft__fattree_run *run);

/*
 * Deals the n trees tree[], all to the same switch, to the parallel cables on
 * their ways; the switches on these ways stay the same.  mirrored: cables up
 * are dealt from the last one on.  O(n x switches).
 */
void weft__parallel_deal(struct weft__parallel *c,
			 const struct weft__tree *const *tree, uint32_t n,
			 bool mirrored);

#endif
