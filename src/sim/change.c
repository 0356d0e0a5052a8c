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

struct weft__changes {
	uint32_t next; /* change that is to come */
};

/* --- cables --------------------------------------------------------------- */

/* Drops all packets of a queue that is for a channel alone, or the first one
 * if it asks for it. */
static void drop_queue(struct weft__sim *s, uint32_t q, uint32_t ch)
{
	while (s->lane[q].head != WEFT_NONE &&
	       s->packet[s->lane[q].head].out == ch) {
		weft__sim_withdraw(s, q, WEFT_SIM_LINK_DOWN);
		if (!s->voq)
			break;
	}
}

/* Drops what waits for a channel of a switch. */
static void drop_waiting(struct weft__sim *s, uint32_t ch)
{
	uint32_t first = s->f->first_channel[s->out[ch].sw];
	uint32_t end = s->f->first_channel[s->out[ch].sw + 1];

	for (uint32_t at = 0; at < (end - first) * s->nvl; at++) {
		uint32_t q = s->queue[(size_t)first * s->nvl + at];

		if (q == WEFT_NONE)
			continue;
		if (s->voq)
			drop_queue(s, s->voq[q] + (ch - first), ch);
		else if (weft__sim_asks(s, q, ch))
			drop_queue(s, q, ch);
	}
}

static void fail(struct weft__sim *s, uint32_t ch)
{
	struct weft__out *out = &s->out[ch];

	if (out->down)
		return;
	out->down = true;
	if (out->sw == WEFT_NONE)
		return;
	/* The queue that it served is for it alone there, and empty then. */
	if (s->voq)
		out->served = WEFT_NONE;
	drop_waiting(s, ch);
}

static void repair(struct weft__sim *s, uint32_t ch)
{
	struct weft__out *out = &s->out[ch];
	uint32_t ep = ch - s->f->first_injection;
	uint32_t slot;

	if (!out->down)
		return;
	out->down = false;
	if (out->sw != WEFT_NONE)
		return;
	slot = weft__slot_host(s, ep);
	if (!weft__wheel_has(&s->wheel, slot))
		weft__wheel_add(&s->wheel, slot, s->now);
}

/* --- the events ----------------------------------------------------------- */

static void apply(struct weft__sim *s, const struct weft_sim_change *change)
{
	if (change->kind == WEFT_SIM_TABLE) {
		s->lft_of[change->what] = change->lft;
		return;
	}
	if (change->kind == WEFT_SIM_FAIL) {
		fail(s, change->what);
		fail(s, s->f->reverse[change->what]);
	} else {
		repair(s, change->what);
		repair(s, s->f->reverse[change->what]);
	}
}

static void wake(struct weft__sim *s)
{
	const struct weft_sim_spec *spec = s->spec;
	uint32_t next = s->changes->next;

	if (next < spec->nchanges)
		weft__wheel_add(&s->wheel, weft__slot_change(s),
				spec->change[next].at * WEFT_SIM_TICKS);
}

static void make_changes(struct weft__sim *s)
{
	const struct weft_sim_spec *spec = s->spec;
	uint32_t *next = &s->changes->next;

	while (*next < spec->nchanges &&
	       spec->change[*next].at * WEFT_SIM_TICKS <= s->now)
		apply(s, &spec->change[(*next)++]);
	wake(s);
}

static void sweep(struct weft__sim *s)
{
	uint64_t most = s->spec->hoq * WEFT_SIM_TICKS;

	for (uint32_t q = 0; q < s->nqueues; q++) {
		const struct weft__lane *queue = &s->lane[q];
		uint64_t since;

		if (queue->head == WEFT_NONE ||
		    !weft__sim_asks(s, q, s->packet[queue->head].out))
			continue;
		since = s->packet[queue->head].ready;
		if (queue->free_at > since)
			since = queue->free_at;
		if (s->now > since && s->now - since > most)
			weft__sim_withdraw(s, q, WEFT_SIM_TOO_LONG);
	}
	if (s->spec->time || s->left)
		weft__wheel_add(&s->wheel, weft__slot_sweep(s),
				s->now + (most + 3) / 4);
}

static void handle(struct weft__sim *s, uint32_t slot)
{
	if (slot == weft__slot_change(s))
		make_changes(s);
	else
		sweep(s);
}

/* --- setting up ----------------------------------------------------------- */

bool weft__change_init(struct weft__sim *s)
{
	const struct weft_sim_spec *spec = s->spec;
	struct weft__changes *c = weft__arena_zalloc(s->arena, 1, sizeof(*c));

	if (!c)
		return false;
	s->changes = c;
	s->change = handle;
	s->lft_of = weft__arena_alloc(s->arena, s->f->nsw, sizeof(*s->lft_of));
	if (!s->lft_of)
		return false;
	for (uint32_t sw = 0; sw < s->f->nsw; sw++)
		s->lft_of[sw] = &s->r->lft;
	wake(s);
	if (spec->hoq)
		weft__wheel_add(&s->wheel, weft__slot_sweep(s),
				spec->hoq * WEFT_SIM_TICKS);
	return true;
}

int weft__change_check(const struct weft_fabric *f,
		       const struct weft_sim_spec *spec, struct weft_diag *diag)
{
	for (uint32_t i = 0; i < spec->nchanges; i++) {
		const struct weft_sim_change *c = &spec->change[i];

		if (i && c->at < c[-1].at)
			return weft_fail(diag, EINVAL,
					 "change %u comes before the one that it follows",
					 i);
		if (c->kind == WEFT_SIM_TABLE ?
			    c->what >= f->nsw || !c->lft ||
				    c->lft->nsw != f->nsw :
			    c->what >= f->nch || f->peer[c->what] == WEFT_NONE)
			return weft_fail(diag, EINVAL,
					 "change %u is of nothing that the fabric has",
					 i);
	}
	return 0;
}
