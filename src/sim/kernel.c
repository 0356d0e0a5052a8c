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
 * Invariants, besides those of invariants.c: an output that is asked for is
 * busy and has its event, or waits for credits in each lane that is asked for;
 * a queue with packets has a HEAD event, is the one that a busy output served
 * last, or its first packet asks for an output.
 *
 * Complexity: O(1) for each event, but for the words of a mask of queues.
 */
#include "sim/sim.h"

/* --- packets -------------------------------------------------------------- */

uint32_t weft__sim_packet(struct weft__sim *s)
{
	uint32_t n = s->free_packet;

	if (n == WEFT_NONE)
		return s->new_packet++;
	s->free_packet = s->packet[n].next;
	return n;
}

static void free_packet(struct weft__sim *s, uint32_t n)
{
	s->packet[n].next = s->free_packet;
	s->free_packet = n;
}

/* Notes that a packet of a workload is delivered, or lost. */
static void end_packet(struct weft__sim *s, const struct weft__packet *p,
		       uint64_t time)
{
	s->left -= !p->probe;
	if (s->steps && !p->probe)
		weft__steps_packet(s, p, time);
	if (time > s->last_arrival)
		s->last_arrival = time;
}

/* Hands a packet that a channel began to send now to the host at its end. */
static void arrive(struct weft__sim *s, uint32_t l, uint32_t packet)
{
	const struct weft__packet *p = &s->packet[packet];
	const struct weft__out *out = &s->out[s->lane[l].channel];
	struct weft__host *host = &s->host[out->to & ~WEFT_ENDPORT];
	uint64_t time = out->busy + out->wire;

	if (s->drain) {
		uint64_t from = s->now + out->wire;

		if (host->drained > from)
			from = host->drained;
		from += (uint64_t)p->bytes * s->drain;
		time = host->drained = from > time ? from : time;
	}
	weft__credits_return(s, &s->lane[l], p->blocks, time + out->wire);
	s->result->delivered++;
	host->received += weft__sim_payload(s, p);
	if (p->probe) {
		if (p->note)
			weft__pace_notified(s, p);
		else
			weft__choose_probed(s, p, time);
		free_packet(s, packet);
		return;
	}
	if (p->marked)
		weft__pace_arrive(s, p, time);
	if (s->trace)
		weft__trace_arrive(s, packet, time);
	if (s->last_sequence && !weft__in_order(s, p))
		s->result->overtaken++;
	weft__measure(s, p, time);
	end_packet(s, p, time);
	free_packet(s, packet);
}

/* Finds the channel and the lane by which a packet goes on. */
static bool look_up(struct weft__sim *s, const struct weft__lane *queue,
		    struct weft__packet *p, enum weft_sim_drop *why)
{
	const struct weft__out *in = &s->out[queue->channel];
	uint32_t sw = in->to, ch;
	const struct weft_lft *lft = s->lft_of ? s->lft_of[sw] : &s->r->lft;
	uint8_t port = weft_lft_get(lft, sw, p->lid);
	const struct weft_endport *end;

	*why = WEFT_SIM_NO_ROUTE;
	if (port == WEFT_NO_PORT && s->routers)
		return weft__routers_pass(s, queue, p, why);
	if (port == WEFT_NO_PORT || port > s->f->sw[sw].nports)
		return false;
	*why = WEFT_SIM_WRONG_END;
	if (!port && (!s->nswitches || p->lid != s->f->sw[sw].lid))
		return false;
	if (s->choose && port)
		port = weft__choose_port(s, p, in->port, sw, port);
	ch = weft_channel(s->f, sw, port);
	*why = WEFT_SIM_NO_ROUTE;
	if (s->out[ch].to == WEFT_NONE)
		return false;
	*why = WEFT_SIM_LINK_DOWN;
	if (s->out[ch].down)
		return false;
	if (port && weft_is_endport(s->out[ch].to)) {
		*why = WEFT_SIM_WRONG_END;
		end = &s->f->ep[s->out[ch].to & ~WEFT_ENDPORT];
		if (!end->lid || p->lid < end->lid ||
		    (p->lid - end->lid) >> end->lmc)
			return false;
	}
	*why = WEFT_SIM_TOO_FAR;
	if (p->hops > s->f->nsw)
		return false;
	*why = WEFT_SIM_NO_LANE;
	p->out = ch;
	p->vl = weft__sim_lane(s, sw, in->port, port, p->sl);
	return p->vl < s->nvl;
}

/* Gives the room of a packet back that is not sent on, once all of it is there.
 */
static uint64_t lose(struct weft__sim *s, const struct weft__lane *queue,
		     uint32_t packet, enum weft_sim_drop why)
{
	const struct weft__packet *p = &s->packet[packet];
	uint64_t time = p->tail > s->now ? p->tail : s->now;

	s->result->dropped[why]++;
	if (s->trace)
		weft__trace_lose(s, packet, why, time);
	weft__credits_return(s, queue, p->blocks,
			     time + s->out[queue->channel].wire);
	end_packet(s, p, time);
	free_packet(s, packet);
	return time;
}

/* Puts a packet at the end of a queue. */
static void append(struct weft__sim *s, uint32_t q, uint32_t packet)
{
	const struct weft__packet *p = &s->packet[packet];
	struct weft__lane *queue = &s->lane[q];

	if (s->trace)
		weft__trace_queue(s, q, packet);
	if (queue->head == WEFT_NONE) {
		queue->head = packet;
		weft__wheel_add(&s->wheel, weft__slot_head(s, q),
				p->ready > queue->free_at ? p->ready :
							    queue->free_at);
	} else {
		s->packet[queue->tail].next = packet;
	}
	queue->tail = packet;
}

/* Puts a packet that a channel began to send now into a queue at its end. */
static void enqueue(struct weft__sim *s, uint32_t l, uint32_t packet)
{
	struct weft__packet *p = &s->packet[packet];
	const struct weft__lane *lane = &s->lane[l];
	const struct weft__out *out = &s->out[lane->channel];
	enum weft_sim_drop why;

	p->ready = s->now + out->ahead;
	p->tail = out->busy + out->ahead;
	p->next = WEFT_NONE;
	p->hops++;
	if (!s->voq) {
		append(s, l, packet);
		__builtin_prefetch(&weft_lft_row(&s->r->lft, out->to)[p->lid]);
	} else if (look_up(s, lane, p, &why)) {
		if (s->waiting)
			s->waiting[p->out]++;
		append(s, s->voq[l] + (p->out - s->f->first_channel[out->to]),
		       packet);
	} else {
		lose(s, lane, packet, why);
	}
}

/* Puts a packet on a channel that is free, in a lane that has credits. */
static void put(struct weft__sim *s, uint32_t l, uint32_t packet)
{
	struct weft__packet *p = &s->packet[packet];
	struct weft__lane *lane = &s->lane[l];
	struct weft__out *out = &s->out[lane->channel];

	out->busy = s->now + (uint64_t)p->bytes * out->byte;
	lane->credits -= p->blocks;
	if (s->trace)
		weft__trace_put(s, l, packet);
	s->carried[l] += p->bytes;
	if (weft_is_switch(out->to))
		enqueue(s, l, packet);
	else
		arrive(s, l, packet);
}

void weft__sim_inject(struct weft__sim *s, uint32_t ep, uint32_t lane,
		      uint32_t packet)
{
	const struct weft__packet *p = &s->packet[packet];
	struct weft__out *out = &s->out[s->f->first_injection + ep];
	uint64_t limit = s->now + (uint64_t)p->bytes * s->inject;

	s->result->injected++;
	put(s, lane, packet);
	if (out->busy < limit)
		out->busy = limit;
}

/* --- outputs -------------------------------------------------------------- */

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
static uint32_t oldest(const struct weft__sim *s, uint32_t ch,
		       const uint64_t *mask)
{
	uint64_t age = UINT64_MAX;
	uint32_t best = 0;

	for (unsigned w = 0; w < s->words; w++)
		for (uint64_t bits = mask[w]; bits; bits &= bits - 1) {
			uint32_t at = w * 64 + __builtin_ctzll(bits);
			uint32_t q = weft__sim_queue(s, ch, at);
			uint32_t head = s->lane[q].head;

			if (s->packet[head].created < age) {
				age = s->packet[head].created;
				best = at;
			}
		}
	return best;
}

/* Returns the queue that is next to send in a lane that some ask for. */
static uint32_t choose_queue(struct weft__sim *s, uint32_t l)
{
	const struct weft__lane *lane = &s->lane[l];
	const uint64_t *mask = &s->asking[(size_t)l * s->words];
	uint32_t at = lane->turn + 1u;

	if (s->by_age)
		return oldest(s, lane->channel, mask);
	return next_in_turn(mask, s->words, at < s->words * 64 ? at : 0);
}

/* Sends the first packet of a queue, numbered within the switch. */
static void send_from(struct weft__sim *s, uint32_t l, uint32_t at)
{
	struct weft__lane *lane = &s->lane[l];
	struct weft__out *out = &s->out[lane->channel];
	uint64_t *mask = &s->asking[(size_t)l * s->words];
	uint32_t q = weft__sim_queue(s, lane->channel, at);
	struct weft__lane *queue = &s->lane[q];
	uint32_t packet = queue->head;
	const struct weft__packet *p = &s->packet[packet];
	bool more = false;

	s->result->hops++;
	if (s->waiting)
		s->waiting[lane->channel]--;
	lane->turn = at;
	mask[at / 64] &= ~(1ull << at % 64);
	for (unsigned w = 0; w < s->words; w++)
		more |= mask[w];
	if (!more)
		out->asked &= ~(1u << lane->vl);
	if (s->parts)
		weft__parts_wait(s, l, s->now - p->ready);
	if (s->pacing)
		weft__pace_mark(s, l, queue, &s->packet[packet]);
	queue->head = p->next;
	queue->free_at = s->now + (uint64_t)p->bytes * out->byte;
	out->served = queue->head != WEFT_NONE ? q : WEFT_NONE;
	weft__credits_return(s, queue, p->blocks,
		  queue->free_at + s->out[queue->channel].wire);
	put(s, l, packet);
	if (out->asked || out->served != WEFT_NONE)
		weft__wheel_add(&s->wheel, lane->channel, out->busy);
}

/* Sends a packet on a channel of a switch that is free, if there is one that
 * has room. */
static void serve(struct weft__sim *s, uint32_t ch)
{
	struct weft__out *out = &s->out[ch];
	uint16_t at[WEFT_MAX_LANES];
	uint8_t blocks[WEFT_MAX_LANES];
	uint32_t first = ch * s->nvl, can = 0;
	unsigned vl;

	for (uint32_t lanes = out->asked; lanes; lanes &= lanes - 1) {
		uint32_t q;

		vl = __builtin_ctz(lanes);
		at[vl] = choose_queue(s, first + vl);
		q = weft__sim_queue(s, ch, at[vl]);
		blocks[vl] = s->packet[s->lane[q].head].blocks;
		if (weft__credits_for(s, first + vl, blocks[vl]))
			can |= 1u << vl;
	}
	if (!can)
		return;
	vl = s->nvl > 1 ? weft__vlarb_choose(s, out, can, blocks) : 0;
	send_from(s, first + vl, at[vl]);
}

/* --- queues --------------------------------------------------------------- */

/* Takes the first packet out of a queue, once all of it is there. */
static void drop(struct weft__sim *s, uint32_t q, enum weft_sim_drop why)
{
	struct weft__lane *queue = &s->lane[q];
	uint32_t packet = queue->head;

	queue->head = s->packet[packet].next;
	queue->free_at = lose(s, queue, packet, why);
	if (queue->head != WEFT_NONE)
		weft__wheel_add(&s->wheel, weft__slot_head(s, q),
				queue->free_at);
}

bool weft__sim_asks(const struct weft__sim *s, uint32_t q, uint32_t ch)
{
	const struct weft__lane *queue = &s->lane[q];
	const struct weft__packet *p;
	uint32_t at;

	if (queue->head == WEFT_NONE)
		return false;
	p = &s->packet[queue->head];
	/* One that is not looked up yet still has what the last switch found.
	 */
	if (p->out != ch || s->out[ch].sw != s->out[queue->channel].to)
		return false;
	at = s->out[queue->channel].port * s->nvl + queue->vl;
	return s->asking[((size_t)ch * s->nvl + p->vl) * s->words + at / 64] >>
		       at % 64 & 1;
}

void weft__sim_withdraw(struct weft__sim *s, uint32_t q,
			enum weft_sim_drop why)
{
	const struct weft__lane *queue = &s->lane[q];
	const struct weft__packet *p = &s->packet[queue->head];
	uint32_t at = s->out[queue->channel].port * s->nvl + queue->vl;
	size_t l = (size_t)p->out * s->nvl + p->vl;
	uint32_t slot = weft__slot_head(s, q);
	bool more = false;

	if (weft__sim_asks(s, q, p->out)) {
		s->asking[l * s->words + at / 64] &= ~(1ull << at % 64);
		for (unsigned w = 0; w < s->words; w++)
			more |= s->asking[l * s->words + w];
		if (!more)
			s->out[p->out].asked &= ~(1u << p->vl);
	}
	if (s->waiting)
		s->waiting[p->out]--;
	if (weft__wheel_has(&s->wheel, slot))
		weft__wheel_remove(&s->wheel, slot);
	drop(s, q, why);
}

/* The first packet of a queue asks for its output. */
static void ask(struct weft__sim *s, uint32_t q, const struct weft__packet *p)
{
	const struct weft__lane *queue = &s->lane[q];
	struct weft__out *out = &s->out[p->out];
	uint32_t at = s->out[queue->channel].port * s->nvl + queue->vl;
	size_t l = (size_t)p->out * s->nvl + p->vl;

	if (s->trace)
		weft__trace_ask(s, p);
	if (s->waiting && !s->voq)
		s->waiting[p->out]++;
	s->asking[l * s->words + at / 64] |= 1ull << at % 64;
	out->asked |= 1u << p->vl;
	if (weft__wheel_has(&s->wheel, p->out))
		return;
	if (out->busy > s->now)
		weft__wheel_add(&s->wheel, p->out, out->busy);
	else
		serve(s, p->out);
}

/* The first packet of a queue is looked at; it may still be on its way. */
static void come_up(struct weft__sim *s, uint32_t q)
{
	struct weft__packet *p = &s->packet[s->lane[q].head];
	enum weft_sim_drop why;
	uint64_t from = p->ready;

	if (from <= s->now) {
		uint64_t length;

		if (!s->voq && !look_up(s, &s->lane[q], p, &why)) {
			drop(s, q, why);
			return;
		}
		/* Without a gap on a channel that is faster. */
		length = (uint64_t)p->bytes * s->out[p->out].byte;
		if (p->tail > from + length)
			from = p->tail - length;
	}
	if (from > s->now)
		weft__wheel_add(&s->wheel, weft__slot_head(s, q), from);
	else
		ask(s, q, p);
}

/* --- events --------------------------------------------------------------- */

/* A channel has sent a packet. */
static void sent(struct weft__sim *s, uint32_t ch)
{
	struct weft__out *out = &s->out[ch];
	uint32_t q = out->served;

	if (out->sw == WEFT_NONE) {
		weft__host_send(s, ch - s->f->first_injection);
		return;
	}
	out->served = WEFT_NONE;
	if (q != WEFT_NONE)
		come_up(s, q);
	if (out->asked && out->busy <= s->now)
		serve(s, ch);
}

static void credit(struct weft__sim *s, uint32_t l)
{
	uint32_t ch = s->lane[l].channel;
	const struct weft__out *out = &s->out[ch];

	if (weft__wheel_has(&s->wheel, ch) || out->busy > s->now)
		return;
	if (out->sw == WEFT_NONE)
		weft__host_send(s, ch - s->f->first_injection);
	else
		serve(s, ch);
}

bool weft__sim_events(struct weft__sim *s, uint64_t count)
{
	uint64_t *events = s->result->events;
	uint32_t heads = s->nch, credits = heads + s->nqueues;
	uint32_t hosts = credits + s->nlanes;
	uint32_t arrivals = hosts + s->nends, pause = arrivals + s->nends;
	struct weft__event e;

	while (count--) {
		if (!weft__wheel_take(&s->wheel, &e))
			return false;
		s->now = e.time;
		if (e.time > s->end)
			return true;
		if (e.slot < heads) {
			events[WEFT_SIM_SENT]++;
			sent(s, e.slot);
		} else if (e.slot < credits) {
			events[WEFT_SIM_HEAD]++;
			come_up(s, e.slot - heads);
		} else if (e.slot < hosts) {
			events[WEFT_SIM_CREDIT]++;
			credit(s, e.slot - credits);
		} else if (e.slot < arrivals) {
			events[WEFT_SIM_HOST]++;
			weft__host_send(s, e.slot - hosts);
		} else {
			events[WEFT_SIM_DONE]++;
			if (e.slot < pause)
				weft__steps_arrive(s, e.slot - arrivals);
			else if (e.slot == pause)
				weft__steps_pause_ends(s);
			else
				s->change(s, e.slot);
		}
	}
	return true;
}
