// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sums and histograms of times; see latency.h. */
#include "sim/measure/latency.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define TICKS_NS (1000. * WEFT_SIM_TICKS)

void weft__latency_merge(struct weft__latency *to,
			 const struct weft__latency *l)
{
	if (!l->n)
		return;
	if (!to->n || l->min < to->min)
		to->min = l->min;
	if (l->max > to->max)
		to->max = l->max;
	to->n += l->n;
	to->sum += l->sum;
}

void weft__bins_merge(uint32_t *bins, unsigned fine)
{
	unsigned n = weft__bins(fine);

	for (unsigned i = 1; i < WEFT__SEGMENTS; i++) {
		uint32_t *row = bins + i * n, *to = bins + i / 2 * n;

		for (unsigned k = 0; k < n; k++) {
			uint32_t here = row[k];

			row[k] = 0;
			to[k] += here;
		}
	}
}

void weft__counts_merge(uint64_t *count, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++, count += WEFT__SEGMENTS)
		for (unsigned i = 1; i < WEFT__SEGMENTS; i++) {
			uint64_t here = count[i];

			count[i] = 0;
			count[i / 2] += here;
		}
}

struct weft_sim_mean weft_sim_mean_of(const double *batch, unsigned n)
{
	struct weft_sim_mean m = { 0 };
	double squares = 0;

	for (unsigned i = 0; i < n; i++)
		m.mean += batch[i] / n;
	for (unsigned i = 0; i < n; i++)
		squares += (batch[i] - m.mean) * (batch[i] - m.mean);
	if (n > 1)
		m.ci99 = gsl_cdf_tdist_Pinv(0.995, n - 1) *
			 sqrt(squares / (n - 1) / n);
	return m;
}

/* Returns the middle of a bin, in ns. */
static double bin_ns(unsigned bin, unsigned fine)
{
	unsigned shift = bin >> fine, size = 1u << fine;

	if (!shift)
		return bin / 1e3;
	return ldexp(bin % size + size + .5, shift - 1) / 1e3;
}

static uint64_t bin_count(const uint32_t *bins, unsigned fine,
			  struct weft__window w, unsigned bin)
{
	uint64_t n = 0;

	for (unsigned i = w.first; i < w.end; i++)
		n += bins[i * weft__bins(fine) + bin];
	return n;
}

/* Fills in the percentiles of latencies of which number, least and most are
 * known; the middle of a bin may be beyond these. */
static void set_percentiles(const uint32_t *bins, unsigned fine,
			    struct weft__window w, struct weft_sim_latency *out)
{
	static const double share[] = { .5, .9, .99, .999 };
	double *const to[] = { &out->p50, &out->p90, &out->p99, &out->p999 };
	uint64_t seen = 0;
	unsigned k = 0;

	for (unsigned bin = 0; bin < weft__bins(fine) && k < 4; bin++) {
		seen += bin_count(bins, fine, w, bin);
		for (; k < 4 && seen >= ceil(out->n * share[k]); k++)
			*to[k] = fmin(fmax(bin_ns(bin, fine), out->min),
				      out->max);
	}
	for (; k < 4; k++)
		*to[k] = out->max;
}

void weft__latency_sum(const struct weft__latency *segment,
		       const uint32_t *bins, unsigned fine,
		       struct weft__window w, struct weft_sim_latency *out)
{
	double batch[WEFT__SEGMENTS];
	struct weft__latency all = { 0 };
	unsigned batches = 0;

	for (unsigned i = w.first; i < w.end; i++) {
		const struct weft__latency *l = &segment[i];

		if (l->n)
			batch[batches++] = (double)l->sum / l->n / TICKS_NS;
		weft__latency_merge(&all, l);
	}
	*out = (struct weft_sim_latency){ .n = all.n };
	if (!all.n)
		return;
	out->mean = weft_sim_mean_of(batch, batches);
	out->mean.mean = (double)all.sum / all.n / TICKS_NS;
	out->min = all.min / TICKS_NS;
	out->max = all.max / TICKS_NS;
	set_percentiles(bins, fine, w, out);
}

uint32_t weft__bins_list(const uint32_t *bins, unsigned fine,
			 struct weft__window w, struct weft_sim_bin *out)
{
	uint32_t n = 0;

	for (unsigned bin = 0; bin < weft__bins(fine); bin++) {
		uint64_t here = bin_count(bins, fine, w, bin);

		if (here && out)
			out[n] = (struct weft_sim_bin){ bin_ns(bin, fine),
							here };
		n += here > 0;
	}
	return n;
}
