/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Charts as SVG within a page; its style sheet gives them their colours. */
#ifndef WEFT_PAGE_CHART_H
#define WEFT_PAGE_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A histogram: n bins of equal width between low and high. */
struct weft__histogram {
	const char *id;	   /* a word, different for each of a page */
	const char *title; /* what it shows, for who cannot see it, too */
	const char *x, *y; /* what the axes are, with units */
	double low, high;
	const uint64_t *count; /* [n] */
	unsigned n;
	bool whole; /* there are only whole numbers between */
	/* A value that is marked, and what that is called; NULL = none. */
	const char *mark_name;
	double mark;
};
void weft__histogram_draw(const struct weft__histogram *h, FILE *out);

/* A step of 1, 2 or 5 times a power of ten that divides range into at most
 * that many parts; 1 for an empty range. */
double weft__chart_step(double range, unsigned parts);

#endif
