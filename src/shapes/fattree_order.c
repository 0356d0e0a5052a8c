// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: an order of the switches that follows from their levels
 *
 * Higher levels come first.  Cables may also lead from switch to switch within
 * a level (cross-linked racks, trees that are joined at their leaves).  So
 * within a level:
 * - switches with cables to a higher level come before those that reach it only
 *   through neighbours, and of these the nearer ones come first, so that no
 *   switch is a dead end;
 * - then switches are ordered by the part they are in, the largest part first,
 *   where a part is what cables from level to level join: of two trees joined
 *   at their leaves, one then carries what goes between them;
 * - then switches with more capacity upwards come first, so that a neighbour
 *   makes up for a way up that missing cables have taken;
 * - then switches with lower GUIDs come first.
 *
 * Without levels, the order is that of weave, by closeness to the hosts
 * (graph/closeness.h).
 */
#include "shapes/fattree.h"

#include "core/arena.h"
#include "graph/bfs.h"
#include "graph/closeness.h"

#include <weft/fabric.h>

#include <stdlib.h>
#include <string.h>

struct key {
	uint64_t of[4];		/* ascending from the top down */
	uint32_t sw;
};

struct orderer {
	const struct weft__fattree *t;
	const struct weft_fabric *f;
	struct key *key;	/* [nsw] */
	uint32_t *queue;	/* [nsw] */
	uint16_t *hops;		/* [nsw] */
	uint32_t *part;		/* [nsw] its lowest member */
	uint32_t *size;		/* [nsw] number of members, by the lowest member
				 * of a part */
};

static int compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	for (unsigned i = 0; i < 4; i++)
		if (x->of[i] != y->of[i])
			return x->of[i] < y->of[i] ? -1 : 1;
	return x->sw < y->sw ? -1 : 1;
}

/* Counts the steps along the level from the nearest switch with a cable to a
 * higher level; that switch itself has 0. */
static void find_steps(struct orderer *o)
{
	const struct weft_fabric *f = o->f;
	const uint16_t *level = o->t->level;
	uint32_t head = 0, tail = 0;

	memset(o->hops, 0xff, f->nsw * sizeof(*o->hops));
	for (uint32_t s = 0; s < f->nsw; s++) {
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			if (level[f->peer[f->adj[e]]] > level[s])
				o->hops[s] = 0;
		if (!o->hops[s])
			o->queue[tail++] = s;
	}
	while (head < tail) {
		uint32_t s = o->queue[head++];

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (level[t] != level[s] || o->hops[t] != WEFT__FAR)
				continue;
			o->hops[t] = o->hops[s] + 1;
			o->queue[tail++] = t;
		}
	}
}

/* Finds the parts that cables from level to level join. */
static void find_parts(struct orderer *o)
{
	const struct weft_fabric *f = o->f;
	const uint16_t *level = o->t->level;

	for (uint32_t s = 0; s < f->nsw; s++) {
		o->part[s] = WEFT_NONE;
		o->size[s] = 0;
	}
	for (uint32_t root = 0; root < f->nsw; root++) {
		uint32_t head = 0, tail = 0;

		if (o->part[root] != WEFT_NONE)
			continue;
		o->queue[tail++] = root;
		o->part[root] = root;
		while (head < tail) {
			uint32_t s = o->queue[head++];

			for (uint32_t e = f->adj_first[s];
			     e < f->adj_first[s + 1]; e++) {
				uint32_t t = f->peer[f->adj[e]];

				if (level[t] == level[s] ||
				    o->part[t] != WEFT_NONE)
					continue;
				o->part[t] = root;
				o->queue[tail++] = t;
			}
		}
		o->size[root] = tail;
	}
}

static uint64_t capacity_up(const struct orderer *o, uint32_t s)
{
	const struct weft_fabric *f = o->f;
	uint64_t sum = 0;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
		if (o->t->level[f->peer[f->adj[e]]] > o->t->level[s])
			sum += f->capacity[f->adj[e]];
	return sum;
}

static void key_levels(struct orderer *o)
{
	find_steps(o);
	find_parts(o);
	for (uint32_t s = 0; s < o->f->nsw; s++) {
		uint64_t down = UINT16_MAX - o->t->level[s];
		uint32_t part = o->part[s];

		o->key[s] = (struct key){
			.of = { down << 16 | o->hops[s],
				UINT32_MAX - o->size[part], part,
				UINT64_MAX - capacity_up(o, s) }, .sw = s,
		};
	}
}

/* Orders the switches by closeness, as weave does. */
static bool order_by_closeness(struct weft__fattree *t,
			       struct weft_arena *arena)
{
	struct weft__closeness c;

	if (!weft__closeness_init(&c, t->fabric, arena, NULL))
		return false;
	t->place = c.place;
	t->by_place = c.by_place;
	return true;
}

bool weft__fattree_order(struct weft__fattree *t, struct weft_arena *arena)
{
	const struct weft_fabric *f = t->fabric;
	struct orderer o = { .t = t, .f = f };

	if (!t->is_tree)
		return order_by_closeness(t, arena);
	o.key = weft__arena_alloc(arena, f->nsw, sizeof(*o.key));
	o.queue = weft__arena_alloc(arena, f->nsw, sizeof(*o.queue));
	o.hops = weft__arena_alloc(arena, f->nsw, sizeof(*o.hops));
	o.part = weft__arena_alloc(arena, f->nsw, sizeof(*o.part));
	o.size = weft__arena_alloc(arena, f->nsw, sizeof(*o.size));
	if (weft__arena_failed(arena))
		return false;
	key_levels(&o);
	qsort(o.key, f->nsw, sizeof(*o.key), compare);
	for (uint32_t i = 0; i < f->nsw; i++) {
		t->by_place[i] = o.key[i].sw;
		t->place[o.key[i].sw] = i;
	}
	return true;
}
