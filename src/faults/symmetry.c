// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Symmetries of a labelled graph.
 *
 * Colours that neighbours give each other until they tell no more vertices
 * apart (Weisfeiler, Leman 1968) say which vertices may be alike.  For a pair
 * of edges of the same colours two copies of the graph are coloured side by
 * side, with these edges marked; where colours still leave a choice, a vertex
 * of each copy is marked, too, the same one where that is possible, and so on
 * (McKay 1981, without going back).  What comes out in the end is a map, which
 * counts only if it takes every label and every edge onto one like it: colours,
 * which are hashes, can mislead the search, but not the outcome.  Each map that
 * is found joins all that it takes onto each other, so that few are needed.
 */
#include "faults/symmetry.h"

#include "core/sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TRIES                                                                  \
	3 /* classes of the same colours that an edge is compared with         \
	   */

struct search {
	const struct weft__labelled *g;
	uint64_t steps;
	uint64_t *base;		/* [n] colours of all */
	uint64_t *a, *b, *next; /* [n] colours of the copies */
	uint64_t *sorted_a, *sorted_b;
	uint32_t *order_a, *order_b; /* [n] vertices by colour */
	uint32_t *map;		     /* [n] */
	struct weft__edge *image;    /* [most edges of a vertex] */
	uint32_t *tail;		     /* [edges] the end that an edge is from */
	uint32_t *back;		     /* [edges] the same from the other end */
	uint32_t *vertex, *edge;
};

static int by_end(const void *va, const void *vb)
{
	const struct weft__edge *a = va, *b = vb;

	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return (a->label > b->label) - (a->label < b->label);
}

void weft__labelled_sort(struct weft__labelled *g)
{
	for (uint32_t v = 0; v < g->n; v++)
		qsort(g->edge + g->first[v], g->first[v + 1] - g->first[v],
		      sizeof(*g->edge), by_end);
}

void weft__labelled_free(struct weft__labelled *g)
{
	free(g->label);
	free(g->first);
	free(g->edge);
}

/* --- colours -------------------------------------------------------------- */

static int by_colour(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sorts colours; returns how many different ones there are. */
static uint32_t sort_colours(const uint64_t *colour, uint64_t *sorted,
			     uint32_t n)
{
	uint32_t different = n > 0;

	memcpy(sorted, colour, n * sizeof(*colour));
	qsort(sorted, n, sizeof(*sorted), by_colour);
	for (uint32_t i = 1; i < n; i++)
		different += sorted[i] != sorted[i - 1];
	return different;
}

static void recolour(struct search *s, uint64_t *colour)
{
	const struct weft__labelled *g = s->g;

	for (uint32_t v = 0; v < g->n; v++) {
		uint64_t sum = 0;

		for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
			sum += weft__mix(colour[g->edge[e].to],
					 g->edge[e].label);
		s->next[v] = weft__mix(colour[v], sum);
	}
	memcpy(colour, s->next, g->n * sizeof(*colour));
	/* sorting counts, too */
	s->steps -= g->first[g->n] + 8ull * g->n < s->steps ?
			    g->first[g->n] + 8ull * g->n :
			    s->steps;
}

/* Colours both copies until that tells no more vertices apart.  Returns how
 * many colours there are, 0 where the copies differ or steps run out. */
static uint32_t settle(struct search *s)
{
	uint32_t n = s->g->n, before = 0, now;

	for (;; before = now) {
		now = sort_colours(s->a, s->sorted_a, n);
		sort_colours(s->b, s->sorted_b, n);
		if (memcmp(s->sorted_a, s->sorted_b, n * sizeof(*s->a)) ||
		    !s->steps)
			return 0;
		if (now == before || now == n)
			return now;
		recolour(s, s->a);
		recolour(s, s->b);
	}
}

/* --- maps ----------------------------------------------------------------- */

/* Marks a vertex of each copy, of the first colour that several have.  False:
 * there is none. */
static bool mark_more(struct search *s, uint64_t number)
{
	uint32_t n = s->g->n, i = 0, va = UINT32_MAX, vb = UINT32_MAX;
	uint64_t colour;

	while (i + 1 < n && s->sorted_a[i] != s->sorted_a[i + 1])
		i++;
	if (i + 1 >= n)
		return false;
	colour = s->sorted_a[i];
	for (uint32_t v = 0; v < n; v++) {
		bool in_a = s->a[v] == colour, in_b = s->b[v] == colour;

		if (in_a && in_b) {
			va = vb = v;
			break;
		}
		va = in_a && va == UINT32_MAX ? v : va;
		vb = in_b && vb == UINT32_MAX ? v : vb;
	}
	s->a[va] = s->b[vb] = weft__mix(colour, number);
	return true;
}

static int by_pair(const void *a, const void *b)
{
	const struct weft__edge *x = a, *y = b;

	return (x->label > y->label) - (x->label < y->label);
}

/* Vertices sorted by colour, all of which differ; pair: scratch. */
static void order_by(const uint64_t *colour, uint32_t n,
		     struct weft__edge *pair, uint32_t *order)
{
	for (uint32_t v = 0; v < n; v++)
		pair[v] = (struct weft__edge){ v, colour[v] };
	qsort(pair, n, sizeof(*pair), by_pair);
	for (uint32_t i = 0; i < n; i++)
		order[i] = pair[i].to;
}

/* Whether the map is a symmetry. */
static bool keeps_all(struct search *s)
{
	const struct weft__labelled *g = s->g;

	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t to = s->map[v], n = g->first[v + 1] - g->first[v];
		const struct weft__edge *other = g->edge + g->first[to];

		if (g->label[v] != g->label[to] ||
		    g->first[to + 1] - g->first[to] != n)
			return false;
		for (uint32_t i = 0; i < n; i++) {
			const struct weft__edge *e = &g->edge[g->first[v] + i];

			s->image[i] =
				(struct weft__edge){ s->map[e->to], e->label };
		}
		qsort(s->image, n, sizeof(*s->image), by_end);
		for (uint32_t i = 0; i < n; i++)
			if (s->image[i].to != other[i].to ||
			    s->image[i].label != other[i].label)
				return false;
	}
	return true;
}

/* Place of an edge of v to u with a label. */
static uint32_t find_edge(const struct weft__labelled *g, uint32_t v,
			  struct weft__edge what)
{
	uint32_t low = g->first[v], high = g->first[v + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (by_end(&g->edge[middle], &what) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Joins what the map takes onto each other. */
static void join_all(struct search *s)
{
	const struct weft__labelled *g = s->g;

	for (uint32_t v = 0; v < g->n; v++) {
		weft__sets_join(s->vertex, v, s->map[v]);
		for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
			weft__sets_join(
				s->edge, e,
				find_edge(g, s->map[v],
					  (struct weft__edge){
						  s->map[g->edge[e].to],
						  g->edge[e].label }));
	}
}

/* Looks for a symmetry that takes the ends of one edge to those of another. */
static bool try_map(struct search *s, const uint32_t from[2],
		    const uint32_t to[2])
{
	uint32_t n = s->g->n, colours;

	memcpy(s->a, s->base, n * sizeof(*s->a));
	memcpy(s->b, s->base, n * sizeof(*s->b));
	for (unsigned i = 0; i < 2; i++) {
		s->a[from[i]] = weft__mix(s->a[from[i]], i + 1);
		s->b[to[i]] = weft__mix(s->b[to[i]], i + 1);
	}
	colours = settle(s);
	for (uint64_t number = 3; colours && colours < n; number++) {
		if (!mark_more(s, number))
			return false;
		colours = settle(s);
	}
	if (!colours)
		return false;
	order_by(s->a, n, s->image, s->order_a);
	order_by(s->b, n, s->image, s->order_b);
	for (uint32_t i = 0; i < n; i++)
		s->map[s->order_a[i]] = s->order_b[i];
	if (!keeps_all(s))
		return false;
	join_all(s);
	return true;
}

/* --- all edges ------------------------------------------------------------ */

/* An edge, and by what it can be like others. */
struct kind {
	uint64_t colours, label;
	uint32_t edge;
};

static int by_kind(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	if (x->colours != y->colours)
		return x->colours < y->colours ? -1 : 1;
	if (x->label != y->label)
		return x->label < y->label ? -1 : 1;
	return (x->edge > y->edge) - (x->edge < y->edge);
}

static void compare_edges(struct search *s, uint32_t one, uint32_t other)
{
	const struct weft__labelled *g = s->g;
	const uint32_t from[2] = { s->tail[one], g->edge[one].to };
	const uint32_t to[2] = { s->tail[other], g->edge[other].to };
	const uint32_t turned[2] = { to[1], to[0] };

	if (s->base[from[0]] == s->base[to[0]] && try_map(s, from, to))
		return;
	if (s->base[from[0]] == s->base[to[1]])
		try_map(s, from, turned);
}

/* Compares each edge with the first ones of its kind. */
static void compare_all(struct search *s, struct kind *kind, uint32_t n)
{
	uint32_t rep[TRIES] = { 0 }, nreps = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!i || kind[i].colours != kind[i - 1].colours ||
		    kind[i].label != kind[i - 1].label)
			nreps = 0;
		for (uint32_t k = 0; k < nreps && s->steps; k++) {
			uint32_t a = weft__sets_find(s->edge, rep[k]);

			if (a == weft__sets_find(s->edge, kind[i].edge))
				break;
			compare_edges(s, rep[k], kind[i].edge);
		}
		if (nreps == TRIES)
			continue;
		for (uint32_t k = 0; k <= nreps; k++) {
			if (k == nreps)
				rep[nreps++] = kind[i].edge;
			else if (weft__sets_find(s->edge, rep[k]) !=
				 weft__sets_find(s->edge, kind[i].edge))
				continue;
			break;
		}
	}
}

/* The place of edges from their other ends; parallel ones of one label in
 * turn. */
static void find_back(struct search *s)
{
	const struct weft__labelled *g = s->g;

	for (uint32_t v = 0; v < g->n; v++) {
		for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++) {
			s->tail[e] = v;
			s->back[e] = find_edge(
				g, g->edge[e].to,
				(struct weft__edge){ v, g->edge[e].label });
		}
	}
	for (uint32_t e = 0; e < g->first[g->n]; e++) {
		weft__sets_join(s->edge, e, s->back[e]);
		/* parallel ones are alike: they may change places */
		if (e && s->tail[e] == s->tail[e - 1] &&
		    !by_end(&g->edge[e], &g->edge[e - 1]))
			weft__sets_join(s->edge, e, e - 1);
	}
}

static int search_all(struct search *s)
{
	const struct weft__labelled *g = s->g;
	uint32_t edges = g->first[g->n], n = 0;
	struct kind *kind = malloc((edges + 1ull) * sizeof(*kind));

	if (!kind)
		return -ENOMEM;
	find_back(s);
	memcpy(s->a, g->label, g->n * sizeof(*s->a));
	memcpy(s->b, g->label, g->n * sizeof(*s->b));
	if (settle(s)) {
		memcpy(s->base, s->a, g->n * sizeof(*s->base));
		for (uint32_t e = 0; e < edges; e++)
			if (weft__sets_find(s->edge, e) == e)
				kind[n++] = (struct kind){
					s->base[s->tail[e]] +
						s->base[g->edge[e].to],
					g->edge[e].label, e
				};
		qsort(kind, n, sizeof(*kind), by_kind);
		compare_all(s, kind, n);
	}
	free(kind);
	return 0;
}

int weft__symmetries(const struct weft__labelled *g, uint64_t steps,
		     uint32_t *vertex, uint32_t *edge)
{
	size_t n = g->n + 1ull, edges = g->first[g->n] + 1ull;
	struct search s = {
		.g = g,
		.steps = steps,
		.vertex = vertex,
		.edge = edge,
		.base = malloc(n * sizeof(*s.base)),
		.a = malloc(n * sizeof(*s.a)),
		.b = malloc(n * sizeof(*s.b)),
		.next = malloc(n * sizeof(*s.next)),
		.sorted_a = malloc(n * sizeof(*s.sorted_a)),
		.sorted_b = malloc(n * sizeof(*s.sorted_b)),
		.order_a = malloc(n * sizeof(*s.order_a)),
		.order_b = malloc(n * sizeof(*s.order_b)),
		.map = malloc(n * sizeof(*s.map)),
		.image = malloc((n + edges) * sizeof(*s.image)),
		.tail = malloc(edges * sizeof(*s.tail)),
		.back = malloc(edges * sizeof(*s.back)),
	};
	int err = -ENOMEM;

	if (s.base && s.a && s.b && s.next && s.sorted_a && s.sorted_b &&
	    s.order_a && s.order_b && s.map && s.image && s.tail && s.back)
		err = search_all(&s);
	free(s.base);
	free(s.a);
	free(s.b);
	free(s.next);
	free(s.sorted_a);
	free(s.sorted_b);
	free(s.order_a);
	free(s.order_b);
	free(s.map);
	free(s.image);
	free(s.tail);
	free(s.back);
	return err;
}

/* --- twins ---------------------------------------------------------------- */

struct hashed {
	uint64_t hash;
	uint32_t vertex;
};

static int by_hash(const void *a, const void *b)
{
	const struct hashed *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static bool are_twins(const struct weft__labelled *g, uint32_t a, uint32_t b)
{
	uint32_t n = g->first[a + 1] - g->first[a];

	if (g->label[a] != g->label[b] || g->first[b + 1] - g->first[b] != n)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct weft__edge *x = &g->edge[g->first[a] + i];
		const struct weft__edge *y = &g->edge[g->first[b] + i];

		if (x->to != y->to || x->label != y->label || x->to == a ||
		    x->to == b)
			return false;
	}
	return true;
}

int weft__twins(const struct weft__labelled *g, uint32_t *twin)
{
	struct hashed *list = malloc((g->n + 1ull) * sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (uint32_t v = 0; v < g->n; v++) {
		list[v] = (struct hashed){ g->label[v], v };
		for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
			list[v].hash = weft__mix(
				list[v].hash,
				weft__mix(g->edge[e].to, g->edge[e].label));
		twin[v] = v;
	}
	qsort(list, g->n, sizeof(*list), by_hash);
	for (uint32_t i = 1; i < g->n; i++) {
		uint32_t rep = twin[list[i - 1].vertex];

		if (list[i].hash == list[i - 1].hash &&
		    are_twins(g, rep, list[i].vertex))
			twin[list[i].vertex] = rep;
	}
	free(list);
	return 0;
}
