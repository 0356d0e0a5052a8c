// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: memory ahead of events
 *
 * In a large fabric nearly all that an event needs is far away in memory: its
 * output, the queue, the packet there, the entry of the table, the output that
 * this names and its lane.  Each is found by the one before.  So the next
 * events are looked at some at a time, step by step, and each step asks for
 * what the next one looks at: what all of them wait for comes at a time.
 *
 * Nothing is changed here, and what is found may be different once the event
 * comes: it is a guess of what will be needed.
 */
#include "sim/sim.h"

#define AT_A_TIME 64u

/* A compiler may leave out the call of a function that only asks for memory, as
 * one without effect. */
#define STEP static inline __attribute__((always_inline))

/* What an event needs, as far as it is known; WEFT_NONE: nothing. */
struct look {
	uint32_t end;	/* that sends */
	uint32_t queue; /* whose first packet comes up */
	uint32_t out;	/* that may send */
	uint32_t other; /* queue that it may send from */
};

/* Asks for an output and what belongs to it. */
STEP void ask_out(const struct weft__sim *s, uint32_t out)
{
	size_t l = (size_t)out * s->net.nvl;

	__builtin_prefetch(&s->net.out[out], 1);
	__builtin_prefetch(&s->net.lane[l], 1);
	__builtin_prefetch(&s->net.asking[l * s->net.words], 1);
	__builtin_prefetch(&s->net.queue[l], 1);
}

/* Asks for what the number of an event tells. */
STEP struct look look_at(const struct weft__sim *s, uint32_t slot)
{
	const struct weft__clock *clock = &s->clock;
	struct look look = { WEFT_NONE, WEFT_NONE, WEFT_NONE, WEFT_NONE };

	__builtin_prefetch(&clock->wheel.time[slot], 1);
	if (slot < clock->heads) {
		look.out = slot;
		if (slot >= s->net.f->first_injection)
			look.end = slot - s->net.f->first_injection;
	} else if (slot < clock->credits) {
		look.queue = slot - clock->heads;
	} else if (slot < clock->hosts) {
		look.out = s->net.lane[slot - clock->credits].channel;
	} else if (slot < clock->arrivals) {
		look.end = slot - clock->hosts;
		look.out = weft__net_injection(&s->net, look.end);
	}
	if (look.out != WEFT_NONE)
		ask_out(s, look.out);
	if (look.end != WEFT_NONE)
		__builtin_prefetch(&s->hosts.host[look.end], 1);
	if (look.queue != WEFT_NONE)
		__builtin_prefetch(&s->net.queue[look.queue], 1);
	return look;
}

/* Asks for the notes of a lane, which are in a line or two. */
STEP void find_notes(const struct weft__sim *s, uint32_t l)
{
	__builtin_prefetch(weft__credits_note(&s->net, l, s->net.lane[l].notes),
			   1);
}

/* Likewise those of the lane that a queue gives credits back to, unless another
 * thread has it. */
STEP void find_back(const struct weft__sim *s, uint32_t q)
{
	uint32_t l = s->net.queue[q].lane;

	if (s->net.lane[l].crossing == WEFT_NONE)
		find_notes(s, l);
}

/* Asks for the queues that may send, and the message of a host. */
STEP void find_queues(const struct weft__sim *s, uint32_t slot,
		      struct look *look)
{
	const struct weft__host *host;
	uint32_t l = look->out * s->net.nvl;

	if (look->end != WEFT_NONE) {
		host = &s->hosts.host[look->end];
		__builtin_prefetch(&s->hosts.message[host->first + host->turn],
				   1);
	} else if (look->out != WEFT_NONE) {
		if (slot < s->clock.heads)
			look->queue = s->net.out[slot].served;
		look->other = weft__net_next(&s->net, l);
	}
	if (look->out != WEFT_NONE)
		find_notes(s, l);
	if (look->queue != WEFT_NONE)
		__builtin_prefetch(&s->net.queue[look->queue], 1);
	if (look->other != WEFT_NONE)
		__builtin_prefetch(&s->net.queue[look->other], 1);
}

/* Asks for the first packet of a queue, and the lane that gets its credits. */
STEP void find_packet(const struct weft__sim *s, uint32_t q)
{
	const struct weft__queue *queue = &s->net.queue[q];

	if (queue->head != WEFT_NONE)
		__builtin_prefetch(&s->net.packet[queue->head], 1);
	__builtin_prefetch(&s->net.lane[queue->lane], 1);
}

static const uint8_t *entry_of(const struct weft__sim *s, uint32_t q)
{
	const struct weft__queue *queue = &s->net.queue[q];
	const struct weft_lft *lft = &s->net.r->lft;
	uint16_t lid;

	if (queue->head == WEFT_NONE || s->net.voq)
		return NULL;
	lid = s->net.packet[queue->head].lid;
	return lid <= lft->max_lid ? &weft_lft_row(lft, queue->sw)[lid] : NULL;
}

/* Asks for the output that the entry of a packet names. */
STEP uint32_t find_out(const struct weft__sim *s, uint32_t q)
{
	const uint8_t *port = entry_of(s, q);
	uint32_t sw = s->net.queue[q].sw, out;

	if (!port || *port > s->net.f->sw[sw].nports)
		return WEFT_NONE;
	out = weft_channel(s->net.f, sw, *port);
	ask_out(s, out);
	__builtin_prefetch(&s->clock.wheel.time[out], 1);
	return out;
}

/* Asks for the credits of an output, and what is at its other end. */
STEP void find_end(const struct weft__sim *s, uint32_t out)
{
	uint32_t to = s->net.out[out].to, l = out * s->net.nvl, tail;

	find_notes(s, l);
	if (weft_is_endport(to)) {
		__builtin_prefetch(&s->hosts.host[to & ~WEFT_ENDPORT], 1);
		return;
	}
	if (s->net.lane[l].crossing != WEFT_NONE)
		return;
	__builtin_prefetch(&s->clock.wheel.time[s->clock.heads + l], 1);
	tail = s->net.queue[l].tail;
	__builtin_prefetch(&s->net.packet[tail], 1);
}

uint32_t weft__sim_ahead(const struct weft__sim *s)
{
	const struct weft__wheel *wheel = &s->clock.wheel;
	const struct weft__event *e = wheel->event + wheel->next;
	uint32_t n = wheel->n - wheel->next;
	struct look look[AT_A_TIME];

	if (n > AT_A_TIME)
		n = AT_A_TIME;
	for (uint32_t i = 0; i < n; i++)
		look[i] = look_at(s, e[i].slot);
	for (uint32_t i = 0; i < n; i++)
		find_queues(s, e[i].slot, &look[i]);
	for (uint32_t i = 0; i < n; i++) {
		if (look[i].queue != WEFT_NONE)
			find_packet(s, look[i].queue);
		if (look[i].other != WEFT_NONE)
			find_packet(s, look[i].other);
	}
	for (uint32_t i = 0; i < n; i++) {
		if (look[i].queue != WEFT_NONE) {
			__builtin_prefetch(entry_of(s, look[i].queue));
			find_back(s, look[i].queue);
		}
		if (look[i].other != WEFT_NONE)
			find_back(s, look[i].other);
	}
	for (uint32_t i = 0; i < n; i++)
		look[i].out = look[i].queue != WEFT_NONE ?
				      find_out(s, look[i].queue) :
				      WEFT_NONE;
	for (uint32_t i = 0; i < n; i++)
		if (look[i].out != WEFT_NONE)
			find_end(s, look[i].out);
	return n;
}
