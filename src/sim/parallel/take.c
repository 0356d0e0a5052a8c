// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: what goes from one part of a simulation to another
 *
 * Packets and credits that cross a border are sent once a window of time is
 * over, and are there in time: a window is shorter than it takes a header to
 * get through a cable and the switch at its end, and shorter than the smallest
 * packet, whose end credits wait for.
 *
 * On one thread, though, a packet is in its queue, and a note in the list of
 * its lane, as soon as they are sent: whoever looks at the queue or the list
 * meanwhile finds them there.  So what would have been done then is made good
 * here.  A queue that was not empty when the packet was sent, but is when it
 * arrives, has sent its last packet meanwhile: the output that did is still
 * busy, and would have been told that the queue has another one.  A lane that
 * waited for credits, of which none were on their way by what it knew, would
 * have had its event for these, and one that was given its event meanwhile,
 * for credits that are there later, an earlier one.  What came first tells the
 * order of events, time and slot, which is the same for any number of threads;
 * so is all that comes of it, to the last event.
 *
 * In a window there is one packet at most for a channel, and one note for a
 * lane from each output that a queue of its buffer sends by.
 */
#include "sim/sim.h"

#define AHEAD 16 /* messages whose memory is asked for; see ../ahead.c */

static bool is_before(struct weft__moment a, struct weft__moment b)
{
	return a.time < b.time || (a.time == b.time && a.slot < b.slot);
}

/* When a lane that waited in vain would have been given an event, where these
 * credits were the first ones on their way: as they were sent, if it waited by
 * then and had none that was still to come; else when it waited later. */
static struct weft__moment given_at(const struct weft__waited *waited,
				    struct weft__moment sent, uint32_t slot)
{
	bool has = waited->came == sent.time && slot > sent.slot;

	return is_before(waited->first, sent) && !has ? sent : waited->bare;
}

static void take_credit(struct weft__sim *s, const struct weft__credit *credit)
{
	struct weft__lane *lane = &s->net.lane[credit->lane];
	struct weft__waited *waited = &s->net.border->waited[credit->crossing];
	struct weft__wheel *wheel = &s->clock.wheel;
	uint32_t slot = s->clock.credits + credit->lane;
	bool again = weft__clock_has(&s->clock, slot) &&
		     credit->time < wheel->time[slot] &&
		     is_before(credit->sent, waited->given);

	if (lane->starving) {
		lane->starving = false;
		waited->given = given_at(waited, credit->sent, slot);
		again = waited->given.time != WEFT__NEVER;
		waited->first.time = waited->bare.time = WEFT__NEVER;
	}
	weft__credits_take(&s->net, &s->clock, credit->lane, credit->blocks,
			   credit->time);
	if (!again)
		return;
	if (weft__clock_has(&s->clock, slot))
		weft__wheel_remove(wheel, slot);
	weft__clock_add(&s->clock, slot, credit->time);
}

static void take_packet(struct weft__sim *s, const struct weft__parcel *parcel)
{
	uint32_t packet = weft__packet_new(&s->net), q;
	const struct weft__left *left;
	struct weft__queue *queue;
	struct weft__out *out;

	s->net.packet[packet] = parcel->packet;
	q = weft__net_queue(s, parcel->lane, packet);
	if (q == WEFT_NONE)
		return;
	queue = &s->net.queue[q];
	left = weft__border_left(&s->net, parcel->lane, q);
	out = &s->net.out[left->out];
	if (queue->head != WEFT_NONE || !is_before(parcel->sent, left->at)) {
		weft__net_append(s, q, packet);
		return;
	}
	queue->head = queue->tail = packet;
	out->served = q;
	if (!weft__clock_has(&s->clock, left->out))
		weft__clock_add(&s->clock, left->out, out->busy);
}

/* Asks for what packet number i needs, if there is one. */
static inline __attribute__((always_inline)) void
ask_packet(const struct weft__sim *s, const struct weft__post *post, uint32_t i)
{
	const struct weft__parcel *parcel = &post->parcel[i];

	if (i >= post->parcels)
		return;
	__builtin_prefetch(&s->net.queue[parcel->lane], 1);
	__builtin_prefetch(weft__border_left(
		&s->net, parcel->lane,
		s->net.voq ? s->net.voq[parcel->lane] : parcel->lane));
	__builtin_prefetch(&s->clock.wheel.time[s->clock.heads + parcel->lane],
			   1);
}

static inline __attribute__((always_inline)) void
ask_credit(const struct weft__sim *s, const struct weft__post *post, uint32_t i)
{
	const struct weft__credit *credit = &post->credit[i];

	if (i >= post->credits)
		return;
	__builtin_prefetch(&s->net.lane[credit->lane], 1);
	__builtin_prefetch(&s->net.border->waited[credit->crossing], 1);
	__builtin_prefetch(&s->net.note[(size_t)credit->lane * s->net.ring], 1);
}

void weft__border_take(struct weft__sim *s, struct weft__post *post)
{
	for (uint32_t i = 0; i < post->parcels; i++) {
		ask_packet(s, post, i + AHEAD);
		take_packet(s, &post->parcel[i]);
	}
	for (uint32_t i = 0; i < post->credits; i++) {
		ask_credit(s, post, i + AHEAD);
		take_credit(s, &post->credit[i]);
	}
	post->parcels = post->credits = 0;
}
