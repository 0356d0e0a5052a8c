// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts short ways by lanes; see near_ways.h. */
#include "lanes/near_ways.h"

#include "core/arena.h"

#include <string.h>

bool weft__near_ways_init(struct weft__near_ways *w,
			  const struct weft__lane_masks *masks, unsigned longer,
			  struct weft_arena *arena)
{
	uint32_t nsw = masks->fabric->nsw;
	uint32_t nedges = masks->fabric->adj_first[nsw];

	*w = (struct weft__near_ways){
		.masks = masks,
		.longer = longer,
		.hops = weft__arena_alloc(arena, nsw, sizeof(*w->hops)),
		.reach = weft__arena_alloc(arena, nedges, sizeof(*w->reach)),
		.before = weft__arena_alloc(arena, nedges, sizeof(*w->before)),
		.count = weft__arena_alloc(arena, nsw, sizeof(*w->count)),
	};
	return w->hops && w->reach && w->before && w->count;
}

/* Counts the cables of switches whose ways may have h cables. */
static void count_at(struct weft__near_ways *w, uint32_t t, unsigned h)
{
	const uint32_t *first = w->masks->fabric->adj_first;

	for (uint32_t s = 0; s < w->masks->fabric->nsw; s++) {
		if (s == t || w->hops[s] + w->longer != h)
			continue;
		for (uint32_t e = first[s]; e < first[s + 1]; e++)
			for (unsigned l = w->reach[e]; l; l &= l - 1)
				w->count[s][__builtin_ctz(l)]++;
	}
}

/* Adds the ways that are one cable longer. */
static void lengthen(struct weft__near_ways *w, uint32_t t)
{
	const struct weft__lane_masks *m = w->masks;
	const uint32_t *first = m->fabric->adj_first;
	uint32_t nedges = first[m->fabric->nsw];
	uint16_t *last = w->reach;

	w->reach = w->before;
	w->before = last;
	for (uint32_t e = 0; e < nedges; e++) {
		uint32_t u = m->ways->head[e];
		const uint16_t *turn = weft__turns_from(&m->orders->turns, e);
		uint16_t lanes = last[e];

		for (uint32_t i = first[u]; i < first[u + 1] && u != t; i++)
			lanes |= last[i] & *turn++;
		w->reach[e] = lanes;
	}
}

void weft__near_ways_count(struct weft__near_ways *w, uint32_t t)
{
	const struct weft__lane_masks *m = w->masks;
	const struct weft__plan *plan = weft__ways_to(m->ways, t);
	uint32_t nedges = m->fabric->adj_first[m->fabric->nsw];
	unsigned most;

	weft__ways_hops(m->ways, plan, w->hops);
	most = w->hops[plan->order[plan->n]] + w->longer;
	memset(w->count, 0, m->fabric->nsw * sizeof(*w->count));
	for (uint32_t e = 0; e < nedges; e++)
		w->reach[e] = m->ways->head[e] == t ? m->all : 0;
	for (unsigned h = 1; h <= most; h++) {
		count_at(w, t, h);
		if (h < most)
			lengthen(w, t);
	}
}
