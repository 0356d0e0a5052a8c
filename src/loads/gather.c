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
	uint8_t *kind;		/* [nsw] first kind of what passes */
	bool plain;		/* all is in lane 0 */
};

/* The dependencies that a kind adds. */
static struct weft__cdg *graph_of(struct gathering *g, unsigned kind)
{
	return kind ? &g->more[kind - 1] : &g->t->order.cdg;
}

/* The loads and dependencies of a column at once, where all is in one lane. */
static void take_plain(struct gathering *g)
{
	const struct weft__column *c = &g->column;
	struct weft__loads *t = g->t;
	uint64_t *bits[WEFT__KINDS], *through = t->through;
	uint64_t weight = weft__loads_weight(t, c);
	const struct weft_fabric *f = t->fabric;
	unsigned endports = weft_is_switch(c->owner);
	uint32_t words = t->order.cdg.words;
	uint8_t *kind = g->kind;

	for (unsigned k = 0; k < WEFT__KINDS; k++)
		bits[k] = graph_of(g, k)->bits;
	memcpy(through, t->hosts, f->nsw * sizeof(*through));
	for (uint32_t s = 0; s < f->nsw; s++)
		kind[s] = t->ends[s] ? endports : endports + 1;
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i], to = c->next[s];
		uint32_t channel = weft_channel(f, s, c->port[s]);
		unsigned out = c->port[to] - 1;

		t->load[channel] += weight * through[s];
		if (to == c->root)
			continue;
		through[to] += through[s];
		kind[to] = kind[s] < kind[to] ? kind[s] : kind[to];
		bits[kind[s]][(size_t)channel * words + out / 64] |=
			1ull << out % 64;
	}
}

static void depend_on(struct weft__cdg *g, uint32_t channel, unsigned port,
		      uint16_t lanes)
{
	for (; lanes; lanes &= lanes - 1)
		weft__cdg_add(g, __builtin_ctz(lanes) * g->nch + channel, 0,
			      port);
}

static void depend_in(struct gathering *g, unsigned kind)
{
	const struct weft__column *c = &g->column;
	struct weft__loads *t = g->t;

	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i], to = c->next[s];

		if (to != c->root)
			depend_on(graph_of(g, kind),
				  weft_channel(t->fabric, s, c->port[s]),
				  c->port[to], t->lanes[kind][s]);
	}
}

static void take_column(struct gathering *g, bool *lost)
{
	struct weft__column *c = &g->column;

	if (!weft__column_keeps_order(c))
		weft__column_survey(c);
	*lost = c->nlost;
	if (g->plain) {
		take_plain(g);
		return;
	}
	weft__loads_spread_lanes(g->t, c);
	weft__loads_add_spread(g->t, c, 1);
	for (unsigned k = 0; k < WEFT__KINDS; k++)
		depend_in(g, k);
}

static void take_columns(struct gathering *g, const struct weft_lft *lft,
			 bool *lost)
{
	const struct weft_fabric *f = g->t->fabric;
	unsigned last = f->max_lid < lft->max_lid ? f->max_lid : lft->max_lid;

	for (unsigned first = 0; first <= last; first += WEFT_LFT_BLOCK) {
		weft_lft_columns(lft, first / WEFT_LFT_BLOCK, g->block);
		for (unsigned i = 0; i < WEFT_LFT_BLOCK && first + i <= last;
		     i++) {
			if (weft_lid_owner(f, first + i) == WEFT_NONE)
				continue;
			weft__column_take(&g->column, first + i,
					  g->block + (size_t)i * f->nsw);
			take_column(g, &lost[first + i]);
		}
	}
	for (unsigned lid = last + 1; lid <= f->max_lid; lid++)
		lost[lid] = weft_lid_owner(f, lid) != WEFT_NONE;
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

static bool is_plain(const struct weft_layers *y)
{
	return y->form == WEFT_SL_ONE && y->nvl <= 1 && !y->sl2vl;
}

static int make_room(struct gathering *g)
{
	const struct weft_fabric *f = g->t->fabric;
	int err = 0;

	g->block = weft__arena_alloc(g->arena, f->nsw + 1ull, WEFT_LFT_BLOCK);
	g->kind = weft__arena_alloc(g->arena, f->nsw + 1ull, 1);
	if (!g->block || !g->kind ||
	    !weft__column_init(&g->column, f, g->arena))
		return -ENOMEM;
	for (unsigned k = 0; k < WEFT__KINDS - 1 && !err; k++)
		err = weft__cdg_init(&g->more[k], f, g->t->nlanes, false);
	return err;
}

int weft__gather(struct weft__loads *t, const struct weft_lft *lft, bool *lost)
{
	struct gathering g = {
		.t = t, .arena = weft__arena_new(),
		.plain = is_plain(t->layers),
	};
	int err = g.arena ? make_room(&g) : -ENOMEM;

	if (!err) {
		take_columns(&g, lft, lost);
		put_in_order(&g);
	}
	for (unsigned k = 0; k < WEFT__KINDS - 1; k++)
		weft__cdg_free(&g.more[k]);
	weft__arena_free(g.arena);
	return err;
}
