// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds the channels on cycles of the channel-dependency graph: splits the
 * vertices that weft__cdg_rest() leaves into strongly connected components
 * (Tarjan 1972, with an explicit stack in place of recursion).
 */
#include "graph/cdg.h"

#include <errno.h>
#include <string.h>

struct search {
	const struct weft__cdg *g;
	uint32_t *component;	/* [nv]; WEFT_NONE: on no cycle */
	uint32_t *number, *low, *at;	/* number[] is 0 before a vertex is
					 * met */
	uint32_t *stack, nstack;	/* vertices of open components */
	uint32_t *frame, nframes;	/* the way from the root */
	uint32_t count;
};

static void open_vertex(struct search *s, uint32_t v)
{
	s->number[v] = s->low[v] = ++s->count;
	s->at[v] = 0;
	s->component[v] = 0;
	s->stack[s->nstack++] = v;
	s->frame[s->nframes++] = v;
}

static bool has_edge(const struct weft__cdg *g, uint32_t v, uint32_t to)
{
	for (uint32_t at = 0, w;
	     (w = weft__cdg_next(g, v, &at)) != WEFT_NONE;)
		if (w == to)
			return true;
	return false;
}

/* Closes the component whose first vertex is v; the others are above it on the
 * stack. */
static void close_component(struct search *s, uint32_t v)
{
	uint32_t label = s->number[v], w;
	bool alone = s->stack[s->nstack - 1] == v;

	if (alone && !has_edge(s->g, v, v))
		label = WEFT_NONE;
	do {
		w = s->stack[--s->nstack];
		s->component[w] = label;
	} while (w != v);
}

/*
 * Finds the components of all vertices that can be reached from root.  While a
 * vertex is on the stack its component[] is 0, which is no label.
 */
static void components_from(struct search *s, uint32_t root)
{
	open_vertex(s, root);
	while (s->nframes) {
		uint32_t v = s->frame[s->nframes - 1];
		uint32_t w = weft__cdg_next(s->g, v, &s->at[v]);

		if (w == WEFT_NONE) {
			s->nframes--;
			if (s->low[v] == s->number[v])
				close_component(s, v);
			if (s->nframes) {
				uint32_t u = s->frame[s->nframes - 1];

				if (s->low[v] < s->low[u])
					s->low[u] = s->low[v];
			}
		} else if (!s->number[w]) {
			open_vertex(s, w);
		} else if (!s->component[w] && s->number[w] < s->low[v]) {
			s->low[v] = s->number[w];
		}
	}
}

/*
 * Numbers the labels in component[] in the order of their lowest vertices and
 * lists these. number[] is scratch from here on.
 */
static int list_knots(struct search *s, struct weft__knots *out,
		      struct weft_arena *scratch)
{
	uint32_t nv = s->g->nv, n = 0, vertices = 0;
	uint32_t *index = s->number, *fill = s->low;

	memset(index, 0xff, (nv + 1ull) * sizeof(*index));
	for (uint32_t v = 0; v < nv; v++) {
		uint32_t *label = &s->component[v];

		if (*label == WEFT_NONE)
			continue;
		if (index[*label] == WEFT_NONE) {
			fill[n] = 0;
			index[*label] = n++;
		}
		*label = index[*label];
		fill[*label]++;
		vertices++;
	}
	out->of = s->component;
	out->n = n;
	out->first = weft__arena_zalloc(scratch, n + 2ull, sizeof(uint32_t));
	out->vertex = weft__arena_alloc(scratch, vertices, sizeof(uint32_t));
	if (!out->first || !out->vertex)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		out->first[i + 2] = out->first[i + 1] + fill[i];
	for (uint32_t v = 0; v < nv; v++)
		if (s->component[v] != WEFT_NONE)
			out->vertex[out->first[s->component[v] + 1]++] = v;
	return 0;
}

static int alloc_search(struct search *s, struct weft_arena *scratch)
{
	uint32_t **array[] = { &s->component, &s->number, &s->low, &s->stack,
			       &s->frame };

	for (unsigned i = 0; i < sizeof(array) / sizeof(array[0]); i++) {
		*array[i] = weft__arena_alloc(scratch, s->g->nv + 1ull,
					      sizeof(uint32_t));
		if (!*array[i])
			return -ENOMEM;
	}
	memset(s->number, 0, s->g->nv * sizeof(*s->number));
	memset(s->component, 0xff, s->g->nv * sizeof(*s->component));
	return 0;
}

int weft__knots_find(const struct weft__cdg *g, struct weft__knots *out,
		     struct weft_arena *scratch)
{
	struct search s = { .g = g };
	uint32_t *rest = weft__arena_alloc(scratch, g->nv, sizeof(*rest));
	uint32_t nrest;

	s.at = weft__arena_alloc(scratch, g->nv, sizeof(*s.at));
	if (!rest || !s.at)
		return -ENOMEM;
	*out = (struct weft__knots){ 0 };
	nrest = weft__cdg_rest(g, rest, s.at);
	if (!nrest)
		return 0;
	if (alloc_search(&s, scratch))
		return -ENOMEM;
	for (uint32_t i = 0; i < nrest; i++)
		if (!s.number[rest[i]])
			components_from(&s, rest[i]);
	return list_knots(&s, out, scratch);
}
