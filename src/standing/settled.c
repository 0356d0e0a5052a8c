// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: pairs that mending leaves
 *
 * Ways are mended one after another, and what one takes another lacks.  Where
 * some are left, the tables become trees, and pairs without a lane are settled
 * as engines do it (lanes/settle.c): by the turns that lead forward in the order
 * of old and new dependencies, so that all of these stay in order together.
 * Entries of others move where that serves more pairs than it costs.
 */
#include "standing/settled.h"

#include "core/arena.h"
#include "lanes/settle.h"
#include "loads/pairs.h"

#include <errno.h>

/* Edges that it may look at, for each entry. */
#define WORK 32

struct settled {
	const struct weft_fabric *f;
	const struct weft__lane_map *map;
	struct weft__orders orders;
	struct weft__ways ways;
	struct weft__trees trees;
	struct weft__balance balance;
	struct weft__lane_masks masks;
};

/* Has switches without an entry send by a shortest way: to one that is nearer,
 * or arrives. */
static void complete(struct settled *t, const struct weft__tree *tree)
{
	const struct weft__plan *plan = weft__ways_to(&t->ways, tree->root);
	const struct weft__run *run = plan->run;

	for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++]) {
		uint8_t *choice = &tree->choice[plan->order[i + 1]];

		if (*choice == WEFT__UNFIXED)
			*choice = run->start;
	}
}

static int begin(struct settled *t, const struct weft__loads *loads,
		 const struct weft_lft *lft, struct weft_arena *arena)
{
	const uint32_t *order = weft__endports_by_port(t->f, arena);

	t->orders = (struct weft__orders){ .fabric = t->f, .n = loads->nlanes };
	if (!order || !weft__turns_init(&t->orders.turns, t->f, arena) ||
	    !weft__ways_init(&t->ways, t->f, arena, NULL) ||
	    !weft__trees_list(t->f, arena, order, &t->trees) ||
	    !weft__balance_init(&t->balance, t->f, arena))
		return -ENOMEM;
	weft__orders_adapt(&t->orders, &loads->order);
	weft__trees_read(t->f, lft, &t->trees);
	weft__trees_share(t->f, &t->trees);
	return weft__masks_init(&t->masks, &t->orders, &t->ways, &t->trees,
				&t->balance, arena) ? 0 : -ENOMEM;
}

/* Whether each pair has a lane in which all of its ways are legal. */
static bool all_have_lanes(const struct settled *t)
{
	for (uint32_t s = 0; s < t->f->nsw; s++)
		for (uint32_t to = 0; to < s; to++)
			if (!weft__masks_pair(&t->masks, s, to))
				return false;
	return true;
}

/* Has a pair stay in its lane where that is legal, and else take the lowest. */
static void set_lane(const struct settled *t, struct weft_layers *y, uint32_t s,
		     uint32_t to)
{
	uint16_t lanes = weft__masks_pair(&t->masks, s, to);
	unsigned lane = __builtin_ctz(lanes);

	if (lanes >> t->map->lane[y->table[(size_t)s * y->nsw + to]] & 1)
		return;
	if (lane >= y->nvl)
		y->nvl = lane + 1;
	weft__pair_set(y, t->f, s, to, t->map->level[lane]);
}

/* Whether cables join all switches. */
static bool is_whole(struct settled *t)
{
	return weft__ways_to(&t->ways, 0)->n + 1 == t->f->nsw;
}

static int settle(struct settled *t, struct weft_routes *routes,
		  struct weft_lft *lft, bool *settled)
{
	struct weft_layers *y = &routes->layers;
	int err;

	if (!is_whole(t))
		return 0;
	for (uint32_t d = 0; d < t->trees.n; d++)
		complete(t, &t->trees.tree[d]);
	weft__masks_look(&t->masks, t->trees.n);
	err = weft__settle_pairs(&t->masks, NULL, (uint64_t)t->trees.n *
				 t->f->nsw * WORK);
	if (err || !all_have_lanes(t))
		return err;
	if (!weft__pairs_tell_apart(y, t->f->nsw))
		return -ENOMEM;
	err = weft__trees_fill(t->f, &t->trees, lft);
	for (uint32_t s = 0; !err && s < t->f->nsw; s++)
		for (uint32_t to = 0; to < s; to++)
			set_lane(t, y, s, to);
	*settled = !err;
	return err;
}

int weft__settle_left(const struct weft__loads *loads,
		      struct weft_routes *routes, struct weft_lft *lft,
		      bool *settled)
{
	struct settled t = { .f = loads->fabric, .map = &loads->map };
	struct weft_arena *arena = weft__arena_new();
	int err = arena ? begin(&t, loads, &routes->lft, arena) : -ENOMEM;

	*settled = false;
	if (!err)
		err = settle(&t, routes, lft, settled);
	weft__arena_free(arena);
	return err;
}
