// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One packet on its way.  The network tells of each packet that is put on a
 * channel, that enters a queue, comes up there, arrives or is lost; what
 * concerns the packet is kept: for each stop when it came, behind whom, and
 * what its output did until it left.
 */
#include "sim/watch/watch.h"

#include <stdlib.h>

struct weft__trace {
	struct weft_sim_trace *result;
	uint32_t room;	 /* for stops */
	uint32_t packet; /* that is on its way; WEFT_NONE: none is */
	uint64_t seen;	 /* packets of the pair */
	uint64_t free;	 /* when the host's link is free */
	struct weft_sim_other *last; /* [nch] that was put on a channel */
};

bool weft__trace_init(struct weft__watch *watch, const struct weft__net *net,
		      struct weft_sim_trace *result, struct weft_arena *arena)
{
	struct weft__trace *t = weft__arena_zalloc(arena, 1, sizeof(*t));

	if (!t)
		return false;
	t->last = weft__arena_zalloc(arena, net->nch, sizeof(*t->last));
	/* One that visits more switches than there are is in a loop. */
	t->room = net->f->nsw + 2;
	result->stop = calloc(t->room, sizeof(*result->stop));
	if (!t->last || !result->stop)
		return false;
	result->delivered = result->lost = UINT64_MAX;
	t->result = result;
	t->packet = WEFT_NONE;
	watch->trace = t;
	return true;
}

static uint64_t ps(uint64_t ticks)
{
	return ticks / WEFT_SIM_TICKS;
}

static struct weft_sim_other name(const struct weft__packet *p)
{
	return (struct weft_sim_other){ p->source, p->dest, p->sequence };
}

/* Where the packet is now. */
static struct weft_sim_stop *here(const struct weft__trace *t)
{
	return &t->result->stop[t->result->n - 1];
}

/* A new stop, or the last one again where there is no room. */
static void add_stop(struct weft__trace *t, uint64_t in)
{
	if (t->result->n < t->room)
		t->result->n++;
	*here(t) = (struct weft_sim_stop){ .channel = WEFT_NONE,
					   .in = ps(in),
					   .first = UINT64_MAX,
					   .out = UINT64_MAX };
}

/* The packet leaves its host. */
static void begin(struct weft__trace *t, const struct weft__net *net,
		  uint64_t now, uint32_t packet, uint32_t ch, unsigned vl)
{
	const struct weft__packet *p = &net->packet[packet];
	struct weft_sim_stop *at;

	t->packet = packet;
	t->result->number = p->sequence;
	t->result->bytes = p->bytes;
	add_stop(t, p->created);
	at = here(t);
	at->channel = ch;
	at->lane = vl;
	at->first = ps(t->free > p->created ? t->free : p->created);
	at->out = ps(now);
	if (t->free > p->created)
		at->behind = t->last[ch];
}

void weft__trace_put(struct weft__trace *t, const struct weft__net *net,
		     uint64_t now, uint32_t l, uint32_t packet)
{
	const struct weft_sim_spec *spec = net->spec;
	const struct weft__packet *p = &net->packet[packet];
	uint32_t ch = net->lane[l].channel;
	const struct weft__out *out = &net->out[ch];

	if (packet == t->packet) {
		here(t)->out = ps(now);
	} else if (t->packet != WEFT_NONE) {
		struct weft_sim_stop *at = here(t);

		if (at->channel == ch && at->out == UINT64_MAX) {
			at->busy += ps(out->busy - now);
			at->others++;
			at->before = name(p);
		}
	}
	if (ch == weft__net_injection(net, spec->trace_from)) {
		uint64_t limit = now + (uint64_t)p->bytes *
					       weft__limit_ticks(spec->inject);

		if (p->dest == spec->trace_to && !p->probe &&
		    ++t->seen == spec->trace_number)
			begin(t, net, now, packet, ch, net->lane[l].vl);
		t->free = out->busy > limit ? out->busy : limit;
	}
	t->last[ch] = name(p);
}

void weft__trace_queue(struct weft__trace *t, const struct weft__net *net,
		       uint32_t q, uint32_t packet)
{
	struct weft_sim_stop *at;

	if (packet != t->packet)
		return;
	add_stop(t, net->packet[packet].ready);
	at = here(t);
	for (uint32_t n = net->queue[q].head; n != WEFT_NONE;
	     n = net->packet[n].next) {
		at->ahead++;
		at->behind = name(&net->packet[n]);
	}
}

void weft__trace_ask(struct weft__trace *t, const struct weft__net *net,
		     uint64_t now, const struct weft__packet *p)
{
	const struct weft__out *out = &net->out[p->out];
	struct weft_sim_stop *at;

	if (t->packet == WEFT_NONE || p != &net->packet[t->packet])
		return;
	at = here(t);
	at->first = ps(now);
	at->channel = p->out;
	at->lane = p->vl;
	if (out->busy <= now)
		return;
	at->busy = ps(out->busy - now);
	at->others = 1;
	at->before = t->last[p->out];
}

void weft__trace_arrive(struct weft__trace *t, uint32_t packet, uint64_t time)
{
	if (packet != t->packet)
		return;
	t->result->delivered = ps(time);
	t->packet = WEFT_NONE;
}

void weft__trace_lose(struct weft__trace *t, uint32_t packet,
		      enum weft_sim_drop why, uint64_t time)
{
	if (packet != t->packet)
		return;
	t->result->lost = ps(time);
	t->result->why = why;
	t->packet = WEFT_NONE;
}
