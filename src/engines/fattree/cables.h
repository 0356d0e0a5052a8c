/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which of the cables between the same two switches a destination takes. */
#ifndef WEFT_ENGINES_FATTREE_CABLES_H
#define WEFT_ENGINES_FATTREE_CABLES_H
#include "engines/fattree/engine.h"

struct weft__parallel {
	struct weft__fattree_run *run;
	bool parallel;		/* there are any */
	uint32_t *start;	/* [edges] first edge to the same switch */
	uint8_t *length;	/* [edges] at a start: how many; else 0 */
	uint32_t *load;		/* [edges] destinations */
	uint32_t *batch;	/* [edges] at a start: those of the batch */
	uint32_t *dealt;	/* [edges] at a start: how many of them have a
				 * cable */
	uint8_t *carries;	/* [batch][nsw] sends something there */
	uint8_t *from_last;	/* [edges] at a start: of cables down, the last
				 * ones come first */
};

/* Nothing dealt yet.  false without memory. */
bool weft__parallel_init(struct weft__parallel *c,
			 struct weft__fattree_run *run);

/*
 * Deals the n trees tree[], all to the same switch, to the parallel cables on
 * their ways; which switches these lead to stays.  mirrored: of cables up the
 * last ones first.  O(n x switches).
 */
void weft__parallel_deal(struct weft__parallel *c,
			 const struct weft__tree *const *tree, uint32_t n,
			 bool mirrored);

#endif
