/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is measured: throughput and latencies, by intervals of the time, and
 * those of parts of the network.
 */
#ifndef WEFT_SIM_MEASURE_H
#define WEFT_SIM_MEASURE_H

#include "core/arena.h"
#include "sim/measure/latency.h"

#include <weft/sim.h>

struct weft__hosts;
struct weft__net;
struct weft__packet;

/* What arrives in an interval of the time. */
struct weft__interval {
	uint64_t bytes, payload;
	uint64_t switch_bytes; /* to port 0 of switches */
	struct weft__latency packet, message;
};

struct weft__measure {
	const struct weft_sim_spec *spec;
	struct weft_sim *result;
	uint64_t end;			 /* ticks */
	uint32_t nends;			 /* endports, and switches behind */
	uint32_t nhosts;		 /* endports */
	uint64_t width;			 /* ticks of an interval */
	struct weft__interval *interval; /* [WEFT_SIM_INTERVALS]; NULL: what
					  * is there ends by itself */
	uint64_t *got;			 /* [nends * SEGMENTS] bytes */
	uint32_t nflows;		 /* endless messages */
	struct weft_pair *flow;		 /* [nflows] ranks */
	uint64_t *flow_got;		 /* [nflows * SEGMENTS] payload */
	uint32_t *packet_bins, *message_bins; /* by segment, fine */
	struct weft__parts *parts;	      /* NULL: nobody asks for these */
};

/* Whether there is a load, or an endless workload, to be measured for a time.
 */
static inline bool weft__spec_measures(const struct weft_sim_spec *spec)
{
	return (!spec->traffic && !spec->schedule) || spec->endless;
}

/* --- measure.c ------------------------------------------------------------ */

/* Makes room for what is measured until the end, where nends and nhosts are
 * set; false without memory. */
bool weft__measure_init(struct weft__measure *m, uint64_t end,
			struct weft_arena *arena);
/* Makes room for n endless flows of *flow; false without memory. */
bool weft__measure_flows(struct weft__measure *m, uint64_t n,
			 struct weft_arena *arena);
/* Gives a copy, which nothing was measured with yet, room of its own; and adds
 * what was measured with it. */
bool weft__measure_part(struct weft__measure *m, struct weft_arena *arena);
void weft__measure_join(struct weft__measure *m, struct weft__measure *part);
/* A packet arrives at a rank at a time that may be to come. */
void weft__measure_packet(struct weft__measure *m, const struct weft__packet *p,
			  uint32_t payload, uint32_t rank, uint64_t time);
/* Fills in what a load gave until now. */
void weft__measure_end(struct weft__measure *m, const struct weft__net *net,
		       const struct weft__hosts *hosts, uint64_t now);
/* Fills in the histograms of it; false without memory. */
bool weft__measure_bins(struct weft__measure *m);
/* What of it was measured, once that is filled in. */
struct weft__window weft__measure_window(const struct weft__measure *m);

/* --- parts.c -------------------------------------------------------------- */

/* Makes room for the latencies of parts; false without memory. */
bool weft__parts_init(struct weft__measure *m, const struct weft__net *net,
		      const struct weft__hosts *hosts,
		      struct weft_arena *arena);
/* A packet arrives at a rank after that many ticks; one leaves a switch by a
 * lane, after waiting that many. */
void weft__parts_packet(struct weft__parts *parts, const struct weft__packet *p,
			uint32_t rank, unsigned segment, uint64_t ticks);
void weft__parts_wait(struct weft__parts *parts, uint32_t lane, uint64_t ticks);
/* Segments become twice as long. */
void weft__parts_merge(struct weft__parts *parts);
/* Fills in the result; false without memory. */
bool weft__parts_end(struct weft__measure *m, const struct weft__net *net);

#endif
