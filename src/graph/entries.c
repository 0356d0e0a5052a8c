// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Look-ups in a switch's neighbourhood; see entries.h. */
#include "graph/entries.h"

#include "core/arena.h"

uint32_t *weft__back_entries(const struct weft_fabric *f,
			     struct weft_arena *arena)
{
	uint32_t nedges = f->adj_first[f->nsw];
	uint32_t *back = weft__arena_alloc(arena, nedges, sizeof(*back));
	uint32_t *entry = weft__arena_alloc(arena, f->nch, sizeof(*entry));

	if (!back || !entry)
		return NULL;
	for (uint32_t e = 0; e < nedges; e++)
		entry[f->adj[e]] = e;
	for (uint32_t e = 0; e < nedges; e++)
		back[e] = entry[f->reverse[f->adj[e]]];
	return back;
}

uint8_t *weft__back_positions(const struct weft_fabric *f,
			      struct weft_arena *arena)
{
	const uint32_t *back = weft__back_entries(f, arena);
	uint8_t *position = weft__arena_alloc(arena, f->adj_first[f->nsw], 1);

	if (!back || !position)
		return NULL;
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		position[e] = back[e] - f->adj_first[f->peer[f->adj[e]]];
	return position;
}
