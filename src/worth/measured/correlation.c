// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rank correlation; see weft/measured.h. */
#include <weft/measured.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct item {
	double value;
	uint64_t at;
};

static int by_value(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Sets the rank of each value; equal ones have the mean of theirs. */
static void rank(const double *x, uint64_t n, struct item *item, double *out)
{
	for (uint64_t i = 0; i < n; i++)
		item[i] = (struct item){ x[i], i };
	qsort(item, n, sizeof(*item), by_value);
	for (uint64_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && item[end].value == item[i].value;)
			end++;
		for (uint64_t k = i; k < end; k++)
			out[item[k].at] = (i + end - 1) / 2.;
	}
}

int weft_measured_correlation(const double *x, const double *y, uint64_t n,
			      double *out)
{
	struct item *item = malloc((n + 1) * sizeof(*item));
	double *a = malloc((2 * n + 1) * sizeof(*a)), *b = a ? a + n : NULL;
	double mean = n ? (n - 1) / 2. : 0, xy = 0, xx = 0, yy = 0;
	int err = item && a ? 0 : -ENOMEM;

	if (!err) {
		rank(x, n, item, a);
		rank(y, n, item, b);
	}
	for (uint64_t i = 0; i < n && !err; i++) {
		xy += (a[i] - mean) * (b[i] - mean);
		xx += (a[i] - mean) * (a[i] - mean);
		yy += (b[i] - mean) * (b[i] - mean);
	}
	if (!err)
		*out = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
	free(item);
	free(a);
	return err;
}
