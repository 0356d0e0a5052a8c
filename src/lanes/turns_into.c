// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns that lanes allow, by the edge that they lead into; see turns_into.h. */
#include "lanes/turns_into.h"

#include "core/arena.h"
#include "graph/entries.h"

bool weft__turns_into_init(struct weft__turns_into *t,
			   const struct weft_fabric *f,
			   struct weft_arena *arena)
{
	*t = (struct weft__turns_into){
		.fabric = f,
		.back = weft__back_positions(f, arena),
		.first = weft__arena_alloc(arena, f->nsw, sizeof(*t->first)),
	};
	if (!t->back || !t->first)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t degree = f->adj_first[s + 1] - f->adj_first[s];

		t->first[s] = t->n;
		t->n += degree * (degree + 1);
	}
	t->lanes = weft__arena_alloc(arena, t->n, sizeof(*t->lanes));
	return t->lanes;
}

void weft__turns_into_read(struct weft__turns_into *t,
			   const struct weft__turns *turns)
{
	const struct weft_fabric *f = t->fabric;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		const uint16_t *turn = weft__turns_from(turns, e);
		uint32_t s = f->peer[f->adj[e]];
		unsigned end = weft__turns_end(turns, s);
		uint16_t *to = t->lanes + t->first[s] + t->back[e];

		for (unsigned i = 0; i <= end; i++)
			to[i * end] = turn[i];
	}
}
