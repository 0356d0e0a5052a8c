// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns that lanes allow; see turns.h. */
#include "lanes/turns.h"

#include "core/arena.h"

#include <string.h>

/* Returns how many turns come before those of an edge; for the edge after the
 * last one, how many there are. */
static size_t count_before(const struct weft__turns *t, uint32_t edge)
{
	const struct weft_fabric *f = t->fabric;

	return edge ? t->first[edge - 1] +
		weft__turns_end(t, f->peer[f->adj[edge - 1]]) + 1u : 0;
}

bool weft__turns_init(struct weft__turns *t, const struct weft_fabric *f,
		      struct weft_arena *arena)
{
	uint32_t nedges = f->adj_first[f->nsw];
	size_t n;

	*t = (struct weft__turns){ .fabric = f };
	t->first = weft__arena_alloc(arena, nedges, sizeof(*t->first));
	if (!t->first)
		return false;
	for (uint32_t e = 0; e < nedges; e++)
		t->first[e] = count_before(t, e);
	n = count_before(t, nedges);
	t->lanes = weft__arena_alloc(arena, n, sizeof(*t->lanes));
	if (!t->lanes)
		return false;
	memset(t->lanes, 0xff, n * sizeof(*t->lanes));
	return true;
}

void weft__turns_climb(struct weft__turns *t, const uint16_t *up)
{
	const struct weft_fabric *f = t->fabric;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		uint16_t *turn = weft__turns_from(t, e);
		uint32_t s = f->peer[f->adj[e]];
		uint16_t room = weft__turns_room(t, e);

		for (uint32_t g = f->adj_first[s]; g < f->adj_first[s + 1]; g++)
			*turn++ = (up[e] | ~up[g]) & room;
	}
}

void weft__turns_limit(struct weft__turns *t, const uint16_t *room)
{
	const struct weft_fabric *f = t->fabric;

	t->room = room;
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		uint16_t *turn = weft__turns_from(t, e);

		for (unsigned i = weft__turns_end(t, f->peer[f->adj[e]]) + 1u;
		     i; i--)
			*turn++ &= room[e];
	}
}
