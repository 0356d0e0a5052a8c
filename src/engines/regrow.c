// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: regrow, other ways while the tree is not there yet
 *
 * To bend a tree for a pair of switches without a lane (mend.c) is to change
 * the lanes of all behind the bend, and a search for each pair.  Most need not
 * be bent: where a tree grows from its root, a switch that is given another way
 * has nobody behind it yet, and those that come later take what they find.
 *
 * One tree after the other is taken out and grows again.  A switch keeps its
 * cable if the way by it is legal in a lane that all other ways of the switch
 * and the root have, or else takes one by which it is, to whatever switch is in
 * the tree already: the shortest way, then the least loaded.  Where there is none
 * it waits for others to join.  When only such are left, the first one goes
 * without a lane, by the cable it had.
 * Pairs without a lane are free to find another one than most of their ways
 * have: in each pass the first way of a pair decides.  The second pass goes
 * through the trees the other way round.
 *
 * Of 6144 pairs of 8x8x8 without 5 % of cables 3537 are left by one pass, 2227
 * by two and 2125 by four, of 15893 without 10 % 8700, 5471 and 5064.  A pass
 * takes as long as mend.c with some 400 pairs, and bandwidth is better for it:
 * .368 and .340 instead of .368 and .338.  Ways that leave more lanes before
 * those that are less loaded: .3397 instead of .3399 without 10 %.
 */
#include "engines/regrow.h"

#include "core/arena.h"
#include "engines/votes.h"

#include <errno.h>
#include <string.h>

#define PASSES 2
#define AT_ONCE 64	/* of so many that wait, one goes without a lane */

enum state { NEW, WAITING, DONE };

struct grower {
	struct weft__spread *sp;
	const struct weft_fabric *f;
	const struct weft__turns *turns;
	const uint32_t *head;	/* [edges] */
	struct weft__votes votes;

	/* of the tree at hand */
	const struct weft__tree *t;
	uint16_t *allowed;	/* [nsw] lanes that all other ways have; all
				 * where these have none */
	uint16_t *legal;	/* [nsw] lanes in which the way is legal */
	uint16_t *hops;		/* [nsw] */
	uint8_t *next;		/* [nsw] position of the edge it takes */
	uint8_t *state;		/* [nsw] */
	uint32_t *stack;	/* [nsw] */
	uint32_t *waiting;	/* [nsw] */
	uint32_t nwaiting;
};

static uint16_t lanes_by(const struct grower *g, uint32_t e)
{
	uint32_t t = g->head[e];

	return g->legal[t] & weft__turns_from(g->turns, e)[g->next[t]];
}

static void take(struct grower *g, uint32_t s, uint32_t e)
{
	uint8_t k = e - g->f->adj_first[s];

	g->t->choice[s] = k;
	g->legal[s] = lanes_by(g, e);
	g->next[s] = k;
	g->hops[s] = g->hops[g->head[e]] + 1;
	g->state[s] = DONE;
}

/* The best edge into the tree that has a lane, or WEFT_NONE. */
static uint32_t best_edge(const struct grower *g, uint32_t s)
{
	uint64_t least = UINT64_MAX;
	uint32_t best = WEFT_NONE;

	for (uint32_t e = g->f->adj_first[s]; e < g->f->adj_first[s + 1]; e++) {
		uint64_t cost;

		if (g->state[g->head[e]] != DONE ||
		    !(lanes_by(g, e) & g->allowed[s]))
			continue;
		cost = ((uint64_t)g->hops[g->head[e]] << 48) +
			weft__balance_routes(g->sp->balance, e);
		if (cost < least) {
			least = cost;
			best = e;
		}
	}
	return best;
}

static uint32_t old_edge(const struct grower *g, uint32_t s)
{
	return g->f->adj_first[s] + g->t->choice[s];
}

/* Whether switch s has joined the tree, with a lane. */
static bool join(struct grower *g, uint32_t s)
{
	uint32_t e = old_edge(g, s);

	if (g->state[g->head[e]] != DONE || !(lanes_by(g, e) & g->allowed[s]))
		e = best_edge(g, s);
	if (e != WEFT_NONE)
		take(g, s, e);
	return e != WEFT_NONE;
}

/* Switch s, after all that were on its way. */
static void visit(struct grower *g, uint32_t s)
{
	uint32_t n = 0;

	for (; g->state[s] == NEW; s = g->head[old_edge(g, s)]) {
		g->state[s] = WAITING;
		g->stack[n++] = s;
	}
	while (n) {
		s = g->stack[--n];
		if (!join(g, s))
			g->waiting[g->nwaiting++] = s;
	}
}

/* Those that wait, of which so many may go without a lane; whether any did
 * join.  On the way of each that waits is one that need not any more. */
static bool retry(struct grower *g, uint32_t without)
{
	uint32_t n = 0, before = g->nwaiting;

	for (uint32_t i = 0; i < before; i++) {
		uint32_t s = g->waiting[i], e = old_edge(g, s);

		if (join(g, s))
			continue;
		if (without && g->state[g->head[e]] == DONE) {
			take(g, s, e);
			without--;
		} else {
			g->waiting[n++] = s;
		}
	}
	g->nwaiting = n;
	return n < before;
}

static void start(struct grower *g, uint32_t d)
{
	uint32_t root = g->t->root;

	for (uint32_t s = 0; s < g->f->nsw; s++) {
		uint16_t lanes = weft__votes_others(&g->votes, d, s);

		g->allowed[s] = lanes ? lanes : g->sp->all;
	}
	memset(g->state, NEW, g->f->nsw);
	g->nwaiting = 0;
	g->state[root] = DONE;
	g->legal[root] = g->sp->all;
	g->hops[root] = 0;
	g->next[root] = weft__turns_end(g->turns, root);
}

static void grow(struct grower *g, uint32_t d)
{
	const struct weft__plan *plan;

	g->t = &g->sp->trees->tree[d];
	plan = weft__ways_to(g->sp->ways, g->t->root);
	start(g, d);
	for (uint32_t i = 1; i <= plan->n; i++)
		visit(g, plan->order[i]);
	while (g->nwaiting)
		if (!retry(g, 0))
			retry(g, g->nwaiting / AT_ONCE + 1);
	for (uint32_t s = 0; s < g->f->nsw; s++)
		*weft__votes_mask(&g->votes, d, s) = g->legal[s];
}

static void free_way(struct grower *g, uint32_t a, uint32_t b)
{
	uint16_t *mask = weft__spread_masks(g->sp, a, b);

	for (uint32_t i = 0; i < g->votes.ntrees[b]; i++)
		mask[i] = g->sp->all;
}

/* Has pairs without a lane choose one; whether there are any. */
static bool free_pairs(struct grower *g)
{
	bool any = false;

	for (uint32_t a = 0; a < g->f->nsw; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if (!weft__votes_missing(&g->votes, a, b))
				continue;
			free_way(g, a, b);
			free_way(g, b, a);
			any = true;
		}
	}
	return any;
}

static void pass(struct grower *g, bool backward)
{
	uint32_t n = g->sp->trees->n;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t d = backward ? n - 1 - i : i;

		if (weft__votes_shared(&g->votes, d) == d)
			grow(g, d);
	}
}

static bool alloc(struct grower *g, struct weft_arena *arena)
{
	size_t nsw = g->f->nsw;

	g->allowed = weft__arena_alloc(arena, nsw, sizeof(*g->allowed));
	g->legal = weft__arena_alloc(arena, nsw, sizeof(*g->legal));
	g->hops = weft__arena_alloc(arena, nsw, sizeof(*g->hops));
	g->next = weft__arena_alloc(arena, nsw, 1);
	g->state = weft__arena_alloc(arena, nsw, 1);
	g->stack = weft__arena_alloc(arena, nsw, sizeof(*g->stack));
	g->waiting = weft__arena_alloc(arena, nsw, sizeof(*g->waiting));
	return weft__votes_init(&g->votes, g->sp, arena) && g->allowed &&
		g->legal && g->hops && g->next && g->state && g->stack &&
		g->waiting;
}

int weft__regrow(struct weft__spread *sp)
{
	struct grower g = {
		.sp = sp, .f = sp->fabric, .turns = &sp->orders->turns,
		.head = sp->ways->head,
	};
	struct weft_arena *arena = weft__arena_new();

	if (!arena || !alloc(&g, arena)) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < PASSES && free_pairs(&g); i++)
		pass(&g, i % 2);
	weft__votes_share(&g.votes);
	weft__arena_free(arena);
	return 0;
}
