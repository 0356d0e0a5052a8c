// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: a tree within the order of a lane
 *
 * A pair of switches can use a lane only if it has a way there at all.  Where
 * cables are missing, orders by dimensions leave some pairs without a way in
 * any lane.  A tree all turns of which lead forward repairs that, like the
 * escape paths of Nue (Domke, Hoefler, Matsuoka, HPDC 2016): a channel to the
 * root comes after the channels that lead to it and before all channels away
 * from the root that it can turn into.
 *
 * The order changes as little as possible.  The tree grows from the root by
 * cables both of whose channels are already where the tree needs them.  Where
 * there is no such cable, the one whose channels move least is taken: the
 * channel towards the root moves forward to its successor, the channel away
 * from it back to its predecessor.  The distance is counted in channels passed,
 * not in keys, which have gaps.  Channels that are in the tree by then do not
 * move again.  On a whole torus no channel has to move if the root is the
 * switch where the order turns round.
 */
#include "lanes/lane_tree.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <weft/fabric.h>

#include <stdlib.h>
#include <string.h>

bool weft__lane_tree_init(struct weft__lane_tree *t,
			  const struct weft_fabric *f,
			  struct weft_arena *arena)
{
	size_t nsw = f->nsw, nedges = f->adj_first[nsw];

	*t = (struct weft__lane_tree){
		.fabric = f,
		.key = weft__arena_alloc(arena, nedges, sizeof(*t->key)),
		.tie = weft__arena_alloc(arena, nedges, sizeof(*t->tie)),
		.back = weft__back_entries(f, arena),
		.tail = weft__arena_alloc(arena, nedges, sizeof(*t->tail)),
		.in = weft__arena_alloc(arena, nsw, sizeof(*t->in)),
		.first_down = weft__arena_alloc(arena, nsw,
						sizeof(*t->first_down)),
		.last_up = weft__arena_alloc(arena, nsw, sizeof(*t->last_up)),
		.sorted = weft__arena_alloc(arena, nedges,
					    sizeof(*t->sorted)),
		.queue = weft__arena_alloc(arena, nedges, sizeof(*t->queue)),
		.later.item = weft__arena_alloc(arena, nedges,
						sizeof(*t->later.item)),
	};
	if (!t->key || !t->tie || !t->back || !t->tail || !t->in ||
	    !t->first_down || !t->last_up || !t->sorted || !t->queue ||
	    !t->later.item)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++)
			t->tail[e] = s;
	return true;
}

static uint32_t head(const struct weft__lane_tree *t, uint32_t e)
{
	return t->fabric->peer[t->fabric->adj[e]];
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Returns the key that edge e, which leaves the tree, must have, and the key of
 * its other direction. */
static int64_t key_down(const struct weft__lane_tree *t, uint32_t e)
{
	uint32_t p = t->tail[e];
	int64_t key = most(t->key[e], t->last_up[p]);

	return t->up[p] == WEFT_NONE ? key :
		most(key, t->key[t->back[t->up[p]]]);
}

static int64_t key_up(const struct weft__lane_tree *t, uint32_t e)
{
	uint32_t p = t->tail[e];
	int64_t key = least(t->key[t->back[e]], t->first_down[p]);

	return t->up[p] == WEFT_NONE ? key : least(key, t->key[t->up[p]]);
}

/* Returns how far both channels of a cable must move. */
static int64_t distance(const struct weft__lane_tree *t, uint32_t e)
{
	return key_down(t, e) - t->key[e] + t->key[t->back[e]] - key_up(t, e);
}

/* Attaches the head of edge e as the nth switch.  Channels of equal keys are
 * ordered by ties: those to the root come before all others, later switches
 * first; those away from it come after all others, later switches last. */
static void attach(struct weft__lane_tree *t, uint32_t e, int32_t n)
{
	uint32_t p = t->tail[e], s = head(t, e);
	int64_t down = key_down(t, e), up = key_up(t, e);

	t->in[s] = true;
	t->up[s] = t->back[e];
	t->key[e] = down;
	t->tie[e] = n;
	t->key[t->back[e]] = up;
	t->tie[t->back[e]] = -n;
	t->first_down[p] = least(t->first_down[p], down);
	t->last_up[p] = most(t->last_up[p], up);
}

/* Returns the edge out of the tree whose channels must move least, or
 * WEFT_NONE.  Distances only ever grow, so that one that has grown since it was
 * found goes back into the heap. */
static uint32_t nearest(struct weft__lane_tree *t)
{
	struct weft__heap *later = &t->later;

	while (later->n) {
		struct weft__heap_item top = later->item[0];
		bool in = t->in[head(t, top.vertex)];
		uint64_t now = distance(t, top.vertex);

		if (!in && now <= top.distance)
			return top.vertex;
		weft__heap_pop(later);
		top.distance = now;
		if (!in)
			weft__heap_push(later, top);
	}
	return WEFT_NONE;
}

static int by_key(const void *x, const void *y)
{
	const struct weft__lane_key *a = x, *b = y;

	return a->key < b->key ? -1 : a->key > b->key;
}

/* Replaces keys by how many channels come before each, which has no gaps. */
static void rank_channels(struct weft__lane_tree *t)
{
	uint32_t n = t->fabric->adj_first[t->fabric->nsw], before = 0;

	for (uint32_t e = 0; e < n; e++)
		t->sorted[e] = (struct weft__lane_key){ t->key[e], e };
	qsort(t->sorted, n, sizeof(*t->sorted), by_key);
	for (uint32_t i = 0; i < n; i++) {
		if (i && t->sorted[i].key > t->sorted[i - 1].key)
			before = i;
		t->key[t->sorted[i].edge] = before;
	}
}

static void begin_tree(struct weft__lane_tree *t, uint32_t root)
{
	uint32_t nsw = t->fabric->nsw;

	memset(t->tie, 0, t->fabric->adj_first[nsw] * sizeof(*t->tie));
	memset(t->in, 0, nsw * sizeof(*t->in));
	for (uint32_t s = 0; s < nsw; s++) {
		t->first_down[s] = INT64_MAX;
		t->last_up[s] = INT64_MIN;
	}
	t->in[root] = true;
	t->up[root] = WEFT_NONE;
	t->later.n = 0;
}

uint32_t weft__lane_tree_grow(struct weft__lane_tree *t, uint32_t root)
{
	const uint32_t *first = t->fabric->adj_first;
	uint32_t n = 0, moved = 0, nqueue = 0, s = root, e;

	rank_channels(t);
	begin_tree(t, root);
	for (uint32_t i = 0;; s = head(t, e)) {
		for (e = first[s]; e < first[s + 1]; e++)
			t->queue[nqueue++] = e;
		for (e = WEFT_NONE; i < nqueue && e == WEFT_NONE; i++) {
			struct weft__heap_item x = { .vertex = t->queue[i],
						     .second = i };

			if (t->in[head(t, x.vertex)])
				continue;
			x.distance = distance(t, x.vertex);
			if (!x.distance)
				e = x.vertex;
			else
				weft__heap_push(&t->later, x);
		}
		if (e == WEFT_NONE) {
			e = nearest(t);
			moved++;
		}
		if (e == WEFT_NONE)
			return moved - 1;
		attach(t, e, ++n);
	}
}

static bool is_before(const struct weft__lane_tree *t, uint32_t e, uint32_t g)
{
	return t->key[e] < t->key[g] ||
		(t->key[e] == t->key[g] && t->tie[e] < t->tie[g]);
}

void weft__lane_tree_allow(const struct weft__lane_tree *t,
			   struct weft__turns *turns, unsigned lane)
{
	const uint32_t *first = t->fabric->adj_first;

	for (uint32_t e = 0; e < first[t->fabric->nsw]; e++) {
		uint16_t *turn = weft__turns_from(turns, e);
		uint16_t bit = weft__turns_room(turns, e) & 1u << lane;
		uint32_t s = head(t, e);

		for (uint32_t g = first[s]; g < first[s + 1]; g++, turn++)
			*turn = (*turn & ~(1u << lane)) |
				(is_before(t, e, g) ? bit : 0);
	}
}
