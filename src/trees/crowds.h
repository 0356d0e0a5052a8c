/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a stream may expect where others are expected: the arithmetic behind
 * improve.c, in fixed point, so that every machine computes the same.
 */
#ifndef WEFT_TREES_CROWDS_H
#define WEFT_TREES_CROWDS_H

#include <stdint.h>

#define WEFT__LEVELS 8		/* levels of congestion */
#define WEFT__CROWDS 512	/* expected numbers told apart */
#define WEFT__CROWDS_ROOM 1.25	/* how much more tables are made for */
#define WEFT__SPEEDS 16		/* speeds of channels told apart */
#define WEFT__WHOLE_BITS 30	/* full bandwidth is 1 << 30 */

/*
 * A stream that meets x others on a channel has a congestion of 1 + x there, or
 * r times that where the channel carries 1 / r of what a host sends; and 1 over
 * the largest congestion on its way is its share of full bandwidth.  Levels are
 * congestions 1 = c0 < c1 < ...; the expected share is the sum over levels of
 * what is gained by a congestion no larger, times the chance of that.  What
 * lies between two levels counts for the lower one in part, so that the mean is
 * right.  Chances are 15 bits, and so is a gain: a product is in units of
 * 1 >> WEFT__WHOLE_BITS.
 *
 * A crowd is a row of both tables: others come like a Poisson process, so many
 * of them expected as the row says.
 */
struct weft__crowds {
	double crowds_per_stream;	/* expected number of others -> row */
	double bundles_per_crowd;	/* streams are counted by the bundle;
					 * a bundle is one where few meet */
	double floor;		/* share beyond the last level */
	double share[WEFT__LEVELS + 1];	/* 1 / c, and the floor */
	int16_t gain[WEFT__LEVELS];
	/* For each speed, chance of no more than c. */
	int16_t chance[WEFT__SPEEDS * WEFT__CROWDS][WEFT__LEVELS];
	/* By what share of it that chance falls for one more stream that is
	 * certain to come. */
	int16_t fall[WEFT__SPEEDS * WEFT__CROWDS][WEFT__LEVELS];
};

/*
 * Sets levels and rows for channels on which at most so many others are
 * expected, and at most that congestion: levels are 1, 2, .. 8 where that is
 * little, and farther apart where much.
 */
void weft__crowds_init(struct weft__crowds *crowds, double streams,
		       double congestion);

/* Fills in the rows of the speed of that number, from WEFT__CROWDS times number
 * on.  slow: what a host sends / what the channel carries, > 0. */
void weft__crowds_speed(struct weft__crowds *crowds, unsigned number,
			double slow);

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
