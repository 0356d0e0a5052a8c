// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One packet on its way.  The kernel tells of each packet that is put on a
 * channel, that enters a queue, comes up there, arrives or is lost; what
 * concerns the packet is kept: for each stop when it came, behind whom, and
 * what its output did until it left.
 */
#include "sim/sim.h"

#include <stdlib.h>

struct weft__trace {
	struct weft_sim_trace *result;
	uint32_t room;	 /* for stops */
	uint32_t packet; /* that is on its way; WEFT_NONE: none is */
	uint64_t seen;	 /* packets of the pair */
	uint64_t free;	 /* when the host's link is free */
	struct weft_sim_other *last; /* [nch] that was put on a channel */
};

bool weft__trace_init(struct weft__sim *s)
{
	struct weft_sim_trace *result = &s->result->trace;
	struct weft__trace *t = weft__arena_zalloc(s->arena, 1, sizeof(*t));

	if (!t)
		return false;
	t->last = weft__arena_zalloc(s->arena, s->nch, sizeof(*t->last));
	/* One that visits more switches than there are is in a loop. */
	t->room = s->f->nsw + 2;
	result->stop = calloc(t->room, sizeof(*result->stop));
	if (!t->last || !result->stop)
		return false;
	result->delivered = result->lost = UINT64_MAX;
	t->result = result;
	t->packet = WEFT_NONE;
	s->trace = t;
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
static void begin(struct weft__sim *s, uint32_t packet, uint32_t ch,
		  unsigned vl)
{
	struct weft__trace *t = s->trace;
	const struct weft__packet *p = &s->packet[packet];
	struct weft_sim_stop *at;

	t->packet = packet;
	t->result->number = p->sequence;
	t->result->bytes = p->bytes;
	add_stop(t, p->created);
	at = here(t);
	at->channel = ch;
	at->lane = vl;
	at->first = ps(t->free > p->created ? t->free : p->created);
	at->out = ps(s->now);
	if (t->free > p->created)
		at->behind = t->last[ch];
}

void weft__trace_put(struct weft__sim *s, uint32_t l, uint32_t packet)
{
	const struct weft_sim_spec *spec = s->spec;
	const struct weft__packet *p = &s->packet[packet];
	struct weft__trace *t = s->trace;
	uint32_t ch = s->lane[l].channel;
	const struct weft__out *out = &s->out[ch];

	if (packet == t->packet) {
		here(t)->out = ps(s->now);
	} else if (t->packet != WEFT_NONE) {
		struct weft_sim_stop *at = here(t);

		if (at->channel == ch && at->out == UINT64_MAX) {
			at->busy += ps(out->busy - s->now);
			at->others++;
			at->before = name(p);
		}
	}
	if (ch == s->f->first_injection + spec->trace_from) {
		uint64_t limit = s->now + (uint64_t)p->bytes * s->inject;

		if (p->dest == spec->trace_to && !p->probe &&
		    ++t->seen == spec->trace_number)
			begin(s, packet, ch, s->lane[l].vl);
		t->free = out->busy > limit ? out->busy : limit;
	}
	t->last[ch] = name(p);
}

void weft__trace_queue(struct weft__sim *s, uint32_t q, uint32_t packet)
{
	struct weft__trace *t = s->trace;
	struct weft_sim_stop *at;

	if (packet != t->packet)
		return;
	add_stop(t, s->packet[packet].ready);
	at = here(t);
	for (uint32_t n = s->lane[q].head; n != WEFT_NONE;
	     n = s->packet[n].next) {
		at->ahead++;
		at->behind = name(&s->packet[n]);
	}
}

void weft__trace_ask(struct weft__sim *s, const struct weft__packet *p)
{
	struct weft__trace *t = s->trace;
	const struct weft__out *out = &s->out[p->out];
	struct weft_sim_stop *at;

	if (t->packet == WEFT_NONE || p != &s->packet[t->packet])
		return;
	at = here(t);
	at->first = ps(s->now);
	at->channel = p->out;
	at->lane = p->vl;
	if (out->busy <= s->now)
		return;
	at->busy = ps(out->busy - s->now);
	at->others = 1;
	at->before = t->last[p->out];
}

void weft__trace_arrive(struct weft__sim *s, uint32_t packet, uint64_t time)
{
	if (packet != s->trace->packet)
		return;
	s->trace->result->delivered = ps(time);
	s->trace->packet = WEFT_NONE;
}

void weft__trace_lose(struct weft__sim *s, uint32_t packet,
		      enum weft_sim_drop why, uint64_t time)
{
	if (packet != s->trace->packet)
		return;
	s->trace->result->lost = ps(time);
	s->trace->result->why = why;
	s->trace->packet = WEFT_NONE;
}
