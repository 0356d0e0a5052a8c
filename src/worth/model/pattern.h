/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rows of the table of patterns; see weft/pattern.h.
 *
 * A pattern is two functions: prepare() reads the arguments and says how many
 * rounds and pairs there are, round() lists the pairs of one round.  A new one
 * is a struct weft__pattern in a patterns_*.c and a line in patterns.def.
 */
#ifndef WEFT_WORTH_PATTERN_H
#define WEFT_WORTH_PATTERN_H

#include "worth/model/teams.h"

#include <weft/diag.h>
#include <weft/pattern.h>
#include <weft/rng.h>

#include <errno.h>

#define WEFT_GRID_DIMENSIONS 3

struct weft_traffic {
	const struct weft__pattern *pattern;
	uint32_t nranks;
	uint64_t nrounds, max_pairs, nscratch;
	bool random, fair, seated, sized;
	const struct weft_seat *given;	/* [nranks] while it is made; NULL = not
					 * known */

	/* arguments, as the pattern's prepare() reads them */
	uint32_t number;
	double share;
	unsigned choice;
	bool flag;
	unsigned dimensions;
	uint32_t side[WEFT_GRID_DIMENSIONS];	/* unused ones are 1 */

	struct weft__machines machines;
	struct weft__teams team, inside;
	struct weft__part *part;	/* [nparts] side by side */
	unsigned nparts;
	struct weft_pair_list list;	/* for weft_traffic_from_list() */
};

/* One of several patterns side by side. */
struct weft__part {
	struct weft_traffic *traffic;
	uint32_t *rank;		/* [its ranks] among those of all */
};

struct weft__pattern {
	struct weft_pattern row;
	bool stores;		/* storage hosts take part */
	uint32_t least;		/* ranks that it needs; 0 stands for 2 */
	/*
	 * Is called with nranks set to at least that; nrounds, max_pairs and
	 * nscratch are 1, nranks and 0, random and fair are false.  Returns 0
	 * or -errno, with a message.
	 */
	int (*prepare)(struct weft_traffic *t, const struct weft_options *o,
		       struct weft_diag *diag);	/* may be NULL */
	uint64_t (*round)(const struct weft_traffic *t, uint64_t round,
			  struct weft_draw *draw, struct weft_pair *pair);
};

#define WEFT_PATTERN(symbol) extern const struct weft__pattern \
	weft__pattern_##symbol;
#include "worth/model/patterns.def"
#undef WEFT_PATTERN

struct weft_traffic *weft__traffic_alloc(const struct weft__pattern *pattern,
					 uint32_t nranks);
/* Makes one pattern from "NAME" or "NAME:OPTIONS".  Cuts up text. */
int weft__traffic_simple(char *text, uint32_t nranks,
			 const struct weft_seat *seat,
			 struct weft_traffic **out, struct weft_diag *diag);
/* Makes several patterns from "A@SHARE+B".  Cuts up text. */
int weft__traffic_mix(char *text, uint32_t nranks, const struct weft_seat *seat,
		      struct weft_traffic **out, struct weft_diag *diag);

/* Sets order[] to 0 .. n-1, shuffled. */
void weft__draw_order(struct weft_rng *rng, uint32_t *order, uint32_t n);

/* Divides n into side[], as many dimensions, as evenly as possible. */
void weft__grid_sides(uint32_t n, unsigned dimensions, uint32_t *side);
/*
 * Reads sides such as "8x8x4" into t->side and t->dimensions; NULL stands for
 * weft__grid_sides() of all ranks.  Returns -EINVAL if text does not parse or
 * has more places than ranks.
 */
int weft__grid_parse(struct weft_traffic *t, const char *text,
		     unsigned dimensions, struct weft_diag *diag);

/*
 * Recursive doubling among n: in round r everybody exchanges with the one whose
 * number differs by bit r.  Those beyond the power of two hand over to a
 * neighbour at first, and hear from it at the end.
 */
uint32_t weft__exchange_rounds(uint32_t n);
uint64_t weft__exchange(uint32_t n, uint64_t round, struct weft_pair *pair);
/* The share of all that a pair of a round sends, when everybody has an equal
 * part at first and sends what it has. */
double weft__exchange_size(uint32_t n, uint64_t round);

/* Adds a pair unless both ranks are the same.  Returns how many there are. */
static inline uint64_t weft__add_pair(struct weft_pair *pair, uint64_t n,
				      uint32_t from, uint32_t to)
{
	pair[n] = (struct weft_pair){ from, to };
	return n + (from != to);
}

#endif
