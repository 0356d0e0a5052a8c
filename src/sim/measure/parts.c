// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: latencies of parts
 *
 * What packets took is kept for the host that got them, for the flow and the
 * lane that they came by: a row each, in the segments of measure.c, so that the
 * warm-up can be left out in the end.  What ends by itself has one segment.
 * How long packets waited in a switch for a channel is kept for each of its
 * lanes, over the whole time, as the bytes that these carried are.
 */
#include "sim/host/host.h"
#include "sim/measure/measure.h"
#include "sim/net/net.h"

#include <stdlib.h>

struct weft__parts {
	unsigned segments;
	uint32_t nhosts;
	uint32_t flow, lane, rows;     /* first row of flows, of lanes; all */
	struct weft__latency *latency; /* [rows * segments] */
	uint32_t *bins;		       /* likewise, times the bins */
	struct weft__latency *wait;    /* [nlanes] */
	uint32_t *wait_bins;	       /* likewise */
};

bool weft__parts_init(struct weft__measure *m, const struct weft__net *net,
		      const struct weft__hosts *hosts, struct weft_arena *arena)
{
	struct weft__parts *p = weft__arena_zalloc(arena, 1, sizeof(*p));
	size_t bins = weft__bins(WEFT__COARSE) * sizeof(*p->bins), n;

	if (!p)
		return false;
	p->segments = weft__spec_measures(m->spec) ? WEFT__SEGMENTS : 1;
	p->flow = hosts->nranks;
	p->lane = p->flow;
	if (m->spec->endless)
		p->lane += weft_traffic_max_pairs(m->spec->traffic);
	p->nhosts = m->nhosts;
	p->rows = p->lane + net->nvl;
	n = (size_t)p->rows * p->segments;
	p->latency = weft__arena_zalloc(arena, n, sizeof(*p->latency));
	p->bins = weft__arena_zalloc(arena, n, bins);
	p->wait = weft__arena_zalloc(arena, net->nlanes, sizeof(*p->wait));
	p->wait_bins = weft__arena_zalloc(arena, net->nlanes, bins);
	m->parts = p;
	return p->latency && p->bins && p->wait && p->wait_bins;
}

/* Adds to number at of latencies and their histograms. */
static void add_at(struct weft__latency *latency, uint32_t *bins, size_t at,
		   uint64_t ticks)
{
	weft__latency_add(&latency[at], ticks);
	bins[at * weft__bins(WEFT__COARSE) + weft__bin(ticks, WEFT__COARSE)]++;
}

static void add(struct weft__parts *p, uint32_t row, unsigned segment,
		uint64_t ticks)
{
	add_at(p->latency, p->bins, (size_t)row * p->segments + segment, ticks);
}

void weft__parts_packet(struct weft__parts *parts, const struct weft__packet *p,
			uint32_t rank, unsigned segment, uint64_t ticks)
{
	add(parts, parts->lane + p->vl, segment, ticks);
	if (p->dest >= parts->nhosts)
		return;
	add(parts, rank, segment, ticks);
	if (parts->lane > parts->flow)
		add(parts, parts->flow + p->message, segment, ticks);
}

void weft__parts_wait(struct weft__parts *parts, uint32_t l, uint64_t ticks)
{
	add_at(parts->wait, parts->wait_bins, l, ticks);
}

void weft__parts_merge(struct weft__parts *parts)
{
	for (uint32_t row = 0; row < parts->rows; row++) {
		size_t first = (size_t)row * WEFT__SEGMENTS;

		for (unsigned i = 1; i < WEFT__SEGMENTS; i++) {
			struct weft__latency from = parts->latency[first + i];

			parts->latency[first + i] = (struct weft__latency){ 0 };
			weft__latency_merge(&parts->latency[first + i / 2],
					    &from);
		}
		weft__bins_merge(parts->bins + first * weft__bins(WEFT__COARSE),
				 WEFT__COARSE);
	}
}

/* --- the end -------------------------------------------------------------- */

/* Where the latencies of a part are, and which of them are measured. */
struct place {
	struct weft_sim_part part;
	const struct weft__latency *latency;
	const uint32_t *bins;
	struct weft__window w;
};

static struct place place_row(const struct weft__parts *p, uint32_t row,
			      struct weft__window w)
{
	size_t at = (size_t)row * p->segments;
	struct place out = {
		.part = { .kind = WEFT_SIM_OF_HOST, .item = row },
		.latency = p->latency + at,
		.bins = p->bins + at * weft__bins(WEFT__COARSE),
		.w = w,
	};

	if (row >= p->lane)
		out.part = (struct weft_sim_part){ .kind = WEFT_SIM_OF_LANE,
						   .lane = row - p->lane };
	else if (row >= p->flow)
		out.part = (struct weft_sim_part){ .kind = WEFT_SIM_OF_FLOW,
						   .item = row - p->flow };
	return out;
}

static struct place place_channel(const struct weft__parts *p, unsigned nvl,
				  uint32_t l)
{

	return (struct place){
		.part = { .kind = WEFT_SIM_OF_CHANNEL,
			  .item = l / nvl,
			  .lane = l % nvl },
		.latency = p->wait + l,
		.bins = p->wait_bins + (size_t)l * weft__bins(WEFT__COARSE),
		.w = { 0, 1 },
	};
}

/* Adds a part in which there was something to the result, or with no room for
 * it counts it. */
static void list(struct weft_sim *r, const struct place *at)
{
	struct weft_sim_part *part = r->part ? &r->part[r->parts] : NULL;
	struct weft_sim_bin *bin = part ? &r->part_bin[r->part_bins] : NULL;
	uint32_t n = weft__bins_list(at->bins, WEFT__COARSE, at->w, bin);

	if (!n)
		return;
	if (part) {
		*part = at->part;
		weft__latency_sum(at->latency, at->bins, WEFT__COARSE, at->w,
				  &part->ns);
		part->first_bin = r->part_bins;
		part->bins = n;
	}
	r->parts++;
	r->part_bins += n;
}

static void list_all(struct weft__measure *m, const struct weft__net *net,
		     struct weft__window w)
{
	struct weft_sim *r = m->result;
	struct place at;

	r->parts = r->part_bins = 0;
	for (uint32_t row = 0; row < m->parts->rows; row++) {
		at = place_row(m->parts, row, w);
		list(r, &at);
	}
	for (uint32_t l = 0; l < net->f->nch * net->nvl; l++) {
		at = place_channel(m->parts, net->nvl, l);
		list(r, &at);
	}
}

bool weft__parts_end(struct weft__measure *m, const struct weft__net *net)
{
	struct weft_sim *r = m->result;
	struct weft__window w = { 0, 1 };

	if (weft__spec_measures(m->spec))
		w = weft__measure_window(m);
	list_all(m, net, w);
	r->part = malloc((r->parts + 1ull) * sizeof(*r->part));
	r->part_bin = malloc((r->part_bins + 1) * sizeof(*r->part_bin));
	if (!r->part || !r->part_bin)
		return false;
	list_all(m, net, w);
	return true;
}
