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
 * Each host draws from a generator of its own, so that it sends the same to the
 * same hosts whatever the tables are: what differs between two sets of tables
 * is due to these.  A lossy host takes each message at its moment, or never.
 */
#include "sim/sim.h"

/*
 * Draws from the exponential distribution of that mean by von Neumann's method,
 * which compares numbers and takes no logarithm, whose last bits would depend
 * on the machine.
 */
static uint64_t draw_pause(struct weft__host *host, uint64_t mean)
{
	for (uint64_t whole = 0;; whole++) {
		uint64_t first = weft__draw(&host->random) >> 32, last = first,
			 next;
		unsigned n = 0;

		while ((next = weft__draw(&host->random) >> 32) < last) {
			last = next;
			n++;
		}
		if (n % 2 == 0)
			return whole * mean +
			       (uint64_t)((unsigned __int128)first * mean >>
					  32);
	}
}

/* Fills in a message to another host. */
void weft__host_message(struct weft__sim *s, uint32_t from, uint32_t to,
			struct weft__message *m)
{
	m->dest = to;
	if (s->routers) {
		weft__routers_begin(s, from, m);
	} else if (from < s->f->nep) {
		weft__lids_begin(s, from, m);
	} else {
		m->lid = s->f->sw[to - s->f->nep].lid;
		m->sl = weft_layers_sl(&s->r->layers, s->f, from - s->f->nep,
				       m->lid);
		m->vl = m->sl % s->nvl;
	}
	weft__lids_level(s, from, m);
}

static uint32_t node_of(const struct weft__sim *s, uint32_t rank)
{
	return s->f->ep[s->rank_host[rank]].node;
}

/* Returns the rank that the next message of a rank goes to: of another node, as
 * what stays in a node does not need the fabric. */
static uint32_t draw_rank(const struct weft__sim *s, struct weft__host *host)
{
	uint64_t n = s->nranks, spots = s->spec->hot_spots, group, spot;
	uint32_t own = node_of(s, host->rank), to;

	if (s->partner)
		return weft__sequence_next(s, host);
	if (s->routers)
		return weft__routers_draw(s, host);
	if (s->hot) {
		group = host->rank * spots / n;
		spot = (group * n + spots - 1) / spots;
		if (weft__draw(&host->random) >> 32 < s->hot &&
		    node_of(s, spot) != own)
			return spot;
	}
	do {
		to = weft__draw_below(&host->random, n - 1);
		to += to >= host->rank;
	} while (node_of(s, to) == own);
	return to;
}

/* Returns the end that the next message goes to: of a switch, a switch. */
static uint32_t draw_end(const struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->host[ep];
	const uint32_t *first;
	uint32_t to;

	if (ep < s->f->nep)
		return s->rank_host[draw_rank(s, host)];
	first = &s->switch_first[s->part[ep - s->f->nep]];
	to = first[0] +
	     weft__draw_below(&host->random, first[1] - first[0] - 1);
	return s->switch_end[to + (to >= host->rank)];
}

/* Whether a host has as many messages in a lane as it may. */
static bool is_full(const struct weft__sim *s, const struct weft__host *host,
		    unsigned vl)
{
	uint32_t n = 0;

	for (uint32_t i = host->first; i < host->first + host->n; i++)
		n += s->message[i].vl == vl;
	return n >= s->spec->outstanding;
}

/* Returns the ticks until the next message is made. */
static uint64_t next_pause(const struct weft__sim *s, struct weft__host *host)
{
	double load = host - s->host < s->f->nep ? s->spec->load :
						   s->spec->switch_load;

	if (!host->pause)
		return 0;
	return load < 1 ? draw_pause(host, host->pause) : host->pause;
}

/* Begins a message to a host that is drawn, or refuses it. */
static void begin_message(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->host[ep];
	struct weft__message m = {
		.created = host->pause ? host->next : s->now,
	};

	weft__host_message(s, ep, draw_end(s, ep), &m);
	m.left = weft__sizes_draw(s->spec, &host->random);
	host->next += next_pause(s, host);
	if (s->spec->lossy && is_full(s, host, m.vl))
		s->result->refused++;
	else
		s->message[host->first + host->n++] = m;
}

/* Fills the places for messages with those whose moment has come, and has the
 * host woken up for the next one. */
static void begin_messages(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->host[ep];
	uint32_t slot = weft__slot_host(s, ep);
	bool always = s->spec->lossy;

	/* Congestion control wakes those up, too, that only receive. */
	if (ep < s->f->nep && !weft__sequence_sends(s, host->rank))
		return;
	while ((always || host->n < s->places) && host->next <= s->now)
		begin_message(s, ep);
	if ((always || host->n < s->places) &&
	    !weft__wheel_has(&s->wheel, slot))
		weft__wheel_add(&s->wheel, slot, host->next);
}

/* Whether congestion control slows an end down: port 0 of a switch takes no
 * part. */
static bool is_paced(const struct weft__sim *s, uint32_t ep)
{
	return s->pacing && ep < s->f->nep;
}

/* Sends a packet of a message, or a probe of the way that it might go. */
static void send_packet(struct weft__sim *s, uint32_t ep,
			struct weft__message *m, uint32_t payload)
{
	struct weft__host *host = &s->host[ep];
	uint32_t n = weft__sim_packet(s);
	struct weft__packet *p = &s->packet[n];

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
	if (s->routers)
		weft__routers_send(s, n);
	if (s->choose && weft__choose_route(s, p)) {
		payload = 0;
		p->probe = true;
		p->created = s->now;
	}
	p->bytes = payload + weft__sim_header(s, ep, m->dest);
	p->blocks = weft__sim_blocks(p->bytes);
	m->left -= payload;
	p->last = !m->left;
	host->sent += payload;
	if (is_paced(s, ep))
		weft__pace_sent(s, p);
	weft__sim_inject(s, ep, (s->f->first_injection + ep) * s->nvl + m->vl,
			 n);
	if (s->spec->lids == WEFT_SIM_LIDS_ALL)
		weft__lids_next(s, ep, m);
}

/* Sends the notification that a packet was marked, if one is due. */
static bool send_note(struct weft__sim *s, uint32_t ep)
{
	uint32_t to = weft__pace_note(s, ep), n, l;
	struct weft__message m = { .left = 0 };
	uint32_t bytes;
	uint8_t blocks;

	if (to == WEFT_NONE)
		return false;
	bytes = weft__sim_header(s, ep, to);
	blocks = weft__sim_blocks(bytes);
	weft__host_message(s, ep, to, &m);
	l = (s->f->first_injection + ep) * s->nvl + m.vl;
	if (!weft__credits_for(s, l, blocks))
		return false;
	weft__pace_noted(s, ep);
	n = weft__sim_packet(s);
	s->packet[n] = (struct weft__packet){
		.created = s->now,
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
	if (s->routers)
		weft__routers_send(s, n);
	weft__sim_inject(s, ep, l, n);
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
		most = least + weft__draw_below(&state, most - least + 1);
	return m->left < most ? m->left : most;
}

/* Sends the packet of the first message in turn whose lane has room; false:
 * there is none. */
static bool send_in_turn(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->host[ep];
	uint32_t first = (s->f->first_injection + ep) * s->nvl, full = 0;
	bool paced = is_paced(s, ep);

	if (paced && send_note(s, ep))
		return true;
	for (uint32_t i = 0; i < host->n; i++) {
		uint32_t at = host->turn + i, payload;
		struct weft__message *m;

		at -= at < host->n ? 0 : host->n;
		m = &s->message[host->first + at];
		payload = next_payload(s, host, m);
		if (full >> m->vl & 1 ||
		    (paced && weft__pace_waits(s, ep, m)))
			continue;
		if (weft__credits_for(
			    s, first + m->vl,
			    weft__sim_blocks(payload +
					     weft__sim_header(s, ep,
							      m->dest)))) {
			send_packet(s, ep, m, payload);
			host->turn = at + 1;
			if (!m->left && s->steps)
				weft__steps_last(s, ep, m->id);
			if (!m->left && s->spec->endless) {
				m->left = s->spec->bytes;
				m->created = s->now;
			} else if (!m->left)
				*m = s->message[host->first + --host->n];
			if (host->turn >= host->n)
				host->turn = 0;
			return true;
		}
		if (s->choose)
			weft__choose_stalled(s, ep);
		full |= 1u << m->vl;
		if (full == (1u << s->nvl) - 1)
			break;
	}
	return false;
}

/* Takes the messages of a schedule that may begin. */
static void begin_jobs(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->host[ep];
	uint32_t i;

	while ((i = weft__steps_take(s, ep)) != WEFT_NONE) {
		const struct weft_sim_job *job = &s->spec->schedule->job[i];
		struct weft__message *m = &s->message[host->first + host->n++];

		*m = (struct weft__message){
			.created = s->now,
			.left = job->bytes,
			.id = i,
		};
		weft__host_message(s, ep, s->rank_host[job->to], m);
	}
}

void weft__host_send(struct weft__sim *s, uint32_t ep)
{
	uint32_t ch = s->f->first_injection + ep;
	struct weft__out *out = &s->out[ch];

	if (s->steps) {
		if (out->busy <= s->now)
			weft__steps_sent(s, ep);
		begin_jobs(s, ep);
	}

	if (weft__sim_draws(s) && (s->spec->lossy || out->busy <= s->now))
		begin_messages(s, ep);
	if (weft__wheel_has(&s->wheel, ch) || out->down)
		return;
	if (out->busy > s->now || send_in_turn(s, ep))
		weft__wheel_add(&s->wheel, ch, out->busy);
}

static void start_end(struct weft__sim *s, uint32_t ep)
{
	struct weft__host *host = &s->host[ep];
	uint64_t within = s->out[s->f->first_injection + ep].byte *
			  (uint64_t)(s->spec->mtu + s->spec->header);

	if (weft__wheel_has(&s->wheel, weft__slot_host(s, ep)))
		return;
	if (weft__sim_draws(s)) {
		host->next = next_pause(s, host);
		if (!host->pause || host->next == host->pause)
			host->next = weft__draw_below(&host->random, within);
	}
	if (weft__sim_draws(s) || host->n)
		weft__wheel_add(&s->wheel, weft__slot_host(s, ep),
				weft__sim_draws(s) ? host->next : s->now);
}

void weft__host_start(struct weft__sim *s)
{
	for (uint32_t i = 0; i < s->nranks; i++)
		if (weft__sequence_sends(s, i))
			start_end(s, s->rank_host[i]);
	for (uint32_t i = 0; i < s->nswitches; i++)
		start_end(s, s->switch_end[i]);
}
