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
#include "sim/sim.h"

#include <stdlib.h>

struct weft__parts {
	unsigned segments;
	uint32_t flow, lane, rows; /* first row of flows, of lanes; all */
	struct weft__latency *latency; /* [rows * segments] */
	uint32_t *bins;		       /* likewise, times the bins */
	struct weft__latency *wait;    /* [nlanes] */
	uint32_t *wait_bins;	       /* likewise */
};

const char *weft_sim_part_name(enum weft_sim_part_kind kind)
{
	static const char *const names[] = {
		[WEFT_SIM_OF_HOST] = "host",
		[WEFT_SIM_OF_FLOW] = "flow",
		[WEFT_SIM_OF_LANE] = "lane",
		[WEFT_SIM_OF_CHANNEL] = "channel",
	};

	return names[kind];
}

bool weft__parts_init(struct weft__sim *s)
{
	struct weft__parts *p = weft__arena_zalloc(s->arena, 1, sizeof(*p));
	size_t bins = weft__bins(WEFT__COARSE) * sizeof(*p->bins), n;

	if (!p)
		return false;
	p->segments = weft__sim_measures(s) ? WEFT__SEGMENTS : 1;
	p->flow = s->nranks;
	p->lane = p->flow;
	if (s->spec->endless)
		p->lane += weft_traffic_max_pairs(s->spec->traffic);
	p->rows = p->lane + s->nvl;
	n = (size_t)p->rows * p->segments;
	p->latency = weft__arena_zalloc(s->arena, n, sizeof(*p->latency));
	p->bins = weft__arena_zalloc(s->arena, n, bins);
	p->wait = weft__arena_zalloc(s->arena, s->nlanes, sizeof(*p->wait));
	p->wait_bins = weft__arena_zalloc(s->arena, s->nlanes, bins);
	s->parts = p;
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

void weft__parts_packet(struct weft__sim *s, const struct weft__packet *p,
			unsigned segment, uint64_t ticks)
{
	add(s->parts, s->parts->lane + p->vl, segment, ticks);
	if (p->dest >= s->f->nep)
		return;
	add(s->parts, s->host[p->dest].rank, segment, ticks);
	if (s->spec->endless)
		add(s->parts, s->parts->flow + p->message, segment, ticks);
}

void weft__parts_wait(struct weft__sim *s, uint32_t l, uint64_t ticks)
{
	add_at(s->parts->wait, s->parts->wait_bins, l, ticks);
}

void weft__parts_merge(struct weft__sim *s)
{
	const struct weft__parts *p = s->parts;

	for (uint32_t row = 0; row < p->rows; row++) {
		size_t first = (size_t)row * WEFT__SEGMENTS;

		for (unsigned i = 1; i < WEFT__SEGMENTS; i++) {
			struct weft__latency from = p->latency[first + i];

			p->latency[first + i] = (struct weft__latency){ 0 };
			weft__latency_merge(&p->latency[first + i / 2], &from);
		}
		weft__bins_merge(p->bins + first * weft__bins(WEFT__COARSE),
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

static struct place place_row(const struct weft__sim *s, uint32_t row,
			      struct weft__window w)
{
	const struct weft__parts *p = s->parts;
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

static struct place place_channel(const struct weft__sim *s, uint32_t l)
{
	const struct weft__parts *p = s->parts;

	return (struct place){
		.part = { .kind = WEFT_SIM_OF_CHANNEL,
			  .item = l / s->nvl,
			  .lane = l % s->nvl },
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

static void list_all(const struct weft__sim *s, struct weft__window w)
{
	struct weft_sim *r = s->result;
	struct place at;

	r->parts = r->part_bins = 0;
	for (uint32_t row = 0; row < s->parts->rows; row++) {
		at = place_row(s, row, w);
		list(r, &at);
	}
	for (uint32_t l = 0; l < s->f->nch * s->nvl; l++) {
		at = place_channel(s, l);
		list(r, &at);
	}
}

bool weft__parts_end(struct weft__sim *s)
{
	struct weft_sim *r = s->result;
	struct weft__window w = { 0, 1 };

	if (weft__sim_measures(s))
		w = weft__measure_window(s);
	list_all(s, w);
	r->part = malloc((r->parts + 1ull) * sizeof(*r->part));
	r->part_bin = malloc((r->part_bins + 1) * sizeof(*r->part_bin));
	if (!r->part || !r->part_bin)
		return false;
	list_all(s, w);
	return true;
}
