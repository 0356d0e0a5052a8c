// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: orders around the ways between hosts
 *
 * On fabrics like Dragonfly+ the shortest ways between switches with hosts
 * close no cycle in one lane, but those of upper switches to hosts, and back,
 * close many: they go down to a leaf and climb again.  Hardly any traffic takes
 * these ways, and they may be longer.  So every lane gets an order that holds
 * the ways between hosts as they are.  Where that leaves a choice, upper
 * switches are ordered by Up*Down* among themselves, with leaves below them: an
 * upper switch reaches another one without a leaf in between, and a leaf by a
 * switch that has a way down to it.  The lanes differ in the top.
 *
 * Upper switches may be in parts that only leaves join, each of which leads to all
 * leaves.  One leaf that is next to all parts is the top then: what goes from part to
 * part turns there, and closes no cycle with what hosts send, which passes no leaf.
 *
 * That leaves out upper switches that are aside, which only leaves join to the
 * others.  Their own traffic has to turn at a leaf, and would close a cycle
 * with that between leaves which they pass on.  So there is one lane for the
 * latter, the last; in the others switches aside are below all leaves and pass
 * nothing on.  The first lane has the top of the last, so that ways which avoid
 * switches aside are mostly legal in both: whatever way from or to such a switch
 * goes on along a tree of the others then finds its lane there.
 */
#include "lanes/orders_around.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

#define MAX_HUBS 16	/* leaves that are tried */

struct around {
	const struct weft_fabric *f;
	struct weft__order *now;
	const struct weft__closeness *close;
	uint32_t *place;	/* [nsw] 0 = the top */
	uint32_t *queue;	/* [nsw] */
	uint64_t *key;		/* [nch] and the channel */
	uint32_t *rank;		/* [nch] of channels, by their keys */
	uint32_t *by_rank;	/* [nch] its inverse */
	bool *aside;		/* [nsw] */
	uint32_t hub;		/* the switch with endports that joins the others;
				 * WEFT_NONE: there is no need, or none does */
};

/* Places the switches without endports that are joined to s without others in
 * between, nearest first, after the n that have a place.  Returns how many have
 * one then. */
static uint32_t place_joined(struct around *a, uint32_t s, uint32_t n)
{
	const struct weft_fabric *f = a->f;
	uint32_t i = n;

	a->place[s] = n;
	a->queue[n++] = s;
	for (; i < n; i++) {
		s = a->queue[i];
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (a->place[t] != WEFT_NONE || !weft__is_bare(f, t))
				continue;
			a->place[t] = n;
			a->queue[n++] = t;
		}
	}
	return n;
}

/* True if all neighbours of a switch without endports have some. */
static bool is_aside(const struct weft_fabric *f, uint32_t s)
{
	uint32_t e = f->adj_first[s];

	while (e < f->adj_first[s + 1] && !weft__is_bare(f, f->peer[f->adj[e]]))
		e++;
	return weft__is_bare(f, s) && e == f->adj_first[s + 1];
}

/* Places all switches, that one first, those with endports behind, and those
 * aside last. */
static void place_switches(struct around *a, uint32_t top)
{
	const uint32_t *by_place = a->close->by_place;
	uint32_t nsw = a->f->nsw, n;

	memset(a->place, 0xff, nsw * sizeof(*a->place));
	n = place_joined(a, top, 0);
	for (uint32_t i = 0; i < nsw; i++)
		if (a->place[by_place[i]] == WEFT_NONE &&
		    weft__is_bare(a->f, by_place[i]) && !a->aside[by_place[i]])
			n = place_joined(a, by_place[i], n);
	for (uint32_t i = 0; i < nsw; i++)
		if (!weft__is_bare(a->f, by_place[i]) && by_place[i] != top)
			a->place[by_place[i]] = n++;
	for (uint32_t i = 0; i < nsw; i++)
		if (a->place[by_place[i]] == WEFT_NONE)
			a->place[by_place[i]] = n++;
}

static int by_key(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

/* Ranks the channels: those that climb first, from the lowest switch on, then
 * those that descend, from the highest on. */
static void rank_channels(struct around *a)
{
	const struct weft_fabric *f = a->f;
	uint32_t nch = a->now->cdg.nch, nsw = f->nsw;

	for (uint32_t ch = 0; ch < nch; ch++)
		a->key[ch] = (uint64_t)2 * nsw << 32 | ch;
	for (uint32_t s = 0; s < nsw; s++) {
		uint32_t place = a->place[s];

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t ch = f->adj[e];
			bool up = a->place[f->peer[ch]] < place;
			uint64_t key = up ? nsw - 1 - place : nsw + place;

			a->key[ch] = key << 32 | ch;
		}
	}
	qsort(a->key, nch, sizeof(*a->key), by_key);
	for (uint32_t i = 0; i < nch; i++) {
		a->by_rank[i] = (uint32_t)a->key[i];
		a->rank[a->by_rank[i]] = i;
	}
}

/* Returns the lane's top: of the n switches without endports that the others
 * are joined to, by closeness, one that is as far behind the first as the lane
 * is behind the first lane. */
static uint32_t choose_top(const struct around *a, uint32_t n, unsigned lane,
			   unsigned lanes)
{
	uint32_t at = (uint64_t)n * lane / lanes;
	const uint32_t *by_place = a->close->by_place;

	if (a->hub != WEFT_NONE)
		return a->hub;
	for (; ; by_place++)
		if (weft__is_bare(a->f, *by_place) && !a->aside[*by_place] && !at--)
			return *by_place;
}

/* True if that many switches without endports are joined, and by s. */
static bool joins(struct around *a, uint32_t s, uint32_t n)
{
	memset(a->place, 0xff, a->f->nsw * sizeof(*a->place));
	return place_joined(a, s, 0) == n + !weft__is_bare(a->f, s);
}

/* Returns a switch with endports that joins them, of the first few by closeness, or
 * WEFT_NONE. */
static uint32_t find_hub(struct around *a, uint32_t n)
{
	const uint32_t *by_place = a->close->by_place;
	uint32_t tried = 0;

	for (uint32_t i = 0; i < a->f->nsw && tried < MAX_HUBS; i++)
		if (!weft__is_bare(a->f, by_place[i]) && ++tried &&
		    joins(a, by_place[i], n))
			return by_place[i];
	return WEFT_NONE;
}

/* Lists switches aside, unless others without endports are in parts.  *n: how
 * many others there are. */
static enum weft__around list_aside(struct around *a, uint32_t *n)
{
	uint32_t bare = 0, first = 0, nsw = a->f->nsw;

	a->hub = WEFT_NONE;
	*n = 0;
	for (uint32_t s = 0; s < nsw; s++) {
		a->aside[s] = is_aside(a->f, s);
		bare += weft__is_bare(a->f, s);
		*n += weft__is_bare(a->f, s) && !a->aside[s];
		first = weft__is_bare(a->f, s) && !a->aside[s] ? s : first;
	}
	if (*n && joins(a, first, *n))
		return *n < bare ? WEFT__AROUND_ASIDE : WEFT__AROUND_JOINED;
	memset(a->aside, 0, nsw * sizeof(*a->aside));
	*n = bare;
	a->hub = find_hub(a, bare);
	return a->hub == WEFT_NONE ? WEFT__AROUND_PARTS : WEFT__AROUND_JOINED;
}

bool weft__around_find(const struct weft_fabric *f,
		       const struct weft__closeness *close,
		       struct weft_arena *arena, enum weft__around *how)
{
	struct around a = {
		.f = f, .close = close,
		.place = weft__arena_alloc(arena, f->nsw, sizeof(*a.place)),
		.queue = weft__arena_alloc(arena, f->nsw, sizeof(*a.queue)),
		.aside = weft__arena_alloc(arena, f->nsw, sizeof(*a.aside)),
	};
	uint32_t n;

	if (!a.place || !a.queue || !a.aside)
		return false;
	*how = list_aside(&a, &n);
	return true;
}

bool weft__orders_around(struct weft__orders *orders, struct weft__order *now,
			 const struct weft__closeness *close,
			 struct weft_arena *arena, enum weft__around *how)
{
	uint32_t nsw = orders->fabric->nsw, nch = now->cdg.nch, n;
	struct around a = {
		.f = orders->fabric, .now = now, .close = close,
		.place = weft__arena_alloc(arena, nsw, sizeof(*a.place)),
		.queue = weft__arena_alloc(arena, nsw, sizeof(*a.queue)),
		.key = weft__arena_alloc(arena, nch, sizeof(*a.key)),
		.rank = weft__arena_alloc(arena, nch, sizeof(*a.rank)),
		.by_rank = weft__arena_alloc(arena, nch, sizeof(*a.by_rank)),
		.aside = weft__arena_alloc(arena, nsw, sizeof(*a.aside)),
	};
	struct weft__order_rule rule = {
		.from = orders->n - 1, .rank = a.rank, .by_rank = a.by_rank,
	};

	if (!a.place || !a.queue || !a.key || !a.rank || !a.by_rank ||
	    !a.aside)
		return false;
	*how = list_aside(&a, &n);
	for (unsigned k = 0; k < orders->n; k++) {
		bool like_last = *how == WEFT__AROUND_ASIDE && k == 0;

		orders->top[k] = choose_top(&a, n, like_last ? orders->n - 1 :
					    k, orders->n);
		place_switches(&a, orders->top[k]);
		rank_channels(&a);
		rule.without = k + 1 < orders->n ? a.aside : NULL;
		weft__order_by_rule(now, k, &rule);
	}
	weft__orders_adapt(orders, now);
	return true;
}
