// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What arrives at hosts.  All that follows from it is known when a packet
 * begins to be sent there: it is counted at once, with the time at which its
 * last byte will be taken, so that a delivery is no event.
 */
#include "sim/sim.h"

/* Nobody waits for a packet of a message any more. */
static void settle(struct weft__sim *s, const struct weft__packet *p,
		   uint64_t time)
{
	if (s->hosts.steps && p->message >= WEFT__BESIDE)
		return;
	s->hosts.left--;
	if (s->hosts.steps)
		weft__steps_packet(s->hosts.steps, &s->clock, p, time);
	if (time > s->hosts.last_arrival)
		s->hosts.last_arrival = time;
}

void weft__host_lose(struct weft__sim *s, const struct weft__packet *p,
		     uint64_t time)
{
	if (!p->probe)
		settle(s, p, time);
	else if (time > s->hosts.last_arrival)
		s->hosts.last_arrival = time;
}

/* Takes a notification, or the answer to a probe. */
static void answer(struct weft__sim *s, const struct weft__packet *p,
		   uint64_t time)
{
	if (p->note) {
		weft__pace_notified(s->hosts.pacing, s->clock.now, p);
		s->result->notified++;
	} else {
		weft__probing_answer(
			s->hosts.probing, p,
			&s->net.out[weft__net_injection(&s->net, p->source)],
			time);
	}
}

void weft__host_arrive(struct weft__sim *s, uint32_t lane,
		       const struct weft__out *out, uint32_t packet)
{
	const struct weft__packet *p = &s->net.packet[packet];
	struct weft__host *host = &s->hosts.host[out->to & ~WEFT_ENDPORT];
	uint64_t time = out->busy + out->wire;
	uint32_t payload;

	if (s->hosts.drain) {
		uint64_t from = s->clock.now + out->wire;

		if (host->drained > from)
			from = host->drained;
		from += (uint64_t)p->bytes * s->hosts.drain;
		time = host->drained = from > time ? from : time;
	}
	weft__credits_return(&s->net, &s->clock, lane, p->blocks,
			     time + out->wire);
	s->result->delivered++;
	payload = weft__net_payload(&s->net, p);
	host->received += payload;
	if (p->probe) {
		answer(s, p, time);
		weft__packet_free(&s->net, packet);
		return;
	}
	if (p->marked)
		weft__pace_arrive(s->hosts.pacing, &s->clock, p, time);
	if (s->watch.trace)
		weft__trace_arrive(s->watch.trace, packet, time);
	if (s->watch.last_sequence && !weft__watch_order(&s->watch, p))
		s->result->overtaken++;
	if (s->hosts.steps && p->message >= WEFT__BESIDE)
		weft__beside_arrive(&s->hosts, p, payload);
	weft__measure_packet(&s->measure, p, payload, host->rank, time);
	settle(s, p, time);
	weft__packet_free(&s->net, packet);
}
