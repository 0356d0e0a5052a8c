// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: full reachability in a tree, in one lane (sFtree)
 *
 * Idea (Bogdanski et al.: sFtree, a fully connected and deadlock-free
 * switch-to-switch routing algorithm for fat-trees, ACM TACO 2012): pairs
 * without a common switch above them turn upwards in one subtree only, whose
 * root is a leaf that has all spines above it.  The paper proves it where that
 * leaf has one way up to every spine, and gives up on what its subtree and the
 * leaf's sibling do not reach.  Here the subtree is any set of cables without a
 * circle that joins all tops (switches with nobody above them), and the rule is
 * one of order:
 *
 *	up outside the subtree < the subtree < down outside the subtree
 *
 * A packet takes channels of these three kinds in this order only; within each
 * kind nothing can close a circle (up and down are ordered by place; in a tree
 * of cables there is none).  So the whole is free of credit loops in one lane.
 * And everybody reaches everybody: up to any top, along the subtree, and down
 * from a top that is above the destination.
 *
 * Other traffic keeps its shortest Up*Down* ways.  These can break the rule in
 * one place only: at a switch x with a cable c-x of the subtree below it and a
 * cable x-z outside of it above (a loose switch), by c-x-z or z-x-c.  So the
 * subtree is made of cables below tops wherever these suffice (racks, two-stage
 * trees: nothing below a top is loose).  Where tops form several parts that
 * only lower switches join (three and more stages), a switch is looked for that
 * has all parts above it, and of its cables upwards as few as do, each time
 * with all that is above: that is the paper's subtree, and it has no loose
 * switch wherever cables between two switches are the only way up from one to
 * the other.  What is loose all the same (badly broken trees) is counted; the
 * engines then prove their tables and order the fabric in another way if there
 * is a loop.
 *
 * The subtree is found in fattree_joints.c and fattree_joiner.c.
 * Complexity: see the header.
 */
#include "engines/fattree_complete.h"

#include "engines/common.h"

#include <string.h>

/* What is known of a switch's way to the destination. */
enum state {
	LACKING,
	CLIMBS,			/* up first, as the plan has it */
	DESCENDS,		/* the destination itself, or down only */
	JOINED,			/* along the subtree */
};

/* Of a switch and of those on its way; these come first as a rule. */
static void set_state(struct weft__joints *j, uint32_t s, const uint8_t *choice)
{
	const uint32_t *first = j->tree->fabric->adj_first;
	uint32_t n = 0;

	for (; j->state[s] == LACKING;
	     s = j->tree->ways.head[first[s] + choice[s]])
		j->queue[n++] = s;
	while (n) {
		uint32_t t = j->queue[--n];

		j->state[t] = weft__fattree_above(j->tree, s, t) ? CLIMBS :
								   DESCENDS;
		j->hops[t] = j->hops[s] + 1;
		s = t;
	}
}

static void set_states(struct weft__joints *j, const struct weft__plan *plan,
		       const uint8_t *choice)
{
	const struct weft_fabric *f = j->tree->fabric;

	memset(j->state, LACKING, f->nsw);
	memset(j->hops, 0xff, f->nsw * sizeof(*j->hops));
	j->state[plan->order[0]] = DESCENDS;
	j->hops[plan->order[0]] = 0;
	for (uint32_t i = 1; i <= plan->n; i++)
		set_state(j, plan->order[i], choice);
}

/* Whether s, who climbs, does so in the subtree until it descends. */
static bool climbs_inside(const struct weft__joints *j, uint32_t s,
			  const uint8_t *choice)
{
	const struct weft_fabric *f = j->tree->fabric;

	while (j->state[s] == CLIMBS) {
		uint32_t e = f->adj_first[s] + choice[s];

		if (!j->joint[e])
			return false;
		s = j->tree->ways.head[e];
	}
	return true;
}

/* LIDs take turns among the cables side by side with entry e of s. */
static uint32_t take_turn(const struct weft__joints *j, uint32_t s, uint32_t e,
			  uint32_t number)
{
	const struct weft_fabric *f = j->tree->fabric;
	uint32_t t = f->peer[f->adj[e]], n = 1;

	while (e > f->adj_first[s] && f->peer[f->adj[e - 1]] == t)
		e--;
	while (e + n < f->adj_first[s + 1] && f->peer[f->adj[e + n]] == t)
		n++;
	return e + number % n;
}

/*
 * The way of s is along the subtree, as far as who has a way of its own.  Where
 * that way climbs outside of the subtree, it is bent: taken all the same,
 * unless rules are strict; then those who climb go along the subtree, too.
 */
static void settle(struct weft__joints *j, uint32_t s,
		   const struct weft__tree *dest)
{
	const struct weft_fabric *f = j->tree->fabric;

	while (j->state[s] != DESCENDS && j->state[s] != JOINED) {
		uint32_t next = f->peer[f->adj[j->pred[s]]];

		if (j->state[s] == CLIMBS &&
		    (!j->strict || climbs_inside(j, s, dest->choice))) {
			j->bent |= !climbs_inside(j, s, dest->choice);
			break;
		}
		dest->choice[s] = take_turn(j, s, j->pred[s], dest->number) -
				  f->adj_first[s];
		j->state[s] = JOINED;
		s = next;
	}
}

/* From s on to the neighbours in the subtree that have not been met. */
static void spread(struct weft__joints *j, uint32_t s, uint32_t *tail)
{
	const struct weft_fabric *f = j->tree->fabric;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = f->peer[f->adj[e]];

		if (!j->joint[e] || j->state[t] == DESCENDS ||
		    j->pred[t] != WEFT_NONE)
			continue;
		j->pred[t] = weft__back_entry(f, e);
		if (j->state[t] == LACKING)
			j->hops[t] = j->hops[s] + 1;
		j->queue[(*tail)++] = t;
	}
}

static void walk_subtree(struct weft__joints *j, const struct weft__tree *dest)
{
	const struct weft_fabric *f = j->tree->fabric;
	uint32_t tail = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		j->pred[s] = WEFT_NONE;
		if (j->member[s] && j->state[s] == DESCENDS)
			j->queue[tail++] = s;
	}
	for (uint32_t i = 0; i < tail; i++)
		spread(j, j->queue[i], &tail);
	for (uint32_t i = 0; i < tail; i++)
		if (j->state[j->queue[i]] == LACKING)
			settle(j, j->queue[i], dest);
}

/* The nearest of some switches above s, by its entries up[from .. to - 1]. */
static void climb_to(struct weft__joints *j, uint32_t s, uint32_t from,
		     uint32_t to, uint8_t *choice)
{
	const struct weft__fattree *tree = j->tree;
	uint32_t first = tree->fabric->adj_first[s], least = j->hops[s];

	for (; from < to; from++) {
		uint32_t e = tree->up[from];
		uint32_t hops = j->hops[tree->ways.head[e]] + 1u;

		if (hops < least) {
			least = hops;
			choice[s] = e - first;
		}
	}
	j->hops[s] = least;
}

/* Who still lacks a way climbs, from the top down; LIDs take turns among the
 * cables that are as good. */
static void climb(struct weft__joints *j, const struct weft__tree *dest)
{
	const struct weft__fattree *tree = j->tree;
	uint32_t n = 1, turn = 0;

	for (uint32_t i = 0; i < tree->fabric->nsw; i++) {
		uint32_t s = tree->by_place[i];
		uint32_t from = tree->up_first[s], to = tree->up_first[s + 1];

		if (j->state[s] != LACKING)
			continue;
		if (to > from && to - from != n) {
			n = to - from;
			turn = dest->number % n;
		}
		if (to > from) {
			climb_to(j, s, from + turn, to, dest->choice);
			climb_to(j, s, from, from + turn, dest->choice);
		}
		j->state[s] = CLIMBS;
	}
}

void weft__joints_complete(struct weft__joints *j,
			   const struct weft__plan *plan,
			   const struct weft__tree *dest)
{
	if (plan->n + 1 == j->tree->fabric->nsw)
		return;
	set_states(j, plan, dest->choice);
	walk_subtree(j, dest);
	climb(j, dest);
}
