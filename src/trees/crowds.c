// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Expected bandwidth among others; see crowds.h. */
#include "trees/crowds.h"

#define MOST 64.0	/* where more others are expected, streams are counted
			 * by the bundle */
#define FASTEST 0.0625	/* what carries more than 16 hosts send is taken for
			 * no faster than that */
#define ONE INT16_MAX
#define PIECES 1024	/* that the argument of exp_minus() is cut into */

/* e^-x for 0 <= x <= 1.25 * MOST: the same bits on every machine, whatever its
 * mathematical library. */
static double exp_minus(double x)
{
	double y = x / PIECES;
	double e = 1 - y * (1 - y / 2 * (1 - y / 3 * (1 - y / 4)));

	for (unsigned i = 1; i < PIECES; i *= 2)
		e *= e;
	return e;
}

/* Congestions as far as `reach`, in steps that grow by the same share, the
 * smallest one that suffices. */
static void set_levels(struct weft__crowds *c, double reach)
{
	unsigned level, eighths = 0;

	do {
		level = 1;
		for (unsigned k = 0; k <= WEFT__LEVELS; k++) {
			c->share[k] = 1.0 / level;
			level += 1 + (level - 1) * eighths / 8;
		}
		eighths++;
	} while (level < reach);
	c->floor = c->share[WEFT__LEVELS];
	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		c->gain[k] = (c->share[k] - c->share[k + 1]) * ONE + 0.5;
}

void weft__crowds_init(struct weft__crowds *c, double streams,
		       double congestion)
{
	double bundle = congestion > MOST ? congestion / MOST : 1;
	double range = streams / bundle * 1.25;

	set_levels(c, congestion / bundle * 2);
	if (range < 8)
		range = 8;
	c->bundles_per_crowd = range / WEFT__CROWDS;
	c->crowds_per_stream = WEFT__CROWDS / range / bundle;
}

/* The part that a share of bandwidth counts for level k. */
static double part(const struct weft__crowds *c, unsigned k, double share)
{
	double part = (share - c->share[k + 1]) /
		      (c->share[k] - c->share[k + 1]);

	return part < 0 ? 0 : part > 1 ? 1 : part;
}

static void set_row(struct weft__crowds *c, unsigned row, double expected,
		    double slow)
{
	double chance[WEFT__LEVELS] = { 0 }, then[WEFT__LEVELS] = { 0 };
	double exactly = exp_minus(expected), share = 1 / slow;

	for (unsigned x = 1; share > c->floor; x++) {
		double next = 1 / (slow * (1 + x));

		for (unsigned k = 0; k < WEFT__LEVELS; k++) {
			chance[k] += exactly * part(c, k, share);
			then[k] += exactly * part(c, k, next);
		}
		exactly *= expected / x;
		share = next;
	}
	for (unsigned k = 0; k < WEFT__LEVELS; k++) {
		c->chance[row][k] = chance[k] < 1 ? chance[k] * ONE + 0.5 : ONE;
		c->fall[row][k] = chance[k] > 0 ?
			(chance[k] - then[k]) / chance[k] * ONE + 0.5 : ONE;
	}
}

void weft__crowds_speed(struct weft__crowds *c, unsigned number, double slow)
{
	if (slow < FASTEST)
		slow = FASTEST;
	for (unsigned row = 0; row < WEFT__CROWDS; row++)
		set_row(c, number * WEFT__CROWDS + row,
			row * c->bundles_per_crowd, slow);
}
