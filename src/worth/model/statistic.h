/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Mean, deviation and histogram of samples that come one by one. */
#ifndef WEFT_MODEL_STATISTIC_H
#define WEFT_MODEL_STATISTIC_H

#include <weft/model.h>

struct weft__tally {
	uint64_t n;
	double squares;		/* sum of squared distances from the mean */
};

/* Allocates the histogram.  Returns false without memory. */
bool weft__statistic_init(struct weft_statistic *s, unsigned bins);

/* Adds a sample, 0 <= x <= 1. The order of samples matters in the last bits. */
void weft__statistic_add(struct weft_statistic *s, struct weft__tally *t,
			 unsigned bins, double x);

/* Sets stddev and ci99 from the samples so far; both are 0 if exact. */
void weft__statistic_close(struct weft_statistic *s,
			   const struct weft__tally *t, bool exact);

#endif
