// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Changes trees and counts what that does to the lanes of pairs; see
 * reroute.h. */
#include "lanes/reroute.h"

#include "core/arena.h"

#define AHEAD 12	/* switches for which masks are fetched beforehand */
#define MOST_WEIGHT (UINT32_C(1) << 24)	/* that a missing way counts for */

static uint32_t edge_of(const struct weft__reroute *m,
			const struct weft__tree *t, uint32_t s)
{
	return m->f->adj_first[s] + t->choice[s];
}

static size_t pair_of(const struct weft__reroute *m, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a + b - low;

	return (size_t)low * m->f->nsw + high;
}

static void count_pair(const struct weft__reroute *m, uint32_t a, uint32_t b,
		       uint16_t *counts)
{
	uint32_t n[WEFT__LEGAL_LANES];

	weft__legal_count(&m->way.counts, a, b, n);
	for (unsigned k = 0; k < m->nlanes; k++)
		counts[k] = n[k];
}

static size_t number_of(uint32_t a, uint32_t b)
{
	size_t low = a < b ? a : b, high = a + b - low;

	return high * (high - 1) / 2 + low;
}

uint32_t weft__reroute_weight(const struct weft__reroute *m, uint32_t a,
			      uint32_t b)
{
	return m->weight[number_of(a, b)] + 1;
}

void weft__reroute_weigh(struct weft__reroute *m, uint32_t a, uint32_t b)
{
	uint32_t weight = weft__reroute_weight(m, a, b);

	if (weight < MOST_WEIGHT)
		m->weight[number_of(a, b)] = 2 * weight - 1;
}

/* Returns the counts of a pair, most of which are never asked for: they are
 * counted when they first are, before any of its ways changes. */
static uint16_t *counts_of(const struct weft__reroute *m, uint32_t a,
			   uint32_t b)
{
	size_t pair = pair_of(m, a, b);
	uint64_t bit = UINT64_C(1) << pair % 64;
	uint16_t *counts = m->counts + number_of(a, b) * m->nlanes;

	if (!(m->counted[pair / 64] & bit)) {
		m->counted[pair / 64] |= bit;
		count_pair(m, a, b, counts);
	}
	return counts;
}

uint32_t weft__reroute_missing(const struct weft__reroute *m, uint32_t a,
			       uint32_t b)
{
	const uint32_t *ntrees = m->way.counts.ntrees;
	const uint16_t *counts = counts_of(m, a, b);
	uint32_t most = 0;

	for (unsigned k = 0; k < m->nlanes; k++)
		most = counts[k] > most ? counts[k] : most;
	return ntrees[a] + ntrees[b] - most;
}

static uint32_t note_missing(struct weft__reroute *m, uint32_t a, uint32_t b)
{
	size_t pair = pair_of(m, a, b);
	uint64_t bit = UINT64_C(1) << pair % 64;
	uint32_t n = weft__reroute_missing(m, a, b);

	if (n)
		m->lacking[pair / 64] |= bit;
	else
		m->lacking[pair / 64] &= ~bit;
	return n;
}

size_t weft__reroute_next(const struct weft__reroute *m, size_t pair)
{
	size_t npairs = (size_t)m->f->nsw * m->f->nsw;
	uint64_t word;

	while (pair < npairs) {
		word = m->lacking[pair / 64] >> pair % 64;
		if (word)
			return pair + __builtin_ctzll(word);
		pair = (pair / 64 + 1) * 64;
	}
	return npairs;
}

static void recount(const struct weft__reroute *m, uint32_t a, uint32_t b,
		    uint16_t old, uint16_t new)
{
	uint16_t *counts = counts_of(m, a, b);

	for (unsigned k = 0; k < m->nlanes; k++)
		counts[k] += (new >> k & 1) - (old >> k & 1);
}

/* Finds the lanes of the way from s to a tree's root anew, from those of the
 * next switch.  Returns true if they have changed. */
static bool renew_lanes(struct weft__reroute *m, uint32_t tree, uint32_t s)
{
	const struct weft__tree *t = &m->masks->trees->tree[tree];
	uint32_t e = edge_of(m, t, s), head = m->way.head[e];
	uint8_t next = weft__legal_next(&m->way.counts, t, head);
	uint16_t *mask = weft__mask_of(m->masks, tree, s);
	uint16_t new = *weft__way_search_legal(&m->way, tree, head) &
		       weft__turns_from(m->way.turns, e)[next];
	int64_t saved;

	m->way.work++;
	if (new == *mask)
		return false;
	saved = weft__reroute_missing(m, s, t->root);
	recount(m, s, t->root, *mask, new);
	*mask = *weft__way_search_legal(&m->way, tree, s) = new;
	saved -= note_missing(m, s, t->root);
	if (saved)
		m->gain += saved * weft__reroute_weight(m, s, t->root);
	return true;
}

/* Has switch s send by another edge, and updates all switches behind it. */
static void set_choice(struct weft__reroute *m, uint32_t tree, uint32_t s,
		       uint8_t choice)
{
	const struct weft__tree *t = &m->masks->trees->tree[tree];
	uint32_t n = 0, first = s;

	t->choice[s] = choice;
	m->stack[n++] = s;
	while (n) {
		s = m->stack[--n];
		if (!renew_lanes(m, tree, s) && s != first)
			continue;
		for (uint32_t e = m->f->adj_first[s];
		     e < m->f->adj_first[s + 1]; e++) {
			uint32_t behind = m->way.head[e];

			if (behind != t->root &&
			    t->choice[behind] == m->way.counts.back[e])
				m->stack[n++] = behind;
		}
	}
}

void weft__reroute_undo(struct weft__reroute *m)
{
	while (m->nchanges) {
		struct weft__rerouted *c = &m->change[--m->nchanges];

		set_choice(m, c->tree, c->s, c->choice);
	}
}

void weft__reroute_take(struct weft__reroute *m, uint32_t tree, uint32_t edge)
{
	const uint8_t *choice = m->masks->trees->tree[tree].choice;

	for (; edge != WEFT_NONE; edge = m->way.from[edge]) {
		uint32_t s = m->way.tail[edge];
		uint8_t k = edge - m->f->adj_first[s];

		if (choice[s] == k)
			continue;
		m->change[m->nchanges++] =
			(struct weft__rerouted){ tree, s, choice[s] };
		set_choice(m, tree, s, k);
	}
}

/* True if a pair that is being put into a lane may still save more than that, as
 * far as its own ways tell. */
static bool may_save(const struct weft__reroute *m, uint32_t a, uint32_t b,
		     int64_t least)
{
	return m->gain + (int64_t)weft__reroute_missing(m, a, b) *
				 weft__reroute_weight(m, a, b) > least;
}

/* Leads all ways from a to b by that lane, as long as that may save more than
 * least. */
static bool lead_all(struct weft__reroute *m, uint32_t a, uint32_t b,
		     unsigned lane, const struct weft__reroute_kind *kind,
		     int64_t least)
{
	const struct weft__lane_masks *masks = m->masks;

	for (uint32_t i = masks->first[b]; i < masks->first[b + 1]; i++) {
		uint32_t tree = masks->list[i];

		if (weft__legal_shared(&m->way.counts, tree) == tree &&
		    !(*weft__mask_of(masks, tree, a) >> lane & 1) &&
		    (!kind->lead(kind->context, tree, a, lane) ||
		     !may_save(m, a, b, least)))
			return false;
	}
	return true;
}

int64_t weft__reroute_try(struct weft__reroute *m, uint32_t a, uint32_t b,
			  unsigned lane, const struct weft__reroute_kind *kind,
			  int64_t least)
{
	m->gain = 0;
	m->nchanges = 0;
	if (!lead_all(m, a, b, lane, kind, least) ||
	    !lead_all(m, b, a, lane, kind, least))
		return WEFT__REROUTE_NO_WAY;
	return m->gain;
}

/* Lists the lanes, beginning with those in which most ways of the pair are
 * legal. */
static void list_lanes(const struct weft__reroute *m, uint32_t a, uint32_t b,
		       uint8_t *list)
{
	const uint16_t *counts = counts_of(m, a, b);

	for (unsigned lane = 0; lane < m->nlanes; lane++) {
		unsigned i = lane;

		for (; i && counts[list[i - 1]] < counts[lane]; i--)
			list[i] = list[i - 1];
		list[i] = lane;
	}
}

int64_t weft__reroute_best(struct weft__reroute *m, uint32_t a, uint32_t b,
			   const struct weft__reroute_kind *kind,
			   int64_t least, unsigned *best, bool *done)
{
	int64_t all = (int64_t)weft__reroute_missing(m, a, b) *
		      weft__reroute_weight(m, a, b);
	int64_t most = least;
	uint8_t list[WEFT__LEGAL_LANES];

	list_lanes(m, a, b, list);
	*done = false;
	*best = list[0];
	for (unsigned i = 0; i < m->nlanes; i++) {
		int64_t gain = weft__reroute_try(m, a, b, list[i], kind,
						most);

		*done = gain >= all;
		if (*done)
			return gain;
		weft__reroute_undo(m);
		if (gain > most) {
			most = gain;
			*best = list[i];
		}
	}
	return most;
}

uint64_t weft__reroute_left(const struct weft__reroute *m)
{
	size_t n = (size_t)m->f->nsw * m->f->nsw;
	uint64_t left = 0;

	for (size_t i = weft__reroute_next(m, 0); i < n;
	     i = weft__reroute_next(m, i + 1))
		left++;
	return left;
}

/* Returns the most changes that a pair may need: each tree of either switch may
 * change at every switch. */
static size_t most_changes(const struct weft__reroute *m)
{
	size_t most = 1;

	for (uint32_t s = 0; s < m->f->nsw; s++)
		if (m->way.counts.ntrees[s] > most)
			most = m->way.counts.ntrees[s];
	return 2 * most * m->f->nsw;
}

bool weft__reroute_init(struct weft__reroute *m, struct weft__lane_masks *masks,
			struct weft_arena *arena)
{
	size_t nsw = masks->fabric->nsw;

	*m = (struct weft__reroute){
		.masks = masks,
		.f = masks->fabric,
		.nlanes = masks->orders->n,
		.lacking = weft__arena_zalloc(arena, nsw * nsw / 64 + 1,
					      sizeof(*m->lacking)),
		.counted = weft__arena_zalloc(arena, nsw * nsw / 64 + 1,
					      sizeof(*m->counted)),
		.counts = weft__arena_alloc(arena, nsw * (nsw - 1) / 2 + 1,
					    masks->orders->n *
						    sizeof(*m->counts)),
		.weight = weft__arena_zalloc(arena, nsw * (nsw - 1) / 2 + 1,
					     sizeof(*m->weight)),
		.stack = weft__arena_alloc(arena, nsw, sizeof(*m->stack)),
	};
	if (!weft__way_search_init(&m->way, masks, arena) || !m->lacking ||
	    !m->counted || !m->counts || !m->weight || !m->stack)
		return false;
	m->change =
		weft__arena_alloc(arena, most_changes(m), sizeof(*m->change));
	if (!m->change)
		return false;
	for (uint32_t a = 0; a < nsw; a++) {
		for (uint32_t b = 0; b < a; b++) {
			weft__masks_fetch(masks, a, b + AHEAD);
			if (weft__legal_missing(&m->way.counts, a, b))
				note_missing(m, a, b);
		}
	}
	return true;
}
