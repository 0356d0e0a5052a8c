// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: what a load gave
 *
 * The time is cut into 64 intervals, and these into 16 segments of four.
 * Bytes and sums of latencies are kept for each interval, histograms and what
 * hosts got for each segment: where the warm-up ends is known in the end only.
 * Intervals are short in the beginning; whenever 64 of them are full, two and
 * two become one, so that a run that ends early has 32 of them, too.
 *
 * It ends by MSER (White 1997): at the interval from which on the mean of the
 * throughput has the least standard error, the warm-up being half of the time
 * at most; rounded up to a segment.  What is left are 8 or more segments, whose
 * means are the batches that intervals of confidence come from.
 */
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>

#define PER_SEGMENT (WEFT_SIM_INTERVALS / WEFT__SEGMENTS)

/* Makes intervals twice as long. */
static void merge_intervals(struct weft__sim *s)
{
	for (unsigned i = 1; i < WEFT_SIM_INTERVALS; i++) {
		struct weft__interval from = s->interval[i];
		struct weft__interval *to = &s->interval[i / 2];

		s->interval[i] = (struct weft__interval){ 0 };
		to->bytes += from.bytes;
		to->payload += from.payload;
		to->switch_bytes += from.switch_bytes;
		weft__latency_merge(&to->packet, &from.packet);
		weft__latency_merge(&to->message, &from.message);
	}
	weft__counts_merge(s->got, s->nends);
	weft__counts_merge(s->flow_got, s->nflows);
	weft__bins_merge(s->packet_bins, WEFT__FINE);
	weft__bins_merge(s->message_bins, WEFT__FINE);
	if (s->parts)
		weft__parts_merge(s);
	s->width *= 2;
}

void weft__measure(struct weft__sim *s, const struct weft__packet *p,
		   uint64_t time)
{
	uint32_t payload = weft__sim_payload(s, p);
	uint64_t taken = time - p->created;
	unsigned at, segment, bin;

	if (time > s->end)
		return;
	if (!s->interval) {
		if (s->parts)
			weft__parts_packet(s, p, 0, taken);
		return;
	}
	while (time / s->width >= WEFT_SIM_INTERVALS)
		merge_intervals(s);
	at = time / s->width;
	segment = at / PER_SEGMENT;
	if (s->parts)
		weft__parts_packet(s, p, segment, taken);
	if (p->dest >= s->f->nep) {
		s->interval[at].switch_bytes += p->bytes;
		return;
	}
	s->interval[at].bytes += p->bytes;
	s->interval[at].payload += payload;
	if (s->flow_got)
		s->flow_got[(size_t)p->message * WEFT__SEGMENTS + segment] +=
			payload;
	s->got[(size_t)p->dest * WEFT__SEGMENTS + segment] += p->bytes;
	weft__latency_add(&s->interval[at].packet, taken);
	bin = segment * weft__bins(WEFT__FINE) + weft__bin(taken, WEFT__FINE);
	s->packet_bins[bin]++;
	if (!p->last)
		return;
	weft__latency_add(&s->interval[at].message, taken);
	s->message_bins[bin]++;
}

/* --- the end -------------------------------------------------------------- */

/* Returns the interval at which the warm-up ends by MSER, of n. */
static unsigned find_warmup(const double *series, unsigned n)
{
	double least = INFINITY;
	unsigned best = 0;

	for (unsigned d = 0; 2 * d <= n && n - d > 1; d++) {
		double mean = 0, squares = 0, error;

		for (unsigned i = d; i < n; i++)
			mean += series[i] / (n - d);
		for (unsigned i = d; i < n; i++)
			squares += (series[i] - mean) * (series[i] - mean);
		error = squares / ((double)(n - d) * (n - d));
		if (error < least) {
			least = error;
			best = d;
		}
	}
	return best;
}

/* Sums up the latencies of a window; message: of messages, not packets. */
static void sum_latency(const struct weft__sim *s, struct weft__window w,
			bool message, struct weft_sim_latency *out)
{
	struct weft__latency segment[WEFT__SEGMENTS] = { 0 };

	for (unsigned k = 0; k < WEFT_SIM_INTERVALS; k++)
		weft__latency_merge(&segment[k / PER_SEGMENT],
				    message ? &s->interval[k].message :
					      &s->interval[k].packet);
	weft__latency_sum(segment, message ? s->message_bins : s->packet_bins,
			  WEFT__FINE, w, out);
}

/* Finds the hosts that got least and most. */
static void find_extremes(const struct weft__sim *s, struct weft__window w)
{
	double ticks = (double)s->width * PER_SEGMENT * (w.end - w.first);
	struct weft_sim *r = s->result;

	r->least = INFINITY;
	for (uint32_t i = 0; i < s->nranks; i++) {
		uint32_t ep = s->rank_host[i];
		double got = 0;

		for (unsigned k = w.first; k < w.end; k++)
			got += s->got[(size_t)ep * WEFT__SEGMENTS + k];
		got *= s->out[s->f->first_injection + ep].byte / ticks;
		if (got < r->least) {
			r->least = got;
			r->least_host = ep;
		}
		if (got > r->most) {
			r->most = got;
			r->most_host = ep;
		}
	}
}

/* Fills in what the pairs of an endless round got. */
static void sum_flows(const struct weft__sim *s, struct weft__window w)
{
	double ticks = (double)s->width * PER_SEGMENT * (w.end - w.first);
	struct weft_sim *r = s->result;

	for (uint32_t i = 0; i < s->nflows; i++) {
		double bits = 0;

		for (unsigned k = w.first; k < w.end; k++)
			bits += 8. *
				s->flow_got[(size_t)i * WEFT__SEGMENTS + k];
		r->flow[i] =
			(struct weft_sim_flow){ s->flow[i].from, s->flow[i].to,
						bits * WEFT__TICKS_NS / ticks };
	}
}

/* Returns the bytes in a tick that all hosts' links carry. */
static double all_links(const struct weft__sim *s)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->nranks; i++)
		sum += 1. /
		       s->out[s->f->first_injection + s->rank_host[i]].byte;
	return sum;
}

/* Returns the segments that count, of n whole intervals. */
static struct weft__window choose_window(struct weft__sim *s, unsigned n)
{
	uint64_t given = s->spec->warmup;
	struct weft_sim *r = s->result;
	unsigned at;

	r->steady = true;
	if (given == UINT64_MAX) {
		at = find_warmup(r->series, n);
		r->steady = 2 * at < n;
	} else {
		at = (given * WEFT_SIM_TICKS + s->width - 1) / s->width;
	}
	return (struct weft__window){ (at + PER_SEGMENT - 1) / PER_SEGMENT,
				      n / PER_SEGMENT };
}

void weft__measure_end(struct weft__sim *s)
{
	uint64_t end = s->now < s->end ? s->now : s->end;
	/* The last one may lack a few ticks. */
	unsigned n = (end + s->width / 1000) / s->width;
	double rate = all_links(s) * s->width;
	double switch_rate = (double)s->nswitches * s->width /
			     weft__limit_ticks(s->spec->switch_mbps);
	double share[WEFT__SEGMENTS], gbps[WEFT__SEGMENTS];
	double switches[WEFT__SEGMENTS];
	struct weft_sim *r = s->result;
	struct weft__window w;

	r->intervals = n = n < WEFT_SIM_INTERVALS ? n : WEFT_SIM_INTERVALS;
	r->interval = s->width / WEFT_SIM_TICKS;
	for (unsigned i = 0; i < n; i++)
		r->series[i] = s->interval[i].bytes / rate;
	w = choose_window(s, n);
	r->warmup = w.first * PER_SEGMENT * s->width / WEFT_SIM_TICKS;
	if (w.first >= w.end)
		return;
	for (unsigned i = w.first; i < w.end; i++) {
		double bytes = 0, payload = 0, others = 0;

		for (unsigned k = i * PER_SEGMENT; k < (i + 1) * PER_SEGMENT;
		     k++) {
			bytes += s->interval[k].bytes;
			payload += s->interval[k].payload;
			others += s->interval[k].switch_bytes;
		}
		share[i] = bytes / rate / PER_SEGMENT;
		gbps[i] = payload * 8 * WEFT__TICKS_NS / PER_SEGMENT /
			  s->width / s->nranks;
		switches[i] = others / switch_rate / PER_SEGMENT;
	}
	if (s->nswitches)
		r->switch_throughput =
			weft_sim_mean_of(switches + w.first, w.end - w.first);
	r->throughput = weft_sim_mean_of(share + w.first, w.end - w.first);
	r->gbps = weft_sim_mean_of(gbps + w.first, w.end - w.first);
	find_extremes(s, w);
	sum_flows(s, w);
	sum_latency(s, w, false, &r->packet);
	sum_latency(s, w, true, &r->message);
}

struct weft__window weft__measure_window(const struct weft__sim *s)
{
	uint64_t segment = s->width * PER_SEGMENT / WEFT_SIM_TICKS;

	return (struct weft__window){ s->result->warmup / segment,
				      s->result->intervals / PER_SEGMENT };
}

/* Lists the bins of a window that are not empty. */
static bool list_bins(const struct weft__sim *s, const uint32_t *bins,
		      struct weft_sim_bin **out, uint32_t *n)
{
	*out = malloc(weft__bins(WEFT__FINE) * sizeof(**out));
	if (!*out)
		return false;
	*n = weft__bins_list(bins, WEFT__FINE, weft__measure_window(s), *out);
	return true;
}

bool weft__measure_bins(struct weft__sim *s)
{
	struct weft_sim *r = s->result;

	return list_bins(s, s->packet_bins, &r->packet_bin, &r->packet_bins) &&
	       list_bins(s, s->message_bins, &r->message_bin,
			 &r->message_bins);
}
