// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads whole tables, a block of columns at a time; see gather.h. */
#include "loads/gather.h"

#include "core/arena.h"

#include <errno.h>
#include <string.h>

struct gathering {
	struct weft__loads *t;
	struct weft_arena *arena;
	struct weft__column column;
	struct weft__cdg more[WEFT__KINDS - 1];	/* dependencies that kinds
						 * but the first add */
	uint8_t *block;		/* [WEFT_LFT_BLOCK][nsw] columns */
	uint64_t *own;		/* [nsw] lanes of what switches send, by kind, */
	uint32_t root;		/* to the LIDs there, */
	unsigned endports;	/* of a switch, or of endports: 1 or 0 */
	uint64_t *lanes;	/* [nsw] lanes of what passes, by kind */
	bool spread;		/* the column's traffic has been spread */
	bool loads, order;	/* what is asked for */
};

/* Whether what switches send to a vertex has the lanes that are known, as it mostly
 * does for all LIDs of a switch. */
static bool has_own(const struct gathering *g, uint32_t owner)
{
	enum weft_sl_form form = g->t->layers->form;

	return g->root == weft_vertex_switch(g->t->fabric, owner) &&
	       g->endports == weft_is_switch(owner) &&
	       (form == WEFT_SL_ONE || form == WEFT_SL_SWITCH_PAIR);
}

/* Finds them, unless they are known. */
static void find_own(struct gathering *g)
{
	const struct weft__column *c = &g->column;

	if (has_own(g, c->owner))
		return;
	for (uint32_t s = 0; s < g->t->fabric->nsw; s++)
		g->own[s] = weft__loads_lanes_by_kind(g->t, c, s);
	g->root = c->root;
	g->endports = weft_is_switch(c->owner);
}

/* Adds the dependencies on a port of what passes a channel, of each lane to the
 * first kind that has it. */
static void depend_on(struct gathering *g, uint32_t channel, unsigned port,
		      uint64_t lanes)
{
	struct weft__cdg *first = &g->t->order.cdg;

	lanes &= ~(lanes << WEFT__KIND_BITS) &
		 ~(lanes << 2 * WEFT__KIND_BITS);
	for (; lanes; lanes &= lanes - 1) {
		unsigned bit = __builtin_ctzll(lanes);
		unsigned kind = bit / WEFT__KIND_BITS;
		uint32_t lane = bit % WEFT__KIND_BITS;

		weft__cdg_add(kind ? &g->more[kind - 1] : first,
			      lane * first->nch + channel, 0, port);
	}
}

/* The dependencies of a column, those farthest from its root first. */
static void depend_in(struct gathering *g)
{
	const struct weft__column *c = &g->column;
	const struct weft_fabric *f = g->t->fabric;
	uint64_t *lanes = g->lanes;

	find_own(g);
	memcpy(lanes, g->own, f->nsw * sizeof(*lanes));
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i], to = c->next[s];

		if (to == c->root)
			continue;
		lanes[to] |= lanes[s];
		depend_on(g, weft_channel(f, s, c->port[s]), c->port[to],
			  lanes[s]);
	}
}

static void add_load(struct gathering *g)
{
	if (!weft__loads_weight(g->t, &g->column))
		return;
	if (!g->spread)
		weft__loads_spread(g->t, &g->column);
	g->spread = true;
	weft__loads_add_spread(g->t, &g->column, 1);
}

static void take_column(struct gathering *g)
{
	struct weft__column *c = &g->column;

	if (!weft__column_keeps_order(c))
		weft__column_survey(c);
	g->spread = false;
	if (g->order)
		depend_in(g);
}

/* Whether all switches send to a vertex by the ports of the last column, and in its
 * lanes, so that it adds the same dependencies. */
static bool is_like_last(const struct gathering *g, uint32_t owner,
			 const uint8_t *port)
{
	const uint8_t *last = g->column.port;
	uint32_t root = g->column.root, n = g->t->fabric->nsw;

	return g->order && has_own(g, owner) && !memcmp(last, port, root) &&
	       !memcmp(last + root + 1, port + root + 1, n - root - 1);
}

static void take_columns(struct gathering *g, const struct weft_lft *lft,
			 uint8_t *lost)
{
	const struct weft_fabric *f = g->t->fabric;
	unsigned last = f->max_lid < lft->max_lid ? f->max_lid : lft->max_lid;

	for (unsigned first = 0; first <= last; first += WEFT_LFT_BLOCK) {
		weft_lft_columns(lft, first / WEFT_LFT_BLOCK, g->block);
		for (unsigned i = 0; i < WEFT_LFT_BLOCK && first + i <= last;
		     i++) {
			const uint8_t *port = g->block + (size_t)i * f->nsw;
			uint32_t owner = weft_lid_owner(f, first + i);
			bool again;

			if (owner == WEFT_NONE)
				continue;
			again = is_like_last(g, owner, port);
			weft__column_take(&g->column, first + i, port);
			if (!again)
				take_column(g);
			lost[first + i] = weft__lost_bits(g->column.nlost);
			if (g->loads)
				add_load(g);
		}
	}
	for (unsigned lid = last + 1; lid <= f->max_lid; lid++)
		lost[lid] = weft_lid_owner(f, lid) != WEFT_NONE ?
			WEFT__LOST_BITS : 0;
}

static bool renew_with(struct weft__order *order, struct weft__cdg *g)
{
	struct weft__cdg other = order->cdg;

	order->cdg = *g;
	*g = other;
	return weft__order_renew(order);
}

/* As many kinds as together have an order. */
static void put_in_order(struct gathering *g)
{
	struct weft__loads *t = g->t;

	weft__cdg_join(&g->more[0], &t->order.cdg);
	weft__cdg_join(&g->more[1], &g->more[0]);
	for (t->kinds = WEFT__KINDS; t->kinds > 1; t->kinds--) {
		if (renew_with(&t->order, &g->more[t->kinds - 2]))
			return;
		renew_with(&t->order, &g->more[t->kinds - 2]);
	}
	t->kinds = weft__order_renew(&t->order);
}

static int make_room(struct gathering *g)
{
	const struct weft_fabric *f = g->t->fabric;
	int err = 0;

	g->block = weft__arena_alloc(g->arena, f->nsw + 1ull, WEFT_LFT_BLOCK);
	g->own = weft__arena_alloc(g->arena, f->nsw + 1ull, sizeof(*g->own));
	g->lanes = weft__arena_alloc(g->arena, f->nsw + 1ull,
				     sizeof(*g->lanes));
	if (!g->block || !g->own || !g->lanes ||
	    !weft__column_init(&g->column, f, g->arena))
		return -ENOMEM;
	for (unsigned k = 0; g->order && k < WEFT__KINDS - 1 && !err; k++)
		err = weft__cdg_init(&g->more[k], f, g->t->nlanes, false);
	return err;
}

static int gather(struct gathering *g, const struct weft_lft *lft,
		  uint8_t *lost)
{
	int err;

	g->arena = weft__arena_new();
	g->root = WEFT_NONE;
	err = g->arena ? make_room(g) : -ENOMEM;
	if (!err)
		take_columns(g, lft, lost);
	if (!err && g->order)
		put_in_order(g);
	for (unsigned k = 0; k < WEFT__KINDS - 1; k++)
		weft__cdg_free(&g->more[k]);
	weft__arena_free(g->arena);
	return err;
}

int weft__gather(struct weft__loads *t, const struct weft_lft *lft,
		 uint8_t *lost)
{
	struct gathering g = { .t = t, .loads = true, .order = true };

	return gather(&g, lft, lost);
}

int weft__gather_loads(struct weft__loads *t, const struct weft_lft *lft,
		       uint8_t *lost)
{
	struct gathering g = { .t = t, .loads = true };

	return gather(&g, lft, lost);
}

int weft__gather_order(struct weft__loads *t, const struct weft_lft *lft,
		       uint8_t *lost)
{
	struct gathering g = { .t = t, .order = true };

	return gather(&g, lft, lost);
}
