// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Changes entries in any mixture with old ones; see step.h.
 *
 * Who waits for whom in a mixture: what comes in by a cable, by an old or a new
 * entry there, waits for the old and the new entry here, in all lanes in which
 * something gets to that cable.  These lanes spread along both kinds of entries
 * as new ones are made.
 */
#include "standing/step.h"

#include "core/arena.h"

#include <string.h>

bool weft__step_entries_init(struct weft__step *t)
{
	size_t n = t->f->nsw + 1ull;

	t->lanes = weft__arena_alloc(t->arena, n, sizeof(*t->lanes));
	t->gain = weft__arena_alloc(t->arena, 16 * n, sizeof(*t->gain));
	return t->lanes && t->gain &&
	       weft__column_init(&t->column, t->f, t->arena) &&
	       weft__column_init(&t->goal, t->f, t->arena) &&
	       weft__mixture_init(&t->mixture, &t->column, t->arena);
}

/* The lanes of what passes each switch by old entries; of switches that do not
 * arrive yet, anything. */
static void spread_lanes(struct weft__step *t)
{
	const struct weft__column *c = &t->column;
	uint16_t all = 0;

	for (uint32_t s = 0; s < t->f->nsw; s++) {
		t->lanes[s] = weft__loads_own_lanes(&t->loads, c, s);
		all |= t->lanes[s];
	}
	for (uint32_t s = 0; c->nlost && s < t->f->nsw; s++)
		t->lanes[s] = all;
	for (uint32_t i = c->norder; i--; )
		t->lanes[c->next[c->order[i]]] |= t->lanes[c->order[i]];
}

void weft__step_column(struct weft__step *t, unsigned lid)
{
	weft__column_read(&t->column, &t->routes.lft, lid);
	weft__column_survey(&t->column);
	weft__column_read(&t->goal, &t->target->lft, lid);
	weft__column_survey(&t->goal);
	memcpy(t->mixture.was, t->column.port, t->f->nsw);
	spread_lanes(t);
}

/* Has what may come in by a channel wait for what leaves by a port. */
static bool wait_for(struct weft__step *t, uint32_t channel, uint8_t port,
		     uint16_t lanes)
{
	for (; lanes; lanes &= lanes - 1) {
		t->refused = __builtin_ctz(lanes);
		if (!weft__loads_try(&t->loads, channel, t->refused, port))
			return false;
	}
	return true;
}

/* What comes in from the switches that send here, by old or new entries. */
static bool wait_here(struct weft__step *t, uint32_t s, uint8_t port)
{
	const struct weft__column *c = &t->column;
	const struct weft_fabric *f = t->f;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t in = f->reverse[f->adj[i]], from = f->peer[f->adj[i]];
		uint8_t by = in - f->first_channel[from];

		if (from != c->root &&
		    (by == c->port[from] || by == t->mixture.was[from]) &&
		    !wait_for(t, in, port, t->lanes[from]))
			return false;
	}
	return true;
}

/* What leaves a switch by a port waits for what the next one sends by another.
 * Notes the next one if lanes are new there. */
static bool wait_there(struct weft__step *t, uint32_t s, uint8_t port)
{
	const struct weft__column *c = &t->column;
	uint32_t to = weft__mixture_next(&t->mixture, s, port);
	uint16_t lanes = t->lanes[s];

	if (to == WEFT_NONE || to == c->root)
		return true;
	for (unsigned i = 0; i < 2; i++) {
		uint8_t by = i ? c->port[to] : t->mixture.was[to];

		if (weft__mixture_next(&t->mixture, to, by) != WEFT_NONE &&
		    !wait_for(t, weft_channel(t->f, s, port), by, lanes))
			return false;
	}
	if (lanes & ~t->lanes[to]) {
		t->gain[t->ngains++] = (struct weft__step_gain){
			to, t->lanes[to]
		};
		t->lanes[to] |= lanes;
	}
	return true;
}

/* Adds what waits for whom where a switch sends by its column's entry: behind
 * it, and on all ways from it on which lanes are new. */
static bool allow(struct weft__step *t, uint32_t s)
{
	const struct weft__column *c = &t->column;

	if (!wait_here(t, s, c->port[s]))
		return false;
	for (uint32_t i = 0; ; s = t->gain[i++].sw) {
		if (!wait_there(t, s, t->mixture.was[s]) ||
		    !wait_there(t, s, c->port[s]))
			return false;
		if (i == t->ngains)
			return true;
	}
}

enum weft__refusal weft__step_entry(struct weft__step *t, uint32_t s,
				    uint8_t port)
{
	struct weft__column *c = &t->column;
	uint32_t to = weft__mixture_next(&t->mixture, s, port);
	uint8_t had = c->port[s];

	if (to == WEFT_NONE || weft__mixture_leads(&t->mixture, to, s))
		return WEFT__CIRCLE;
	c->port[s] = port;
	if (!t->loads.kinds)
		return WEFT__CHANGED;
	weft__order_mark(&t->loads.order);
	t->ngains = 0;
	if (allow(t, s))
		return WEFT__CHANGED;
	weft__order_undo(&t->loads.order);
	while (t->ngains--)
		t->lanes[t->gain[t->ngains].sw] = t->gain[t->ngains].had;
	c->port[s] = had;
	return WEFT__LOOP;
}
