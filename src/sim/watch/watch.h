/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Who looks on, and changes nothing: a packet that is followed, lanes that wait
 * for each other, what has to hold at any moment.
 */
#ifndef WEFT_SIM_WATCH_H
#define WEFT_SIM_WATCH_H

#include "sim/net/net.h"

struct weft__watch {
	struct weft__trace *trace; /* NULL: no packet is followed */
	uint32_t *last_sequence;   /* [nends * nends << lmc] + 1, of a flow:
				    * source, destination, which LID; NULL: nobody
				    * asks whether packets overtake others */
	uint32_t nends;
	unsigned lmc; /* the most of a host where not the routes say which LID,
		       * else 0 */
};

/* Makes what a spec asks for; false without memory. */
bool weft__watch_init(struct weft__watch *watch, const struct weft__net *net,
		      struct weft_sim_trace *result, struct weft_arena *arena);

/* --- trace.c -------------------------------------------------------------- */

/* Makes room for the trace of a packet; false without memory. */
bool weft__trace_init(struct weft__watch *watch, const struct weft__net *net,
		      struct weft_sim_trace *result, struct weft_arena *arena);
/* A packet begins to be sent in a lane, until its output's time; one enters a
 * queue, before it is there; one asks for its output; one will arrive, or is
 * lost, at that time. */
void weft__trace_put(struct weft__trace *t, const struct weft__net *net,
		     uint64_t now, uint32_t lane, uint32_t packet);
void weft__trace_queue(struct weft__trace *t, const struct weft__net *net,
		       uint32_t queue, uint32_t packet);
void weft__trace_ask(struct weft__trace *t, const struct weft__net *net,
		     uint64_t now, const struct weft__packet *p);
void weft__trace_arrive(struct weft__trace *t, uint32_t packet, uint64_t time);
void weft__trace_lose(struct weft__trace *t, uint32_t packet,
		      enum weft_sim_drop why, uint64_t time);

/* --- deadlock.c ----------------------------------------------------------- */

/* Looks for lanes that wait for each other; 1 and *out if there are, 0,
 * -ENOMEM. */
int weft__deadlock_find(const struct weft__net *net,
			const struct weft__clock *clock,
			struct weft_sim_deadlock *out);

/* --- invariants.c --------------------------------------------------------- */

/* Counts the packets in all queues. */
uint64_t weft__watch_queued(const struct weft__net *net);
/* Counts what does not hold of all lanes and packets. */
uint64_t weft__invariants(const struct weft__net *net,
			  const struct weft_sim *result);
/* Whether a packet comes after those that its source sent there before. */
bool weft__watch_order(struct weft__watch *watch, const struct weft__packet *p);

#endif
