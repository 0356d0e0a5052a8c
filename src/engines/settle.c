// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: settle, lanes for all pairs without fail
 *
 * For damaged products (weave/damaged.c), and for whatever lacks lanes in the end
 * (weave/fit.c).  As mend.c, this bends trees for pairs of switches that lack a
 * lane, by the turns of a lane that lead to a way which is legal there.  That
 * costs other pairs theirs, and breakout need not come to an end: of 1492128
 * pairs of 12x12x12 without 5 % of cables 74993 are left to it, 7267 by 270
 * million edges looked at, 4058 by as many again, and one lane for all was what
 * came of it after 26 s.
 *
 * Here it does.  Each switch may be given another way to a LID as often as MOVES
 * says.  Where a pair would need more, it goes by the tree of a lane (lane_tree.c),
 * until that meets a way that is legal; what is sent by a lane's tree may be by
 * that of a later lane instead, and never goes back.  So each move raises the
 * level of a switch and LID, and there are moves until the last lane's tree.
 * The last lane is always open: a pair that is not legal there is sent otherwise
 * somewhere.  If all came to that it would be no worse than one lane for all.
 *
 * Of the lanes that are open to a pair the one is taken that costs others least,
 * or the first one that costs nothing; ways that are searched for go before
 * trees, which are long and meet at the top.
 *
 * Trees stay trees, for the reasons of mend.c: ways along a lane's tree pass no
 * switch twice, and join only what does not pass them.
 * Complexity: at most (MOVES + lanes) moves for each switch and LID.
 *
 * Effective bisection bandwidth (100 patterns) and user time of weft route:
 *
 *				mend		settle
 *	8x8x8,hosts=2, 5 %	.3695	.42	.3698	.31
 *	  10 %			.3415	.94	.3410	.49
 *	10x10x10, 10 %		.4144	15	.4132	8.0
 *	12x12x12, 5 %		.2577	26	.3879	15
 *	  10 %			.2384		.3015	29
 *
 * With mend.c the last two end in one lane.  Under the lock of OpenSM 12x12x12
 * without 5 % takes 14 s, minhop 16 and 33.
 *
 * Moves allowed, 12x12x12 without 5 %: 2 .3800, 4 .3863, 8 .3875.  The trees' ways
 * compared with others, and not only where there are none: .381 with 4, and 19000
 * moves by trees in place of 3000.  Trees alone .329, after breakout.
 */
#include "engines/settle.h"

#include "core/arena.h"
#include "engines/bends.h"

#include <errno.h>

#define MOVES 8		/* of a switch and LID by ways that are searched for */

struct settler {
	struct weft__bends bends;
	const uint32_t *up;	/* [lanes * nsw] */
	uint8_t *level;		/* [trees * nsw] moves; beyond MOVES, lanes */
	unsigned lane;		/* tried last */
};

static uint8_t *level_of(const struct settler *p, uint32_t tree, uint32_t s)
{
	return &p->level[(size_t)tree * p->bends.f->nsw + s];
}

/* Whether what the way of the search that ends with that edge changes has a
 * level below. */
static bool is_open(const struct settler *p, uint32_t tree, uint32_t edge,
		    unsigned level)
{
	const struct weft__mend_way *w = &p->bends.way;
	const uint8_t *choice = w->trees->tree[tree].choice;

	for (; edge != WEFT_NONE; edge = w->from[edge]) {
		uint32_t s = w->tail[edge];

		if (w->fabric->adj_first[s] + choice[s] != edge &&
		    *level_of(p, tree, s) >= level)
			return false;
	}
	return true;
}

static bool lead(void *context, uint32_t tree, uint32_t s, unsigned lane)
{
	struct settler *p = context;
	uint32_t e = weft__mend_way_find(&p->bends.way, tree, s, lane);

	if (e == WEFT_NONE || !is_open(p, tree, e, MOVES))
		return false;
	weft__bends_take(&p->bends, tree, e);
	return true;
}

static unsigned level_of_lane(unsigned lane)
{
	return MOVES + 1 + lane;
}

static bool lead_along(void *context, uint32_t tree, uint32_t s, unsigned lane)
{
	struct settler *p = context;
	const uint32_t *up = p->up + (size_t)lane * p->bends.f->nsw;
	uint32_t e = weft__mend_way_along(&p->bends.way, tree, s, lane, up);

	p->lane = lane;
	if (!is_open(p, tree, e, level_of_lane(lane)))
		return false;
	weft__bends_take(&p->bends, tree, e);
	return true;
}

/* Whether there is a lane for a pair: the best one is taken. */
static bool move(struct settler *p, uint32_t a, uint32_t b,
		 weft__bends_lead *lead_by)
{
	struct weft__bends *m = &p->bends;
	unsigned best;
	bool done;
	int64_t gain = weft__bends_best(m, a, b, lead_by, p, &best, &done);

	return done || (gain > WEFT__BENDS_NO_WAY &&
			weft__bends_try(m, a, b, best, lead_by, p) == gain);
}

/* What a move by a search, or by a lane's tree, has changed. */
static void raise_levels(struct settler *p, bool along)
{
	const struct weft__bends *m = &p->bends;

	for (uint32_t i = 0; i < m->nchanges; i++) {
		uint8_t *level = level_of(p, m->change[i].tree,
					  m->change[i].s);

		*level = along ? level_of_lane(p->lane) : *level + 1u;
	}
}

static void settle_pair(struct settler *p, uint32_t a, uint32_t b,
			bool patient)
{
	if (patient && move(p, a, b, lead))
		raise_levels(p, false);
	else if (p->up && move(p, a, b, lead_along))
		raise_levels(p, true);
}

/* All pairs that are left, once. */
static void sweep(struct settler *p, uint64_t patience)
{
	size_t n = p->bends.f->nsw, all = n * n;

	for (size_t i = weft__bends_next(&p->bends, 0); i < all;
	     i = weft__bends_next(&p->bends, i + 1))
		settle_pair(p, i / n, i % n, p->bends.way.work < patience);
}

int weft__settle_pairs(struct weft__spread *sp, const uint32_t *up,
		       uint64_t patience)
{
	struct weft_arena *arena = weft__arena_new();
	struct settler p = { .up = up };
	uint64_t left = UINT64_MAX, before;
	size_t n = sp->fabric->nsw;

	if (arena)
		p.level = weft__arena_zalloc(arena, sp->trees->n, n);
	if (!p.level || !weft__bends_init(&p.bends, sp, arena)) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	do {
		before = left;
		sweep(&p, patience);
		left = weft__bends_left(&p.bends);
	} while (left && (up || left < before));
	weft__votes_share(&p.bends.way.votes);
	weft__arena_free(arena);
	return 0;
}
