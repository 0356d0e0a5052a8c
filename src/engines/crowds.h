/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a stream may expect where others are expected: the arithmetic behind
 * improve.c, in fixed point, so that every machine computes the same.
 */
#ifndef WEFT_ENGINES_CROWDS_H
#define WEFT_ENGINES_CROWDS_H

#include <stdint.h>

#define WEFT__LEVELS 8		/* numbers of other streams told apart */
#define WEFT__CROWDS 512	/* expected numbers told apart */
#define WEFT__WHOLE_BITS 30	/* full bandwidth is 1 << 30 */

/*
 * A stream that meets x others on the most crowded channel of its way has
 * 1 / (1 + x) of the bandwidth.  Levels are numbers t0 < t1 < ... of other
 * streams; the expected bandwidth is the sum over levels of what is gained by
 * meeting no more than t times the chance of that.  Chances are 15 bits, and
 * so is a gain: a product is in units of 1 >> WEFT__WHOLE_BITS.
 *
 * A crowd is a row of both tables: others come like a Poisson process, so many
 * of them expected as the row says.
 */
struct weft__crowds {
	double crowds_per_stream;	/* expected number of others -> row */
	double floor;		/* bandwidth beyond the last level */
	int16_t gain[WEFT__LEVELS];
	/* Chance of no more than t others. */
	int16_t chance[WEFT__CROWDS][WEFT__LEVELS];
	/* By what share that chance falls for one more stream that is certain
	 * to come: the chance of exactly t among those of no more than t. */
	int16_t fall[WEFT__CROWDS][WEFT__LEVELS];
};

/*
 * Makes the tables for channels on which at most `most` others are expected:
 * levels are 0, 1, .. 7 where that is few, and farther apart where many.
 */
void weft__crowds_init(struct weft__crowds *crowds, double most);

/* What chances are worth, in units of 1 >> WEFT__WHOLE_BITS. */
static inline int32_t weft__crowds_worth(const int16_t *chance,
					     const int16_t *gain)
{
	int32_t sum = 0;

	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		sum += chance[k] * gain[k];
	return sum;
}

#endif
