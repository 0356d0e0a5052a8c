// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What hosts send.
 *
 * The messages that a host has begun take turns packet by packet, as queue
 * pairs do, but for those whose lane has no credits.  Under load a host has a
 * number of places for them; what has no place yet is not kept, as the moments
 * at which messages are made do not depend on when they are sent: the next one
 * is drawn when a place is free, and its moment may be past.
 *
 * A lossy host takes each message at its moment, or never.
 */
#include "sim/kernel/random.h"
#include "sim/sim.h"

/* Whether a host has as many messages in a lane as it may. */
static bool is_full(const struct weft__sim *s, const struct weft__host *host,
		    unsigned vl)
{
	uint32_t n = 0;

	for (uint32_t i = host->first; i < host->first + host->n; i++)
		n += s->hosts.message[i].vl == vl;
	return n >= s->spec->outstanding;
}

/* Begins a message to a host that is drawn, or refuses it. */
static void begin_message(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->hosts.host[ep];
	struct weft__message m = {
		.created = host->pause ? host->next : s->clock.now,
		.id = s->hosts.steps ? WEFT_NONE : 0,
	};

	weft__host_begin(&s->hosts, &s->net, ep, &m);
	if (s->spec->lossy && is_full(s, host, m.vl))
		s->result->refused++;
	else
		s->hosts.message[host->first + host->n++] = m;
}

/* Fills the places for messages with those whose moment has come, and has the
 * host woken up for the next one. */
static void begin_messages(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->hosts.host[ep];
	uint32_t slot = s->clock.hosts + ep;
	bool always = s->spec->lossy;

	/* Congestion control wakes those up, too, that only receive. */
	if (ep < s->net.f->nep && !weft__sequence_sends(&s->hosts, host->rank))
		return;
	while ((always || host->n < s->hosts.places) &&
	       host->next <= s->clock.now)
		begin_message(s, ep);
	if ((always || host->n < s->hosts.places) &&
	    !weft__clock_has(&s->clock, slot))
		weft__clock_add(&s->clock, slot, host->next);
}

/* Whether congestion control slows an end down: port 0 of a switch takes no
 * part. */
static bool is_paced(const struct weft__sim *s, uint32_t ep)
{
	return s->hosts.pacing && ep < s->net.f->nep;
}

/* Sends a packet of a message, or a probe of the way that it might go. */
static void send_packet(struct weft__sim *s, uint32_t ep,
			struct weft__message *m, uint32_t payload)
{
	struct weft__host *host = &s->hosts.host[ep];
	uint32_t n = weft__packet_new(&s->net);
	struct weft__packet *p = &s->net.packet[n];

	*p = (struct weft__packet){
		.created = m->created,
		.next = WEFT_NONE,
		.source = ep,
		.dest = m->dest,
		.sequence = ++host->sequence,
		.message = m->id,
		.lid = m->lid,
		.sl = m->sl,
	};
	if (s->hosts.probing &&
	    weft__probing_route(s->hosts.probing, s->clock.now, p)) {
		payload = 0;
		p->probe = true;
		p->created = s->clock.now;
	}
	p->bytes = payload + weft__net_header(&s->net, ep, m->dest);
	p->blocks = weft__net_blocks(p->bytes);
	m->left -= payload;
	p->last = !m->left;
	host->sent += payload;
	if (is_paced(s, ep))
		weft__pace_sent(
			s->hosts.pacing, s->clock.now, p,
			(uint64_t)p->bytes *
				s->net.out[weft__net_injection(&s->net, ep)]
					.byte);
	weft__net_inject(s, ep,
			 weft__net_injection(&s->net, ep) * s->net.nvl + m->vl,
			 n);
	if (s->spec->lids == WEFT_SIM_LIDS_ALL)
		weft__lids_next(&s->net, ep, m);
}

/* Sends the notification that a packet was marked, if one is due. */
static bool send_note(struct weft__sim *s, uint32_t ep)
{
	uint32_t to = weft__pace_note(s->hosts.pacing, &s->clock, ep), n, l;
	struct weft__message m = { .left = 0 };
	uint32_t bytes;
	uint8_t blocks;

	if (to == WEFT_NONE)
		return false;
	bytes = weft__net_header(&s->net, ep, to);
	blocks = weft__net_blocks(bytes);
	weft__host_message(&s->hosts, &s->net, ep, to, &m);
	l = weft__net_injection(&s->net, ep) * s->net.nvl + m.vl;
	if (!weft__credits_for(&s->net, &s->clock, l, blocks))
		return false;
	weft__pace_noted(s->hosts.pacing, ep);
	n = weft__packet_new(&s->net);
	s->net.packet[n] = (struct weft__packet){
		.created = s->clock.now,
		.next = WEFT_NONE,
		.source = ep,
		.dest = to,
		.lid = m.lid,
		.bytes = bytes,
		.sl = m.sl,
		.blocks = blocks,
		.probe = true,
		.note = true,
	};
	weft__net_inject(s, ep, l, n);
	return true;
}

/* Returns the payload of the next packet of a message.  Where that is drawn, it
 * is the same until the packet is sent. */
static uint32_t next_payload(const struct weft__sim *s,
			     const struct weft__host *host,
			     const struct weft__message *m)
{
	uint32_t least = s->spec->packet_least, most = s->spec->mtu;
	uint64_t state = host->sequence ^ host->random;

	if (least)
		most = least + weft__sim_random_below(&state, most - least + 1);
	return m->left < most ? m->left : most;
}

/* Has the next message have its turn after a packet of that one was sent, the
 * last of which makes room. */
static void pass_on(struct weft__sim *s, uint32_t ep, uint32_t at)
{
	struct weft__host *host = &s->hosts.host[ep];
	struct weft__message *m = &s->hosts.message[host->first + at];

	if (!m->left && s->hosts.steps && m->id < WEFT__BESIDE)
		weft__steps_last(s->hosts.steps, ep, m->id);
	if (s->spec->in_order) {
		host->first += !m->left;
		host->n -= !m->left;
		return;
	}
	host->turn = at + 1;
	if (!m->left && m->again) {
		m->left = m->again;
		m->created = s->clock.now;
	} else if (!m->left) {
		*m = s->hosts.message[host->first + --host->n];
	}
	if (host->turn >= host->n)
		host->turn = 0;
}

/* Sends the packet of the first message in turn whose lane has room; false:
 * there is none. */
static bool send_in_turn(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->hosts.host[ep];
	uint32_t first = weft__net_injection(&s->net, ep) * s->net.nvl,
		 full = 0, looks = s->spec->in_order && host->n ? 1 : host->n;
	bool paced = is_paced(s, ep);

	if (paced && send_note(s, ep))
		return true;
	for (uint32_t i = 0; i < looks; i++) {
		uint32_t at = host->turn + i, payload;
		struct weft__message *m;

		at -= at < host->n ? 0 : host->n;
		m = &s->hosts.message[host->first + at];
		payload = next_payload(s, host, m);
		if (full >> m->vl & 1 ||
		    (paced &&
		     weft__pace_waits(s->hosts.pacing, &s->clock, ep, m)))
			continue;
		if (weft__credits_for(
			    &s->net, &s->clock, first + m->vl,
			    weft__net_blocks(
				    payload +
				    weft__net_header(&s->net, ep, m->dest)))) {
			send_packet(s, ep, m, payload);
			pass_on(s, ep, at);
			return true;
		}
		if (s->hosts.probing)
			weft__probing_stalled(s->hosts.probing, s->clock.now,
					      ep);
		full |= 1u << m->vl;
		if (full == (1u << s->net.nvl) - 1)
			break;
	}
	return false;
}

/* Takes the messages of a schedule that may begin. */
static void begin_jobs(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->hosts.host[ep];
	uint32_t i;

	while ((i = weft__steps_take(s->hosts.steps, ep)) != WEFT_NONE) {
		const struct weft_sim_job *job = &s->spec->schedule->job[i];
		struct weft__message *m =
			&s->hosts.message[host->first + host->n++];

		*m = (struct weft__message){
			.created = s->clock.now,
			.left = job->bytes,
			.id = i,
		};
		weft__host_message(&s->hosts, &s->net, ep,
				   s->hosts.rank_host[job->to], m);
	}
}

/* Whether an end draws its messages: all do under load, those of switches
 * always. */
static bool draws(const struct weft__sim *s, uint32_t ep)
{
	return weft__spec_draws(s->spec) || ep >= s->net.f->nep;
}

void weft__host_send(struct weft__sim *s, uint32_t ep)
{
	uint32_t ch = weft__net_injection(&s->net, ep);
	struct weft__out *out = &s->net.out[ch];

	if (s->hosts.steps && ep < s->net.f->nep) {
		if (out->busy <= s->clock.now)
			weft__steps_sent(s->hosts.steps, &s->clock, ep);
		begin_jobs(s, ep);
	}

	if (draws(s, ep) && (s->spec->lossy || out->busy <= s->clock.now))
		begin_messages(s, ep);
	if (weft__clock_has(&s->clock, ch) || out->down)
		return;
	if (out->busy > s->clock.now || send_in_turn(s, ep))
		weft__clock_add(&s->clock, ch, out->busy);
}

static void start_end(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->hosts.host[ep];
	uint32_t slot = s->clock.hosts + ep;

	if (weft__clock_has(&s->clock, slot))
		return;
	if (draws(s, ep)) {
		weft__host_first(&s->hosts, &s->net, ep);
		weft__clock_add(&s->clock, slot, host->next);
	} else if (host->n) {
		weft__clock_add(&s->clock, slot, s->clock.now);
	}
}

void weft__host_start(struct weft__sim *s)
{
	for (uint32_t i = 0; i < s->hosts.nranks; i++)
		if (weft__sequence_sends(&s->hosts, i))
			start_end(s, s->hosts.rank_host[i]);
	weft__host_start_switches(s);
}

void weft__host_start_switches(struct weft__sim *s)
{
	for (uint32_t i = 0; i < s->hosts.nswitches; i++)
		start_end(s, s->hosts.switch_end[i]);
}
