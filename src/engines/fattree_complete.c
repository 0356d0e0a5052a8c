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
 * Complexity: see the header.
 */
#include "engines/fattree_complete.h"

#include "core/arena.h"
#include "engines/common.h"

#include <stdlib.h>
#include <string.h>

enum { TRIED = 24 };		/* switches tried as a turn */

struct joiner {
	struct weft__joints *j;
	const struct weft__fattree *t;
	const struct weft_fabric *f;
	uint32_t keep_off;
	bool high_first;	/* turns on higher levels first */
	uint32_t *part;		/* [nsw] union-find: tops that are or can be
				 * joined by cables right below them */
	uint32_t *set;		/* [nsw] union-find: what the subtree joins */
	uint32_t *queue;	/* [nsw] */
	uint32_t *mark;		/* [nsw] */
	uint32_t *seen;		/* [nsw] */
	uint32_t marks, sights;
};

static uint32_t find(uint32_t *parent, uint32_t s)
{
	while (parent[s] != s) {
		parent[s] = parent[parent[s]];
		s = parent[s];
	}
	return s;
}

/* Whether that joined two sets. */
static bool unite(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = find(parent, a);
	b = find(parent, b);
	parent[a > b ? a : b] = a > b ? b : a;
	return a != b;
}

/* The adjacency entry for the other direction of a cable. */
static uint32_t entry_back(const struct weft_fabric *f, uint32_t e)
{
	uint32_t back = f->reverse[f->adj[e]];
	uint32_t at = f->adj_first[f->peer[f->adj[e]]];

	while (f->adj[at] != back)
		at++;
	return at;
}

static bool is_above(const struct weft__fattree *t, uint32_t a, uint32_t b)
{
	return t->place[a] < t->place[b];
}

static bool is_top(const struct joiner *w, uint32_t s)
{
	return weft__fattree_is_top(w->t, s);
}

static void list_queue_above(struct joiner *w, uint32_t s, uint32_t *tail)
{
	const struct weft_fabric *f = w->f;
	const struct weft__fattree *t = w->t;

	for (uint32_t i = t->up_first[s]; i < t->up_first[s + 1]; i++) {
		uint32_t z = f->peer[f->adj[t->up[i]]];

		if (w->mark[z] == w->marks)
			continue;
		w->mark[z] = w->marks;
		w->queue[(*tail)++] = z;
	}
}

/* Everyone above s, and s itself first, into queue[]; returns how many. */
static uint32_t list_above(struct joiner *w, uint32_t s)
{
	uint32_t tail = 0;

	w->marks++;
	w->mark[s] = w->marks;
	w->queue[tail++] = s;
	for (uint32_t i = 0; i < tail; i++)
		list_queue_above(w, w->queue[i], &tail);
	return tail;
}

/* Parts that s would join: different ones among the tops above it. */
static uint32_t parts_above(struct joiner *w, uint32_t s)
{
	uint32_t n = list_above(w, s), count = 0;

	w->sights++;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t part = find(w->part, w->queue[i]);

		if (!is_top(w, w->queue[i]) || w->seen[part] == w->sights)
			continue;
		w->seen[part] = w->sights;
		count++;
	}
	return count;
}

/* All cables between the two join the subtree. */
static void add_joint(struct joiner *w, uint32_t a, uint32_t b)
{
	const struct weft_fabric *f = w->f;
	uint32_t ends[2] = { a, b };

	for (unsigned i = 0; i < 2; i++) {
		uint32_t s = ends[i];

		w->j->member[s] = 1;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			if (f->peer[f->adj[e]] == ends[!i])
				w->j->joint[e] = 1;
	}
}

/* s and everyone above it, with all cables upwards. */
static void add_branch(struct joiner *w, uint32_t s)
{
	const struct weft_fabric *f = w->f;
	uint32_t n = list_above(w, s);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t x = w->queue[i];

		for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1];
		     e++) {
			uint32_t z = f->peer[f->adj[e]];

			if (is_above(w->t, z, x) && unite(w->set, x, z))
				add_joint(w, x, z);
		}
	}
}

/* Whether a top above x is of a part that s does not join yet. */
static bool brings_more(struct joiner *w, uint32_t s, uint32_t x)
{
	uint32_t n = list_above(w, x), own = find(w->part, s);

	for (uint32_t i = 0; i < n; i++)
		if (is_top(w, w->queue[i]) &&
		    find(w->part, w->queue[i]) != own)
			return true;
	return false;
}

/* Whether x is in the subtree with all of its cables upwards. */
static bool is_whole(const struct joiner *w, uint32_t x)
{
	const struct weft_fabric *f = w->f;

	if (!w->j->member[x])
		return false;
	for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1]; e++)
		if (is_above(w->t, f->peer[f->adj[e]], x) && !w->j->joint[e])
			return false;
	return true;
}

/* The cables between s and x, and all above x. */
static void add_arm(struct joiner *w, uint32_t s, uint32_t x)
{
	uint32_t n;

	if (unite(w->set, s, x))
		add_joint(w, s, x);
	add_branch(w, x);
	n = list_above(w, x);
	for (uint32_t i = 0; i < n; i++)
		if (is_top(w, w->queue[i]))
			unite(w->part, s, w->queue[i]);
}

/* Cables of s upwards, as few as join all parts above it; first to where the
 * subtree is already. */
static void add_turn(struct joiner *w, uint32_t s)
{
	const struct weft_fabric *f = w->f;

	for (unsigned late = 0; late < 2; late++) {
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t x = f->peer[f->adj[e]];

			if (is_above(w->t, x, s) && is_whole(w, x) != late &&
			    brings_more(w, s, x))
				add_arm(w, s, x);
		}
	}
}

/* Cables of the subtree below s, if s has others above that are not in it. */
static uint32_t loose_below(const struct weft__joints *j, uint32_t s)
{
	const struct weft_fabric *f = j->tree->fabric;
	bool free_above = false;
	uint32_t below = 0;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		bool above = is_above(j->tree, f->peer[f->adj[e]], s);

		below += !above && j->joint[e];
		free_above |= above && !j->joint[e];
	}
	return free_above ? below : 0;
}

static void find_loose(struct weft__joints *j)
{
	j->loose_joints = 0;
	for (uint32_t s = 0; s < j->tree->fabric->nsw; s++)
		j->loose_joints += loose_below(j, s);
}

bool weft__joints_keep_loose(struct weft__joints *j, struct weft__ways *ways)
{
	const struct weft_fabric *f = j->tree->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!loose_below(j, s))
			continue;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (!j->joint[e] || is_above(j->tree, t, s))
				continue;
			weft__ways_bar(ways, s, e);
			weft__ways_bar(ways, t, entry_back(f, e));
		}
	}
	return weft__ways_replan(ways);
}

/* A switch that could be a turn. */
struct candidate {
	uint64_t key;
	uint32_t sw;
};

/* The best candidates so far, best first. */
static void keep_best(struct candidate *best, struct candidate c)
{
	for (unsigned i = 0; i < TRIED && c.key; i++) {
		struct candidate here = best[i];

		if (here.key >= c.key)
			continue;
		best[i] = c;
		c = here;
	}
}

/*
 * Who joins most parts (before that, if asked for: who is on a higher level);
 * of these who is not to be kept off, then who has fewest hosts (the subnet
 * manager runs on one), then the highest.
 */
static void list_candidates(struct joiner *w, struct candidate *best)
{
	for (uint32_t i = 0; i < w->f->nsw; i++) {
		uint32_t s = w->t->by_place[i];
		uint32_t hosts = w->f->sw_ep_first[s + 1] -
				 w->f->sw_ep_first[s];
		uint64_t parts = parts_above(w, s);

		if (parts > 1)
			keep_best(best, (struct candidate){ .sw = s,
				.key = (w->high_first ?
					(uint64_t)w->t->level[s] << 48 : 0) |
				       parts << 16 |
				       (s != w->keep_off) << 8 |
				       (UINT8_MAX - hosts) });
	}
}

/* What add_turn() changes. */
static void copy_state(const struct joiner *w, struct joiner *to)
{
	uint32_t n = w->f->nsw;

	memcpy(to->part, w->part, n * sizeof(*to->part));
	memcpy(to->set, w->set, n * sizeof(*to->set));
	memcpy(to->j->member, w->j->member, n);
	memcpy(to->j->joint, w->j->joint, w->f->adj_first[n]);
}

/*
 * Adds the first of the best candidates that leaves nothing loose, or who
 * leaves the least; returns who, WEFT_NONE: there is nothing left to join.
 */
static uint32_t add_best_turn(struct joiner *w, struct joiner *trial)
{
	struct candidate best[TRIED] = { { 0, 0 } };
	uint32_t least = UINT32_MAX, chosen = WEFT_NONE;

	list_candidates(w, best);
	for (unsigned i = 0; i < TRIED && best[i].key && least; i++) {
		copy_state(w, trial);
		add_turn(trial, best[i].sw);
		find_loose(trial->j);
		if (trial->j->loose_joints < least) {
			least = trial->j->loose_joints;
			chosen = best[i].sw;
		}
	}
	if (chosen != WEFT_NONE)
		add_turn(w, chosen);
	return chosen;
}

/* The parts that are joined by cables right below tops. */
static void join_parts(struct joiner *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t x = 0; x < f->nsw; x++) {
		for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1];
		     e++) {
			uint32_t z = f->peer[f->adj[e]];

			if (is_above(w->t, z, x) && is_top(w, z))
				unite(w->part, x, z);
		}
	}
}

/* Whether x has cables to tops that the subtree does not join yet. */
static bool joins_tops(struct joiner *w, uint32_t x)
{
	const struct weft_fabric *f = w->f;
	uint32_t one = w->j->member[x] ? find(w->set, x) : WEFT_NONE;

	for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1]; e++) {
		uint32_t z = f->peer[f->adj[e]];

		if (!is_above(w->t, z, x) || !is_top(w, z))
			continue;
		if (one != WEFT_NONE && find(w->set, z) != one)
			return true;
		one = find(w->set, z);
	}
	return false;
}

/* The subtree within the parts. */
static void join_tops(struct joiner *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t x = w->t->by_place[i];

		if (!joins_tops(w, x))
			continue;
		for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1];
		     e++) {
			uint32_t z = f->peer[f->adj[e]];

			if (is_above(w->t, z, x) && is_top(w, z) &&
			    unite(w->set, x, z))
				add_joint(w, x, z);
		}
	}
}

static void join(struct joiner *w, struct joiner *trial)
{
	uint32_t tops = 0;

	w->j->turn = WEFT_NONE;
	memset(w->j->member, 0, w->f->nsw);
	memset(w->j->joint, 0, w->f->adj_first[w->f->nsw]);
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		w->part[s] = w->set[s] = s;
		tops += is_top(w, s);
	}
	if (tops < 2)
		return;
	join_parts(w);
	for (;;) {
		uint32_t turn = add_best_turn(w, trial);

		if (turn == WEFT_NONE)
			break;
		if (w->j->turn == WEFT_NONE)
			w->j->turn = turn;
	}
	join_tops(w);
	find_loose(w->j);
}

static bool alloc(struct joiner *w, struct weft_arena *arena)
{
	uint32_t n = w->f->nsw;

	w->j->joint = weft__arena_zalloc(arena, w->f->adj_first[n], 1);
	w->j->member = weft__arena_zalloc(arena, n, 1);
	w->part = weft__arena_alloc(arena, n, sizeof(*w->part));
	w->set = weft__arena_alloc(arena, n, sizeof(*w->set));
	w->queue = weft__arena_alloc(arena, n, sizeof(*w->queue));
	w->mark = weft__arena_zalloc(arena, n, sizeof(*w->mark));
	w->seen = weft__arena_zalloc(arena, n, sizeof(*w->seen));
	return w->j->joint && w->j->member && w->part && w->set &&
	       w->queue && w->mark && w->seen;
}

bool weft__joints_find(struct weft__joints *j, const struct weft__fattree *t,
		       struct weft_arena *arena, uint32_t keep_off)
{
	struct weft__joints tried = { .tree = t };
	struct joiner w = { .j = j, .t = t, .f = t->fabric,
			    .keep_off = keep_off };
	struct joiner trial = w;
	uint32_t n = t->fabric->nsw;

	*j = (struct weft__joints){ .tree = t };
	trial.j = &tried;
	j->hops = weft__arena_alloc(arena, n, sizeof(*j->hops));
	j->state = weft__arena_alloc(arena, n, 1);
	j->queue = weft__arena_alloc(arena, n, sizeof(*j->queue));
	j->pred = weft__arena_alloc(arena, n, sizeof(*j->pred));
	if (!j->hops || !j->state || !j->queue || !j->pred ||
	    !alloc(&w, arena) || !alloc(&trial, arena))
		return false;
	join(&w, &trial);
	if (j->loose_joints) {
		uint32_t loose = j->loose_joints;

		w.high_first = true;
		join(&w, &trial);
		if (j->loose_joints > loose) {
			w.high_first = false;
			join(&w, &trial);
		}
	}
	return true;
}

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

		j->state[t] = is_above(j->tree, s, t) ? CLIMBS : DESCENDS;
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
			  unsigned lid)
{
	const struct weft_fabric *f = j->tree->fabric;
	uint32_t t = f->peer[f->adj[e]], n = 1;

	while (e > f->adj_first[s] && f->peer[f->adj[e - 1]] == t)
		e--;
	while (e + n < f->adj_first[s + 1] && f->peer[f->adj[e + n]] == t)
		n++;
	return e + lid % n;
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
		dest->choice[s] = take_turn(j, s, j->pred[s], dest->lid) -
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
		j->pred[t] = entry_back(f, e);
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
			turn = dest->lid % n;
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
