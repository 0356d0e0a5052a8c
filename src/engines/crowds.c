// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Expected bandwidth among others; see crowds.h. */
#include "engines/crowds.h"

#define MOST 64.0	/* where more others are expected, streams are counted
			 * by the bundle */
#define ONE INT16_MAX
#define STEADY 1024	/* part of a stream */

/* e^-x for 0 <= x <= MOST, by halving the argument ten times: the same bits on
 * every machine, whatever its mathematical library. */
static double exp_minus(double x)
{
	double y = x / STEADY, e = 1 - y * (1 - y / 2 * (1 - y / 3 *
							 (1 - y / 4)));

	for (unsigned i = 1; i < STEADY; i *= 2)
		e *= e;
	return e;
}

/* The number of others at each level: as far as `reach`, in steps that grow
 * from one by the same share, the smallest one that suffices. */
static void choose_levels(unsigned *level, double reach)
{
	for (unsigned eighths = 0; ; eighths++) {
		level[0] = 0;
		for (unsigned k = 1; k < WEFT__LEVELS; k++)
			level[k] = level[k - 1] + 1 +
				   level[k - 1] * eighths / 8;
		if (level[WEFT__LEVELS - 1] >= reach)
			return;
	}
}

/* Mean bandwidth of those who meet over `from` and up to `to` others. */
static double mean_share(unsigned from, unsigned to)
{
	double sum = 0;

	for (unsigned x = from + 1; x <= to; x++)
		sum += 1.0 / (1 + x);
	return sum / (to - from);
}

static void set_gains(struct weft__crowds *c, const unsigned *level)
{
	unsigned last = level[WEFT__LEVELS - 1];
	double share = 1;

	for (unsigned k = 0; k < WEFT__LEVELS; k++) {
		double next = k + 1 < WEFT__LEVELS ?
			mean_share(level[k], level[k + 1]) :
			mean_share(last, last + 1 + last / 4);

		c->gain[k] = (share - next) * ONE + 0.5;
		share = next;
	}
	c->floor = share;
}

static void set_row(struct weft__crowds *c, unsigned row, double expected,
		    const unsigned *level)
{
	double exactly = exp_minus(expected), at_most = exactly;
	unsigned x = 0;

	for (unsigned k = 0; k < WEFT__LEVELS; k++) {
		while (x < level[k]) {
			x++;
			exactly *= expected / x;
			at_most += exactly;
		}
		c->chance[row][k] = at_most < 1 ? at_most * ONE + 0.5 : ONE;
		c->fall[row][k] = exactly / at_most * ONE + 0.5;
	}
}

void weft__crowds_init(struct weft__crowds *c, double most)
{
	double bundle = most > MOST ? most / MOST : 1;
	double range = most / bundle * 1.25;
	unsigned level[WEFT__LEVELS];

	if (range < 8)
		range = 8;
	choose_levels(level, most / bundle * 2);
	set_gains(c, level);
	for (unsigned row = 0; row < WEFT__CROWDS; row++)
		set_row(c, row, row * range / WEFT__CROWDS, level);
	c->crowds_per_stream = WEFT__CROWDS / range / bundle;
}
