/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a row of the table of patterns is made of; see weft/pattern.h.
 *
 * A pattern is two functions: prepare() reads the arguments and says how many
 * rounds and pairs there are, round() lists the pairs of one round.  A new one
 * is a struct weft__pattern in a patterns_*.c and a line in patterns.def.
 */
#ifndef WEFT_WORTH_PATTERN_H
#define WEFT_WORTH_PATTERN_H
#include <weft/diag.h>
#include <weft/pattern.h>
#include <weft/rng.h>

#include <errno.h>

#define WEFT_GRID_DIMENSIONS 3

struct weft_traffic {
	const struct weft__pattern *pattern;
	uint32_t nranks;
	uint64_t nrounds, max_pairs, nscratch;
	bool random, fair;

	/* arguments, as their pattern's prepare() read them */
	uint32_t number;
	double share;
	unsigned choice;
	bool flag;
	unsigned dimensions;
	uint32_t side[WEFT_GRID_DIMENSIONS];	/* unused ones are 1 */

	struct weft_traffic *part[2];	/* side by side, else NULL */
	uint32_t split;			/* first rank of part[1] */
	struct weft_pair_list list;	/* of weft_traffic_from_list() */
};

struct weft__pattern {
	struct weft_pattern row;
	uint32_t least;		/* ranks that it needs; 0 counts as 2 */
	/*
	 * nranks is set, >= least; nrounds, max_pairs and nscratch are 1,
	 * nranks and 0, random and fair are false.  0 or -errno, said why.
	 */
	int (*prepare)(struct weft_traffic *t, const struct weft_options *o,
		       struct weft_diag *diag);	/* may be NULL */
	uint64_t (*round)(const struct weft_traffic *t, uint64_t round,
			  struct weft_draw *draw, struct weft_pair *pair);
};

#define WEFT_PATTERN(symbol) extern const struct weft__pattern \
	weft__pattern_##symbol;
#include "worth/patterns.def"
#undef WEFT_PATTERN

/* 0 .. n-1 into order[], shuffled. */
void weft__draw_order(struct weft_rng *rng, uint32_t *order, uint32_t n);

/* side[]: n in so many dimensions, as even as it divides. */
void weft__grid_sides(uint32_t n, unsigned dimensions, uint32_t *side);
/*
 * "8x8x4" into t->side and t->dimensions; NULL: weft__grid_sides() of all
 * ranks.  -EINVAL when it does not parse or has more places than ranks.
 */
int weft__grid_parse(struct weft_traffic *t, const char *text,
		     unsigned dimensions, struct weft_diag *diag);

/* Adds a pair unless it is one rank's with itself. */
static inline uint64_t weft__add_pair(struct weft_pair *pair, uint64_t n,
				      uint32_t from, uint32_t to)
{
	pair[n] = (struct weft_pair){ from, to };
	return n + (from != to);
}

#endif
