// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: orders that leave pairs many ways
 *
 * Several LIDs of a port want several ways, all legal in the one lane of the
 * pair.  Up*Down* forbids a way that descends and climbs again, so that a pair
 * has most ways in a lane in whose order both of its switches are near the
 * bottom, and lanes should differ in what is at the bottom.  The lanes are
 * chosen one after the other from many orders (order_candidates.h).  An order
 * is worth, for each pair, the cables by which short legal ways begin, as far
 * as they exceed those of the best lane before; and nothing if it forbids a way
 * that must stay.  Pairs that have no lane yet count more than any ways.
 *
 * All candidates are followed at once, a bit each: by which a switch has a
 * legal way of so many cables, and by which one that only descends.
 */
#include "lanes/orders_wide.h"

#include "core/arena.h"
#include "lanes/near_ways.h"
#include "lanes/order_candidates.h"

#include <string.h>

#define CLOSE 16 /* candidates by closeness to hosts nearby, at most */
#define HOPS 52	 /* candidates when those by hops have been added */
#define SAMPLED (1u << 16) /* switches times sampled destinations, */
#define LEAST_SAMPLES 64   /* but at least so many destinations, */
#define MOST_SAMPLES 512   /* and at most so many */
#define BARE                                                                   \
	16 /* what a lane for a pair that has none is worth, in                \
	    * cables */

struct widener {
	const struct weft_fabric *f;
	struct weft__lane_masks *masks;
	struct weft__orders *orders;
	const struct weft__wide_spec *spec;
	struct weft__order_candidates list;
	uint64_t *legal, *down; /* [nsw] candidates by which a switch has a
				 * legal way, and one that only descends, to the
				 * current destination */
	uint64_t *legal_before, *down_before; /* [nsw] by one cable less */
	uint64_t *holds; /* [nsw * nsw] candidates in which all ways of
			  * the trees of a pair are legal */
	uint8_t *has;	 /* [nsw * nsw] the pair has a lane */
	uint16_t *hops;	 /* [nsw] of shortest ways */
	uint32_t step;	 /* of switches with hosts, one is sampled */
	size_t npairs;	 /* a sampled destination and a switch with
			  * hosts */
	uint8_t (*value)[WEFT__CANDIDATES]; /* [npairs] first cables */
	uint8_t *best;			    /* [npairs] of any lane so far */
	uint16_t *up; /* [edges] bit: lane in which it climbs */
};

/* Finds the candidates in which the ways of a tree are legal. */
static void hold_tree(struct widener *w, const struct weft__tree *t)
{
	const uint32_t *sorted = weft__masks_sort(w->masks, t);
	const uint32_t *first = w->f->adj_first;
	const uint64_t *up = w->list.up;
	uint32_t nsw = w->f->nsw;

	w->legal[t->root] = w->down[t->root] = UINT64_MAX;
	for (uint32_t i = 1; i < nsw; i++) {
		uint32_t s = sorted[i], e = first[s] + t->choice[s];
		uint32_t u = w->masks->ways->head[e];

		w->down[s] = ~up[e] & w->down[u];
		w->legal[s] = w->down[s] | (up[e] & w->legal[u]);
		w->holds[(size_t)s * nsw + t->root] &= w->legal[s];
	}
}

static void hold_trees(struct widener *w)
{
	const struct weft__trees *trees = w->masks->trees;
	uint32_t nsw = w->f->nsw;

	memset(w->holds, 0xff, (size_t)nsw * nsw * sizeof(*w->holds));
	for (uint32_t d = 0; d < trees->n; d++)
		hold_tree(w, &trees->tree[d]);
	for (uint32_t s = 0; s < nsw; s++)
		for (uint32_t t = 0; t < s; t++) {
			uint64_t *there = &w->holds[(size_t)s * nsw + t];
			uint64_t *back = &w->holds[(size_t)t * nsw + s];

			*there = *back = *there & *back;
		}
}

/* Counts the cables of switches whose ways may have h cables. */
static void count_at(struct widener *w, uint32_t t, unsigned h,
		     uint8_t (*value)[WEFT__CANDIDATES])
{
	const uint32_t *first = w->f->adj_first;

	for (uint32_t i = 0; i < w->list.nhomes; i++) {
		uint32_t s = w->list.home[i];
		uint64_t holds = w->holds[(size_t)s * w->f->nsw + t];

		if (s == t || w->hops[s] + w->spec->longer != h)
			continue;
		for (uint32_t e = first[s]; e < first[s + 1]; e++) {
			uint32_t u = w->masks->ways->head[e];
			uint64_t l = holds & ((w->list.up[e] & w->legal[u]) |
					      (~w->list.up[e] & w->down[u]));

			for (; l; l &= l - 1) {
				uint8_t *n = &value[i][__builtin_ctzll(l)];

				*n += *n < w->spec->enough;
			}
		}
	}
}

/* Adds the ways that are one cable longer. */
static void lengthen(struct widener *w)
{
	const uint32_t *first = w->f->adj_first, *head = w->masks->ways->head;
	uint64_t *legal = w->legal, *down = w->down;

	w->legal = w->legal_before;
	w->down = w->down_before;
	w->legal_before = legal;
	w->down_before = down;
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		uint64_t l = legal[s], d = down[s];

		for (uint32_t e = first[s]; e < first[s + 1]; e++) {
			l |= w->list.up[e] & legal[head[e]];
			d |= ~w->list.up[e] & down[head[e]];
		}
		w->down[s] = d;
		w->legal[s] = l | d;
	}
}

/* Counts, for each switch with hosts and each candidate that holds the pair,
 * the cables by which short legal ways to switch t begin. */
static void count_ways(struct widener *w, uint32_t t,
		       uint8_t (*value)[WEFT__CANDIDATES])
{
	const struct weft__plan *plan = weft__ways_to(w->masks->ways, t);
	unsigned most;

	weft__ways_hops(w->masks->ways, plan, w->hops);
	most = w->hops[plan->order[plan->n]] + w->spec->longer;
	memset(w->legal, 0, w->f->nsw * sizeof(*w->legal));
	memset(w->down, 0, w->f->nsw * sizeof(*w->down));
	w->legal[t] = w->down[t] = UINT64_MAX;
	for (unsigned h = 1; h <= most; h++) {
		count_at(w, t, h, value);
		lengthen(w);
	}
}

/* Counts the ways in the lanes that are kept. */
static bool count_kept(struct widener *w, struct weft_arena *arena)
{
	struct weft__near_ways near;
	uint16_t kept = (1u << w->spec->kept) - 1;
	uint32_t nsw = w->f->nsw;

	if (!w->spec->kept)
		return true;
	if (!weft__near_ways_init(&near, w->masks, w->spec->longer, arena))
		return false;
	for (uint32_t i = 0, p = 0; i < w->list.nhomes; i += w->step) {
		uint32_t t = w->list.home[i];

		weft__near_ways_count(&near, t);
		for (uint32_t k = 0; k < w->list.nhomes; k++, p++) {
			uint32_t s = w->list.home[k];
			const struct weft__lane_masks *m = w->masks;
			unsigned lanes = kept & weft__masks_pair(m, s, t);

			for (; lanes; lanes &= lanes - 1) {
				unsigned n =
					near.count[s][__builtin_ctz(lanes)];

				n = n < w->spec->enough ? n : w->spec->enough;
				w->best[p] = n > w->best[p] ? n : w->best[p];
			}
		}
	}
	memset(w->has, 1, (size_t)nsw * nsw);
	return true;
}

/* Returns the candidate that adds most. */
static unsigned best_candidate(const struct widener *w, uint64_t chosen)
{
	uint64_t score[WEFT__CANDIDATES] = { 0 };
	unsigned best = 0;

	for (size_t p = 0; p < w->npairs; p++)
		for (unsigned k = 0; k < w->list.n; k++)
			if (w->value[p][k] > w->best[p])
				score[k] += w->value[p][k] - w->best[p];
	for (size_t i = 0; i < (size_t)w->f->nsw * w->f->nsw; i++)
		for (uint64_t l = w->has[i] ? 0 : w->holds[i]; l; l &= l - 1)
			score[__builtin_ctzll(l)] += BARE;
	while (best + 1 < w->list.n && chosen >> best & 1)
		best++;
	for (unsigned k = 0; k < w->list.n; k++)
		if (!(chosen >> k & 1) && score[k] > score[best])
			best = k;
	return best;
}

/* Gives a lane the order of a candidate. */
static void choose(struct widener *w, unsigned lane, unsigned k)
{
	const uint64_t *up = w->list.up;

	w->orders->top[lane] = w->list.top[k];
	for (uint32_t e = 0; e < w->f->adj_first[w->f->nsw]; e++)
		w->up[e] |= (up[e] >> k & 1) << lane;
	for (size_t p = 0; p < w->npairs; p++)
		if (w->value[p][k] > w->best[p])
			w->best[p] = w->value[p][k];
	for (size_t i = 0; i < (size_t)w->f->nsw * w->f->nsw; i++)
		w->has[i] |= w->holds[i] >> k & 1;
}

/* Allows the lanes from kept on the turns of the orders chosen. */
static void allow(struct widener *w)
{
	const struct weft_fabric *f = w->f;
	uint16_t kept = (1u << w->spec->kept) - 1;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		uint16_t *turn = weft__turns_from(&w->orders->turns, e);
		uint32_t s = f->peer[f->adj[e]];

		for (uint32_t g = f->adj_first[s]; g < f->adj_first[s + 1];
		     g++, turn++)
			*turn = (*turn & kept) |
				((w->up[e] | ~w->up[g]) & ~kept);
		*turn = UINT16_MAX;
	}
}

/* Returns every how manieth switch with hosts is sampled as a destination. */
static uint32_t find_step(uint32_t nsw, uint32_t nhomes)
{
	uint32_t n = SAMPLED / (nsw + 1);

	n = n < LEAST_SAMPLES ? LEAST_SAMPLES : n;
	n = n < MOST_SAMPLES ? n : MOST_SAMPLES;
	return nhomes / n + 1;
}

static bool alloc(struct widener *w, const struct weft__closeness *close,
		  struct weft_arena *a)
{
	uint32_t nsw = w->f->nsw;
	size_t n = (size_t)nsw * nsw;

	if (!weft__candidates_init(&w->list, w->f, close, a))
		return false;
	w->step = find_step(nsw, w->list.nhomes);
	w->npairs = (size_t)((w->list.nhomes + w->step - 1) / w->step) *
		    w->list.nhomes;
	w->legal = weft__arena_alloc(a, nsw, sizeof(*w->legal));
	w->down = weft__arena_alloc(a, nsw, sizeof(*w->down));
	w->legal_before = weft__arena_alloc(a, nsw, sizeof(*w->legal));
	w->down_before = weft__arena_alloc(a, nsw, sizeof(*w->down));
	w->holds = weft__arena_alloc(a, n, sizeof(*w->holds));
	w->has = weft__arena_zalloc(a, n, 1);
	w->hops = weft__arena_alloc(a, nsw, sizeof(*w->hops));
	w->value = weft__arena_zalloc(a, w->npairs, sizeof(*w->value));
	w->best = weft__arena_zalloc(a, w->npairs, 1);
	w->up = weft__arena_zalloc(a, w->f->adj_first[nsw], sizeof(*w->up));
	return w->legal && w->down && w->legal_before && w->down_before &&
	       w->holds && w->has && w->hops && w->value && w->best && w->up;
}

bool weft__orders_widen(struct weft__orders *orders,
			struct weft__lane_masks *masks,
			const struct weft__closeness *close,
			const struct weft__wide_spec *spec,
			struct weft_arena *arena, uint64_t *bare)
{
	struct widener w = {
		.f = masks->fabric,
		.masks = masks,
		.orders = orders,
		.spec = spec,
	};
	uint64_t chosen = 0;

	if (!alloc(&w, close, arena))
		return false;
	weft__candidates_close(&w.list, CLOSE);
	weft__candidates_hops(&w.list, HOPS);
	weft__candidates_bottoms(&w.list, WEFT__CANDIDATES);
	hold_trees(&w);
	for (uint32_t i = 0, p = 0; i < w.list.nhomes;
	     i += w.step, p += w.list.nhomes)
		count_ways(&w, w.list.home[i], w.value + p);
	if (!count_kept(&w, arena))
		return false;
	for (uint32_t s = 0; s < w.f->nsw; s++)
		w.has[(size_t)s * w.f->nsw + s] = 1;
	for (unsigned lane = spec->kept; lane < orders->n; lane++) {
		unsigned k = best_candidate(&w, chosen);

		chosen |= UINT64_C(1) << k;
		choose(&w, lane, k);
	}
	allow(&w);
	*bare = 0;
	for (size_t i = 0; i < (size_t)w.f->nsw * w.f->nsw; i++)
		*bare += !w.has[i];
	return true;
}
