// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: a way in a lane that joins a tree
 *
 * The search is breadth-first over channels, not switches, as the turns that
 * are left depend on the channel by which a switch was reached.  A way must not
 * pass a switch twice, but that is checked only where it would join the tree,
 * as hardly any shortest way does.  LIDs of one switch mostly take the same
 * way, so the last way is tried first.  A search usually ends near its source,
 * after a small part of the channels. settle.c spends its time here.
 */
#include "lanes/way_search.h"

#include "core/arena.h"

/* Returns true if the way that ends with that edge passes s. */
static bool came_by(const struct weft__way_search *w, uint32_t edge, uint32_t s)
{
	for (; edge != WEFT_NONE; edge = w->from[edge])
		if (w->tail[edge] == s)
			return true;
	return false;
}

/* Returns true if the way that ends with that edge, and goes on to the root,
 * passes no switch twice. */
static bool is_simple(const struct weft__way_search *w,
		      const struct weft__tree *t, uint32_t edge)
{
	uint32_t s = w->head[edge];

	for (; s != t->root; s = w->head[w->fabric->adj_first[s] +
					 t->choice[s]])
		if (came_by(w, edge, s))
			return false;
	if (came_by(w, edge, s))
		return false;
	for (; edge != WEFT_NONE; edge = w->from[edge])
		if (came_by(w, w->from[edge], w->tail[edge]))
			return false;
	return true;
}

/* Returns true if the way that ends with that edge can go on along the tree in
 * that lane. */
static bool joins(const struct weft__way_search *w, uint32_t tree,
		  uint32_t edge, unsigned lane)
{
	const struct weft__tree *t = &w->trees->tree[tree];
	uint32_t s = w->head[edge];
	uint8_t next = weft__legal_next(&w->counts, t, s);
	uint16_t turn = weft__turns_from(w->turns, edge)[next];

	return (turn & *weft__way_search_legal(w, tree, s)) >> lane & 1 &&
	       is_simple(w, t, edge);
}

/* Enters the edges out of a switch that lead on in the lane, until one joins
 * the tree.  Returns that one, or WEFT_NONE. before: the edge into the switch,
 * or WEFT_NONE. */
static uint32_t enter_edges(struct weft__way_search *w, uint32_t tree,
			    uint32_t s, uint32_t before, unsigned lane)
{
	const uint16_t *turn = before == WEFT_NONE ? NULL :
		weft__turns_from(w->turns, before);
	uint32_t first = w->fabric->adj_first[s];
	uint32_t n = w->fabric->adj_first[s + 1] - first;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = first + (i + w->turned) % n;

		if (w->seen[e] == w->search || w->head[e] == s ||
		    (turn && !(turn[e - first] >> lane & 1)))
			continue;
		w->seen[e] = w->search;
		w->from[e] = before;
		w->work++;
		if (joins(w, tree, e, lane))
			return e;
		w->queue[w->nqueue++] = e;
	}
	return WEFT_NONE;
}

/* Tries the last way again, as those to the LIDs of one switch are mostly
 * alike.  Returns its last edge if it joins this tree, else WEFT_NONE. */
static uint32_t try_last_path(struct weft__way_search *w, uint32_t tree,
			      uint32_t s, unsigned lane)
{
	uint32_t before = WEFT_NONE;

	if (!w->npath || w->path_root != w->trees->tree[tree].root ||
	    w->path_lane != lane || w->tail[w->path[0]] != s)
		return WEFT_NONE;
	for (uint32_t i = 0; i < w->npath; i++) {
		uint32_t e = w->path[i];

		w->from[e] = before;
		w->work++;
		if (joins(w, tree, e, lane))
			return e;
		before = e;
	}
	return WEFT_NONE;
}

static uint32_t search_breadth_first(struct weft__way_search *w, uint32_t tree,
				     uint32_t s, unsigned lane)
{
	uint32_t e;

	w->search++;
	w->nqueue = 0;
	e = enter_edges(w, tree, s, WEFT_NONE, lane);
	for (uint32_t i = 0;
	     i < w->nqueue && e == WEFT_NONE && w->nqueue < w->reach; i++)
		e = enter_edges(w, tree, w->head[w->queue[i]], w->queue[i],
				lane);
	return e;
}

static void keep_path(struct weft__way_search *w, uint32_t root, uint32_t last,
		      unsigned lane)
{
	uint32_t n = 0;

	for (uint32_t e = last; e != WEFT_NONE; e = w->from[e])
		n++;
	w->npath = n;
	w->path_root = root;
	w->path_lane = lane;
	for (uint32_t e = last; e != WEFT_NONE; e = w->from[e])
		w->path[--n] = e;
}

uint32_t weft__way_search_find(struct weft__way_search *w, uint32_t tree,
			       uint32_t s, unsigned lane)
{
	uint32_t e = try_last_path(w, tree, s, lane);

	if (e != WEFT_NONE)
		return e;
	e = search_breadth_first(w, tree, s, lane);
	keep_path(w, w->trees->tree[tree].root, e, lane);
	return e;
}

/* Has w->down lead from the top of a lane's tree to a switch. */
static void mark_down(struct weft__way_search *w, uint32_t s,
		      const uint32_t *up)
{
	w->search++;
	for (; up[s] != WEFT_NONE; s = w->head[up[s]]) {
		uint32_t parent = w->head[up[s]];

		w->down[parent] =
			w->fabric->adj_first[parent] + w->counts.back[up[s]];
		w->marked[parent] = w->search;
	}
}

uint32_t weft__way_search_along(struct weft__way_search *w, uint32_t tree,
				uint32_t s, unsigned lane, const uint32_t *up)
{
	uint32_t before = WEFT_NONE, e;

	mark_down(w, w->trees->tree[tree].root, up);
	for (;; s = w->head[e]) {
		e = w->marked[s] == w->search ? w->down[s] : up[s];
		w->from[e] = before;
		w->work++;
		if (joins(w, tree, e, lane))
			return e;
		if (w->head[e] == w->trees->tree[tree].root)
			return WEFT_NONE;
		before = e;
	}
}

static void read_masks(struct weft__way_search *w)
{
	for (uint32_t d = 0; d < w->trees->n; d++)
		weft__masks_read(w->counts.masks, d,
				 weft__way_search_legal(w, d, 0));
}

bool weft__way_search_init(struct weft__way_search *w,
			   struct weft__lane_masks *masks,
			   struct weft_arena *arena)
{
	const struct weft_fabric *f = masks->fabric;
	size_t nedges = f->adj_first[f->nsw];

	*w = (struct weft__way_search){
		.fabric = f,
		.trees = masks->trees,
		.turns = &masks->orders->turns,
		.head = masks->ways->head,
		.reach = UINT64_MAX,
		.tail = weft__arena_alloc(arena, nedges, sizeof(*w->tail)),
		.legal = weft__arena_alloc(arena,
					   (size_t)masks->trees->n * f->nsw,
					   sizeof(*w->legal)),
		.queue = weft__arena_alloc(arena, nedges, sizeof(*w->queue)),
		.path = weft__arena_alloc(arena, f->nsw, sizeof(*w->path)),
		.from = weft__arena_alloc(arena, nedges, sizeof(*w->from)),
		.down = weft__arena_alloc(arena, f->nsw, sizeof(*w->down)),
		.marked = weft__arena_zalloc(arena, f->nsw, sizeof(*w->marked)),
		.seen = weft__arena_zalloc(arena, nedges, sizeof(*w->seen)),
	};
	if (!weft__legal_init(&w->counts, masks, arena) || !w->tail ||
	    !w->legal || !w->queue || !w->from || !w->seen || !w->path ||
	    !w->down || !w->marked)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++)
			w->tail[e] = s;
	read_masks(w);
	return true;
}
