// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds local maxima of an order of the switches; see maxima.h. */
#include "trees/maxima.h"

#include "core/arena.h"

#include <string.h>

/* Returns how many words a set of n takes. */
static uint32_t words(uint32_t n)
{
	return n / 64 + 1;
}

bool weft__maxima_init(struct weft__maxima *m, const struct weft_fabric *f,
		       struct weft_arena *arena)
{
	*m = (struct weft__maxima){ .fabric = f, .nwords = words(f->nsw) };
	m->sw = weft__arena_alloc(arena, f->nsw, sizeof(*m->sw));
	m->above = weft__arena_alloc(arena, (size_t)f->nsw * m->nwords,
				     sizeof(*m->above));
	return m->sw && m->above;
}

static bool is_maximum(const struct weft_fabric *f, const uint32_t *place,
		       uint32_t s)
{
	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
		if (place[f->peer[f->adj[e]]] < place[s])
			return false;
	return true;
}

/* Collects the maxima above switch s. */
static void collect_above(struct weft__maxima *m, const uint32_t *place,
			  uint32_t s)
{
	const struct weft_fabric *f = m->fabric;
	uint64_t *set = weft__above(m, s);

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = f->peer[f->adj[e]];
		const uint64_t *from = weft__above(m, t);

		if (place[t] > place[s])
			continue;
		for (uint32_t w = 0; w < m->nwords; w++)
			set[w] |= from[w];
	}
}

void weft__maxima_find(struct weft__maxima *m, const uint32_t *place,
		       const uint32_t *by_place)
{
	uint32_t nsw = m->fabric->nsw;

	m->n = 0;
	for (uint32_t i = 0; i < nsw; i++)
		if (is_maximum(m->fabric, place, by_place[i]))
			m->sw[m->n++] = by_place[i];
	m->nwords = words(m->n);
	memset(m->above, 0, (size_t)nsw * m->nwords * sizeof(*m->above));
	for (uint32_t k = 0; k < m->n; k++)
		weft__above(m, m->sw[k])[k / 64] |= UINT64_C(1) << k % 64;
	for (uint32_t i = 0; i < nsw; i++)
		collect_above(m, place, by_place[i]);
}
