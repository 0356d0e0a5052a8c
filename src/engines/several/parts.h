/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What several.c and held.c share. */
#ifndef WEFT_ENGINES_SEVERAL_PARTS_H
#define WEFT_ENGINES_SEVERAL_PARTS_H

#include "engines/several/several.h"
#include "lanes/lane_masks.h"

#include <weft/redundancy.h>

struct weft__several {
	const struct weft__several_spec *spec;
	struct weft_arena *arena;   /* of the current trial */
	struct weft_basket *basket; /* of streams that use all LIDs */
	struct weft_basket *base_basket;
	const struct weft_routes *base; /* routes of the base LIDs, in which
					 * the others are rotated */
	struct weft_routes best;	/* better ones, if there are */
	struct weft_worth worth, base_worth;
	bool redundancy; /* that ways have nothing in common counts first: */
	struct weft_lid_redundancy depends; /* of the best ones, if counted */
	bool counted;
	double most; /* worth of any so far */
	double judging, base_judging, budget, spent;
	unsigned lids;		/* of a port, at most */
	int step;		/* of the best rotation */
	unsigned passes;	/* of the current trial */
	struct weft__ways ways; /* shortest ones */
};

/* The base LIDs' trees and the turns that lanes allow. */
struct weft__held {
	struct weft__trees trees;
	struct weft__balance balance;
	struct weft__orders orders;
	struct weft__lane_masks masks;
	unsigned kept; /* lanes that the base LIDs are in */
	bool changed;  /* base trees were rerouted */
};

/*
 * Finds out what one path for each pair is worth, v->base_worth, if it is not
 * known.  Returns 0 or -errno.
 */
int weft__judge_base(struct weft__several *v);

/*
 * Finds the base LIDs' trees and turns in all lanes there are, such that pairs
 * have many ways of at most so many cables more than shortest ones.  Memory is
 * of v->arena.  Returns 0 or -errno.
 */
int weft__held_find(struct weft__several *v, unsigned longer,
		    struct weft__held *h);

#endif
