// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What changes while packets move: cables that fail and come back, tables that
 * are written, packets that have waited for too long.
 *
 * A cable fails between two packets: what is on it arrives.  Packets that want
 * to go by it are dropped by the switch, those that wait for it at once, as
 * switches do with a port that is down; hosts wait until it is back.  Credits
 * of the cable stay as they are, since the buffer at its end is emptied as
 * before.  A table is written at one moment, of one switch; packets that have
 * been looked up before keep their output.
 *
 * Packets that are first in their queue for longer than a switch bears are
 * dropped.  All queues are looked at every quarter of that time, so that this
 * is exact to that much.
 */
#include "sim/sim.h"

#include <errno.h>

/* --- cables --------------------------------------------------------------- */

/* Drops all packets of a queue that is for a channel alone, or the first one
 * if it asks for it. */
static void drop_queue(struct weft__sim *s, uint32_t q, uint32_t ch)
{
	while (s->net.queue[q].head != WEFT_NONE &&
	       s->net.packet[s->net.queue[q].head].out == ch) {
		weft__net_withdraw(s, q, WEFT_SIM_LINK_DOWN);
		if (!s->net.voq)
			break;
	}
}

/* Drops what waits for a channel of a switch. */
static void drop_waiting(struct weft__sim *s, uint32_t ch)
{
	uint32_t first = s->net.f->first_channel[s->net.out[ch].sw];
	uint32_t end = s->net.f->first_channel[s->net.out[ch].sw + 1];

	for (uint32_t at = 0; at < (end - first) * s->net.nvl; at++) {
		uint32_t q = s->net.facing[(size_t)first * s->net.nvl + at];

		if (q == WEFT_NONE)
			continue;
		if (s->net.voq)
			drop_queue(s, s->net.voq[q] + (ch - first), ch);
		else if (weft__net_asks(&s->net, q, ch))
			drop_queue(s, q, ch);
	}
}

static void fail(struct weft__sim *s, uint32_t ch)
{
	struct weft__out *out = &s->net.out[ch];

	if (out->down)
		return;
	out->down = true;
	if (out->sw == WEFT_NONE)
		return;
	/* The queue that it served is for it alone there, and empty then. */
	if (s->net.voq)
		out->served = WEFT_NONE;
	drop_waiting(s, ch);
}

static void repair(struct weft__sim *s, uint32_t ch)
{
	struct weft__out *out = &s->net.out[ch];
	uint32_t ep = ch - s->net.f->first_injection;
	uint32_t slot;

	if (!out->down)
		return;
	out->down = false;
	if (out->sw != WEFT_NONE)
		return;
	slot = s->clock.hosts + ep;
	if (!weft__clock_has(&s->clock, slot))
		weft__clock_add(&s->clock, slot, s->clock.now);
}

/* --- the events ----------------------------------------------------------- */

static void apply(struct weft__sim *s, const struct weft_sim_change *change)
{
	if (change->kind == WEFT_SIM_TABLE) {
		s->net.lft_of[change->what] = change->lft;
		return;
	}
	if (change->kind == WEFT_SIM_FAIL) {
		fail(s, change->what);
		fail(s, s->net.f->reverse[change->what]);
	} else {
		repair(s, change->what);
		repair(s, s->net.f->reverse[change->what]);
	}
}

static void wake(const struct weft__net *net, struct weft__clock *clock)
{
	const struct weft_sim_spec *spec = net->spec;

	if (net->next_change < spec->nchanges)
		weft__clock_add(clock, clock->change,
				spec->change[net->next_change].at *
					WEFT_SIM_TICKS);
}

void weft__change_next(struct weft__sim *s)
{
	const struct weft_sim_spec *spec = s->spec;
	uint32_t *next = &s->net.next_change;

	while (*next < spec->nchanges &&
	       spec->change[*next].at * WEFT_SIM_TICKS <= s->clock.now)
		apply(s, &spec->change[(*next)++]);
	wake(&s->net, &s->clock);
}

void weft__change_sweep(struct weft__sim *s)
{
	uint64_t most = s->spec->hoq * WEFT_SIM_TICKS;

	for (uint32_t q = 0; q < s->net.nqueues; q++) {
		const struct weft__queue *queue = &s->net.queue[q];
		uint64_t since;

		if (queue->head == WEFT_NONE ||
		    !weft__net_asks(&s->net, q, s->net.packet[queue->head].out))
			continue;
		since = s->net.packet[queue->head].ready;
		if (queue->free_at > since)
			since = queue->free_at;
		if (s->clock.now > since && s->clock.now - since > most)
			weft__net_withdraw(s, q, WEFT_SIM_TOO_LONG);
	}
	if (s->spec->time || s->hosts.left)
		weft__clock_add(&s->clock, s->clock.sweep,
				s->clock.now + (most + 3) / 4);
}

/* --- setting up ----------------------------------------------------------- */

bool weft__change_init(struct weft__net *net, struct weft__clock *clock,
		       struct weft_arena *arena)
{
	const struct weft_sim_spec *spec = net->spec;
	uint32_t nsw = net->f->nsw;

	if (!spec->nchanges && !spec->hoq)
		return true;
	net->lft_of = weft__arena_alloc(arena, nsw, sizeof(*net->lft_of));
	if (!net->lft_of)
		return false;
	for (uint32_t sw = 0; sw < nsw; sw++)
		net->lft_of[sw] = &net->r->lft;
	wake(net, clock);
	if (spec->hoq)
		weft__clock_add(clock, clock->sweep,
				spec->hoq * WEFT_SIM_TICKS);
	return true;
}

int weft__change_check(const struct weft_fabric *f,
		       const struct weft_sim_spec *spec, struct weft_diag *diag)
{
	for (uint32_t i = 0; i < spec->nchanges; i++) {
		const struct weft_sim_change *c = &spec->change[i];

		if (i && c->at < c[-1].at)
			return weft_fail(
				diag, EINVAL,
				"change %u comes before the one that it follows",
				i);
		if (c->kind == WEFT_SIM_TABLE ?
			    c->what >= f->nsw || !c->lft ||
				    c->lft->nsw != f->nsw :
			    c->what >= f->nch || f->peer[c->what] == WEFT_NONE)
			return weft_fail(
				diag, EINVAL,
				"change %u is of nothing that the fabric has",
				i);
	}
	return 0;
}
