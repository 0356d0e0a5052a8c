// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Moves the entries of a LID where that is cheaper; see ease.c. */
#include "loads/easing.h"

#include "core/grow.h"
#include "graph/entries.h"
#include "loads/pairs.h"

#include <weft/routes.h>

/* Finds in which lanes what passes each switch is. */
static void find_lanes(struct weft__easing *z)
{
	const struct weft__column *c = &z->column;

	if (!z->loads->kinds)
		return;
	for (uint32_t s = 0; !z->own_known && s < z->f->nsw; s++)
		z->own[s] = weft__loads_own_lanes(z->loads, c, s);
	if (!z->passed)
		weft__loads_pass_lanes(z->loads, c, z->own);
	z->looked += (!z->own_known * 2 + !z->passed) * c->norder;
	z->own_known = z->passed = true;
}

/* Notes what an entry of the column was, and the level of its pair unless that
 * is the same still.  Returns false without memory. */
static bool note(struct weft__easing *z, uint32_t s, uint8_t port, uint8_t level)
{
	const struct weft__column *c = &z->column;

	z->err = weft__grow(&z->was, &z->room, z->nwas + 1);
	if (!z->err)
		z->was[z->nwas++] = (struct weft__was){
			s, c->root, c->lid, port, level, false,
		};
	return !z->err;
}

bool weft__ease_is_last(const struct weft__easing *z, uint32_t s)
{
	const struct weft_fabric *f = z->f;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
		if (weft__sends_by(f, z->lft, i, z->column.lid))
			return false;
	return true;
}

/* Puts what s alone sends by its new way into another lane.  Returns the level it
 * had; WEFT__NO_LEVEL: there is no lane for it, or all stays as it is. */
static uint8_t change_lane(struct weft__easing *z, uint32_t s)
{
	const struct weft__column *c = &z->column;
	const struct weft_layers *y;
	uint8_t level;

	if (!z->lanes)
		return WEFT__NO_LEVEL;
	y = &z->routes->layers;
	if ((y->form != WEFT_SL_SWITCH_PAIR && y->form != WEFT_SL_ONE) ||
	    !weft__ease_is_last(z, s))
		return WEFT__NO_LEVEL;
	level = y->form == WEFT_SL_ONE ? y->sl :
		y->table[(size_t)s * y->nsw + c->root];
	if (!weft__pair_move(z->loads, z->routes, c, s, z->lanes))
		return WEFT__NO_LEVEL;
	z->own_known = false;
	return level;
}

/* Has the entry at s, which so much passes, send by a port, if that closes no
 * cycle. */
static bool change(struct weft__easing *z, uint32_t s, uint8_t port,
		   uint64_t passes)
{
	struct weft__loads *t = z->loads;
	struct weft__column *c = &z->column;
	uint8_t from = c->port[s];
	uint64_t work = t->order.work;
	uint8_t level = WEFT__NO_LEVEL;
	bool legal;

	weft__loads_add_way(t, c, s, -passes);
	weft__ease_reprice(z, s);
	c->port[s] = port;
	legal = weft__loads_allow_subtree(t, c, s);
	if (!legal) {
		level = change_lane(z, s);
		legal = level != WEFT__NO_LEVEL;
	}
	if (!legal || !note(z, s, from, level))
		c->port[s] = from;
	weft__loads_add_way(t, c, s, passes);
	weft__ease_reprice(z, s);
	weft_lft_row(z->lft, s)[c->lid] = c->port[s];
	c->next[s] = weft__column_next(c, s);
	z->passed &= !legal;
	z->looked += t->order.work - work;
	return legal;
}

bool weft__ease_try(struct weft__easing *z, uint32_t s, uint8_t port)
{
	find_lanes(z);
	return change(z, s, port, weft__ease_passes(z, s));
}

/* Has the switches on the way from s that carry nothing send by their cheapest
 * ways, the nearest one first. */
static bool turn(struct weft__easing *z, uint32_t s)
{
	struct weft__column *c = &z->column;
	uint32_t n = 0;

	for (; z->mark[s] != z->look;
	     s = z->f->peer[weft_channel(z->f, s, z->cheap[s])])
		if (z->cheap[s] != c->port[s])
			z->queue[n++] = s;
	while (n--)
		if (!change(z, z->queue[n], z->cheap[z->queue[n]], 0))
			return false;
	return true;
}

/* Has the entry at s send by a channel, if that closes no cycle. */
static bool move(struct weft__easing *z, uint32_t s, uint32_t channel,
		 uint64_t passes)
{
	return turn(z, z->f->peer[channel]) &&
	       change(z, s, channel - z->f->first_channel[s], passes);
}

/* Moves the entry at s to the way that saves most, if one does. */
static bool move_best(struct weft__easing *z, uint32_t s)
{
	for (z->nrefused = 0; z->nrefused < WEFT__EASE_TRIES; z->nrefused++) {
		struct weft__ease_move m = { .channel = WEFT_NONE };

		weft__ease_look(z, s, &m);
		if (m.channel == WEFT_NONE)
			return false;
		find_lanes(z);
		if (move(z, s, m.channel, weft__ease_passes(z, s)))
			return true;
		z->refused[z->nrefused] = m.channel;
	}
	return false;
}

/* Whether a channel that was hot carries a LID. */
static bool is_concerned(const struct weft__easing *z, unsigned lid)
{
	uint32_t tail;

	for (uint32_t i = 0; i < z->nhot; i++)
		if (weft__ease_sends_hot(z, i, lid, &tail))
			return true;
	return false;
}

void weft__ease_lid(struct weft__easing *z, unsigned lid, uint64_t work,
		    uint64_t *moved_at)
{
	struct weft__column *c = &z->column;

	z->looked += z->nhot / 4 + 1;
	if (!is_concerned(z, lid))
		return;
	weft__ease_read(z, lid);
	weft__ease_shortest(z);
	weft__ease_survey(z);
	for (uint32_t i = c->norder; i-- && z->looked < work; ) {
		if (!weft__ease_is_hot(z, c->order[i]) ||
		    !move_best(z, c->order[i]))
			continue;
		weft__ease_survey(z);
		*moved_at = z->looked;
	}
}

bool weft__ease_best(struct weft__easing *z, unsigned lid,
		     struct weft__ease_move *best)
{
	const struct weft__column *c = &z->column;

	*best = (struct weft__ease_move){ .channel = WEFT_NONE };
	weft__ease_read(z, lid);
	weft__ease_survey(z);
	for (uint32_t i = c->norder; i--; )
		if (weft__ease_is_hot(z, c->order[i]))
			weft__ease_look(z, c->order[i], best);
	return best->channel != WEFT_NONE;
}

uint64_t weft__ease_peak(const struct weft__easing *z)
{
	uint64_t peak = 0;

	for (uint32_t i = 0; i < z->nhot; i++) {
		uint64_t load = z->loads->load[z->hot[i]] *
				z->loads->scale[z->hot[i]];

		peak = load > peak ? load : peak;
	}
	return peak;
}

void weft__ease_back(struct weft__easing *z, size_t n)
{
	while (z->nwas > n) {
		const struct weft__was *was = &z->was[--z->nwas];

		weft_lft_row(z->lft, was->sw)[was->lid] = was->port;
		if (was->level != WEFT__NO_LEVEL)
			weft__pair_set(&z->routes->layers, z->f, was->sw,
				       was->root, was->level);
	}
}

void weft__ease_undo(struct weft__easing *z, size_t n)
{
	struct weft__column *c = &z->column;

	while (z->nwas > n) {
		const struct weft__was *was = &z->was[z->nwas - 1];
		uint64_t passes;

		weft__ease_read(z, was->lid);
		weft__column_survey(c);
		weft__loads_spread(z->loads, c);
		passes = weft__ease_passes(z, was->sw);
		weft__loads_add_way(z->loads, c, was->sw, -passes);
		c->port[was->sw] = was->port;
		weft__loads_add_way(z->loads, c, was->sw, passes);
		weft__ease_back(z, z->nwas - 1);
	}
}

bool weft__ease_make(struct weft__easing *z, const struct weft__ease_move *m)
{
	uint64_t passes = weft__ease_passes(z, m->sw);
	size_t n = z->nwas;

	find_lanes(z);
	weft__ease_leave(z, m->sw, passes);
	if (move(z, m->sw, m->channel, passes))
		return true;
	weft__ease_back(z, n);
	return false;
}
