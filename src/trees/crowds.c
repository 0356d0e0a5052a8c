// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Expected bandwidth among others; see crowds.h. */
#include "trees/crowds.h"

#define MOST 64.0	/* where more others are expected, streams are counted
			 * by the bundle */
#define FASTEST 0.0625	/* what carries more than 16 hosts send is taken for
			 * no faster than that */
#define ONE INT16_MAX
#define ROWS 32		/* computed together; divides WEFT__CROWDS */
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
	double range = streams / bundle * WEFT__CROWDS_ROOM;

	set_levels(c, congestion / bundle * 2);
	if (range < 8)
		range = 8;
	c->bundles_per_crowd = range / WEFT__CROWDS;
	c->crowds_per_stream = WEFT__CROWDS / range / bundle;
}

/* The parts that a share of bandwidth counts for each level. */
static void set_parts(const struct weft__crowds *c, double share, double *parts)
{
	for (unsigned k = 0; k < WEFT__LEVELS; k++) {
		double part = (share - c->share[k + 1]) /
			      (c->share[k] - c->share[k + 1]);

		parts[k] = part < 0 ? 0 : part > 1 ? 1 : part;
	}
}

/* Some rows at a time. */
struct rows {
	double expected[ROWS];
	double exactly[ROWS];	/* the chance of that many others, x */
	double chance[ROWS][WEFT__LEVELS];
	double then[ROWS][WEFT__LEVELS];	/* with one more */
};

/* Adds what x others leave, and x + 1. */
static void add_chances(struct rows *r, unsigned x, const double *now,
			const double *next)
{
	for (unsigned i = 0; i < ROWS; i++) {
		for (unsigned k = 0; k < WEFT__LEVELS; k++) {
			r->chance[i][k] += r->exactly[i] * now[k];
			r->then[i][k] += r->exactly[i] * next[k];
		}
		r->exactly[i] *= r->expected[i] / x;
	}
}

static void store_rows(struct weft__crowds *c, unsigned first,
		       const struct rows *r)
{
	for (unsigned i = 0; i < ROWS; i++) {
		const double *chance = r->chance[i], *then = r->then[i];
		int16_t *to = c->chance[first + i], *fall = c->fall[first + i];

		for (unsigned k = 0; k < WEFT__LEVELS; k++) {
			to[k] = chance[k] < 1 ? chance[k] * ONE + 0.5 : ONE;
			fall[k] = chance[k] > 0 ?
				(chance[k] - then[k]) / chance[k] * ONE + 0.5 :
				ONE;
		}
	}
}

void weft__crowds_speed(struct weft__crowds *c, unsigned number, double slow)
{
	double parts[2][WEFT__LEVELS];

	if (slow < FASTEST)
		slow = FASTEST;
	for (unsigned row = 0; row < WEFT__CROWDS; row += ROWS) {
		struct rows r = { 0 };
		double share = 1 / slow;

		for (unsigned i = 0; i < ROWS; i++) {
			r.expected[i] = (row + i) * c->bundles_per_crowd;
			r.exactly[i] = exp_minus(r.expected[i]);
		}
		set_parts(c, share, parts[0]);
		for (unsigned x = 1; share > c->floor; x++) {
			share = 1 / (slow * (1 + x));
			set_parts(c, share, parts[x % 2]);
			add_chances(&r, x, parts[(x - 1) % 2], parts[x % 2]);
		}
		store_rows(c, number * WEFT__CROWDS + row, &r);
	}
}
