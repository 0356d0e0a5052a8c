// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: the way to other tables
 *
 * Tables that were routed anew differ from those in force nearly everywhere.
 * They are reached in steps.  Each step changes a number of blocks, those first
 * with which the most loaded cables gain most, and is safe in any order of
 * writing: for no LID do old and new entries together lead in a circle, and
 * what may wait for whom on any mixture of old and new ways has an order, with
 * all else that is in force.  An entry that would break that waits for a later
 * step, when others have gone before it.
 */
#include <weft/standing.h>

#include "core/arena.h"
#include "core/layers.h"
#include "core/lft.h"
#include "standing/base.h"
#include "standing/mixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A block of LIDs that differs. */
struct block {
	uint32_t first;		/* LID */
	uint32_t switches;	/* whose entries differ there: blocks to send */
	double gain;		/* by which loaded cables are relieved */
};

struct step {
	const struct weft_fabric *f;
	const struct weft_routes *target;
	struct weft_arena *arena;
	struct weft_standing_base *own;
	struct weft__match match;	/* of the fabric with itself */
	struct weft__inherited known;
	struct weft__loads loads;
	struct weft_routes routes;	/* now, and then after the step */
	struct weft__column column, goal;
	struct block *block;	/* [max_lid / 64 + 1] */
	uint32_t nblocks;
	bool *sent;		/* [nsw] switches with an entry of the block
				 * that changes */
	struct weft__mixture mixture;	/* of the column and what it was */
	struct weft__lid_set away;	/* LIDs with entries to change */
	uint16_t lanes;		/* of all that is sent to the LID */
	struct weft_standing_move out;
};

/* Whether LIDs mean the same lanes and hosts choose the same ones. */
static bool same_levels(const struct weft_fabric *f,
			const struct weft_routes *a,
			const struct weft_routes *b)
{
	const struct weft_layers *x = &a->layers, *y = &b->layers;

	if (x->form != y->form || x->sl != y->sl || x->nvl != y->nvl ||
	    !a->lid_offset != !b->lid_offset)
		return false;
	if (a->lid_offset && memcmp(a->lid_offset, b->lid_offset, f->nep))
		return false;
	return x->form == WEFT_SL_ONE ||
	       !memcmp(x->table, y->table, weft__layers_size(x));
}

/* --- what gains most ------------------------------------------------------ */

static double load_of(const struct step *t, uint32_t s, uint8_t port)
{
	uint32_t ch = weft_channel(t->f, s, port);

	return port && port <= t->f->sw[s].nports ?
		(double)t->loads.load[ch] * t->loads.scale[ch] : 0;
}

/* Adds what a LID has to do with its block. */
static void weigh_lid(struct step *t, unsigned lid, struct block *b)
{
	struct weft__column *c = &t->column;
	uint64_t weight;

	weft__column_read(c, &t->routes.lft, lid);
	weft__column_survey(c);
	weft__loads_spread(&t->loads, c);
	weight = weft__loads_weight(&t->loads, c);
	for (uint32_t s = 0; s < t->f->nsw; s++) {
		uint8_t to = weft_lft_get(&t->target->lft, s, lid);

		if (s == c->root || to == c->port[s])
			continue;
		t->out.entries_left++;
		b->switches += !t->sent[s];
		t->sent[s] = true;
		b->gain += (double)weight * t->loads.through[s] *
			   (load_of(t, s, c->port[s]) - load_of(t, s, to));
	}
}

/* Whether somebody has a LID, and some entry for it is not as in the target. */
static bool is_away(const struct step *t, unsigned lid)
{
	return lid <= t->f->max_lid && weft__lid_set_has(&t->away, lid) &&
	       weft_lid_owner(t->f, lid) != WEFT_NONE;
}

static int more_gain_first(const void *x, const void *y)
{
	const struct block *a = x, *b = y;
	double p = a->gain * b->switches, q = b->gain * a->switches;

	if (p != q)
		return p > q ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static void list_blocks(struct step *t)
{
	struct weft_lft_diff diff;

	weft__lft_differ(&t->routes.lft, &t->target->lft, &diff, &t->away);
	for (uint32_t first = 0; first <= t->f->max_lid;
	     first += WEFT_LFT_BLOCK) {
		struct block b = { .first = first };

		memset(t->sent, 0, t->f->nsw * sizeof(*t->sent));
		for (unsigned lid = first; lid < first + WEFT_LFT_BLOCK; lid++)
			if (is_away(t, lid))
				weigh_lid(t, lid, &b);
		t->out.blocks_left += b.switches;
		if (b.switches)
			t->block[t->nblocks++] = b;
	}
	qsort(t->block, t->nblocks, sizeof(*t->block), more_gain_first);
}

/* --- what is safe --------------------------------------------------------- */

/* Has what may come in by a channel wait for what leaves by a port. */
static bool wait_for(struct step *t, uint32_t channel, uint8_t port)
{
	for (uint16_t lanes = t->lanes; lanes; lanes &= lanes - 1)
		if (!weft__loads_try(&t->loads, channel, __builtin_ctz(lanes),
				     port))
			return false;
	return true;
}

/* Adds what waits for whom where switch s sends by a port: behind it, what
 * sends to s by an old or a new entry, and before it. */
static bool allow(struct step *t, uint32_t s, uint8_t port)
{
	const struct weft__column *c = &t->column;
	const struct weft_fabric *f = t->f;
	uint32_t to = weft__mixture_next(&t->mixture, s, port);
	uint32_t ch = weft_channel(f, s, port);

	if (!t->loads.kinds)
		return true;
	weft__order_mark(&t->loads.order);
	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t in = f->reverse[f->adj[i]], from = f->peer[f->adj[i]];
		uint8_t by = in - f->first_channel[from];

		if (from != c->root &&
		    (by == c->port[from] || by == t->mixture.was[from]) &&
		    !wait_for(t, in, port))
			return false;
	}
	return to == c->root ||
	       (wait_for(t, ch, t->mixture.was[to]) &&
		wait_for(t, ch, c->port[to]));
}

/* Has a switch send as it is to, if that is safe. */
static bool change_entry(struct step *t, uint32_t s, uint8_t port)
{
	struct weft__column *c = &t->column;
	uint32_t to = weft__mixture_next(&t->mixture, s, port);

	if (to == WEFT_NONE || weft__mixture_leads(&t->mixture, to, s))
		return false;
	if (!allow(t, s, port)) {
		weft__order_undo(&t->loads.order);
		return false;
	}
	c->port[s] = port;
	return true;
}

static uint16_t lanes_to(const struct step *t)
{
	uint16_t lanes = 0;

	for (uint32_t s = 0; s < t->f->nsw; s++)
		lanes |= weft__loads_own_lanes(&t->loads, &t->column, s);
	return lanes;
}

/* Whether a switch may send the block: it does so already, or the step has
 * room for one more. */
static bool has_room(const struct step *t, uint32_t s, uint64_t blocks)
{
	return t->sent[s] || t->out.blocks < blocks;
}

/* Changes entries for a LID, from its switch outward. */
static void change_lid(struct step *t, unsigned lid, uint64_t blocks)
{
	struct weft__column *c = &t->column, *goal = &t->goal;

	weft__column_read(c, &t->routes.lft, lid);
	weft__column_read(goal, &t->target->lft, lid);
	weft__column_survey(goal);
	memcpy(t->mixture.was, c->port, t->f->nsw);
	t->lanes = lanes_to(t);
	for (uint32_t i = 0; i < goal->norder; i++) {
		uint32_t s = goal->order[i];

		if (goal->port[s] == c->port[s] || !has_room(t, s, blocks) ||
		    !change_entry(t, s, goal->port[s]))
			continue;
		t->out.blocks += !t->sent[s];
		t->sent[s] = true;
		t->out.entries++;
	}
	weft__column_write(c, &t->routes.lft);
}

static void change_blocks(struct step *t, uint64_t blocks)
{
	for (uint32_t i = 0; i < t->nblocks && t->out.blocks < blocks; i++) {
		unsigned first = t->block[i].first;

		memset(t->sent, 0, t->f->nsw * sizeof(*t->sent));
		for (unsigned lid = first; lid < first + WEFT_LFT_BLOCK; lid++)
			if (is_away(t, lid))
				change_lid(t, lid, blocks);
	}
}

/* --- the step ------------------------------------------------------------- */

static int make_room(struct step *t)
{
	size_t n = t->f->nsw + 1ull;

	t->block = weft__arena_alloc(t->arena,
				     t->f->max_lid / WEFT_LFT_BLOCK + 1ull,
				     sizeof(*t->block));
	t->sent = weft__arena_alloc(t->arena, n, sizeof(*t->sent));
	return t->block && t->sent &&
	       weft__column_init(&t->column, t->f, t->arena) &&
	       weft__column_init(&t->goal, t->f, t->arena) &&
	       weft__mixture_init(&t->mixture, &t->column, t->arena) ?
	       0 : -ENOMEM;
}

/* Takes over what is known of the tables in force. */
static int begin(struct step *t, const struct weft_standing_spec *spec)
{
	const struct weft_standing_base *base = spec->base;
	int err = weft_routes_carry(&spec->standing, t->f, &t->routes);

	if (!err)
		err = weft__match_make(&t->match, t->f, t->f);
	if (!err)
		err = weft__loads_init(&t->loads, t->f, &t->routes.layers,
				       spec->lanes, t->arena);
	if (!err && (!base || !weft__can_inherit(base, &t->loads))) {
		err = weft_standing_prepare(&spec->standing, spec->lanes,
					    &t->own, NULL);
		base = t->own;
	}
	return err ? err : weft__inherit(&t->known, base, &t->match, &t->loads,
					 t->arena);
}

static int run(struct step *t, const struct weft_standing_spec *spec,
	       uint64_t blocks)
{
	int err;

	t->arena = weft__arena_new();
	err = t->arena ? make_room(t) : -ENOMEM;
	if (!err)
		err = begin(t, spec);
	if (err)
		return err;
	list_blocks(t);
	t->out.lanes = !same_levels(t->f, &t->routes, t->target);
	if (!t->out.lanes)
		change_blocks(t, blocks);
	t->out.entries_left -= t->out.entries;
	t->out.blocks_left -= t->out.blocks;
	return 0;
}

int weft_standing_step(const struct weft_standing_spec *spec,
		       const struct weft_routes *target, uint64_t blocks,
		       struct weft_routes *routes,
		       struct weft_standing_move *out, struct weft_diag *diag)
{
	struct step t = { .f = spec->standing.fabric, .target = target };
	int err = run(&t, spec, blocks);

	if (err) {
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	} else {
		*routes = t.routes;
		t.routes = (struct weft_routes){ .lid_offset = NULL };
		*out = t.out;
	}
	weft_routes_free(&t.routes);
	weft_standing_base_free(t.own);
	weft__loads_free(&t.loads);
	weft__match_free(&t.match);
	weft__arena_free(t.arena);
	return err;
}
