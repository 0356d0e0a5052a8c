// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keeps a topological order of a CDG; see order.h. */
#include "graph/order.h"

#include "graph/entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INSERTION_SORT 40	/* numbers; more are sorted by bytes */

static size_t most_edges(const struct weft_fabric *f, uint32_t nlanes)
{
	size_t n = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		n += f->sw[f->peer[f->adj[i]]].nports;
	return n * nlanes;
}

int weft__order_init(struct weft__order *o, const struct weft_fabric *fabric,
		     uint32_t nlanes)
{
	struct weft__order new = { .room = most_edges(fabric, nlanes),
				   .work_limit = UINT64_MAX };
	uint32_t **array[] = { &new.position, &new.vertex, &new.found };
	int err = weft__cdg_init(&new.cdg, fabric, nlanes, false);

	for (unsigned i = 0; i < sizeof(array) / sizeof(array[0]); i++) {
		*array[i] = err ? NULL :
			calloc(new.cdg.nv + 1ull, sizeof(uint32_t));
		if (!*array[i])
			err = -ENOMEM;
	}
	new.place = err ? NULL :
		malloc((2ull * new.cdg.nv + 1) * sizeof(*new.place));
	new.added = malloc((new.room + 1) * sizeof(*new.added));
	new.back = err ? NULL : malloc((new.cdg.nv + 1ull) * new.cdg.words *
				       sizeof(*new.back));
	new.met = err ? NULL : calloc((fabric->nsw + 1ull) * new.cdg.words,
				      sizeof(*new.met));
	if (!new.place || !new.added || !new.back || !new.met) {
		weft__order_free(&new);
		return -ENOMEM;
	}
	for (uint32_t v = 0; v < new.cdg.nv; v++)
		new.position[v] = new.vertex[v] = v;
	*o = new;
	return 0;
}

void weft__order_free(struct weft__order *o)
{
	weft__cdg_free(&o->cdg);
	free(o->position);
	free(o->vertex);
	free(o->back);
	free(o->met);
	free(o->found);
	free(o->place);
	free(o->added);
	*o = (struct weft__order){ 0 };
}

/* Returns the port of the switch behind v that v's cable is in. */
static unsigned port_behind(const struct weft_fabric *f, uint32_t ch)
{
	return weft__port(f, f->peer[ch], f->reverse[ch]);
}

/* Finds the edges into each vertex from those out of all. */
static void find_back(struct weft__order *o)
{
	const struct weft__cdg *g = &o->cdg;
	uint32_t w;

	memset(o->back, 0, (size_t)g->nv * g->words * sizeof(*o->back));
	for (uint32_t v = 0; v < g->nv; v++)
		for (uint32_t at = 0; (w = weft__cdg_next(g, v, &at)) !=
		     WEFT_NONE; ) {
			unsigned bit = port_behind(g->fabric, v % g->nch) - 1;

			o->back[(size_t)w * g->words + bit / 64] |=
				1ull << bit % 64;
		}
	o->back_known = true;
}

/* Notes that the edge from v by that port has come or gone. */
static void flip_back(struct weft__order *o, uint32_t v, unsigned port)
{
	const struct weft__cdg *g = &o->cdg;
	uint32_t w = weft__cdg_head(g, v, port);
	unsigned bit = port_behind(g->fabric, v % g->nch) - 1;

	if (o->back_known)
		o->back[(size_t)w * g->words + bit / 64] ^= 1ull << bit % 64;
}

/* Forgets the vertices that were met at the switches before those in found[],
 * from there on. */
static void forget_before(struct weft__order *o, uint32_t base, uint32_t from,
			  uint32_t n)
{
	const struct weft_fabric *f = o->cdg.fabric;

	for (; from < n; from++) {
		uint32_t s = f->peer[f->reverse[o->found[from] - base]];

		memset(o->met + (size_t)s * o->cdg.words, 0,
		       o->cdg.words * sizeof(*o->met));
	}
}

/* Forgets those met at the switches behind those in found[]. */
static void forget_behind(struct weft__order *o, uint32_t base, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = o->cdg.fabric->peer[o->found[i] - base];

		memset(o->met + (size_t)s * o->cdg.words, 0,
		       o->cdg.words * sizeof(*o->met));
	}
}

/* Appends to the n vertices in found[] those from first on, a bit each, that
 * are not behind position last.  Returns how many there are then, or WEFT_NONE
 * if the vertex there is among them. */
static inline uint32_t meet_vertices(struct weft__order *o, uint32_t first,
				     uint64_t bits, uint32_t last, uint32_t n)
{
	for (; bits; bits &= bits - 1) {
		uint32_t x = first + __builtin_ctzll(bits);

		if (o->position[x] == last)
			return WEFT_NONE;
		if (o->position[x] < last)
			o->found[n++] = x;
	}
	return n;
}

/*
 * Finds the vertices that w leads to, up to position last, into found[].
 * Returns how many, or WEFT_NONE if the vertex at that position is among them.
 */
static uint32_t search_forward(struct weft__order *o, uint32_t w,
			       uint32_t last)
{
	const struct weft__cdg *g = &o->cdg;
	uint32_t base = w - w % g->nch, n = 0, i;

	o->found[n++] = w;
	for (i = 0; i < n && n != WEFT_NONE; i++) {
		uint32_t v = o->found[i], s = g->fabric->peer[v - base];
		const uint64_t *row = g->bits + (size_t)v * g->words;
		uint64_t *met = o->met + (size_t)s * g->words;
		uint32_t x = base + weft_channel(g->fabric, s, 1);

		for (uint32_t k = 0; k < g->words && n != WEFT_NONE; k++) {
			o->work += __builtin_popcountll(row[k]);
			n = meet_vertices(o, x + k * 64, row[k] & ~met[k],
					  last, n);
			met[k] |= row[k];
		}
	}
	forget_behind(o, base, i);
	return n;
}

/* Finds the vertices that lead to v, from position first on, into found[] from
 * n on.  Returns how many there are in all then. */
static uint32_t search_backward(struct weft__order *o, uint32_t v,
				uint32_t first, uint32_t n)
{
	const struct weft__cdg *g = &o->cdg;
	const struct weft_fabric *f = g->fabric;
	uint32_t base = v - v % g->nch, begin = n;

	if (!o->back_known)
		find_back(o);
	o->found[n++] = v;
	for (uint32_t i = begin; i < n; i++) {
		uint32_t s = f->peer[f->reverse[o->found[i] - base]];
		const uint64_t *row = o->back + (size_t)o->found[i] * g->words;
		uint64_t *met = o->met + (size_t)s * g->words;
		const uint32_t *in = f->reverse + weft_channel(f, s, 1);

		o->work += f->adj_first[s + 1] - f->adj_first[s];
		for (uint32_t k = 0; k < g->words; k++, in += 64) {
			uint64_t bits = row[k] & ~met[k];

			met[k] |= bits;
			for (; bits; bits &= bits - 1) {
				uint32_t u = base + in[__builtin_ctzll(bits)];

				if (o->position[u] >= first)
					o->found[n++] = u;
			}
		}
	}
	forget_before(o, base, begin, n);
	return n;
}

static void sort_few(uint32_t *a, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		uint32_t x = a[i], k = i;

		for (; k && a[k - 1] > x; k--)
			a[k] = a[k - 1];
		a[k] = x;
	}
}

/* Sorts by one byte, from a to b. */
static void sort_byte(const uint32_t *a, uint32_t *b, uint32_t n,
		      uint32_t least, unsigned shift)
{
	uint32_t at[256] = { 0 };

	for (uint32_t i = 0; i < n; i++)
		at[(a[i] - least) >> shift & 255]++;
	for (uint32_t i = 0, sum = 0; i < 256; i++) {
		uint32_t k = at[i];

		at[i] = sum;
		sum += k;
	}
	for (uint32_t i = 0; i < n; i++)
		b[at[(a[i] - least) >> shift & 255]++] = a[i];
}

/* Sorts a[n], with room for as many more behind it. */
static void sort_places(uint32_t *a, uint32_t n)
{
	uint32_t least = UINT32_MAX, most = 0;

	if (n <= MAX_INSERTION_SORT) {
		sort_few(a, n);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		least = a[i] < least ? a[i] : least;
		most = a[i] > most ? a[i] : most;
	}
	for (unsigned shift = 0; shift < 32 && (most - least) >> shift;
	     shift += 16) {
		sort_byte(a, a + n, n, least, shift);
		sort_byte(a + n, a, n, least, shift + 8);
	}
}

/* Merges the sorted halves of a[], before half and from there on, into
 * a[n..]. */
static void merge(uint32_t *a, uint32_t half, uint32_t n)
{
	uint32_t i = 0, k = half;

	for (uint32_t *to = a + n; to < a + 2 * n; to++)
		*to = k == n || (i < half && a[i] < a[k]) ? a[i++] : a[k++];
}

/*
 * Reorders n vertices in found[]: those from split on lead to v, the others
 * follow w. They share their places, first those that lead to v, each group in
 * the order it had.
 */
static void reorder(struct weft__order *o, uint32_t split, uint32_t n)
{
	uint32_t *place = o->place, back = n - split;

	/* old positions, the group that leads to v first */
	for (uint32_t i = split; i < n; i++)
		place[i - split] = o->position[o->found[i]];
	sort_places(place, back);
	for (uint32_t i = 0; i < split; i++)
		place[back + i] = o->position[o->found[i]];
	sort_places(place + back, split);
	for (uint32_t i = 0; i < n; i++)
		o->found[i] = o->vertex[place[i]];
	merge(place, back, n);
	for (uint32_t i = 0; i < n; i++) {
		o->position[o->found[i]] = place[n + i];
		o->vertex[place[n + i]] = o->found[i];
	}
	o->work += n;
}

bool weft__order_insert(struct weft__order *o, uint32_t v, unsigned port)
{
	uint32_t w = weft__cdg_head(&o->cdg, v, port), split, n;

	if (v == w)
		return false;
	if (o->position[w] < o->position[v]) {
		if (o->work > o->work_limit)
			return false;
		split = search_forward(o, w, o->position[v]);
		if (split == WEFT_NONE)
			return false;
		n = search_backward(o, v, o->position[w], split);
		reorder(o, split, n);
	}
	weft__cdg_add(&o->cdg, v, 0, port);
	flip_back(o, v, port);
	o->added[o->nadded++] = (struct weft__order_edge){ v, port };
	return true;
}

void weft__order_remove(struct weft__order *o, uint32_t v, unsigned port)
{
	weft__cdg_remove(&o->cdg, v, port);
	flip_back(o, v, port);
	o->nadded = 0;
}

void weft__order_mark(struct weft__order *o)
{
	o->nadded = 0;
}

void weft__order_undo(struct weft__order *o)
{
	weft__order_back(o, 0);
}

void weft__order_back(struct weft__order *o, size_t n)
{
	while (o->nadded > n) {
		struct weft__order_edge e = o->added[--o->nadded];

		weft__cdg_remove(&o->cdg, e.v, e.port);
		flip_back(o, e.v, e.port);
	}
}

bool weft__order_renew(struct weft__order *o)
{
	uint32_t left = weft__cdg_rest(&o->cdg, o->vertex, o->place);

	o->back_known = false;
	/* weft__cdg_rest() leaves its queue, a topological order, in vertex[]
	 * unless something is left over. */
	if (left)
		return false;
	for (uint32_t i = 0; i < o->cdg.nv; i++)
		o->position[o->vertex[i]] = i;
	o->nadded = 0;
	return true;
}
