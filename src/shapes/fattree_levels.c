// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: levels of a tree, found from the hosts
 *
 * Distances between the switches that have hosts tell what a switch is.  The
 * distance to the nearest host alone does not: a host on a spine would make the
 * spine a leaf, and a leaf without hosts would become a spine.
 *
 * - A switch is on level h if it is half-way between leaves that are 2h apart:
 *   it is the top of a way from one to the other.  Missing cables move some
 *   leaves farther apart, so that several h may fit; the h at which most hosts
 *   meet is taken.
 * - A switch with hosts is a leaf if at most about twice as many hosts as its
 *   own meet in it.
 * - A switch that is on a shortest way between leaves without being half-way is
 *   as high as its nearest leaf is far.
 * - Any other switch is a stub (a leaf without hosts, a spare): it is one level
 *   below the lowest of its neighbours whose level is known.  This is repeated
 *   outwards.
 *
 * Roles given from outside win: a switch is a leaf, or is none, as told.  Where
 * roots are told, levels are distances from them, and nothing else is looked
 * at.
 */
#include "shapes/fattree.h"

#include "core/arena.h"
#include "graph/distance.h"
#include "graph/entries.h"

#include <weft/fabric.h>

#include <string.h>

enum {
	FAR = UINT8_MAX,	/* larger distances are not told apart */
	SAMPLE = 6,		/* most leaves looked at for a switch and
				 * height */
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

/* Lists the switches that may be leaves: those with hosts, unless told to be no
 * leaves, and those told to be leaves. */
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

/* Finds the distances to 64 candidates, the i-th and those after it. */
static void find_distances(const struct finder *w, struct weft__distances *d,
			   uint32_t i)
{
	weft__distances_clear(d);
	for (uint32_t end = i + 64; i < end && i < w->n; i++)
		weft__distances_ask(d, w->leaf[i]);
	weft__distances_find(d);
}

/* Finds the distances from all candidates, and those between them. */
static bool measure_distances(struct finder *w, struct weft_arena *arena)
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

/* Returns the weight of the leaves that are 2h from leaf u, and h from the
 * switch that column[] is about. */
static uint32_t opposite_weight(const struct finder *w, uint32_t u, unsigned h)
{
	const uint8_t *apart = w->apart + (size_t)u * w->n;
	uint32_t n = 0;

	for (uint32_t v = 0; v < w->n; v++)
		n += w->column[v] == h && apart[v] == 2 * h ?
			w->weight[v] : 0;
	return n;
}

/* Returns the mean of opposite_weight() over a sample of the leaves at distance
 * h, times 256. */
static uint64_t meeting_weight(const struct finder *w, unsigned h)
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
		sum += opposite_weight(w, u, h);
		taken++;
	}
	return taken ? 256 * sum / taken : 0;
}

/* Returns the height at which most leaves meet in switch s, or 0 if none do.
 * *best is the mean weight of those that meet there, times 256. */
static unsigned meeting_height(struct finder *w, uint32_t s, unsigned most,
			       uint64_t *best)
{
	unsigned at = 0;

	*best = 0;

	for (uint32_t u = 0; u < w->n; u++)
		w->column[u] = w->far[(size_t)u * w->f->nsw + s];
	for (unsigned h = 1; 2 * h <= most; h++) {
		uint64_t here = meeting_weight(w, h);

		if (here > *best) {
			*best = here;
			at = h;
		}
	}
	return at;
}

/* Returns the most hops between two leaves. */
static unsigned max_distance(const struct finder *w)
{
	unsigned most = 0;

	for (size_t i = 0; i < (size_t)w->n * w->n; i++)
		if (w->apart[i] < FAR && w->apart[i] > most)
			most = w->apart[i];
	return most;
}

/* Drops the candidates that are no leaves, and closes up rows and columns. */
static bool keep_leaves(struct finder *w, struct weft_arena *arena)
{
	unsigned most = max_distance(w);
	uint64_t met;
	uint32_t n = w->n, kept = 0, nsw = w->f->nsw;
	uint8_t *stays = weft__arena_alloc(arena, n, 1);

	if (!stays)
		return false;
	for (uint32_t c = 0; c < n; c++) {
		meeting_height(w, w->leaf[c], most, &met);
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

/* Sets the levels of leaves and of switches half-way between leaves. */
static void set_heights(struct finder *w)
{
	unsigned most = max_distance(w);
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
		h = meeting_height(w, s, most, &met);
		if (h) {
			w->level[s] = h;
			w->t->is_tree = true;
		}
	}
}

/* True if switch s is on a shortest way from one of its nearest leaves to any
 * other leaf.  *h is the distance to the nearest leaves. */
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

/*
 * Sets the level of switches that are between leaves but nowhere half-way (as
 * above the only leaf with hosts in its part of the tree): the distance to the
 * nearest leaf.
 */
static void set_between(struct finder *w)
{
	unsigned h;

	for (uint32_t s = 0; s < w->f->nsw; s++)
		if (w->level[s] == UNSET && is_between(w, s, &h))
			w->level[s] = h;
}

/* Sets the levels of stubs next to switches whose level is known.  Returns true
 * if there was one. */
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

/* Stores the levels, shifted so that the lowest is 0. */
static void store_levels(struct finder *w)
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

/* Sets levels by the distances from the roots; returns false if no roots are
 * told. */
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
	if (weft__arena_failed(arena))
		return false;
	if (!set_from_roots(&w)) {
		list_candidates(&w);
		if (!measure_distances(&w, arena))
			return false;
		if (!keep_leaves(&w, arena))
			return false;
		set_heights(&w);
		set_between(&w);
		while (set_next_stubs(&w))
			;
	}
	store_levels(&w);
	return true;
}
