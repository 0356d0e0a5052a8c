// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Changes the lanes of pairs of switches on the way to other tables; see
 * step.h.
 *
 * A host asks for the service level of a path when it likes, so a pair is in
 * its old lane and in the new one while a step is made: what waits for whom on
 * its ways, by any mixture of entries, has to be in order in both.
 */
#include "standing/step.h"

#include "core/arena.h"
#include "core/tables/layers.h"
#include "loads/pairs.h"

#include <errno.h>
#include <string.h>

/* A pair and a lane that it may move to. */
struct moving {
	struct weft__step *t;
	uint32_t from, root;
	unsigned lane;
};

static unsigned lanes_of(const struct weft_layers *y)
{
	return y->nvl > 1 ? y->nvl : 1;
}

/* Whether service levels are lanes, of pairs of switches or all the same, on
 * all cables. */
static bool is_plain(const struct weft_layers *y)
{
	size_t size = weft__layers_size(y);
	unsigned lanes = lanes_of(y);

	if ((y->form != WEFT_SL_ONE && y->form != WEFT_SL_SWITCH_PAIR) ||
	    y->sl2vl || y->sl >= lanes)
		return false;
	for (size_t i = 0; i < size; i++)
		if (y->table[i] >= lanes)
			return false;
	return true;
}

static uint8_t *level(struct weft__step *t, uint32_t s, uint32_t d)
{
	struct weft_layers *y = &t->routes.layers;

	return y->form == WEFT_SL_ONE ? &y->sl :
					&y->table[(size_t)s * y->nsw + d];
}

static uint8_t target_level(const struct weft__step *t, uint32_t s, uint32_t d)
{
	const struct weft_layers *y = &t->target->layers;

	return y->form == WEFT_SL_ONE ? y->sl :
					y->table[(size_t)s * y->nsw + d];
}

static bool is_there(struct weft__step *t, uint32_t s, uint32_t d)
{
	return *level(t, s, d) == target_level(t, s, d);
}

/* Whether LIDs mean the same lanes. */
static bool same_levels(const struct weft_layers *x,
			const struct weft_layers *y)
{
	return x->form == y->form && x->sl == y->sl && x->nvl == y->nvl &&
	       (x->form == WEFT_SL_ONE ||
		!memcmp(x->table, y->table, weft__layers_size(x)));
}

/* Whether hosts choose the same LIDs. */
static bool same_offsets(const struct weft_fabric *f,
			 const struct weft_routes *a,
			 const struct weft_routes *b)
{
	return !a->lid_offset == !b->lid_offset &&
	       (!a->lid_offset ||
		!memcmp(a->lid_offset, b->lid_offset, f->nep));
}

/* Calls move() for each pair that is not where it is to be, as long as the step
 * has room: for each direction if these may differ. */
static void for_each(struct weft__step *t, void (*move)(struct moving *))
{
	uint64_t most = t->blocks * WEFT_LFT_BLOCK;
	struct moving m = { .t = t };

	for (m.from = 0; m.from < t->f->nsw; m.from++)
		for (m.root = t->routes.layers.one_way ? 0 : m.from;
		     m.root < t->f->nsw && t->out.pairs < most; m.root++)
			if (!is_there(t, m.from, m.root))
				move(&m);
}

static void count(struct moving *m)
{
	m->t->out.pairs_left++;
}

/* Whether pairs can go to the lanes of the target. */
static bool can_change(const struct weft__step *t)
{
	const struct weft_layers *to = &t->target->layers;

	return !t->f->vls && is_plain(&t->was->layers) && is_plain(to) &&
	       lanes_of(to) <= t->loads.nlanes;
}

int weft__step_pairs_begin(struct weft__step *t)
{
	const struct weft_layers *to = &t->target->layers;
	struct weft_layers *y = &t->routes.layers;
	bool same = same_levels(y, to);

	t->levels = can_change(t) && t->loads.nlanes > 1;
	t->out.lanes = !same_offsets(t->f, &t->routes, t->target) ||
		       (!same && !t->levels);
	if (t->out.lanes || !t->levels)
		return 0;
	t->behind = weft__arena_alloc(t->arena, t->f->nsw + 1ull, 1);
	if (!t->behind || !weft__pairs_tell_apart(y, t->f->nsw))
		return -ENOMEM;
	y->one_way |= to->one_way;
	for_each(t, count);
	return 0;
}

/* --- moves ---------------------------------------------------------------- */

/* Adds what waits for whom on all ways to a LID, by entries that were there and
 * that are there now, or are to be, in any mixture. */
static bool try_lid(struct moving *m, uint32_t from, uint32_t root,
		    unsigned lid)
{
	struct weft__step *t = m->t;
	const struct weft_lft *lft[] = {
		&t->was->lft, t->ahead ? &t->target->lft : &t->routes.lft,
	};
	uint32_t n = 0, *stack = t->column.stack;
	struct weft__mixture *x = &t->mixture;

	x->round++;
	for (stack[n++] = from; n; ) {
		uint32_t s = stack[--n];

		for (unsigned i = 0; i < 4; i++) {
			uint8_t port = weft_lft_get(lft[i & 1], s, lid);
			uint32_t to = weft__mixture_next(x, s, port);
			uint8_t by;

			if (to == WEFT_NONE || to == root)
				continue;
			by = weft_lft_get(lft[i >> 1], to, lid);
			if (weft__mixture_next(x, to, by) != WEFT_NONE &&
			    !weft__loads_try(&t->loads,
					     weft_channel(t->f, s, port),
					     m->lane, by))
				return false;
			if (x->seen[to] != x->round)
				stack[n++] = to;
			x->seen[to] = x->round;
		}
	}
	return true;
}

/* Whether what a switch and its endports send somewhere has to be in order. */
static bool counts(const struct weft__step *t, uint32_t from, uint32_t owner)
{
	unsigned endports = weft_is_switch(owner), kinds = t->loads.kinds;

	return kinds > endports + 1 ||
	       (t->loads.ends[from] && kinds > endports);
}

static bool try_direction(struct moving *m, uint32_t from, uint32_t root)
{
	const struct weft_fabric *f = m->t->f;

	for (uint32_t i = f->sw_ep_first[root];
	     counts(m->t, from, WEFT_ENDPORT) && i < f->sw_ep_first[root + 1];
	     i++) {
		const struct weft_endport *e = &f->ep[f->sw_endport[i]];

		for (unsigned o = 0; e->lid && o < 1u << e->lmc; o++)
			if (!try_lid(m, from, root, e->lid + o))
				return false;
	}
	return !f->sw[root].lid || !counts(m->t, from, root) ||
	       try_lid(m, from, root, f->sw[root].lid);
}

/* Moves a pair to a lane, if all its ways fit there. */
static bool try_lane(struct moving *m, unsigned lane)
{
	struct weft__step *t = m->t;
	struct weft_layers *y = &t->routes.layers;
	uint8_t sl = t->loads.map.level[lane];

	m->lane = lane;
	if (sl == WEFT__NO_LEVEL || *level(t, m->from, m->root) == sl)
		return false;
	weft__order_mark(&t->loads.order);
	if (!try_direction(m, m->from, m->root) ||
	    (!y->one_way && !try_direction(m, m->root, m->from))) {
		weft__order_undo(&t->loads.order);
		return false;
	}
	if (lane >= y->nvl)
		y->nvl = lane + 1;
	t->out.pairs_left += is_there(t, m->from, m->root);
	*level(t, m->from, m->root) = sl;
	if (!y->one_way)
		*level(t, m->root, m->from) = sl;
	t->out.pairs_left -= is_there(t, m->from, m->root);
	t->out.pairs++;
	return true;
}

static void move_there(struct moving *m)
{
	try_lane(m, target_level(m->t, m->from, m->root));
}

void weft__step_pairs(struct weft__step *t)
{
	if (t->levels)
		for_each(t, move_there);
}

/* The highest lanes are those that the fewest have use for. */
static void move_away(struct moving *m)
{
	bool moved = false;

	for (unsigned lane = m->t->loads.nlanes; lane-- && !moved; )
		moved = try_lane(m, lane);
}

void weft__step_make_way(struct weft__step *t, uint32_t s)
{
	const struct weft__column *c = &t->column;
	struct moving m = { .t = t, .root = c->root };
	uint64_t most = t->blocks * WEFT_LFT_BLOCK;

	if (!t->levels)
		return;
	memset(t->behind, 0, t->f->nsw);
	t->behind[s] = true;
	for (uint32_t i = 0; i < c->norder && t->out.pairs < most; i++) {
		m.from = c->order[i];
		t->behind[m.from] |= t->behind[c->next[m.from]];
		if (t->behind[m.from] &&
		    t->loads.map.lane[*level(t, m.from, m.root)] == t->refused)
			move_away(&m);
	}
}

/* A pair in the lane of others goes wherever there is room, unless that is a
 * lane which none is to have: it waits there. */
static void clear_lane(struct moving *m)
{
	if (*level(m->t, m->from, m->root) < lanes_of(&m->t->target->layers))
		move_away(m);
}

void weft__step_clear_lanes(struct weft__step *t)
{
	if (t->levels)
		for_each(t, clear_lane);
}

int weft__step_pairs_end(struct weft__step *t)
{
	struct weft_layers y;
	int err;

	if (!t->levels || t->out.pairs_left)
		return 0;
	err = weft__layers_copy(&t->target->layers, &y);
	if (err)
		return err;
	weft_layers_free(&t->routes.layers);
	t->routes.layers = y;
	return 0;
}
