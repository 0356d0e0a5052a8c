// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Local maxima of an order of the switches; see maxima.h. */
#include "trees/maxima.h"

#include "core/arena.h"

#include <string.h>

bool weft__maxima_init(struct weft__maxima *m, const struct weft_fabric *f,
		       struct weft_arena *arena)
{
	*m = (struct weft__maxima){
		.fabric = f, .nwords = f->nsw / 64 + 1,
	};
	m->sw = weft__arena_alloc(arena, f->nsw, sizeof(*m->sw));
	m->above = weft__arena_alloc(arena, (size_t)f->nsw * m->nwords,
				     sizeof(*m->above));
	return m->sw && m->above;
}

/* Puts together what is above switch s; false if nobody is. */
static bool gather(struct weft__maxima *m, const uint32_t *place, uint32_t s)
{
	const struct weft_fabric *f = m->fabric;
	uint64_t *set = weft__above(m, s);
	bool any = false;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = f->peer[f->adj[e]];
		const uint64_t *from = weft__above(m, t);

		if (place[t] > place[s])
			continue;
		any = true;
		for (uint32_t w = 0; w < m->nwords; w++)
			set[w] |= from[w];
	}
	return any;
}

void weft__maxima_find(struct weft__maxima *m, const uint32_t *place,
		       const uint32_t *by_place)
{
	uint32_t nsw = m->fabric->nsw;

	m->n = 0;
	memset(m->above, 0, (size_t)nsw * m->nwords * sizeof(*m->above));
	for (uint32_t i = 0; i < nsw; i++) {
		uint32_t s = by_place[i];

		if (gather(m, place, s))
			continue;
		weft__above(m, s)[m->n / 64] |= UINT64_C(1) << m->n % 64;
		m->sw[m->n++] = s;
	}
}
