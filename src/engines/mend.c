// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: mend, routes that fit the lanes
 *
 * Each lane allows some turns, those forward in an order of its channels, so
 * that whatever keeps to them closes no cycle.  A pair of switches needs a lane
 * that allows all turns of all ways between the two.  Where trees leave some
 * pairs without, this bends the trees, with the lanes as they are.
 *
 * The offence of a pair is how many of its ways are not legal in the lane in
 * which most are; times its weight, summed over all pairs, that is what is
 * brought down to nothing.  For a pair that offends, each lane is tried: those
 * of its ways that are not legal there are led from their source by the fewest
 * turns of that lane to a switch whose way is legal from there on, or to the
 * end.  The switches in between send to that LID by the new way from then on,
 * and with them all behind them; what that does to the lanes of others counts.
 * The lane that lessens the sum most is taken, if one does.  When none does for
 * any pair, those that offend gain weight, and it goes on ("breakout": Morris,
 * "The breakout method for escaping from local minima", AAAI 1993).
 *
 * Structures: the masks of ways are the spread's, and votes.c counts them where
 * that is asked for.  The LIDs of switches with endports share a tree with one of
 * these.
 * Deadlock: none in any lane, by the order of its channels.  Trees stay trees:
 * a way is led over switches that are not on it already, and joins one whose
 * way does not pass them.
 * Complexity: O(switches that change their lanes x lanes) for a change; there
 * is no bound on how many it takes, hence patience.
 *
 * Above 1000 endports pairs_mend.c does it.  Tried: this for all.  All 487 pairs
 * of dragonfly:8,4,4,33 with 3 lanes find one at once, not 467 and the rest after
 * another round of care, but of 268 pairs of 100 switches of a hypercube (1200
 * hosts, 8 lanes) not all do with as much effort: bandwidth .211, not .227; and
 * masks by orders that have become more like the trees cost 2 to 8 % of the
 * instructions of weft route (random:250x12,24 with 4 lanes 8 %).
 */
#include "engines/mend.h"

#include "core/arena.h"
#include "engines/votes.h"

#include <errno.h>

struct change {
	uint32_t tree, s;
	uint8_t choice;		/* before */
};

struct mend {
	struct weft__spread *sp;
	const struct weft_fabric *f;
	const struct weft__turns *turns;
	const uint32_t *head;	/* [edges] */
	unsigned nlanes;
	struct weft__votes votes;
	uint16_t *weight;	/* [nsw * nsw] by the lower switch */
	uint64_t *offends;	/* the same, a bit each: offence is not 0 */
	uint64_t work;		/* switches looked at */
	uint32_t *stack;	/* [nsw] */

	/* of the move at hand */
	struct change *change;	/* [room] */
	uint32_t nchanges, room;
	int64_t gain;		/* what the changes save */

	/* of the search for a way */
	uint32_t *queue;	/* [edges] */
	uint32_t nqueue;
	uint32_t *from;		/* [edges] edge before, WEFT_NONE at first */
	uint32_t *seen;		/* [edges] search that met it */
	uint32_t search;
};

static uint32_t tail(const struct mend *m, uint32_t edge)
{
	return m->f->peer[m->f->reverse[m->f->adj[edge]]];
}

static uint32_t edge_of(const struct mend *m, const struct weft__tree *t,
			uint32_t s)
{
	return m->f->adj_first[s] + t->choice[s];
}

static uint32_t offence(const struct mend *m, uint32_t a, uint32_t b)
{
	return weft__votes_missing(&m->votes, a, b);
}

static size_t pair_of(const struct mend *m, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a + b - low;

	return (size_t)low * m->f->nsw + high;
}

static uint16_t *weight_of(const struct mend *m, uint32_t a, uint32_t b)
{
	return &m->weight[pair_of(m, a, b)];
}

static uint32_t note_offence(struct mend *m, uint32_t a, uint32_t b)
{
	size_t pair = pair_of(m, a, b);
	uint64_t bit = UINT64_C(1) << pair % 64;
	uint32_t n = offence(m, a, b);

	if (n)
		m->offends[pair / 64] |= bit;
	else
		m->offends[pair / 64] &= ~bit;
	return n;
}

/* The first pair that offends, from that one on; nsw * nsw: none. */
static size_t next_offence(const struct mend *m, size_t pair)
{
	size_t npairs = (size_t)m->f->nsw * m->f->nsw;
	uint64_t word;

	while (pair < npairs) {
		word = m->offends[pair / 64] >> pair % 64;
		if (word)
			return pair + __builtin_ctzll(word);
		pair = (pair / 64 + 1) * 64;
	}
	return npairs;
}

/* The way from s to a tree's root, which that one's next switch determines, has
 * other lanes; whether it has. */
static bool renew(struct mend *m, uint32_t tree, uint32_t s)
{
	const struct weft__tree *t = &m->sp->trees->tree[tree];
	uint32_t e = edge_of(m, t, s), head = m->head[e];
	uint8_t next = weft__votes_next(&m->votes, t, head);
	uint16_t *mask = weft__votes_mask(&m->votes, tree, s);
	uint16_t new = *weft__votes_mask(&m->votes, tree, head) &
		weft__turns_from(m->turns, e)[next];
	int64_t weight = *weight_of(m, s, t->root);

	m->work++;
	if (new == *mask)
		return false;
	m->gain += weight * offence(m, s, t->root);
	*mask = new;
	m->gain -= weight * note_offence(m, s, t->root);
	return true;
}

/* Has switch s send by another edge, and all behind it. */
static void apply(struct mend *m, uint32_t tree, uint32_t s, uint8_t choice)
{
	const struct weft__tree *t = &m->sp->trees->tree[tree];
	uint32_t n = 0, first = s;

	t->choice[s] = choice;
	m->stack[n++] = s;
	while (n) {
		s = m->stack[--n];
		if (!renew(m, tree, s) && s != first)
			continue;
		for (uint32_t e = m->f->adj_first[s];
		     e < m->f->adj_first[s + 1]; e++) {
			uint32_t behind = m->head[e];

			if (behind != t->root &&
			    t->choice[behind] == m->votes.back[e])
				m->stack[n++] = behind;
		}
	}
}

static void undo(struct mend *m)
{
	while (m->nchanges) {
		struct change *c = &m->change[--m->nchanges];

		apply(m, c->tree, c->s, c->choice);
	}
}

/* Whether the way of the search that ends with that edge has come by s. */
static bool came_by(const struct mend *m, uint32_t edge, uint32_t s)
{
	for (; edge != WEFT_NONE; edge = m->from[edge])
		if (tail(m, edge) == s)
			return true;
	return false;
}

/* Whether the way of the search can go on from that edge's head along the tree,
 * in that lane. */
static bool joins(const struct mend *m, uint32_t tree, uint32_t edge,
		  unsigned lane)
{
	const struct weft__tree *t = &m->sp->trees->tree[tree];
	uint32_t s = m->head[edge];
	uint8_t next = weft__votes_next(&m->votes, t, s);
	uint16_t turn = weft__turns_from(m->turns, edge)[next];

	if (!((turn & *weft__votes_mask(&m->votes, tree, s)) >> lane & 1))
		return false;
	for (; s != t->root; s = m->head[edge_of(m, t, s)])
		if (came_by(m, edge, s))
			return false;
	return true;
}

static void take_way(struct mend *m, uint32_t tree, uint32_t edge)
{
	const uint8_t *choice = m->sp->trees->tree[tree].choice;

	for (; edge != WEFT_NONE; edge = m->from[edge]) {
		uint32_t s = tail(m, edge);
		uint8_t k = edge - m->f->adj_first[s];

		if (choice[s] == k)
			continue;
		m->change[m->nchanges++] =
			(struct change){ tree, s, choice[s] };
		apply(m, tree, s, k);
	}
}

/* Enters the edges out of a switch that lead on in the lane, until one joins
 * the tree, which is returned, or WEFT_NONE.  before: the edge into it, if any. */
static uint32_t enter(struct mend *m, uint32_t tree, uint32_t s,
		      uint32_t before, unsigned lane)
{
	const uint16_t *turn = before == WEFT_NONE ? NULL :
		weft__turns_from(m->turns, before);
	uint32_t first = m->f->adj_first[s];

	for (uint32_t e = first; e < m->f->adj_first[s + 1]; e++) {
		if (m->seen[e] == m->search ||
		    (turn && !(turn[e - first] >> lane & 1)) ||
		    came_by(m, before, m->head[e]) || m->head[e] == s)
			continue;
		m->seen[e] = m->search;
		m->from[e] = before;
		m->work++;
		if (joins(m, tree, e, lane))
			return e;
		m->queue[m->nqueue++] = e;
	}
	return WEFT_NONE;
}

/* Leads s to the root in that lane, by the fewest changes; false: no way. */
static bool lead(struct mend *m, uint32_t tree, uint32_t s, unsigned lane)
{
	uint32_t e;

	if (m->nchanges + m->f->nsw > m->room)
		return false;
	m->search++;
	m->nqueue = 0;
	e = enter(m, tree, s, WEFT_NONE, lane);
	for (uint32_t i = 0; i < m->nqueue && e == WEFT_NONE; i++)
		e = enter(m, tree, m->head[m->queue[i]], m->queue[i], lane);
	if (e != WEFT_NONE)
		take_way(m, tree, e);
	return e != WEFT_NONE;
}

/* Leads all that a sends b by that lane. */
static bool lead_all(struct mend *m, uint32_t a, uint32_t b, unsigned lane)
{
	const struct weft__spread *sp = m->sp;

	for (uint32_t i = sp->first[b]; i < sp->first[b + 1]; i++) {
		uint32_t tree = sp->list[i];

		if (weft__votes_shared(&m->votes, tree) == tree &&
		    !(*weft__votes_mask(&m->votes, tree, a) >> lane & 1) &&
		    !lead(m, tree, a, lane))
			return false;
	}
	return true;
}

/* What it saves to put a pair into that lane, which is done. */
static int64_t try_lane(struct mend *m, uint32_t a, uint32_t b, unsigned lane)
{
	m->gain = 0;
	m->nchanges = 0;
	return lead_all(m, a, b, lane) && lead_all(m, b, a, lane) ? m->gain : 0;
}

/* Puts a pair into the best lane; whether that saved anything. */
static bool move(struct mend *m, uint32_t a, uint32_t b)
{
	int64_t most = 0, all = *weight_of(m, a, b) * offence(m, a, b);
	unsigned best = 0;

	for (unsigned lane = 0; lane < m->nlanes; lane++) {
		int64_t gain = try_lane(m, a, b, lane);

		if (gain >= all)
			return true;
		undo(m);
		if (gain > most) {
			most = gain;
			best = lane;
		}
	}
	return most && try_lane(m, a, b, best);
}

/* Moves pairs that offend; those left get more weight if none could. */
static uint64_t one_round(struct mend *m, uint64_t patience)
{
	size_t n = m->f->nsw;
	bool any = false;
	uint64_t left = 0;

	for (size_t i = next_offence(m, 0); i < n * n && m->work < patience;
	     i = next_offence(m, i + 1))
		any |= move(m, i / n, i % n);
	for (size_t i = next_offence(m, 0); i < n * n;
	     i = next_offence(m, i + 1)) {
		left++;
		m->weight[i] += !any;
	}
	return left;
}

static bool alloc(struct mend *m, struct weft_arena *arena)
{
	size_t nsw = m->f->nsw, nedges = m->f->adj_first[nsw];

	m->room = 16 * nsw;
	m->weight = weft__arena_alloc(arena, nsw * nsw, sizeof(*m->weight));
	m->offends = weft__arena_zalloc(arena, nsw * nsw / 64 + 1,
					sizeof(*m->offends));
	m->stack = weft__arena_alloc(arena, nsw, sizeof(*m->stack));
	m->change = weft__arena_alloc(arena, m->room, sizeof(*m->change));
	m->queue = weft__arena_alloc(arena, nedges, sizeof(*m->queue));
	m->from = weft__arena_alloc(arena, nedges, sizeof(*m->from));
	m->seen = weft__arena_zalloc(arena, nedges, sizeof(*m->seen));
	if (!weft__votes_init(&m->votes, m->sp, arena) || !m->weight ||
	    !m->offends || !m->stack || !m->change || !m->queue || !m->from ||
	    !m->seen)
		return false;
	for (size_t i = 0; i < nsw * nsw; i++)
		m->weight[i] = 1;
	for (uint32_t a = 0; a < nsw; a++)
		for (uint32_t b = a + 1; b < nsw; b++)
			note_offence(m, a, b);
	return true;
}

int weft__mend(struct weft__spread *sp, uint64_t patience, uint64_t *left)
{
	struct mend m = {
		.sp = sp, .f = sp->fabric, .turns = &sp->orders->turns,
		.head = sp->ways->head, .nlanes = sp->orders->n,
	};
	struct weft_arena *arena = weft__arena_new();

	if (!arena || !alloc(&m, arena)) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	do
		*left = one_round(&m, patience);
	while (*left && m.work < patience);
	weft__votes_share(&m.votes);
	weft__arena_free(arena);
	return 0;
}
