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
 * end (mend_way.c).  The switches in between send to that LID by the new way from
 * then on, and with them all behind them; what that does to the lanes of others
 * counts.  Lanes are tried in which most ways of the pair are legal, and the
 * first one that costs others nothing is taken, or the one that lessens the sum
 * most, if one does.  When none does for any pair, those that offend gain as much
 * weight as it takes until one does, and it goes on ("breakout": Morris, "The
 * breakout method for escaping from local minima", AAAI 1993).
 *
 * Structures: the masks of ways are the spread's, and votes.c counts them where
 * that is asked for; the search for a way has a copy by trees.  The LIDs of switches with endports share a tree with one of
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
#include "engines/mend_way.h"

#include <errno.h>

#define NO_WAY INT64_MIN

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
	struct weft__mend_way way;
	uint16_t *weight;	/* [nsw * nsw] by the lower switch */
	uint64_t *offends;	/* the same, a bit each: offence is not 0 */
	uint32_t *stack;	/* [nsw] */

	/* of the move at hand */
	struct change *change;	/* [room] */
	uint32_t nchanges, room;
	int64_t gain;		/* what the changes save */

	uint64_t raise;		/* of weights that has a pair move at last */
};

static uint32_t edge_of(const struct mend *m, const struct weft__tree *t,
			uint32_t s)
{
	return m->f->adj_first[s] + t->choice[s];
}

static uint32_t offence(const struct mend *m, uint32_t a, uint32_t b)
{
	return weft__votes_missing(&m->way.votes, a, b);
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
	uint8_t next = weft__votes_next(&m->way.votes, t, head);
	uint16_t *mask = weft__votes_mask(&m->way.votes, tree, s);
	uint16_t new = *weft__mend_way_legal(&m->way, tree, head) &
		weft__turns_from(m->turns, e)[next];
	int64_t weight = *weight_of(m, s, t->root);

	m->way.work++;
	if (new == *mask)
		return false;
	m->gain += weight * offence(m, s, t->root);
	*mask = *weft__mend_way_legal(&m->way, tree, s) = new;
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
			    t->choice[behind] == m->way.votes.back[e])
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

static void take_way(struct mend *m, uint32_t tree, uint32_t edge)
{
	const uint8_t *choice = m->sp->trees->tree[tree].choice;

	for (; edge != WEFT_NONE; edge = m->way.from[edge]) {
		uint32_t s = m->way.tail[edge];
		uint8_t k = edge - m->f->adj_first[s];

		if (choice[s] == k)
			continue;
		m->change[m->nchanges++] =
			(struct change){ tree, s, choice[s] };
		apply(m, tree, s, k);
	}
}

/* Leads s to the root in that lane, by the fewest changes; false: no way. */
static bool lead(struct mend *m, uint32_t tree, uint32_t s, unsigned lane)
{
	uint32_t e;

	if (m->nchanges + m->f->nsw > m->room)
		return false;
	e = weft__mend_way_find(&m->way, tree, s, lane);
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

		if (weft__votes_shared(&m->way.votes, tree) == tree &&
		    !(*weft__votes_mask(&m->way.votes, tree, a) >> lane & 1) &&
		    !lead(m, tree, a, lane))
			return false;
	}
	return true;
}

/* What it saves to put a pair into that lane, which is done; NO_WAY: it cannot
 * be. */
static int64_t try_lane(struct mend *m, uint32_t a, uint32_t b, unsigned lane)
{
	m->gain = 0;
	m->nchanges = 0;
	return lead_all(m, a, b, lane) && lead_all(m, b, a, lane) ? m->gain :
		NO_WAY;
}

/* The lanes, those first in which most ways of the pair are legal. */
static void list_lanes(const struct mend *m, uint32_t a, uint32_t b,
		       uint8_t *list)
{
	uint32_t votes[WEFT__VOTES];

	weft__votes_count(&m->way.votes, a, b, votes);
	for (unsigned lane = 0; lane < m->nlanes; lane++) {
		unsigned i = lane;

		for (; i && votes[list[i - 1]] < votes[lane]; i--)
			list[i] = list[i - 1];
		list[i] = lane;
	}
}

/* Puts a pair into the best lane; whether that saved anything. */
static bool move(struct mend *m, uint32_t a, uint32_t b)
{
	uint32_t offends = offence(m, a, b);
	int64_t most = NO_WAY, all = (int64_t)*weight_of(m, a, b) * offends;
	uint8_t list[WEFT__VOTES];
	unsigned best = 0;
	uint64_t raise;

	list_lanes(m, a, b, list);
	for (unsigned i = 0; i < m->nlanes; i++) {
		int64_t gain = try_lane(m, a, b, list[i]);

		if (gain >= all)
			return true;
		undo(m);
		if (gain > most) {
			most = gain;
			best = list[i];
		}
	}
	if (most > 0)
		return try_lane(m, a, b, best) > 0;
	raise = most == NO_WAY ? UINT64_MAX : (uint64_t)-most / offends + 1;
	m->raise = raise < m->raise ? raise : m->raise;
	return false;
}

/* Those left gain as much weight as it takes to move one of them. */
static void add_weight(struct mend *m)
{
	size_t n = (size_t)m->f->nsw * m->f->nsw;

	for (size_t i = next_offence(m, 0); i < n; i = next_offence(m, i + 1)) {
		uint64_t weight = m->weight[i] + m->raise;

		m->weight[i] = weight < UINT16_MAX ? weight : UINT16_MAX;
	}
}

/* Moves pairs that offend; false: none could, whatever their weight. */
static bool one_round(struct mend *m, uint64_t patience)
{
	size_t n = m->f->nsw;
	bool any = false;

	m->raise = UINT64_MAX;
	for (size_t i = next_offence(m, 0); i < n * n && m->way.work < patience;
	     i = next_offence(m, i + 1))
		any |= move(m, i / n, i % n);
	if (!any && m->raise < UINT64_MAX)
		add_weight(m);
	return any || m->raise < UINT64_MAX;
}

static uint64_t count_left(const struct mend *m)
{
	size_t n = (size_t)m->f->nsw * m->f->nsw;
	uint64_t left = 0;

	for (size_t i = next_offence(m, 0); i < n; i = next_offence(m, i + 1))
		left++;
	return left;
}

static bool alloc(struct mend *m, struct weft_arena *arena)
{
	size_t nsw = m->f->nsw;

	m->room = 16 * nsw;
	m->weight = weft__arena_alloc(arena, nsw * nsw, sizeof(*m->weight));
	m->offends = weft__arena_zalloc(arena, nsw * nsw / 64 + 1,
					sizeof(*m->offends));
	m->stack = weft__arena_alloc(arena, nsw, sizeof(*m->stack));
	m->change = weft__arena_alloc(arena, m->room, sizeof(*m->change));
	if (!weft__mend_way_init(&m->way, m->sp, arena) || !m->weight ||
	    !m->offends || !m->stack || !m->change)
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
	while (count_left(&m) && m.way.work < patience &&
	       one_round(&m, patience))
		;
	*left = count_left(&m);
	weft__votes_share(&m.way.votes);
	weft__arena_free(arena);
	return 0;
}
