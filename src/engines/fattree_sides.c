// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: both sides of a rack
 *
 * Idea: where the two switches s and t of a rack hang on different parts of a
 * fabric that only racks join, and s is above t, Up*Down* lets traffic from s
 * to hosts in t's part cross in the rack of the destination only: all traffic
 * between the parts goes through that of s.  Of several cables between s and t
 * the second half is given to what s itself sends: nothing comes into s that
 * goes on over them, so that these channels depend on no other and close no
 * circle, wherever t sends on.  Then sources move from the crowded way to that
 * of their neighbour, one by one.
 *
 * Complexity: O(LIDs x (switches + cables between neighbours x hops)).
 */
#include "engines/fattree_sides.h"

#include "core/arena.h"

#include <string.h>

struct sides {
	struct weft__fattree_run *run;
	const uint32_t *first, *head;
	uint32_t *load;		/* [edges] streams of endports */
	uint32_t *weight;	/* [nsw] of the tree at hand */
	uint8_t *passed;	/* [nsw] others send to it in that tree */
	struct pair {
		uint32_t s, t, entry, n;	/* s's cables down to t */
	} *pair;
	uint32_t npairs;
};

static uint32_t edge(const struct sides *x, const struct weft__tree *tree,
		     uint32_t s)
{
	return x->first[s] + tree->choice[s];
}

static bool is_pair(const struct sides *x, uint32_t s, uint32_t e, uint32_t n)
{
	const struct weft__fattree *tree = &x->run->tree;
	uint32_t t = x->head[e];

	if (n < 2 || tree->level[s] || tree->level[t] ||
	    tree->ways.place[s] > tree->ways.place[t])
		return false;
	for (uint32_t i = e; i < e + n; i++)
		if (x->run->joints.joint[i])
			return false;
	return true;
}

static void find_pairs(struct sides *x)
{
	for (uint32_t s = 0, n; s < x->run->fabric->nsw; s++) {
		for (uint32_t e = x->first[s]; e < x->first[s + 1]; e += n) {
			for (n = 1; e + n < x->first[s + 1] &&
				    x->head[e + n] == x->head[e];)
				n++;
			if (is_pair(x, s, e, n))
				x->pair[x->npairs++] = (struct pair){
					s, x->head[e], e, n };
		}
	}
}

static void mark_passed(struct sides *x, const struct weft__tree *tree)
{
	memset(x->passed, 0, x->run->fabric->nsw);
	for (uint32_t s = 0; s < x->run->fabric->nsw; s++)
		if (s != tree->root)
			x->passed[x->head[edge(x, tree, s)]] = 1;
}

static void load_tree(struct sides *x, const struct weft__tree *tree)
{
	const struct weft_fabric *f = x->run->fabric;
	const struct weft__plan *plan = weft__ways_to(&x->run->tree.ways,
						      tree->root);

	for (uint32_t s = 0; s < f->nsw; s++)
		x->weight[s] = f->sw_ep_first[s + 1] - f->sw_ep_first[s];
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i], e = edge(x, tree, s);

		x->load[e] += x->weight[s];
		x->weight[x->head[e]] += x->weight[s];
	}
}

static uint32_t least(const struct sides *x, uint32_t e, uint32_t n)
{
	uint32_t best = e;

	for (uint32_t i = e; i < e + n; i++)
		if (x->load[i] < x->load[best])
			best = i;
	return best;
}

/* Which half of a pair's cables a tree may use. */
static void keep_apart(struct sides *x, const struct weft__tree *tree)
{
	mark_passed(x, tree);
	for (uint32_t i = 0; i < x->npairs; i++) {
		const struct pair *p = &x->pair[i];
		uint32_t half = p->n / 2, k;

		if (p->s == tree->root ||
		    x->head[edge(x, tree, p->s)] != p->t)
			continue;
		k = edge(x, tree, p->s) - p->entry;
		if (x->passed[p->s])
			k %= half;
		else if (k < half)
			k = half + k % (p->n - half);
		tree->choice[p->s] = p->entry + k - x->first[p->s];
	}
}

/* Hops from s to the root, not over avoided, 0: it goes there; *most: the
 * largest load on the way. */
static uint32_t follow(const struct sides *x, const struct weft__tree *tree,
		       uint32_t s, uint32_t avoided, uint32_t *most)
{
	uint32_t hops = 0;

	for (*most = 0; s != tree->root; hops++) {
		uint32_t e = edge(x, tree, s);

		if (x->load[e] > *most)
			*most = x->load[e];
		s = x->head[e];
		if (s == avoided)
			return 0;
	}
	return hops;
}

static void add(struct sides *x, const struct weft__tree *tree, uint32_t s,
		uint32_t weight)
{
	for (; s != tree->root; s = x->head[edge(x, tree, s)])
		x->load[edge(x, tree, s)] += weight;
}

/* Whether t sends on upwards, so that more may come into it. */
static bool climbs(const struct sides *x, const struct weft__tree *tree,
		   uint32_t t)
{
	const uint16_t *level = x->run->tree.level;

	return t != tree->root && level[x->head[edge(x, tree, t)]] > level[t];
}

static void move(struct sides *x, const struct weft__tree *tree,
		 const struct pair *p)
{
	const struct weft_fabric *f = x->run->fabric;
	uint32_t w = f->sw_ep_first[p->s + 1] - f->sw_ep_first[p->s];
	uint32_t half = p->n / 2, here, there, hops, e;

	if (p->s == tree->root || x->passed[p->s] || !climbs(x, tree, p->t) ||
	    x->head[edge(x, tree, p->s)] == p->t)
		return;
	hops = follow(x, tree, p->t, p->s, &there);
	if (!hops || hops + 1 > follow(x, tree, p->s, WEFT_NONE, &here))
		return;
	e = least(x, p->entry + half, p->n - half);
	if (x->load[e] > there)
		there = x->load[e];
	if (there + w >= here)
		return;
	add(x, tree, p->s, -w);
	tree->choice[p->s] = e - x->first[p->s];
	add(x, tree, p->s, w);
	x->passed[p->t] = 1;
}

static bool alloc(struct sides *x)
{
	const struct weft_fabric *f = x->run->fabric;
	uint32_t nedges = f->adj_first[f->nsw];
	struct weft_arena *arena = x->run->arena;

	x->load = weft__arena_zalloc(arena, nedges, sizeof(*x->load));
	x->weight = weft__arena_alloc(arena, f->nsw, sizeof(*x->weight));
	x->passed = weft__arena_alloc(arena, f->nsw, 1);
	x->pair = weft__arena_alloc(arena, nedges, sizeof(*x->pair));
	return x->load && x->weight && x->passed && x->pair;
}

bool weft__sides_use(struct weft__fattree_run *run)
{
	const struct weft__trees *trees = &run->trees;
	struct sides x = { .run = run, .first = run->fabric->adj_first,
			   .head = run->tree.ways.head };

	if (!alloc(&x))
		return false;
	find_pairs(&x);
	if (!x.npairs)
		return true;
	for (uint32_t d = 0; d < trees->n; d++) {
		keep_apart(&x, &trees->tree[d]);
		if (d < trees->nendports)
			load_tree(&x, &trees->tree[d]);
	}
	for (uint32_t d = 0; d < trees->nendports; d++) {
		mark_passed(&x, &trees->tree[d]);
		for (uint32_t i = 0; i < x.npairs; i++)
			move(&x, &trees->tree[d], &x.pair[i]);
	}
	return true;
}
