// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Moves pairs of switches to other lanes; see pairs.h. */
#include "loads/pairs.h"

#include <weft/routes.h>

#include <stdlib.h>
#include <string.h>

struct moving {
	struct weft__loads *t;
	struct weft_routes *routes;
	const struct weft__column *c;
	unsigned lane;
};

static uint8_t entry(const struct moving *m, uint32_t s, unsigned lid)
{
	return lid == m->c->lid ? m->c->port[s] :
				  weft_lft_get(&m->routes->lft, s, lid);
}

/* The channel by which a switch sends to a LID on another switch; WEFT_NONE:
 * nowhere as yet. */
static uint32_t channel_to(const struct moving *m, uint32_t s, unsigned lid)
{
	const struct weft_fabric *f = m->t->fabric;
	uint8_t port = entry(m, s, lid);
	uint32_t channel;

	if (!port || port > f->sw[s].nports)
		return WEFT_NONE;
	channel = weft_channel(f, s, port);
	return weft_is_switch(f->peer[channel]) ? channel : WEFT_NONE;
}

/* Adds the dependencies of what goes from s to a LID on root, as far as it
 * comes. */
static bool try_lid(struct moving *m, uint32_t s, uint32_t root, unsigned lid)
{
	const struct weft_fabric *f = m->t->fabric;
	uint32_t channel = s == root ? WEFT_NONE : channel_to(m, s, lid);

	for (uint32_t n = 0; channel != WEFT_NONE && n < f->nsw; n++) {
		uint32_t to = f->peer[channel], next;

		if (to == root)
			return true;
		next = channel_to(m, to, lid);
		if (next != WEFT_NONE &&
		    !weft__loads_try(m->t, channel, m->lane,
				     next - f->first_channel[to]))
			return false;
		channel = next;
	}
	return true;
}

/* All that goes from s to LIDs on root. */
static bool try_direction(struct moving *m, uint32_t s, uint32_t root)
{
	const struct weft_fabric *f = m->t->fabric;

	for (uint32_t i = f->sw_ep_first[root]; i < f->sw_ep_first[root + 1];
	     i++) {
		const struct weft_endport *e = &f->ep[f->sw_endport[i]];

		for (unsigned o = 0; e->lid && o < 1u << e->lmc; o++)
			if (!try_lid(m, s, root, e->lid + o))
				return false;
	}
	return !f->sw[root].lid || try_lid(m, s, root, f->sw[root].lid);
}

static void set_endports(struct weft_layers *y, const struct weft_fabric *f,
			 uint32_t from, uint32_t to, uint8_t sl)
{
	size_t row = y->max_lid + 1ull;

	for (uint32_t i = f->sw_ep_first[from]; i < f->sw_ep_first[from + 1];
	     i++)
		for (uint32_t k = f->sw_ep_first[to];
		     k < f->sw_ep_first[to + 1]; k++) {
			const struct weft_endport *e =
				&f->ep[f->sw_endport[k]];

			for (unsigned o = 0; e->lid && o < 1u << e->lmc; o++)
				y->table[f->sw_endport[i] * row + e->lid + o] =
					sl;
		}
}

bool weft__pairs_tell_apart(struct weft_layers *y, size_t n)
{
	if (y->form != WEFT_SL_ONE)
		return true;
	y->table = malloc(n * n + 1);
	if (!y->table)
		return false;
	memset(y->table, y->sl, n * n);
	y->form = WEFT_SL_SWITCH_PAIR;
	y->nsw = n;
	return true;
}

void weft__pair_set(struct weft_layers *y, const struct weft_fabric *f,
		    uint32_t s, uint32_t root, uint8_t sl)
{
	if (y->form == WEFT_SL_SWITCH_PAIR) {
		y->table[(size_t)s * y->nsw + root] = sl;
		if (!y->one_way)
			y->table[(size_t)root * y->nsw + s] = sl;
		return;
	}
	set_endports(y, f, s, root, sl);
	if (!y->one_way)
		set_endports(y, f, root, s, sl);
}

static void set_lane(struct moving *m, uint32_t s)
{
	struct weft_layers *y = &m->routes->layers;

	if (m->lane >= y->nvl)
		y->nvl = m->lane + 1;
	weft__pair_set(y, m->t->fabric, s, m->c->root,
		       m->t->map.level[m->lane]);
}

bool weft__pair_move(struct weft__loads *t, struct weft_routes *routes,
		     const struct weft__column *c, uint32_t s, unsigned lanes)
{
	struct moving m = { t, routes, c, 0 };
	bool pairs = t->layers->form != WEFT_SL_DESTINATION && t->nlanes > 1;

	if (!t->kinds)
		return true;
	if (!pairs)
		return false;
	for (; m.lane < lanes; m.lane++) {
		if (t->map.level[m.lane] == WEFT__NO_LEVEL)
			continue;
		weft__order_mark(&t->order);
		if (try_direction(&m, s, c->root) &&
		    (t->layers->one_way || try_direction(&m, c->root, s)) &&
		    weft__pairs_tell_apart(&routes->layers, t->fabric->nsw)) {
			set_lane(&m, s);
			return true;
		}
		weft__order_undo(&t->order);
	}
	return false;
}
