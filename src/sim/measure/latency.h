/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Times that packets take: sums and histograms, in segments of a run of which
 * some are measured.
 */
#ifndef WEFT_SIM_LATENCY_H
#define WEFT_SIM_LATENCY_H

#include <weft/sim.h>

#define WEFT__SEGMENTS 16 /* of the time, each with its own histograms */
#define WEFT__FINE 6	  /* bins of histograms of all: see weft__bin() */
#define WEFT__COARSE 4	  /* of those of parts */

struct weft__latency {
	uint64_t n, sum; /* ticks */
	uint64_t min, max;
};

/* Segments first .. end - 1 of a run, which are measured. */
struct weft__window {
	unsigned first, end;
};

/* Bins of a histogram that has 2^fine for each power of two picoseconds, up to
 * a second. */
static inline unsigned weft__bins(unsigned fine)
{
	return 40u << fine;
}

static inline unsigned weft__bin(uint64_t ticks, unsigned fine)
{
	uint64_t ps = ticks / WEFT_SIM_TICKS;
	unsigned shift, bin;

	if (!(ps >> fine))
		return ps;
	shift = 63 - __builtin_clzll(ps) - fine;
	bin = (shift << fine) + (ps >> shift);
	return bin < weft__bins(fine) ? bin : weft__bins(fine) - 1;
}

static inline void weft__latency_add(struct weft__latency *l, uint64_t ticks)
{
	if (!l->n || ticks < l->min)
		l->min = ticks;
	if (ticks > l->max)
		l->max = ticks;
	l->n++;
	l->sum += ticks;
}

/* Adds what is in l to it. */
void weft__latency_merge(struct weft__latency *to,
			 const struct weft__latency *l);

/* Merges segments, two and two; the second half becomes empty: of a histogram,
 * [WEFT__SEGMENTS * bins]; of n counts of each segment. */
void weft__bins_merge(uint32_t *bins, unsigned fine);
void weft__counts_merge(uint64_t *count, uint32_t n);

/* Sums up a window of segments, of which the histograms are bins[segment *
 * weft__bins(fine) + bin]. */
void weft__latency_sum(const struct weft__latency *segment,
		       const uint32_t *bins, unsigned fine,
		       struct weft__window w, struct weft_sim_latency *out);

/* Lists the bins of a window that are not empty, ascending, and returns how
 * many; out NULL: only counts them. */
uint32_t weft__bins_list(const uint32_t *bins, unsigned fine,
			 struct weft__window w, struct weft_sim_bin *out);

#endif
