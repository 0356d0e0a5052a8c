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
#include "sim/measure/measure.h"

#include "sim/host/host.h"
#include "sim/net/net.h"

#include <math.h>
#include <stdlib.h>

#define PER_SEGMENT (WEFT_SIM_INTERVALS / WEFT__SEGMENTS)

/* Makes intervals twice as long. */
static void merge_intervals(struct weft__measure *m)
{
	for (unsigned i = 1; i < WEFT_SIM_INTERVALS; i++) {
		struct weft__interval from = m->interval[i];
		struct weft__interval *to = &m->interval[i / 2];

		m->interval[i] = (struct weft__interval){ 0 };
		to->bytes += from.bytes;
		to->payload += from.payload;
		to->switch_bytes += from.switch_bytes;
		weft__latency_merge(&to->packet, &from.packet);
		weft__latency_merge(&to->message, &from.message);
	}
	weft__counts_merge(m->got, m->nends);
	weft__counts_merge(m->flow_got, m->nflows);
	weft__bins_merge(m->packet_bins, WEFT__FINE);
	weft__bins_merge(m->message_bins, WEFT__FINE);
	if (m->parts)
		weft__parts_merge(m->parts);
	m->width *= 2;
}

/* Returns the ticks of an interval in the beginning: a microsecond or two, of
 * which doubled again and again 64 are the whole time, or a few ticks more. */
static uint64_t first_width(uint64_t end)
{
	uint64_t width = (end + WEFT_SIM_INTERVALS - 1) / WEFT_SIM_INTERVALS;

	while (width >= 2000 * WEFT__TICKS_NS)
		width = (width + 1) / 2;
	return width;
}

bool weft__measure_init(struct weft__measure *m, uint64_t end,
			struct weft_arena *arena)
{
	size_t bins = WEFT__SEGMENTS * weft__bins(WEFT__FINE);

	m->end = end;
	m->width = first_width(end);
	if (!weft__spec_measures(m->spec))
		return true;
	m->interval = weft__arena_zalloc(arena, WEFT_SIM_INTERVALS,
					 sizeof(*m->interval));
	m->got = weft__arena_zalloc(arena, (size_t)m->nends * WEFT__SEGMENTS,
				    sizeof(*m->got));
	m->packet_bins = weft__arena_zalloc(arena, bins, sizeof(uint32_t));
	m->message_bins = weft__arena_zalloc(arena, bins, sizeof(uint32_t));
	return m->interval && m->got && m->packet_bins && m->message_bins;
}

bool weft__measure_flows(struct weft__measure *m, uint64_t n,
			 struct weft_arena *arena)
{
	m->flow_got = weft__arena_zalloc(arena, n * WEFT__SEGMENTS + 1,
					 sizeof(*m->flow_got));
	m->flow = weft__arena_zalloc(arena, n + 1, sizeof(*m->flow));
	m->result->flow = calloc(n + 1, sizeof(*m->result->flow));
	if (!m->flow_got || !m->flow || !m->result->flow)
		return false;
	m->result->flows = m->nflows = n;
	return true;
}

bool weft__measure_part(struct weft__measure *m, struct weft_arena *arena)
{
	if (m->nflows)
		m->flow_got = weft__arena_zalloc(
			arena, (uint64_t)m->nflows * WEFT__SEGMENTS,
			sizeof(*m->flow_got));
	return (!m->nflows || m->flow_got) &&
	       weft__measure_init(m, m->end, arena);
}

static void add_counts(uint64_t *to, const uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += from[i];
}

static void add_bins(uint32_t *to, const uint32_t *from)
{
	for (size_t i = 0; i < WEFT__SEGMENTS * weft__bins(WEFT__FINE); i++)
		to[i] += from[i];
}

void weft__measure_join(struct weft__measure *m, struct weft__measure *part)
{
	if (!m->interval)
		return;
	while (m->width < part->width)
		merge_intervals(m);
	while (part->width < m->width)
		merge_intervals(part);
	for (unsigned i = 0; i < WEFT_SIM_INTERVALS; i++) {
		const struct weft__interval *from = &part->interval[i];
		struct weft__interval *to = &m->interval[i];

		to->bytes += from->bytes;
		to->payload += from->payload;
		to->switch_bytes += from->switch_bytes;
		weft__latency_merge(&to->packet, &from->packet);
		weft__latency_merge(&to->message, &from->message);
	}
	add_counts(m->got, part->got, (size_t)m->nends * WEFT__SEGMENTS);
	add_counts(m->flow_got, part->flow_got,
		   (size_t)m->nflows * WEFT__SEGMENTS);
	add_bins(m->packet_bins, part->packet_bins);
	add_bins(m->message_bins, part->message_bins);
}

void weft__measure_packet(struct weft__measure *m, const struct weft__packet *p,
			  uint32_t payload, uint32_t rank, uint64_t time)
{
	uint64_t taken = time - p->created;
	unsigned at, segment, bin;

	if (time > m->end)
		return;
	if (!m->interval) {
		if (m->parts)
			weft__parts_packet(m->parts, p, rank, 0, taken);
		return;
	}
	while (time / m->width >= WEFT_SIM_INTERVALS)
		merge_intervals(m);
	at = time / m->width;
	segment = at / PER_SEGMENT;
	if (m->parts)
		weft__parts_packet(m->parts, p, rank, segment, taken);
	if (p->dest >= m->nhosts) {
		m->interval[at].switch_bytes += p->bytes;
		return;
	}
	m->interval[at].bytes += p->bytes;
	m->interval[at].payload += payload;
	if (m->flow_got)
		m->flow_got[(size_t)p->message * WEFT__SEGMENTS + segment] +=
			payload;
	m->got[(size_t)p->dest * WEFT__SEGMENTS + segment] += p->bytes;
	weft__latency_add(&m->interval[at].packet, taken);
	bin = segment * weft__bins(WEFT__FINE) + weft__bin(taken, WEFT__FINE);
	m->packet_bins[bin]++;
	if (!p->last)
		return;
	weft__latency_add(&m->interval[at].message, taken);
	m->message_bins[bin]++;
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
static void sum_latency(const struct weft__measure *m, struct weft__window w,
			bool message, struct weft_sim_latency *out)
{
	struct weft__latency segment[WEFT__SEGMENTS] = { 0 };

	for (unsigned k = 0; k < WEFT_SIM_INTERVALS; k++)
		weft__latency_merge(&segment[k / PER_SEGMENT],
				    message ? &m->interval[k].message :
					      &m->interval[k].packet);
	weft__latency_sum(segment, message ? m->message_bins : m->packet_bins,
			  WEFT__FINE, w, out);
}

/* Finds the hosts that got least and most. */
static void find_extremes(const struct weft__measure *m,
			  const struct weft__net *net,
			  const struct weft__hosts *hosts,
			  struct weft__window w)
{
	double ticks = (double)m->width * PER_SEGMENT * (w.end - w.first);
	struct weft_sim *r = m->result;

	r->least = INFINITY;
	for (uint32_t i = 0; i < hosts->nranks; i++) {
		uint32_t ep = hosts->rank_host[i];
		double got = 0;

		for (unsigned k = w.first; k < w.end; k++)
			got += m->got[(size_t)ep * WEFT__SEGMENTS + k];
		got *= net->out[weft__net_injection(net, ep)].byte / ticks;
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
static void sum_flows(const struct weft__measure *m, struct weft__window w)
{
	double ticks = (double)m->width * PER_SEGMENT * (w.end - w.first);
	struct weft_sim *r = m->result;

	for (uint32_t i = 0; i < m->nflows; i++) {
		double bits = 0;

		for (unsigned k = w.first; k < w.end; k++)
			bits += 8. *
				m->flow_got[(size_t)i * WEFT__SEGMENTS + k];
		r->flow[i] =
			(struct weft_sim_flow){ m->flow[i].from, m->flow[i].to,
						bits * WEFT__TICKS_NS / ticks };
	}
}

/* Returns the bytes in a tick that all hosts' links carry. */
static double all_links(const struct weft__net *net,
			const struct weft__hosts *hosts)
{
	double sum = 0;

	for (uint32_t i = 0; i < hosts->nranks; i++)
		sum += 1. /
		       net->out[weft__net_injection(net, hosts->rank_host[i])]
			       .byte;
	return sum;
}

/* Returns the segments that count, of n whole intervals. */
static struct weft__window choose_window(struct weft__measure *m, unsigned n)
{
	uint64_t given = m->spec->warmup;
	struct weft_sim *r = m->result;
	unsigned at;

	r->steady = true;
	if (given == UINT64_MAX) {
		at = find_warmup(r->series, n);
		r->steady = 2 * at < n;
	} else {
		at = (given * WEFT_SIM_TICKS + m->width - 1) / m->width;
	}
	return (struct weft__window){ (at + PER_SEGMENT - 1) / PER_SEGMENT,
				      n / PER_SEGMENT };
}

void weft__measure_end(struct weft__measure *m, const struct weft__net *net,
		       const struct weft__hosts *hosts, uint64_t now)
{
	uint64_t end = now < m->end ? now : m->end;
	/* The last one may lack a few ticks. */
	unsigned n = (end + m->width / 1000) / m->width;
	double rate = all_links(net, hosts) * m->width;
	double switch_rate = (double)hosts->nswitches * m->width /
			     weft__limit_ticks(m->spec->switch_mbps);
	double share[WEFT__SEGMENTS], gbps[WEFT__SEGMENTS];
	double switches[WEFT__SEGMENTS];
	struct weft_sim *r = m->result;
	struct weft__window w;

	r->intervals = n = n < WEFT_SIM_INTERVALS ? n : WEFT_SIM_INTERVALS;
	r->interval = m->width / WEFT_SIM_TICKS;
	for (unsigned i = 0; i < n; i++)
		r->series[i] = m->interval[i].bytes / rate;
	w = choose_window(m, n);
	r->warmup = w.first * PER_SEGMENT * m->width / WEFT_SIM_TICKS;
	if (w.first >= w.end)
		return;
	for (unsigned i = w.first; i < w.end; i++) {
		double bytes = 0, payload = 0, others = 0;

		for (unsigned k = i * PER_SEGMENT; k < (i + 1) * PER_SEGMENT;
		     k++) {
			bytes += m->interval[k].bytes;
			payload += m->interval[k].payload;
			others += m->interval[k].switch_bytes;
		}
		share[i] = bytes / rate / PER_SEGMENT;
		gbps[i] = payload * 8 * WEFT__TICKS_NS / PER_SEGMENT /
			  m->width / hosts->nranks;
		switches[i] = others / switch_rate / PER_SEGMENT;
	}
	if (hosts->nswitches)
		r->switch_throughput =
			weft_sim_mean_of(switches + w.first, w.end - w.first);
	r->throughput = weft_sim_mean_of(share + w.first, w.end - w.first);
	r->gbps = weft_sim_mean_of(gbps + w.first, w.end - w.first);
	find_extremes(m, net, hosts, w);
	sum_flows(m, w);
	sum_latency(m, w, false, &r->packet);
	sum_latency(m, w, true, &r->message);
}

struct weft__window weft__measure_window(const struct weft__measure *m)
{
	uint64_t segment = m->width * PER_SEGMENT / WEFT_SIM_TICKS;

	return (struct weft__window){ m->result->warmup / segment,
				      m->result->intervals / PER_SEGMENT };
}

/* Lists the bins of a window that are not empty. */
static bool list_bins(const struct weft__measure *m, const uint32_t *bins,
		      struct weft_sim_bin **out, uint32_t *n)
{
	*out = malloc(weft__bins(WEFT__FINE) * sizeof(**out));
	if (!*out)
		return false;
	*n = weft__bins_list(bins, WEFT__FINE, weft__measure_window(m), *out);
	return true;
}

bool weft__measure_bins(struct weft__measure *m)
{
	struct weft_sim *r = m->result;

	return list_bins(m, m->packet_bins, &r->packet_bin, &r->packet_bins) &&
	       list_bins(m, m->message_bins, &r->message_bin, &r->message_bins);
}
