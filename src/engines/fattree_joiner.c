// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The subtree of fattree_complete.c: how it grows upwards from a switch. */
#include "engines/fattree_joiner.h"

uint32_t weft__joiner_find(uint32_t *parent, uint32_t s)
{
	while (parent[s] != s) {
		parent[s] = parent[parent[s]];
		s = parent[s];
	}
	return s;
}

bool weft__joiner_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = weft__joiner_find(parent, a);
	b = weft__joiner_find(parent, b);
	parent[a > b ? a : b] = a > b ? b : a;
	return a != b;
}

static void list_queue_above(struct weft__joiner *w, uint32_t s, uint32_t *tail)
{
	const struct weft_fabric *f = w->f;
	const struct weft__fattree *t = w->t;

	for (uint32_t i = t->up_first[s]; i < t->up_first[s + 1]; i++) {
		uint32_t z = f->peer[f->adj[t->up[i]]];

		if (w->mark[z] == w->marks)
			continue;
		w->mark[z] = w->marks;
		w->queue[(*tail)++] = z;
	}
}

/* Everyone above s, and s itself first, into queue[]; returns how many. */
static uint32_t list_above(struct weft__joiner *w, uint32_t s)
{
	uint32_t tail = 0;

	w->marks++;
	w->mark[s] = w->marks;
	w->queue[tail++] = s;
	for (uint32_t i = 0; i < tail; i++)
		list_queue_above(w, w->queue[i], &tail);
	return tail;
}

uint32_t weft__joiner_parts(struct weft__joiner *w, uint32_t s)
{
	uint32_t n = list_above(w, s), count = 0;

	w->sights++;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t part = weft__joiner_find(w->part, w->queue[i]);

		if (!weft__joiner_top(w, w->queue[i]) ||
		    w->seen[part] == w->sights)
			continue;
		w->seen[part] = w->sights;
		count++;
	}
	return count;
}

void weft__joiner_cable(struct weft__joiner *w, uint32_t a, uint32_t b)
{
	const struct weft_fabric *f = w->f;
	uint32_t ends[2] = { a, b };

	for (unsigned i = 0; i < 2; i++) {
		uint32_t s = ends[i];

		w->j->member[s] = 1;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			if (f->peer[f->adj[e]] == ends[!i])
				w->j->joint[e] = 1;
	}
}

/* s and everyone above it, with all cables upwards. */
static void add_branch(struct weft__joiner *w, uint32_t s)
{
	const struct weft_fabric *f = w->f;
	uint32_t n = list_above(w, s);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t x = w->queue[i];

		for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1];
		     e++) {
			uint32_t z = f->peer[f->adj[e]];

			if (weft__fattree_above(w->t, z, x) &&
			    weft__joiner_unite(w->set, x, z))
				weft__joiner_cable(w, x, z);
		}
	}
}

/* Whether a top above x is of a part that s does not join yet. */
static bool brings_more(struct weft__joiner *w, uint32_t s, uint32_t x)
{
	uint32_t n = list_above(w, x), own = weft__joiner_find(w->part, s);

	for (uint32_t i = 0; i < n; i++)
		if (weft__joiner_top(w, w->queue[i]) &&
		    weft__joiner_find(w->part, w->queue[i]) != own)
			return true;
	return false;
}

/* Whether x is in the subtree with all of its cables upwards. */
static bool is_whole(const struct weft__joiner *w, uint32_t x)
{
	const struct weft_fabric *f = w->f;

	if (!w->j->member[x])
		return false;
	for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1]; e++)
		if (weft__fattree_above(w->t, f->peer[f->adj[e]], x) &&
		    !w->j->joint[e])
			return false;
	return true;
}

/* The cables between s and x, and all above x. */
static void add_arm(struct weft__joiner *w, uint32_t s, uint32_t x)
{
	uint32_t n;

	if (weft__joiner_unite(w->set, s, x))
		weft__joiner_cable(w, s, x);
	add_branch(w, x);
	n = list_above(w, x);
	for (uint32_t i = 0; i < n; i++)
		if (weft__joiner_top(w, w->queue[i]))
			weft__joiner_unite(w->part, s, w->queue[i]);
}

void weft__joiner_turn(struct weft__joiner *w, uint32_t s)
{
	const struct weft_fabric *f = w->f;

	for (unsigned late = 0; late < 2; late++) {
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t x = f->peer[f->adj[e]];

			if (weft__fattree_above(w->t, x, s) &&
			    is_whole(w, x) != late &&
			    brings_more(w, s, x))
				add_arm(w, s, x);
		}
	}
}
