// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: levels of a tree, found from the hosts
 *
 * Distances between the switches that have hosts tell what a switch is; the
 * distance to the nearest host alone does not (a host on a spine would make a
 * leaf of it, a leaf without hosts would become a spine).
 *
 * - Level h has who is half-way between leaves 2h apart: the top of the way
 *   from one to the other.  Missing cables make some leaves farther apart than
 *   they ought to be; so the h is taken at which most hosts meet.
 * - A leaf is a switch with hosts where not many more than its own meet.
 * - Who is between leaves without being half-way is as high as the nearest is
 *   far.
 * - What is neither is a stub (leaves without hosts, spares): one level below
 *   the lowest switch next to it whose level is known, and so on outwards.
 *
 * Roles given from outside go before: leaves and others as told.  Where roots
 * are told, levels are distances from them, and nothing else is looked at.
 */
#include "shapes/fattree.h"

#include "core/arena.h"
#include "graph/distance.h"
#include "graph/entries.h"

#include <weft/fabric.h>

#include <string.h>

enum {
	FAR = UINT8_MAX,	/* distances from there on are all the same */
	SAMPLE = 6,		/* leaves looked at for a switch and height */
	UNSET = INT16_MIN,
};

struct finder {
	struct weft__fattree *t;
	const struct weft_fabric *f;
	uint16_t *hops;		/* [nsw] scratch */
	uint32_t *queue;	/* [nsw] scratch */
	uint32_t *leaf;		/* [n] candidates, then leaves */
	uint32_t n;
	uint32_t *weight;	/* [n] hosts + 1 */
	uint8_t *far;		/* [n][nsw] distances from leaves */
	uint8_t *apart;		/* [n][n] distances between leaves */
	uint8_t *column;	/* [n] distances to one switch */
	int16_t *level;		/* [nsw] */
};

/* Switches with hosts, or told to be leaves; not those told otherwise. */
static void list_candidates(struct finder *w)
{
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		uint32_t hosts = weft__hosts_on(w->f, s, false);
		uint8_t role = w->t->role[s];

		if (role == WEFT_ROLE_LEAF ||
		    (hosts && role == WEFT_ROLE_UNKNOWN)) {
			w->leaf[w->n] = s;
			w->weight[w->n++] = hosts + 1;
		}
	}
}

/* Distances to 64 candidates, from that one on. */
static void find_distances(const struct finder *w, struct weft__distances *d,
			   uint32_t i)
{
	weft__distances_clear(d);
	for (uint32_t end = i + 64; i < end && i < w->n; i++)
		weft__distances_ask(d, w->leaf[i]);
	weft__distances_find(d);
}

static bool measure(struct finder *w, struct weft_arena *arena)
{
	uint32_t nsw = w->f->nsw;
	struct weft__distances d;

	w->far = weft__arena_alloc(arena, (size_t)w->n * nsw, 1);
	w->apart = weft__arena_alloc(arena, (size_t)w->n * w->n, 1);
	w->column = weft__arena_alloc(arena, w->n + 1ull, 1);
	if (!w->far || !w->apart || !w->column ||
	    weft__distances_init(&d, w->f, arena))
		return false;
	for (uint32_t i = 0; i < w->n; i++) {
		const uint32_t *cables;
		uint8_t *far = w->far + (size_t)i * nsw;

		if (i % 64 == 0)
			find_distances(w, &d, i);
		cables = weft__distances_to(&d, w->leaf[i]);
		for (uint32_t s = 0; s < nsw; s++)
			far[s] = cables[s] < FAR ? cables[s] : FAR;
		for (uint32_t j = 0; j < w->n; j++)
			w->apart[(size_t)i * w->n + j] = far[w->leaf[j]];
	}
	return true;
}

/* Weight of the leaves 2h from leaf u and h from the switch of column[]. */
static uint32_t opposite(const struct finder *w, uint32_t u, unsigned h)
{
	const uint8_t *apart = w->apart + (size_t)u * w->n;
	uint32_t n = 0;

	for (uint32_t v = 0; v < w->n; v++)
		n += w->column[v] == h && apart[v] == 2 * h ?
			w->weight[v] : 0;
	return n;
}

/* The mean of opposite() over a sample of the leaves at distance h. */
static uint64_t score(const struct finder *w, unsigned h)
{
	uint32_t count = 0, taken = 0, step;
	uint64_t sum = 0;

	for (uint32_t u = 0; u < w->n; u++)
		count += w->column[u] == h;
	step = count / SAMPLE + 1;
	count = 0;
	for (uint32_t u = 0; u < w->n; u++) {
		if (w->column[u] != h || count++ % step)
			continue;
		sum += opposite(w, u, h);
		taken++;
	}
	return taken ? 256 * sum / taken : 0;
}

/* The height at which most leaves meet in switch s, 0: none do; *best: what the
 * leaves that meet weigh there, times 256. */
static unsigned height(struct finder *w, uint32_t s, unsigned most,
		       uint64_t *best)
{
	unsigned at = 0;

	*best = 0;

	for (uint32_t u = 0; u < w->n; u++)
		w->column[u] = w->far[(size_t)u * w->f->nsw + s];
	for (unsigned h = 1; 2 * h <= most; h++) {
		uint64_t here = score(w, h);

		if (here > *best) {
			*best = here;
			at = h;
		}
	}
	return at;
}

/* The most hops between two leaves. */
static unsigned farthest(const struct finder *w)
{
	unsigned most = 0;

	for (size_t i = 0; i < (size_t)w->n * w->n; i++)
		if (w->apart[i] < FAR && w->apart[i] > most)
			most = w->apart[i];
	return most;
}

/* Leaves are left of the candidates; rows and columns are closed up. */
static bool keep_leaves(struct finder *w, struct weft_arena *arena)
{
	unsigned most = farthest(w);
	uint64_t met;
	uint32_t n = w->n, kept = 0, nsw = w->f->nsw;
	uint8_t *stays = weft__arena_alloc(arena, n, 1);

	if (!stays)
		return false;
	for (uint32_t c = 0; c < n; c++) {
		height(w, w->leaf[c], most, &met);
		stays[c] = w->t->role[w->leaf[c]] == WEFT_ROLE_LEAF ||
			   met <= 2 * 256 * w->weight[c];
	}
	for (uint32_t c = 0; c < n; c++) {
		if (!stays[c])
			continue;
		memmove(w->far + (size_t)kept * nsw, w->far + (size_t)c * nsw,
			nsw);
		w->leaf[kept] = w->leaf[c];
		w->weight[kept++] = w->weight[c];
	}
	w->n = kept;
	for (uint32_t i = 0; i < kept; i++)
		for (uint32_t j = 0; j < kept; j++)
			w->apart[(size_t)i * kept + j] =
				w->far[(size_t)i * nsw + w->leaf[j]];
	return true;
}

static void set_heights(struct finder *w)
{
	unsigned most = farthest(w);
	uint64_t met;

	for (uint32_t s = 0; s < w->f->nsw; s++)
		w->level[s] = UNSET;
	for (uint32_t i = 0; i < w->n; i++)
		w->level[w->leaf[i]] = 0;
	w->t->is_tree = false;
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		unsigned h;

		if (w->level[s] == 0)
			continue;
		h = height(w, s, most, &met);
		if (h) {
			w->level[s] = h;
			w->t->is_tree = true;
		}
	}
}

/* Whether switch s is on a shortest way from one of the leaves nearest to it to
 * any other; *h: how far these are. */
static bool is_between(struct finder *w, uint32_t s, unsigned *h)
{
	unsigned taken = 0;

	*h = FAR;
	for (uint32_t u = 0; u < w->n; u++) {
		w->column[u] = w->far[(size_t)u * w->f->nsw + s];
		*h = w->column[u] < *h ? w->column[u] : *h;
	}
	for (uint32_t u = 0; u < w->n && taken < SAMPLE; u++) {
		const uint8_t *apart = w->apart + (size_t)u * w->n;

		if (w->column[u] != *h)
			continue;
		taken++;
		for (uint32_t v = 0; v < w->n; v++)
			if (apart[v] == *h + w->column[v] && apart[v] < FAR)
				return true;
	}
	return false;
}

/* Who is between leaves though nowhere half-way (above the only leaf with hosts
 * in its part of the tree) is as high as its nearest leaf is far. */
static void set_between(struct finder *w)
{
	unsigned h;

	for (uint32_t s = 0; s < w->f->nsw; s++)
		if (w->level[s] == UNSET && is_between(w, s, &h))
			w->level[s] = h;
}

/* One step outwards; returns whether a level was found. */
static bool set_next_stubs(struct finder *w)
{
	const struct weft_fabric *f = w->f;
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		int lowest = INT16_MAX;

		if (w->level[s] != UNSET)
			continue;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			int l = w->level[f->peer[f->adj[e]]];

			if (l != UNSET && l < lowest)
				lowest = l;
		}
		if (lowest == INT16_MAX)
			continue;
		w->t->stub[s] = 1;
		w->hops[n] = lowest - 1;
		w->queue[n++] = s;
	}
	for (uint32_t i = 0; i < n; i++)
		w->level[w->queue[i]] = (int16_t)w->hops[i];
	return n;
}

/* Levels from 0 up. */
static void shift(struct finder *w)
{
	int lowest = INT16_MAX, highest = 0;

	for (uint32_t s = 0; s < w->f->nsw; s++)
		if (w->level[s] != UNSET && w->level[s] < lowest)
			lowest = w->level[s];
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		int level = w->level[s] == UNSET ? 0 : w->level[s] - lowest;

		w->t->level[s] = level;
		highest = level > highest ? level : highest;
	}
	w->t->nlevels = highest + 1;
}

/* Levels as distances from the roots; false: there are no roots. */
static bool set_from_roots(struct finder *w)
{
	const struct weft_fabric *f = w->f;
	uint32_t head = 0, tail = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		w->level[s] = UNSET;
		if (w->t->role[s] == WEFT_ROLE_ROOT) {
			w->level[s] = 0;
			w->queue[tail++] = s;
		}
	}
	while (head < tail) {
		uint32_t s = w->queue[head++];

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (w->level[t] == UNSET) {
				w->level[t] = w->level[s] - 1;
				w->queue[tail++] = t;
			}
		}
	}
	w->t->is_tree = tail;
	return tail;
}

bool weft__fattree_levels(struct weft__fattree *t, struct weft_arena *arena)
{
	const struct weft_fabric *f = t->fabric;
	struct finder w = { .t = t, .f = f };

	w.hops = weft__arena_alloc(arena, f->nsw, sizeof(*w.hops));
	w.queue = weft__arena_alloc(arena, f->nsw, sizeof(*w.queue));
	w.leaf = weft__arena_alloc(arena, f->nsw, sizeof(*w.leaf));
	w.weight = weft__arena_alloc(arena, f->nsw, sizeof(*w.weight));
	w.level = weft__arena_alloc(arena, f->nsw, sizeof(*w.level));
	if (!w.hops || !w.queue || !w.leaf || !w.weight || !w.level)
		return false;
	if (!set_from_roots(&w)) {
		list_candidates(&w);
		if (!measure(&w, arena))
			return false;
		if (!keep_leaves(&w, arena))
			return false;
		set_heights(&w);
		set_between(&w);
		while (set_next_stubs(&w))
			;
	}
	shift(&w);
	return true;
}
