// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: settle, lanes for all pairs without fail
 *
 * Trees are rerouted for pairs of switches that still lack a lane
 * (weave/lanes.c).  Ways of the pair that are not legal in a lane are led from
 * their source by the fewest turns of that lane to a switch whose way is legal
 * from there on, or to the end (way_search.c).  From then on the switches in
 * between, and all behind them, send to that LID by the new way.  That costs
 * other pairs their lanes, and need not come to an end by itself.
 *
 * At first a pair moves only if more ways gain a lane than lose theirs.  A
 * pair that does not move counts twice as much from then on, and each time
 * again (breakout local search: Morris, AAAI 1993), so that it moves at the
 * expense of others that have been easy to place.  As these mostly find
 * another lane, pairs do not chase each other to and fro.  Searches reach as
 * far as the pair counts: most pairs find a way near by, and those that do not
 * take most of the time.  Each pass takes the edges out of a switch in another
 * order, as one of equally short ways may be good for a pair that another one
 * is not.
 *
 * Where work is short, or many passes in a row do not help, the pairs that are
 * left move whatever that costs others, and levels make it end.  Each switch
 * may be given another way to a LID up to MAX_MOVES times.  Where a pair would
 * need more, it goes by the tree of a lane (lane_tree.c) until that meets a
 * way that is legal.  Traffic on a lane's tree may move to that of a later
 * lane, and never back.  So each move raises the level of a switch and LID,
 * and the last lane's tree has the highest level.  That tree is always open:
 * all edges have room for the last lane, and a pair that is not legal there
 * uses other ways somewhere.  If all traffic came to the last lane's tree, the
 * result would be no worse than one lane for all; but trees are long and meet
 * at the top, which takes what everybody has.
 *
 * A pair takes the open lane that costs other pairs least, or the first one
 * that costs nothing.  Ways found by a search come before trees.
 *
 * Deadlock: there is none in any lane, by the order of its channels.  Trees
 * stay trees: a way is led over switches that are not on it already, and joins
 * one whose way does not pass them; so do ways along a lane's tree.
 *
 * Complexity: what the limit allows, then at most (MAX_MOVES + lanes) moves for
 * each switch and LID.
 */
#include "lanes/settle.h"

#include "core/arena.h"
#include "lanes/reroute.h"

#include <errno.h>

#define INIT_WORK 12	/* edges that reading the masks of a switch and LID
			 * counts for */
#define MAX_MOVES 8	/* of a switch and LID by ways found in a search */
#define REACH 64	/* edges that a search looks at for a pair that was not
			 * in vain before */
#define GENTLY 2	/* times the limit while pairs move at nobody's expense:
			 * those that are left then take as much again, and
			 * crowd the lanes' trees */
#define STALLED 40	/* passes in a row that leave no fewer pairs than one
			 * before do not help, where they look at as many edges
			 * again as all up to there */

struct settler {
	struct weft__reroute reroute;
	const uint32_t *up;	/* [lanes * nsw] */
	uint8_t *level;		/* [trees * nsw] moves; beyond MAX_MOVES, the
				 * lane */
	unsigned lane;		/* lane that was tried last */
	bool freely;		/* pairs move whatever that costs others, and
				 * may go along trees */
};

static uint8_t *level_of(const struct settler *p, uint32_t tree, uint32_t s)
{
	return &p->level[(size_t)tree * p->reroute.f->nsw + s];
}

/* Returns true if all that the way that was found, which ends with that edge,
 * would change is below a level. */
static bool is_open(const struct settler *p, uint32_t tree, uint32_t edge,
		    unsigned level)
{
	const struct weft__way_search *w = &p->reroute.way;
	const uint8_t *choice = w->trees->tree[tree].choice;

	for (; edge != WEFT_NONE; edge = w->from[edge]) {
		uint32_t s = w->tail[edge];

		if (w->fabric->adj_first[s] + choice[s] != edge &&
		    *level_of(p, tree, s) >= level)
			return false;
	}
	return true;
}

static bool lead_by_search(void *context, uint32_t tree, uint32_t s,
			   unsigned lane)
{
	struct settler *p = context;
	uint32_t e = weft__way_search_find(&p->reroute.way, tree, s, lane);

	if (e == WEFT_NONE || (p->freely && !is_open(p, tree, e, MAX_MOVES)))
		return false;
	weft__reroute_take(&p->reroute, tree, e);
	return true;
}

static unsigned level_of_lane(unsigned lane)
{
	return MAX_MOVES + 1 + lane;
}

static bool lead_along(void *context, uint32_t tree, uint32_t s, unsigned lane)
{
	struct settler *p = context;
	const uint32_t *up = p->up + (size_t)lane * p->reroute.f->nsw;
	uint32_t e = weft__way_search_along(&p->reroute.way, tree, s, lane, up);

	p->lane = lane;
	if (e == WEFT_NONE || !is_open(p, tree, e, level_of_lane(lane)))
		return false;
	weft__reroute_take(&p->reroute, tree, e);
	return true;
}

/* Moves a pair to the best lane, along the lanes' trees or by searches.
 * Returns false if there is no lane for it. */
static bool move_pair(struct settler *p, uint32_t a, uint32_t b, bool along)
{
	const struct weft__reroute_kind kind = {
		.lead = along ? lead_along : lead_by_search,
		.context = p,
	};
	struct weft__reroute *m = &p->reroute;
	const int64_t least = p->freely ? WEFT__REROUTE_NO_WAY : 0;
	unsigned best;
	bool done;
	int64_t gain;

	m->way.reach = p->freely ? UINT64_MAX :
		REACH * (uint64_t)weft__reroute_weight(m, a, b);
	gain = weft__reroute_best(m, a, b, &kind, least, &best, &done);
	return done || (gain > least &&
			weft__reroute_try(m, a, b, best, &kind, least) == gain);
}

/* Raises the levels of all that a move has changed, by a search or along a
 * lane's tree. */
static void raise_levels(struct settler *p, bool along)
{
	const struct weft__reroute *m = &p->reroute;

	for (uint32_t i = 0; i < m->nchanges; i++) {
		uint8_t *level = level_of(p, m->change[i].tree,
					  m->change[i].s);

		*level = along ? level_of_lane(p->lane) : *level + 1u;
	}
}

static void settle_pair(struct settler *p, uint32_t a, uint32_t b,
			bool may_search)
{
	if (!p->freely) {
		if (!move_pair(p, a, b, false))
			weft__reroute_weigh(&p->reroute, a, b);
	} else if (may_search && move_pair(p, a, b, false)) {
		raise_levels(p, false);
	} else if (p->up && move_pair(p, a, b, true)) {
		raise_levels(p, true);
	}
}

/* Tries all pairs without a lane once.  Returns how many have none then. */
static uint64_t settle_all(struct settler *p, uint64_t work_limit)
{
	size_t n = p->reroute.f->nsw, all = n * n;

	for (size_t i = weft__reroute_next(&p->reroute, 0); i < all;
	     i = weft__reroute_next(&p->reroute, i + 1)) {
		bool may_search = p->reroute.way.work < work_limit;

		if (!may_search && !p->freely)
			break;
		settle_pair(p, i / n, i % n, may_search);
	}
	p->reroute.way.turned++;
	return weft__reroute_left(&p->reroute);
}

/* Moves pairs where that gains more than it costs others, as long as it helps.
 * Returns how many are left. */
static uint64_t settle_gently(struct settler *p, uint64_t work_limit)
{
	const uint64_t *work = &p->reroute.way.work;
	uint64_t left = UINT64_MAX, least = UINT64_MAX, then = 0;

	for (unsigned stalled = 0;
	     least && *work < work_limit &&
	     (stalled < STALLED || *work - then < then);
	     stalled++) {
		left = settle_all(p, work_limit);
		if (left < least) {
			least = left;
			then = *work;
			stalled = 0;
		}
	}
	return left;
}

/* Moves pairs whatever it costs others: until all have a lane, or, where lanes
 * have no trees, as long as that helps. */
static void settle_freely(struct settler *p, uint64_t left,
			  uint64_t work_limit)
{
	uint64_t before = UINT64_MAX;

	p->freely = true;
	while (left && (p->up || left < before)) {
		before = left;
		left = settle_all(p, work_limit);
	}
}

int weft__settle_pairs(struct weft__lane_masks *masks, const uint32_t *up,
		       uint64_t work_limit)
{
	struct weft_arena *arena = weft__arena_new();
	struct settler p = { .up = up };
	size_t n = masks->fabric->nsw;

	if (arena)
		p.level = weft__arena_zalloc(arena, masks->trees->n, n);
	if (!p.level || !weft__reroute_init(&p.reroute, masks, arena)) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	masks->along = false;
	settle_freely(&p, settle_gently(&p, work_limit * GENTLY), work_limit);
	weft__legal_share(&p.reroute.way.counts);
	masks->balance->looked += 4 * p.reroute.way.work +
				  (uint64_t)masks->trees->n * n * INIT_WORK;
	weft__arena_free(arena);
	return 0;
}
