// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keeps a topological order of a CDG; see order.h. */
#include "graph/order.h"

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
	uint32_t **array[] = { &new.position, &new.vertex, &new.found,
			       &new.seen };
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
	if (!new.place || !new.added) {
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
	free(o->seen);
	free(o->found);
	free(o->place);
	free(o->added);
	*o = (struct weft__order){ 0 };
}

/* Appends to the n vertices in found[] those from first on, a bit each, that
 * were not met yet.  Returns how many there are then, or WEFT_NONE if the
 * vertex at position last is among them. */
static inline uint32_t meet_vertices(struct weft__order *o, uint32_t first,
				     uint64_t bits, uint32_t last, uint32_t n)
{
	for (; bits; bits &= bits - 1) {
		uint32_t x = first + __builtin_ctzll(bits);

		if (o->position[x] == last)
			return WEFT_NONE;
		if (o->position[x] > last || o->seen[x] == o->round)
			continue;
		o->seen[x] = o->round;
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
	uint32_t n = 0;

	o->found[n++] = w;
	o->seen[w] = o->round;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = o->found[i], ch = v % g->nch;
		const uint64_t *row = g->bits + (size_t)v * g->words;
		uint32_t x = v - ch + weft_channel(g->fabric,
						   g->fabric->peer[ch], 1);

		for (uint32_t k = 0; k < g->words; k++, x += 64) {
			o->work += __builtin_popcountll(row[k]);
			n = meet_vertices(o, x, row[k], last, n);
			if (n == WEFT_NONE)
				return WEFT_NONE;
		}
	}
	return n;
}

/* Finds the vertices that lead to v, from position first on, into found[] from
 * n on.  Returns how many there are in all then. */
static uint32_t search_backward(struct weft__order *o, uint32_t v,
				uint32_t first, uint32_t n)
{
	const struct weft_fabric *f = o->cdg.fabric;

	o->found[n] = v;
	o->seen[v] = o->round;
	for (uint32_t i = n++; i < n; i++) {
		uint32_t ch = o->found[i] % o->cdg.nch;
		uint32_t base = o->found[i] - ch;
		uint32_t s = f->peer[f->reverse[ch]];
		unsigned port = ch - f->first_channel[s];

		for (uint32_t k = f->adj_first[s]; k < f->adj_first[s + 1];
		     k++) {
			uint32_t u = base + f->reverse[f->adj[k]];

			o->work++;
			if (o->position[u] < first ||
			    o->seen[u] == o->round ||
			    !weft__cdg_has(&o->cdg, u, port))
				continue;
			o->seen[u] = o->round;
			o->found[n++] = u;
		}
	}
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
		o->round++;
		split = search_forward(o, w, o->position[v]);
		if (split == WEFT_NONE)
			return false;
		n = search_backward(o, v, o->position[w], split);
		reorder(o, split, n);
	}
	weft__cdg_add(&o->cdg, v, 0, port);
	o->added[o->nadded++] = (struct weft__order_edge){ v, port };
	return true;
}

void weft__order_remove(struct weft__order *o, uint32_t v, unsigned port)
{
	weft__cdg_remove(&o->cdg, v, port);
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
	}
}

bool weft__order_renew(struct weft__order *o)
{
	uint32_t left = weft__cdg_rest(&o->cdg, o->vertex, o->place);

	/* weft__cdg_rest() leaves its queue, a topological order, in vertex[]
	 * unless something is left over. */
	if (left)
		return false;
	for (uint32_t i = 0; i < o->cdg.nv; i++)
		o->position[o->vertex[i]] = i;
	o->nadded = 0;
	return true;
}

/* Adds a vertex to a heap of n, the lowest on top. */
static void push_lowest(uint32_t *heap, uint32_t n, uint32_t v)
{
	for (; n && heap[(n - 1) / 2] > v; n = (n - 1) / 2)
		heap[n] = heap[(n - 1) / 2];
	heap[n] = v;
}

/* Takes the lowest of n vertices off a heap. */
static uint32_t pop_lowest(uint32_t *heap, uint32_t n)
{
	uint32_t top = heap[0], last = heap[--n], at = 0, next;

	while ((next = 2 * at + 1) < n) {
		if (next + 1 < n && heap[next + 1] < heap[next])
			next++;
		if (heap[next] >= last)
			break;
		heap[at] = heap[next];
		at = next;
	}
	heap[at] = last;
	return top;
}

void weft__order_by_id(struct weft__order *o)
{
	uint32_t nv = o->cdg.nv, *heap = o->place, *before = o->found, w;
	uint32_t n = 0, done = 0;

	memset(before, 0, nv * sizeof(*before));
	for (uint32_t v = 0; v < nv; v++)
		for (uint32_t at = 0; (w = weft__cdg_next(&o->cdg, v, &at)) !=
		     WEFT_NONE; )
			before[w]++;
	for (uint32_t v = 0; v < nv; v++)
		if (!before[v])
			push_lowest(heap, n++, v);
	while (n) {
		uint32_t v = pop_lowest(heap, n--);

		o->vertex[done] = v;
		o->position[v] = done++;
		for (uint32_t at = 0; (w = weft__cdg_next(&o->cdg, v, &at)) !=
		     WEFT_NONE; )
			if (!--before[w])
				push_lowest(heap, n++, w);
	}
	o->nadded = 0;
}

/* Returns the next vertex that v leads to by a rule; WEFT_NONE at the end. */
static uint32_t next_by_rule(const struct weft__order *o,
			     const struct weft__order_rule *rule, uint32_t v,
			     uint32_t *at)
{
	const struct weft_fabric *f = o->cdg.fabric;
	uint32_t t = f->peer[v - rule->from * o->cdg.nch];

	return t >= f->nsw || (rule->without && rule->without[t]) ?
		WEFT_NONE : weft__cdg_next(&o->cdg, v, at);
}

void weft__order_by_rule(struct weft__order *o, uint32_t lane,
			 const struct weft__order_rule *rule)
{
	uint32_t nch = o->cdg.nch, *heap = o->place, *before = o->found, w;
	uint32_t first = rule->from * nch, *position = o->position + lane * nch;
	uint32_t n = 0, done = 0;

	memset(before, 0, nch * sizeof(*before));
	for (uint32_t v = first; v < first + nch; v++)
		for (uint32_t at = 0; (w = next_by_rule(o, rule, v, &at)) !=
		     WEFT_NONE; )
			before[w - first]++;
	for (uint32_t ch = 0; ch < nch; ch++)
		if (!before[ch])
			push_lowest(heap, n++, rule->rank[ch]);
	while (n) {
		uint32_t ch = rule->by_rank[pop_lowest(heap, n--)];

		position[ch] = done++;
		for (uint32_t at = 0; (w = next_by_rule(o, rule, first + ch,
							&at)) != WEFT_NONE; )
			if (!--before[w - first])
				push_lowest(heap, n++, rule->rank[w - first]);
	}
	o->nadded = 0;
}
