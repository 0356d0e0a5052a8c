// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds the edges of a graph that can stay together without a cycle.
 *
 * A topological order of the edges kept so far is maintained as in
 * Marchetti-Spaccamela, Nanni and Rohnert (1996): an edge that points backwards
 * in it starts a search forward from its head, no farther than the place of its
 * tail.  All vertices met move behind the tail.  If the tail itself is met, the
 * edge closes a cycle.  Unlike graph/order.h this works on edges that change
 * lanes, and only on edges that are on cycles.
 */
#include "graph/stay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct edge {
	uint64_t weight;
	uint32_t tail, e;
};

static int heaviest_first(const void *va, const void *vb)
{
	const struct edge *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->e > b->e) - (a->e < b->e);
}

static int by_position(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Finds the vertices that v leads to at places before last, into found[].
 * Returns how many, or 0 if it leads to the one at last as well. */
static uint32_t find_ahead(struct weft__stay *s, uint32_t v, uint32_t last)
{
	const struct weft__weighted *g = s->g;
	uint32_t n = 0;

	s->round++;
	s->seen[v] = s->round;
	s->found[n++] = v;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t x = s->found[i];

		for (uint32_t e = g->first[x]; e < g->first[x + 1];
		     e++, s->work++) {
			uint32_t w = g->head[e];

			if (!s->kept[e] || s->position[w] > last ||
			    s->seen[w] == s->round)
				continue;
			if (s->position[w] == last)
				return 0;
			s->seen[w] = s->round;
			s->found[n++] = w;
		}
	}
	return n;
}

/* Moves found[] behind the vertex at last, in the order it has. */
static void move_behind(struct weft__stay *s, uint32_t n, uint32_t last)
{
	uint32_t to;

	for (uint32_t i = 0; i < n; i++)
		s->found[i] = s->position[s->found[i]];
	qsort(s->found, n, sizeof(*s->found), by_position);
	to = s->found[0];
	for (uint32_t p = to, i = 0; p <= last; p++, s->work++) {
		if (i < n && s->found[i] == p)
			s->found[i++] = s->vertex[p];
		else
			s->vertex[to++] = s->vertex[p];
	}
	memcpy(s->vertex + to, s->found, n * sizeof(*s->found));
}

bool weft__stay_keep(struct weft__stay *s, uint32_t tail, uint32_t e)
{
	uint32_t head = s->g->head[e], n;
	uint32_t last = s->position[tail], first = s->position[head];

	if (last == first || (last > first && s->work > s->effort))
		return false;
	if (last > first) {
		n = find_ahead(s, head, last);
		if (!n)
			return false;
		move_behind(s, n, last);
		for (uint32_t p = first; p <= last; p++)
			s->position[s->vertex[p]] = p;
	}
	s->kept[e] = true;
	return true;
}

static uint32_t list_edges(const struct weft__weighted *g, struct edge *edge)
{
	uint32_t n = 0;

	for (uint32_t v = 0; v < g->n; v++)
		for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
			if (g->head[e] != UINT32_MAX)
				edge[n++] = (struct edge){ g->weight[e], v, e };
	qsort(edge, n, sizeof(*edge), heaviest_first);
	return n;
}

int weft__stay_init(struct weft__stay *s, const struct weft__weighted *g,
		    uint64_t effort, struct weft_arena *scratch)
{
	*s = (struct weft__stay){ .g = g, .effort = effort };
	s->kept = weft__arena_zalloc(scratch, g->first[g->n],
				     sizeof(*s->kept));
	s->position = weft__arena_alloc(scratch, g->n, sizeof(*s->position));
	s->vertex = weft__arena_alloc(scratch, g->n, sizeof(*s->vertex));
	s->found = weft__arena_alloc(scratch, g->n, sizeof(*s->found));
	s->seen = weft__arena_zalloc(scratch, g->n, sizeof(*s->seen));
	if (!s->kept || !s->position || !s->vertex || !s->found || !s->seen)
		return -ENOMEM;
	for (uint32_t v = 0; v < g->n; v++)
		s->position[v] = s->vertex[v] = v;
	return 0;
}

int weft__stay_heaviest(struct weft__stay *s, struct weft_arena *scratch)
{
	const struct weft__weighted *g = s->g;
	struct edge *edge = weft__arena_alloc(scratch, g->first[g->n],
					      sizeof(*edge));
	uint32_t n;

	if (!edge)
		return -ENOMEM;
	n = list_edges(g, edge);
	for (uint32_t i = 0; i < n; i++)
		weft__stay_keep(s, edge[i].tail, edge[i].e);
	return 0;
}
