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
 *
 * Pairs of switches change lanes on the way, too, once there is room for all
 * their ways in the lane that they are to have.  Where nothing else can change,
 * those that stand in the way of an entry or of others move to lanes that are
 * left: where any mixture of old and new ways has room, and otherwise where the ways
 * of today have, as entries change one after the other.
 */
#include <weft/standing.h>

#include "core/arena.h"
#include "standing/step.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- what gains most ------------------------------------------------------ */

static double load_of(const struct weft__step *t, uint32_t s, uint8_t port)
{
	uint32_t ch = weft_channel(t->f, s, port);

	return port && port <= t->f->sw[s].nports ?
		(double)t->loads.load[ch] * t->loads.scale[ch] : 0;
}

/* Adds what a LID has to do with its block. */
static void weigh_lid(struct weft__step *t, unsigned lid,
		      struct weft__step_block *b)
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
static bool is_away(const struct weft__step *t, unsigned lid)
{
	return lid <= t->f->max_lid && weft__lid_set_has(&t->away, lid) &&
	       weft_lid_owner(t->f, lid) != WEFT_NONE;
}

static int more_gain_first(const void *x, const void *y)
{
	const struct weft__step_block *a = x, *b = y;
	double p = a->gain * b->switches, q = b->gain * a->switches;

	if (p != q)
		return p > q ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static void list_blocks(struct weft__step *t)
{
	struct weft_lft_diff diff;

	weft__lft_differ(&t->routes.lft, &t->target->lft, &diff, &t->away);
	for (uint32_t first = 0; first <= t->f->max_lid;
	     first += WEFT_LFT_BLOCK) {
		struct weft__step_block b = { .first = first };

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

/* --- what changes --------------------------------------------------------- */

/* Whether a switch may send the block: it does so already, or the step has room
 * for one more. */
static bool has_room(const struct weft__step *t, uint32_t s)
{
	return t->sent[s] || t->out.blocks < t->blocks;
}

/* Changes entries for a LID, from its switch outward. */
static void change_lid(struct weft__step *t, unsigned lid)
{
	const struct weft__column *c = &t->column, *goal = &t->goal;

	weft__step_column(t, lid);
	for (uint32_t i = 0; i < goal->norder; i++) {
		uint32_t s = goal->order[i];
		enum weft__refusal refusal;

		if (goal->port[s] == c->port[s] || !has_room(t, s))
			continue;
		refusal = weft__step_entry(t, s, goal->port[s]);
		if (refusal == WEFT__LOOP && t->stuck)
			weft__step_make_way(t, s);
		if (refusal != WEFT__CHANGED)
			continue;
		t->out.blocks += !t->sent[s];
		t->sent[s] = true;
		t->out.entries++;
	}
	weft__column_write(c, &t->routes.lft);
}

static void change_blocks(struct weft__step *t)
{
	for (uint32_t i = 0; i < t->nblocks && t->out.blocks < t->blocks;
	     i++) {
		unsigned first = t->block[i].first;

		memset(t->sent, 0, t->f->nsw * sizeof(*t->sent));
		for (unsigned lid = first; lid < first + WEFT_LFT_BLOCK; lid++)
			if (is_away(t, lid))
				change_lid(t, lid);
	}
}

/* --- the step ------------------------------------------------------------- */

static int make_room(struct weft__step *t)
{
	size_t n = t->f->nsw + 1ull;

	t->block = weft__arena_alloc(t->arena,
				     t->f->max_lid / WEFT_LFT_BLOCK + 1ull,
				     sizeof(*t->block));
	t->sent = weft__arena_alloc(t->arena, n, sizeof(*t->sent));
	return t->block && t->sent && weft__step_entries_init(t) ? 0 : -ENOMEM;
}

/* Takes over what is known of the tables in force. */
static int begin(struct weft__step *t, const struct weft_standing_spec *spec)
{
	const struct weft_standing_base *base = spec->base;
	int err = weft_routes_carry(&spec->standing, t->f, &t->routes);

	if (!err)
		err = weft__match_make(&t->match, t->f, t->f);
	if (!err)
		err = weft__loads_init(&t->loads, t->f, &t->was->layers,
				       spec->lanes, t->arena);
	if (!err && (!base || !weft__can_inherit(base, &t->loads))) {
		err = weft_standing_prepare(&spec->standing, spec->lanes,
					    &t->own, NULL);
		base = t->own;
	}
	return err ? err : weft__inherit(&t->known, base, &t->match, &t->loads,
					 t->arena);
}

static void change(struct weft__step *t)
{
	change_blocks(t);
	weft__step_pairs(t);
	if (t->out.entries || t->out.pairs)
		return;
	t->stuck = t->ahead = true;
	change_blocks(t);
	weft__step_clear_lanes(t);
	/* of ways that were and are to be, not all mixtures come about */
	t->ahead = false;
	change_blocks(t);
}

static int run(struct weft__step *t, const struct weft_standing_spec *spec)
{
	int err;

	t->arena = weft__arena_new();
	err = t->arena ? make_room(t) : -ENOMEM;
	if (!err)
		err = begin(t, spec);
	if (err)
		return err;
	list_blocks(t);
	err = weft__step_pairs_begin(t);
	if (err)
		return err;
	if (!t->out.lanes)
		change(t);
	t->out.entries_left -= t->out.entries;
	t->out.blocks_left -= t->out.blocks;
	return weft__step_pairs_end(t);
}

int weft_standing_step(const struct weft_standing_spec *spec,
		       const struct weft_routes *target, uint64_t blocks,
		       struct weft_routes *routes,
		       struct weft_standing_move *out, struct weft_diag *diag)
{
	struct weft__step t = {
		.f = spec->standing.fabric, .was = spec->standing.routes,
		.target = target, .blocks = blocks,
	};
	int err = run(&t, spec);

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
