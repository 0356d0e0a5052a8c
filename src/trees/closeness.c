// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: closeness, an order for Up*Down*
 *
 * On a tree the sum of hops to all hosts is least at the top and grows downwards,
 * so that "up", towards the closer one, is what a tree calls up; on anything
 * else the routes over the middle of the fabric are short ones.
 *
 * Two switches have a legal way to each other iff they have a common ancestor,
 * iff some local maximum of the order (a switch without a neighbour above) is
 * above both.  So for each switch the set of maxima above it is kept, as bits.
 *
 * Repair: a maximum S that is moved to just below its neighbour N has one cable
 * turned, or few.  All ways over S stay legal, and what is below S is now below
 * everything above N, too.  But ways down from there now lead through N and S,
 * where they used to climb, which is why as few as possible are moved: each time
 * the one that leaves the fewest pairs of hosts without a common ancestor.  N
 * must have another maximum above it, so that there is one maximum fewer each
 * time and the repair ends.  On large fabrics that are far from any tree (tori with
 * cables missing: a quarter of all pairs have no ancestor) it would take seconds
 * and mend little; there it ends when so much has been looked at.
 */
#include "trees/closeness.h"

#include "core/arena.h"
#include "trees/bfs.h"
#include "trees/maxima.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEMOTED 64
#define MAX_LOOKS (UINT64_C(1) << 25)	/* at pairs of switches */

/* Switches with hosts that are below the same maxima. */
struct kind {
	const uint64_t *above;	/* [nwords] */
	uint32_t nwords;
	uint32_t hosts;
	bool cut;		/* has no maximum in common with another one */
};

/* The repair at work. */
struct repair {
	struct weft__closeness *c;
	struct weft__maxima maxima;
	uint32_t *home;		/* [nhomes] switches with hosts */
	uint32_t nhomes;
	struct kind *kind;	/* [nhomes] */
	uint8_t *suspect;	/* [nsw] maximum above one side of a cut pair */
	uint32_t *saved;	/* [nsw] by_place before a trial */
	uint64_t looks;		/* at pairs, so far */
};

static void count_hosts(struct weft__closeness *c)
{
	const struct weft_fabric *f = c->fabric;

	for (uint32_t e = 0; e < f->nep; e++)
		if (weft_counts_as_host(&f->ep[e], !f->nhosts))
			c->hosts[f->ep[e].sw]++;
}

static void set_places(struct weft__closeness *c)
{
	for (uint32_t i = 0; i < c->fabric->nsw; i++)
		c->place[c->by_place[i]] = i;
}

static void measure(struct weft__closeness *c, uint16_t *hops,
		    uint32_t *order)
{
	const struct weft_fabric *f = c->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!c->hosts[s])
			continue;
		weft__bfs(f, s, hops, order);
		for (uint32_t t = 0; t < f->nsw; t++)
			c->remoteness[t] += (uint64_t)hops[t] * c->hosts[s];
	}
}

/* What a switch is sorted by. */
struct rank {
	uint16_t hops;		/* from the nearest root */
	uint64_t remoteness;
	uint32_t sw;
};

static int compare(const void *pa, const void *pb)
{
	const struct rank *a = pa, *b = pb;

	if (a->hops != b->hops)
		return a->hops < b->hops ? -1 : 1;
	if (a->remoteness != b->remoteness)
		return a->remoteness < b->remoteness ? -1 : 1;
	return a->sw < b->sw ? -1 : 1;
}

/* Hops from the nearest root; 0 everywhere without roots. */
static void root_hops(const struct weft_fabric *f, const uint8_t *is_root,
		      struct rank *rank, uint16_t *hops, uint32_t *order)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		rank[s].hops = is_root ? WEFT__FAR : 0;
	for (uint32_t s = 0; s < f->nsw && is_root; s++) {
		if (!is_root[s])
			continue;
		weft__bfs(f, s, hops, order);
		for (uint32_t t = 0; t < f->nsw; t++)
			if (hops[t] < rank[t].hops)
				rank[t].hops = hops[t];
	}
}

static void sort(struct weft__closeness *c, struct rank *rank)
{
	uint32_t n = c->fabric->nsw;

	for (uint32_t s = 0; s < n; s++) {
		rank[s].sw = s;
		rank[s].remoteness = c->remoteness[s];
	}
	qsort(rank, n, sizeof(*rank), compare);
	for (uint32_t i = 0; i < n; i++)
		c->by_place[i] = rank[i].sw;
	set_places(c);
}

static void find_above(struct repair *r)
{
	weft__maxima_find(&r->maxima, r->c->place, r->c->by_place);
}

static int compare_kinds(const void *pa, const void *pb)
{
	const struct kind *a = pa, *b = pb;

	for (uint32_t w = 0; w < a->nwords; w++)
		if (a->above[w] != b->above[w])
			return a->above[w] < b->above[w] ? -1 : 1;
	return 0;
}

/* Puts switches with hosts together that are below the same maxima; returns how
 * many kinds of them there are. */
static uint32_t sort_kinds(struct repair *r)
{
	struct kind *kind = r->kind;
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->nhomes; i++)
		kind[i] = (struct kind){
			.above = weft__above(&r->maxima, r->home[i]),
			.nwords = r->maxima.nwords,
			.hosts = r->c->hosts[r->home[i]],
		};
	qsort(kind, r->nhomes, sizeof(*kind), compare_kinds);
	for (uint32_t i = 0; i < r->nhomes; i++) {
		if (n && !compare_kinds(&kind[n - 1], &kind[i]))
			kind[n - 1].hosts += kind[i].hosts;
		else
			kind[n++] = kind[i];
	}
	return n;
}

static bool meet(const struct kind *a, const struct kind *b)
{
	for (uint32_t w = 0; w < a->nwords; w++)
		if (a->above[w] & b->above[w])
			return true;
	return false;
}

/* Marks the maxima above those that somebody has none in common with. */
static void suspect(struct repair *r, uint32_t nkinds)
{
	for (uint32_t i = 0; i < nkinds; i++) {
		const uint64_t *set = r->kind[i].above;

		if (!r->kind[i].cut)
			continue;
		for (uint32_t m = 0; m < r->maxima.n; m++)
			if (set[m / 64] >> m % 64 & 1)
				r->suspect[r->maxima.sw[m]] = 1;
	}
}

/* Pairs of hosts without a common ancestor; marks who could be at fault. */
static uint64_t count_cut(struct repair *r, bool mark)
{
	uint32_t n = sort_kinds(r);
	uint64_t cut = 0;

	r->looks += (uint64_t)r->nhomes * r->nhomes / 2;
	for (uint32_t i = 0; i < n; i++) {
		struct kind *a = &r->kind[i];

		for (struct kind *b = r->kind; b < a; b++) {
			if (meet(a, b))
				continue;
			cut += (uint64_t)a->hosts * b->hosts;
			a->cut = b->cut = true;
		}
	}
	if (mark)
		suspect(r, n);
	return cut;
}

/* The highest neighbour of maximum s with another maximum above it. */
static uint32_t new_parent(const struct repair *r, uint32_t s)
{
	const struct weft_fabric *f = r->c->fabric;
	const uint32_t *place = r->c->place;
	uint32_t best = WEFT_NONE;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = f->peer[f->adj[e]], bits = 0;
		const uint64_t *set = weft__above(&r->maxima, t);

		for (uint32_t w = 0; w < r->maxima.nwords; w++)
			bits += __builtin_popcountll(set[w]);
		if (bits > 1 && (best == WEFT_NONE || place[t] < place[best]))
			best = t;
	}
	return best;
}

/* Moves switch s to just below switch t. */
static void demote(struct weft__closeness *c, uint32_t s, uint32_t t)
{
	uint32_t from = c->place[s], to = c->place[t];

	memmove(c->by_place + from, c->by_place + from + 1,
		(to - from) * sizeof(*c->by_place));
	c->by_place[to] = s;
	set_places(c);
}

/* The maximum whose move leaves the fewest pairs cut, and by how many;
 * WEFT_NONE if no move helps. */
static uint32_t best_move(struct repair *r, uint64_t *cut)
{
	struct weft__closeness *c = r->c;
	uint32_t n = c->fabric->nsw, best = WEFT_NONE;

	memcpy(r->saved, c->by_place, n * sizeof(*r->saved));
	for (uint32_t s = 0; s < n; s++) {
		uint32_t parent;
		uint64_t left;

		if (!r->suspect[s])
			continue;
		parent = new_parent(r, s);
		if (parent == WEFT_NONE)
			continue;
		demote(c, s, parent);
		find_above(r);
		left = count_cut(r, false);
		if (left < *cut) {
			*cut = left;
			best = s;
		}
		memcpy(c->by_place, r->saved, n * sizeof(*r->saved));
		set_places(c);
		find_above(r);
	}
	return best;
}

static void mend(struct repair *r)
{
	struct weft__closeness *c = r->c;

	while (c->cut_left && c->ndemoted < MAX_DEMOTED &&
	       r->looks < MAX_LOOKS) {
		uint32_t s = best_move(r, &c->cut_left);

		if (s == WEFT_NONE)
			return;
		demote(c, s, new_parent(r, s));
		c->demoted[c->ndemoted++] = s;
		memset(r->suspect, 0, c->fabric->nsw);
		find_above(r);
		count_cut(r, true);
	}
}

static bool alloc_repair(struct repair *r, struct weft_arena *arena)
{
	uint32_t n = r->c->fabric->nsw;

	r->home = weft__arena_alloc(arena, n, sizeof(*r->home));
	r->kind = weft__arena_alloc(arena, n, sizeof(*r->kind));
	r->suspect = weft__arena_zalloc(arena, n, 1);
	r->saved = weft__arena_alloc(arena, n, sizeof(*r->saved));
	return r->home && r->kind && r->suspect && r->saved;
}

static bool repair(struct weft__closeness *c, struct weft_arena *arena,
		   uint64_t bearable)
{
	struct repair r = { .c = c };

	if (!alloc_repair(&r, arena) ||
	    !weft__maxima_init(&r.maxima, c->fabric, arena))
		return false;
	for (uint32_t s = 0; s < c->fabric->nsw; s++)
		if (c->hosts[s])
			r.home[r.nhomes++] = s;
	find_above(&r);
	c->cut = c->cut_left = count_cut(&r, true);
	if (c->cut <= bearable)
		mend(&r);
	return true;
}

static bool order_by(struct weft__closeness *c, struct weft_arena *arena,
		     const uint8_t *is_root)
{
	const struct weft_fabric *f = c->fabric;
	uint16_t *hops = weft__arena_alloc(arena, f->nsw, sizeof(*hops));
	uint32_t *queue = weft__arena_alloc(arena, f->nsw, sizeof(*queue));
	struct rank *rank = weft__arena_alloc(arena, f->nsw, sizeof(*rank));

	if (!hops || !queue || !rank)
		return false;
	if (!c->measured)
		measure(c, hops, queue);
	c->measured = true;
	root_hops(f, is_root, rank, hops, queue);
	sort(c, rank);
	return true;
}

bool weft__closeness_init(struct weft__closeness *c,
			  const struct weft_fabric *f,
			  struct weft_arena *arena, const uint8_t *is_root,
			  uint64_t bearable)
{
	*c = (struct weft__closeness){ .fabric = f };
	c->hosts = weft__arena_zalloc(arena, f->nsw, sizeof(*c->hosts));
	c->remoteness = weft__arena_zalloc(arena, f->nsw,
					   sizeof(*c->remoteness));
	c->place = weft__arena_alloc(arena, f->nsw, sizeof(*c->place));
	c->by_place = weft__arena_alloc(arena, f->nsw, sizeof(*c->by_place));
	c->demoted = weft__arena_alloc(arena, MAX_DEMOTED,
				       sizeof(*c->demoted));
	if (!c->hosts || !c->remoteness || !c->place || !c->by_place ||
	    !c->demoted)
		return false;
	count_hosts(c);
	return order_by(c, arena, is_root) && repair(c, arena, bearable);
}

bool weft__closeness_one_root(struct weft__closeness *c,
			      struct weft_arena *arena)
{
	uint8_t *is_root = weft__arena_zalloc(arena, c->fabric->nsw, 1);

	if (!is_root)
		return false;
	is_root[c->by_place[0]] = 1;
	c->ndemoted = 0;
	c->one_root = true;
	return order_by(c, arena, is_root);
}
