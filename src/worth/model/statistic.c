// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collects statistics; see statistic.h. */
#include "statistic.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

bool weft__statistic_init(struct weft_statistic *s, unsigned bins)
{
	*s = (struct weft_statistic){ .min = 1 };
	s->histogram = calloc(bins, sizeof(*s->histogram));
	return s->histogram;
}

/* Uses Welford's method: one pass, no cancellation. */
void weft__statistic_add(struct weft_statistic *s, struct weft__tally *t,
			 unsigned bins, double x)
{
	double off = x - s->mean;
	unsigned bin = x * bins;

	t->n++;
	s->mean += off / t->n;
	t->squares += off * (x - s->mean);
	s->min = fmin(s->min, x);
	s->max = fmax(s->max, x);
	s->histogram[bin < bins ? bin : bins - 1]++;
}

void weft__statistic_close(struct weft_statistic *s,
			   const struct weft__tally *t, bool exact)
{
	s->stddev = 0;
	s->ci99 = exact ? 0 : 1;
	if (exact || t->n < 2)
		return;
	s->stddev = sqrt(t->squares / (t->n - 1));
	s->ci99 = gsl_cdf_tdist_Pinv(0.995, t->n - 1) * s->stddev /
		  sqrt(t->n);
}
