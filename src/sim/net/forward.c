// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: moving packets
 *
 * A packet takes an event or two for each switch that it passes.  What its
 * sending settles is done at once, with the time at which it will be true:
 * credits go back as a note with the time at which they arrive, the packet is
 * put into the queue at the other end with the time at which it is there.  Both
 * are sound because nothing stops a packet that has begun to move, and because
 * queues and notes are first come, first served.
 *
 * Events remain where somebody waits.  WEFT_SIM_SENT: a channel has sent a
 * packet, and either another queue asks for it or the queue that it served has
 * a next packet; one event for both.  WEFT_SIM_HEAD: a packet comes up in a
 * queue that it found empty.  WEFT_SIM_CREDIT: an output could not send for
 * want of credits.  A delivery is no event at all.
 *
 * Invariants, besides those of watch/invariants.c: an output that is asked for
 * is busy and has its event, or waits for credits in each lane that is asked
 * for; a queue with packets has a HEAD event, is the one that a busy output
 * served last, or its first packet asks for an output.
 *
 * Complexity: O(1) for each event, but for the words of a mask of queues.
 */
#include "sim/sim.h"

/* Gives the room of a packet back that is not sent on, once all of it is there.
 */
static uint64_t lose(struct weft__sim *s, const struct weft__queue *queue,
		     uint32_t packet, enum weft_sim_drop why)
{
	const struct weft__packet *p = &s->net.packet[packet];
	uint64_t time = p->tail > s->clock.now ? p->tail : s->clock.now;

	s->result->dropped[why]++;
	if (s->net.border)
		return time; /* one thread does all of it again */
	if (s->watch.trace)
		weft__trace_lose(s->watch.trace, packet, why, time);
	weft__credits_return(&s->net, &s->clock, queue->lane, p->blocks,
			     time + queue->wire);
	weft__host_lose(s, p, time);
	weft__packet_free(&s->net, packet);
	return time;
}

void weft__net_append(struct weft__sim *s, uint32_t q, uint32_t packet)
{
	const struct weft__packet *p = &s->net.packet[packet];
	struct weft__queue *queue = &s->net.queue[q];

	if (s->watch.trace)
		weft__trace_queue(s->watch.trace, &s->net, q, packet);
	if (queue->head == WEFT_NONE) {
		queue->head = packet;
		weft__clock_add(&s->clock, s->clock.heads + q,
				p->ready > queue->free_at ? p->ready :
							    queue->free_at);
	} else {
		s->net.packet[queue->tail].next = packet;
	}
	queue->tail = packet;
}

uint32_t weft__net_queue(struct weft__sim *s, uint32_t l, uint32_t packet)
{
	const struct weft__queue *queue = &s->net.queue[l];
	struct weft__packet *p = &s->net.packet[packet];
	enum weft_sim_drop why;

	if (!s->net.voq)
		return l;
	if (!weft__net_look_up(s, queue, p, &why)) {
		lose(s, queue, packet, why);
		return WEFT_NONE;
	}
	return s->net.voq[l] + (p->out - s->net.f->first_channel[queue->sw]);
}

/* Puts a packet that a channel began to send now into a queue at its end. */
static void enqueue(struct weft__sim *s, const struct weft__out *out,
		    uint32_t l, uint32_t packet)
{
	struct weft__packet *p = &s->net.packet[packet];
	uint32_t q;

	p->ready = s->clock.now + out->ahead;
	p->tail = out->busy + out->ahead;
	p->next = WEFT_NONE;
	p->hops++;
	if (s->net.lane[l].crossing != WEFT_NONE) {
		weft__border_send(s, l, packet);
	} else if (!s->net.voq) {
		weft__net_append(s, l, packet);
		__builtin_prefetch(
			&weft_lft_row(&s->net.r->lft, out->to)[p->lid]);
	} else if ((q = weft__net_queue(s, l, packet)) != WEFT_NONE) {
		if (s->net.waiting)
			s->net.waiting[p->out]++;
		weft__net_append(s, q, packet);
	}
}

/* Puts a packet on a channel that is free, in a lane that has credits. */
static void put(struct weft__sim *s, struct weft__out *out, uint32_t l,
		uint32_t packet)
{
	struct weft__packet *p = &s->net.packet[packet];
	struct weft__lane *lane = &s->net.lane[l];

	out->busy = s->clock.now + (uint64_t)p->bytes * out->byte;
	lane->credits -= p->blocks;
	if (s->watch.trace)
		weft__trace_put(s->watch.trace, &s->net, s->clock.now, l,
				packet);
	lane->carried += p->bytes;
	if (weft_is_switch(out->to))
		enqueue(s, out, l, packet);
	else
		weft__host_arrive(s, l, out, packet);
}

void weft__net_inject(struct weft__sim *s, uint32_t ep, uint32_t lane,
		      uint32_t packet)
{
	const struct weft__packet *p = &s->net.packet[packet];
	struct weft__out *out = &s->net.out[s->net.f->first_injection + ep];
	uint64_t limit = s->clock.now + (uint64_t)p->bytes * s->hosts.inject;

	if (s->net.routers)
		s->result->crossing += weft__routers_send(&s->net, packet);
	if (s->net.longer)
		weft__longer_send(&s->net, packet);
	s->result->injected++;
	put(s, out, lane, packet);
	if (out->busy < limit)
		out->busy = limit;
}

/* --- outputs -------------------------------------------------------------- */

/* Returns the queue that comes in by lane number at of a channel's switch, port
 * * nvl + lane, and goes out by that channel; first: of the switch. */
static uint32_t queue_at(const struct weft__net *net, uint32_t ch,
			 uint32_t first, uint32_t at)
{
	uint32_t q = net->facing[(size_t)first * net->nvl + at];

	return net->voq ? net->voq[q] + (ch - first) : q;
}

static uint32_t next_in_turn(const uint64_t *mask, unsigned words, uint32_t at)
{
	unsigned w = at / 64;
	uint64_t bits = mask[w] & ~0ull << at % 64;

	while (!bits) {
		w = w + 1 < words ? w + 1 : 0;
		bits = mask[w];
	}
	return w * 64 + __builtin_ctzll(bits);
}

/* Returns the queue, numbered within the switch, whose packet is oldest. */
static uint32_t oldest(const struct weft__net *net, uint32_t ch,
		       const uint64_t *mask)
{
	uint32_t first = net->f->first_channel[net->out[ch].sw];
	uint64_t age = UINT64_MAX;
	uint32_t best = 0;

	for (unsigned w = 0; w < net->words; w++)
		for (uint64_t bits = mask[w]; bits; bits &= bits - 1) {
			uint32_t at = w * 64 + __builtin_ctzll(bits);
			uint32_t q = queue_at(net, ch, first, at);
			uint32_t head = net->queue[q].head;

			if (net->packet[head].created < age) {
				age = net->packet[head].created;
				best = at;
			}
		}
	return best;
}

static uint32_t in_turn(const struct weft__net *net, uint32_t l)
{
	uint32_t at = net->lane[l].turn + 1u;

	return next_in_turn(&net->asking[(size_t)l * net->words], net->words,
			    at < net->words * 64 ? at : 0);
}

/* Returns the queue that is next to send in a lane that some ask for. */
static uint32_t choose_queue(const struct weft__net *net, uint32_t l)
{
	if (net->by_age)
		return oldest(net, net->lane[l].channel,
			      &net->asking[(size_t)l * net->words]);
	return in_turn(net, l);
}

uint32_t weft__net_next(const struct weft__net *net, uint32_t l)
{
	const struct weft__lane *lane = &net->lane[l];
	const struct weft__out *out = &net->out[lane->channel];

	if (!(out->asked >> lane->vl & 1))
		return WEFT_NONE;
	return queue_at(net, lane->channel, net->f->first_channel[out->sw],
			in_turn(net, l));
}

/* Sends the first packet of a queue, number at within the switch. */
static void send_from(struct weft__sim *s, uint32_t l, uint32_t at, uint32_t q)
{
	struct weft__lane *lane = &s->net.lane[l];
	struct weft__out *out = &s->net.out[lane->channel];
	uint64_t *mask = &s->net.asking[(size_t)l * s->net.words];
	struct weft__queue *queue = &s->net.queue[q];
	uint32_t packet = queue->head;
	const struct weft__packet *p = &s->net.packet[packet];
	bool more = false;

	s->result->hops++;
	if (s->net.waiting)
		s->net.waiting[lane->channel]--;
	lane->turn = at;
	mask[at / 64] &= ~(1ull << at % 64);
	for (unsigned w = 0; w < s->net.words; w++)
		more |= mask[w];
	if (!more)
		out->asked &= ~(1u << lane->vl);
	if (s->measure.parts)
		weft__parts_wait(s->measure.parts, l, s->clock.now - p->ready);
	if (s->net.marks)
		s->result->marked += weft__marks_packet(&s->net, l, queue,
							&s->net.packet[packet]);
	queue->head = p->next;
	queue->free_at = s->clock.now + (uint64_t)p->bytes * out->byte;
	out->served = queue->head != WEFT_NONE ? q : WEFT_NONE;
	weft__credits_return(&s->net, &s->clock, queue->lane, p->blocks,
			     queue->free_at + queue->wire);
	if (s->net.border)
		weft__border_leaves(&s->net, &s->clock, queue, lane->channel);
	put(s, out, l, packet);
	if (out->asked || out->served != WEFT_NONE)
		weft__clock_add(&s->clock, lane->channel, out->busy);
}

void weft__net_serve(struct weft__sim *s, uint32_t ch)
{
	struct weft__out *out = &s->net.out[ch];
	uint16_t at[WEFT_MAX_LANES];
	uint32_t q[WEFT_MAX_LANES];
	uint8_t blocks[WEFT_MAX_LANES];
	uint32_t first = s->net.f->first_channel[out->sw];
	uint32_t lane = ch * s->net.nvl, can = 0;
	unsigned vl;

	for (uint32_t lanes = out->asked; lanes; lanes &= lanes - 1) {
		vl = __builtin_ctz(lanes);
		at[vl] = choose_queue(&s->net, lane + vl);
		q[vl] = queue_at(&s->net, ch, first, at[vl]);
		blocks[vl] = s->net.packet[s->net.queue[q[vl]].head].blocks;
		if (weft__credits_for(&s->net, &s->clock, lane + vl,
				      blocks[vl]))
			can |= 1u << vl;
	}
	if (!can)
		return;
	vl = s->net.nvl > 1 ? weft__vlarb_choose(s->spec, out, can, blocks) : 0;
	send_from(s, lane + vl, at[vl], q[vl]);
}

/* --- queues --------------------------------------------------------------- */

/* Takes the first packet out of a queue, once all of it is there. */
static void drop(struct weft__sim *s, uint32_t q, enum weft_sim_drop why)
{
	struct weft__queue *queue = &s->net.queue[q];
	uint32_t packet = queue->head;

	queue->head = s->net.packet[packet].next;
	queue->free_at = lose(s, queue, packet, why);
	if (queue->head != WEFT_NONE)
		weft__clock_add(&s->clock, s->clock.heads + q, queue->free_at);
}

bool weft__net_asks(const struct weft__net *net, uint32_t q, uint32_t ch)
{
	const struct weft__queue *queue = &net->queue[q];
	const struct weft__packet *p;
	uint32_t at;

	if (queue->head == WEFT_NONE)
		return false;
	p = &net->packet[queue->head];
	/* One that is not looked up yet still has what the last switch found.
	 */
	if (p->out != ch || net->out[ch].sw != queue->sw)
		return false;
	at = queue->at;
	return net->asking[((size_t)ch * net->nvl + p->vl) * net->words +
			   at / 64] >>
		       at % 64 &
	       1;
}

void weft__net_withdraw(struct weft__sim *s, uint32_t q, enum weft_sim_drop why)
{
	const struct weft__queue *queue = &s->net.queue[q];
	const struct weft__packet *p = &s->net.packet[queue->head];
	uint32_t at = queue->at;
	size_t l = (size_t)p->out * s->net.nvl + p->vl;
	uint32_t slot = s->clock.heads + q;
	bool more = false;

	if (weft__net_asks(&s->net, q, p->out)) {
		s->net.asking[l * s->net.words + at / 64] &= ~(1ull << at % 64);
		for (unsigned w = 0; w < s->net.words; w++)
			more |= s->net.asking[l * s->net.words + w];
		if (!more)
			s->net.out[p->out].asked &= ~(1u << p->vl);
	}
	if (s->net.waiting)
		s->net.waiting[p->out]--;
	if (weft__clock_has(&s->clock, slot))
		weft__wheel_remove(&s->clock.wheel, slot);
	drop(s, q, why);
}

/* The first packet of a queue asks for its output. */
static void ask(struct weft__sim *s, uint32_t q, const struct weft__packet *p)
{
	const struct weft__queue *queue = &s->net.queue[q];
	struct weft__out *out = &s->net.out[p->out];
	uint32_t at = queue->at;
	size_t l = (size_t)p->out * s->net.nvl + p->vl;

	if (s->watch.trace)
		weft__trace_ask(s->watch.trace, &s->net, s->clock.now, p);
	if (s->net.waiting && !s->net.voq)
		s->net.waiting[p->out]++;
	s->net.asking[l * s->net.words + at / 64] |= 1ull << at % 64;
	out->asked |= 1u << p->vl;
	if (weft__clock_has(&s->clock, p->out))
		return;
	if (out->busy > s->clock.now)
		weft__clock_add(&s->clock, p->out, out->busy);
	else
		weft__net_serve(s, p->out);
}

void weft__net_head(struct weft__sim *s, uint32_t q)
{
	/* It may still be on its way. */
	struct weft__packet *p = &s->net.packet[s->net.queue[q].head];
	enum weft_sim_drop why;
	uint64_t from = p->ready;

	if (from <= s->clock.now) {
		uint64_t length;

		if (!s->net.voq &&
		    !weft__net_look_up(s, &s->net.queue[q], p, &why)) {
			drop(s, q, why);
			return;
		}
		/* Without a gap on a channel that is faster. */
		length = (uint64_t)p->bytes * s->net.out[p->out].byte;
		if (p->tail > from + length)
			from = p->tail - length;
	}
	if (from > s->clock.now)
		weft__clock_add(&s->clock, s->clock.heads + q, from);
	else
		ask(s, q, p);
}
