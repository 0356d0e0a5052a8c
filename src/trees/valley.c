// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists the roots that a valley may have, and grows one from its root; see
 * valleys.c. */
#include "trees/valley.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

/* Returns how many bits are set in both. */
static unsigned overlap(const uint64_t *a, const uint64_t *b, uint32_t nwords)
{
	unsigned bits = 0;

	for (uint32_t x = 0; x < nwords; x++)
		bits += __builtin_popcountll(a[x] & b[x]);
	return bits;
}

/* Returns the neighbour above s that is not in the valley yet and has most of
 * the maxima in left above it, the highest of equals, or WEFT_NONE if there is
 * none. */
static uint32_t best_child(const struct weft__valley *v, uint32_t s,
			   const uint64_t *left)
{
	const struct weft__ways *w = v->w;
	const struct weft_fabric *f = w->fabric;
	uint32_t best = WEFT_NONE;
	unsigned most = 0;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = w->head[e];
		unsigned n;

		if (w->place[t] > w->place[s] ||
		    w->valley_parent[t] != WEFT_NONE)
			continue;
		n = overlap(left, weft__above(&v->maxima, t),
			    v->maxima.nwords);
		if (n > most ||
		    (n && n == most && w->place[t] < w->place[best])) {
			most = n;
			best = t;
		}
	}
	return best;
}

/* Adds t to the valley, with its cables to s. */
static void add_switch(struct weft__ways *w, uint32_t t, uint32_t s)
{
	w->valley_parent[t] = s;
	w->valley[w->nvalley++] = t;
}

/* Distributes the maxima of s among its neighbours above. */
static void branch(struct weft__valley *v, uint32_t s)
{
	uint32_t nwords = v->maxima.nwords, t;
	uint64_t *left = v->duty + (size_t)s * nwords;

	while ((t = best_child(v, s, left)) != WEFT_NONE) {
		const uint64_t *above = weft__above(&v->maxima, t);
		uint64_t *duty = v->duty + (size_t)t * nwords;

		for (uint32_t x = 0; x < nwords; x++) {
			duty[x] = left[x] & above[x];
			left[x] &= ~above[x];
		}
		add_switch(v->w, t, s);
	}
}

/* Adds switch s and the switches on the shortest way from it to the valley. */
static void connect(struct weft__ways *w, uint32_t s, const uint32_t *next)
{
	uint32_t path = 0;

	/* The valley must list them from its own end of the way on. */
	for (; w->valley_parent[s] == WEFT_NONE; s = next[s])
		w->queue[path++] = s;
	while (path-- > 0) {
		add_switch(w, w->queue[path], s);
		s = w->queue[path];
	}
}

/* Connects the maxima that are not in the valley yet. */
static void connect_rest(struct weft__valley *v)
{
	struct weft__ways *w = v->w;
	const struct weft_fabric *f = w->fabric;
	uint32_t *next = v->next, n = 0;

	memset(next, 0xff, f->nsw * sizeof(*next));
	for (uint32_t i = 0; i < w->nvalley; i++) {
		next[w->valley[i]] = w->valley[i];
		w->queue[n++] = w->valley[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = w->queue[i];

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = w->head[e];

			if (next[t] != WEFT_NONE)
				continue;
			next[t] = s;
			w->queue[n++] = t;
		}
	}
	for (uint32_t i = 0; i < v->maxima.n; i++)
		connect(w, v->maxima.sw[i], next);
}

void weft__valley_make(struct weft__valley *v, uint32_t bottom)
{
	struct weft__ways *w = v->w;
	uint32_t nwords = v->maxima.nwords;

	memset(w->valley_parent, 0xff,
	       w->fabric->nsw * sizeof(*w->valley_parent));
	memcpy(v->duty + (size_t)bottom * nwords,
	       weft__above(&v->maxima, bottom), nwords * sizeof(*v->duty));
	w->nvalley = 0;
	add_switch(w, bottom, bottom);
	for (uint32_t i = 0; i < w->nvalley; i++)
		branch(v, w->valley[i]);
	connect_rest(v);
}

bool weft__valley_doubles(const struct weft__valley *v, uint32_t s)
{
	const struct weft__ways *w = v->w;
	const struct weft_fabric *f = w->fabric;
	uint32_t nwords = v->maxima.nwords, last = WEFT_NONE;
	uint64_t *met = v->duty;	/* the valley is made */

	memset(met, 0, nwords * sizeof(*met));
	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = w->head[e];
		const uint64_t *above = weft__above(&v->maxima, t);

		if (t == last || w->place[t] > w->place[s] ||
		    (w->valley_parent[t] != s && w->valley_parent[s] != t))
			continue;
		last = t;
		if (overlap(met, above, nwords))
			return true;
		for (uint32_t x = 0; x < nwords; x++)
			met[x] |= above[x];
	}
	return false;
}

static int compare(const void *pa, const void *pb)
{
	const struct weft__valley_candidate *a = pa, *b = pb;

	if (a->maxima != b->maxima)
		return a->maxima > b->maxima ? -1 : 1;
	if (a->endports != b->endports)
		return a->endports < b->endports ? -1 : 1;
	return a->place > b->place ? -1 : 1;
}

void weft__valley_list_candidates(struct weft__valley *v,
				  struct weft__valley_candidate *candidate)
{
	const struct weft__ways *w = v->w;
	const struct weft_fabric *f = w->fabric;
	struct weft__maxima *m = &v->maxima;

	weft__maxima_find(m, w->place, w->by_place);
	for (uint32_t s = 0; s < f->nsw; s++) {
		const uint64_t *above = weft__above(m, s);

		candidate[s] = (struct weft__valley_candidate){
			.maxima = overlap(above, above, m->nwords),
			.endports = f->sw_ep_first[s + 1] - f->sw_ep_first[s],
			.place = w->place[s], .sw = s,
		};
	}
	qsort(candidate, f->nsw, sizeof(*candidate), compare);
}

bool weft__valley_init(struct weft__valley *v, struct weft__ways *w)
{
	uint32_t nsw = w->fabric->nsw;

	v->w = w;
	v->next = weft__arena_alloc(w->arena, nsw, sizeof(*v->next));
	if (!v->next || !weft__maxima_init(&v->maxima, w->fabric, w->arena))
		return false;
	v->duty = weft__arena_alloc(w->arena, (size_t)nsw * v->maxima.nwords,
				    sizeof(*v->duty));
	return v->duty;
}
