// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on whole trees, by residue
 *
 * On an exact generalized fat tree (shapes/pgft.h) D-mod-K has no contention
 * under any shift: routes to host d climb by d / (w_2 ... w_l) mod w_l+1.  That
 * holds if hosts are numbered in the order in which programs count their ranks.
 * So leaves are numbered subtree by subtree here, each by the lowest rank in
 * it, and hosts run on without a gap where a leaf has fewer than others; or, in
 * a variant, each leaf begins anew, which suits ranks that are dealt out to
 * leaves in turns.
 *
 * Where there are several groups of hosts, each is numbered by itself, the next
 * one from where the last one ended: not in the whole tree, but in the smallest
 * subtrees that all have as many hosts of each, so that groups take different ways
 * farther up; unless that would bring contention into a group.  So it is with
 * machines of two ports, where neighbouring leaves have the first ones and the
 * second ones.
 *
 * D-mod-K has shortest ways for traffic of upper switches, which could close
 * cycles.  Here these are Up*Down* ways by closeness: in a whole tree closeness
 * follows the levels, so that all routes that climb and then descend stay the
 * same.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"
#include "engines/pgft/tables.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RELIEF_ROUNDS 64	/* of peaks, where leaves have fewer hosts */
#define FOLLOW_WORK 8	/* edges that an entry of the tables to be followed
			 * counts for */

/* Variants.  In the second, every leaf begins with its first way up; the third
 * one also shares parallel cables up. */
enum { IN_A_ROW, ALIGNED, SHARED_CABLES, VARIANTS };

/* Where hosts are numbered. */
struct turns {
	uint32_t begin;		/* first host of the shared subtree */
	uint32_t group, shift;	/* groups before in that; see shift_group() */
};

struct residue {
	const struct weft__facts *facts;
	struct weft_arena *arena;
	unsigned variant;
	uint32_t ngroups, ways;	/* up from subtrees that these share */
	uint32_t *number;	/* way by number of the form */
};

/* Finds the lowest rank in each subtree of level l, from those of level 1. */
static void lowest_ranks(const struct weft__pgft_form *form, unsigned l,
			 uint32_t nleaves, const uint32_t *leaf,
			 uint32_t *lowest)
{
	memset(lowest, 0xff, nleaves * sizeof(*lowest));
	for (uint32_t i = 0; i < nleaves; i++) {
		uint32_t *low = &lowest[i / form->leaves[l]];

		*low = leaf[i] < *low ? leaf[i] : *low;
	}
}

struct key {
	/* lowest ranks, from the top; between those of subtrees that groups share
	 * and those below, the group */
	uint32_t path[WEFT__PGFT_LEVELS + 2];
	uint32_t group, leaf, shared, number;
};

static int by_path(const void *x, const void *y)
{
	const struct key *a = x, *b = y;

	for (unsigned l = 0; l < WEFT__PGFT_LEVELS + 2; l++)
		if (a->path[l] != b->path[l])
			return a->path[l] < b->path[l] ? -1 : 1;
	return 0;
}

/* Whether an endport is a host on a leaf. */
static bool counts(const struct weft_fabric *f,
		   const struct weft__pgft_form *form, uint32_t e)
{
	return form->number[e] != WEFT_NONE && f->ep[e].kind == WEFT_HOST;
}

/* Returns the ways up from a subtree of level l. */
static uint32_t ways_up(const struct weft__pgft_form *form, unsigned level)
{
	uint32_t ways = 1;

	for (unsigned l = 2; l <= form->h && l <= level + 1; l++)
		ways *= form->w[l] * form->p[l];
	return ways;
}

/* Whether groups that are so many hosts of a subtree each have no contention among
 * themselves where its other hosts come in between: all together are no more than
 * the ways up, or the others take all of these alike. */
static bool are_apart(const uint32_t *count, uint32_t ngroups, uint32_t ways)
{
	uint32_t all = 0;

	for (uint32_t g = 0; g < ngroups; g++)
		all += count[g];
	for (uint32_t g = 0; g < ngroups && all > ways; g++)
		if (count[g] && (all - count[g]) % ways)
			return false;
	return true;
}

/* Whether groups may share subtrees of level l: all of these with hosts have as many
 * of each group.  count: [leaves][groups] scratch. */
static bool may_share(const struct weft_fabric *f,
		      const struct weft__pgft_form *form, unsigned l,
		      uint32_t *count)
{
	uint32_t n = form->leaves[form->h] / form->leaves[l], ng = f->ngroups;
	const uint32_t *first = NULL;

	memset(count, 0, (size_t)n * ng * sizeof(*count));
	for (uint32_t e = 0; e < f->nep; e++)
		if (counts(f, form, e))
			count[form->subtree[f->ep[e].sw] / form->leaves[l] * ng +
			      f->ep[e].group]++;
	for (; n--; count += ng) {
		uint32_t any = 0;

		for (uint32_t g = 0; g < ng; g++)
			any |= count[g];
		first = first || !any ? first : count;
		if (any && memcmp(first, count, ng * sizeof(*count)))
			return false;
	}
	return !first || are_apart(first, ng, ways_up(form, l));
}

/* Returns the lowest level at which they may; at the top they always do. */
static unsigned shared_level(const struct weft_fabric *f,
			     const struct weft__pgft_form *form,
			     uint32_t *count)
{
	unsigned l = 1;

	while (l < form->h && !may_share(f, form, l, count))
		l++;
	return l;
}

/* Fills in the keys of all hosts on leaves; returns how many there are.  shared:
 * level of the subtrees that groups share. */
static uint32_t make_keys(const struct weft_fabric *f,
			  const struct weft__pgft_form *form,
			  const struct weft__facts *facts, unsigned shared,
			  uint32_t *leaf, uint32_t *lowest, struct key *key)
{
	uint32_t nleaves = form->leaves[form->h], n = 0;

	memset(leaf, 0xff, nleaves * sizeof(*leaf));
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t s = f->ep[e].sw;

		if (form->level[s] == 1 &&
		    facts->rank[e] < leaf[form->subtree[s]])
			leaf[form->subtree[s]] = facts->rank[e];
	}
	for (unsigned l = 1; l <= form->h; l++) {
		lowest_ranks(form, l, nleaves, leaf, lowest);
		n = 0;
		for (uint32_t e = 0; e < f->nep; e++) {
			uint32_t s = f->ep[e].sw;

			if (!counts(f, form, e))
				continue;
			key[n].number = form->number[e];
			key[n].leaf = form->subtree[s];
			key[n].shared = form->subtree[s] / form->leaves[shared];
			key[n].group = f->ep[e].group;
			key[n].path[form->h - shared + 1] = f->ep[e].group;
			key[n].path[WEFT__PGFT_LEVELS + 1] = facts->rank[e];
			key[n++].path[form->h - l + (l < shared)] =
				lowest[form->subtree[s] / form->leaves[l]];
		}
	}
	return n;
}

/* Where the hosts of groups are as many as there are ways, or times as many, all
 * groups of a subtree begin with the same way, and hosts in the same place of two
 * groups, as are the ports of a machine, share theirs.  So each group begins farther
 * on, by its part of the ways.  Goes on to host i, from the one before. */
static void shift_group(const struct residue *r, const struct key *key,
			uint32_t i, struct turns *t)
{
	if (!i || key[i].shared != key[i - 1].shared) {
		*t = (struct turns){ .begin = i };
	} else if (key[i].group != key[i - 1].group) {
		t->group++;
		t->shift = (i - t->begin) % r->ways ? 0 :
			t->group * (r->ways / r->ngroups);
	}
}

/*
 * Numbers the hosts one after the other without a gap.  If aligned, each leaf
 * begins with its first way up instead, and hosts with the same way up take
 * turns farther up.  *in_a_row: that is the same.
 */
static bool number_hosts(const struct residue *r,
			 const struct weft__pgft_form *form,
			 const struct key *key, uint32_t n, bool *in_a_row)
{
	uint32_t ways = form->h > 1 ? form->w[2] * form->p[2] : 1, first = 0;
	uint32_t *turn = weft__arena_zalloc(r->arena, ways, sizeof(*turn));
	struct turns t = { .shift = 0 };

	if (!turn)
		return false;
	*in_a_row = true;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at, *number = &r->number[key[i].number];

		shift_group(r, key, i, &t);
		if (r->variant >= ALIGNED &&
		    (key[i].group != key[first].group ||
		     key[i].leaf != key[first].leaf))
			first = i;
		at = (i - first) % ways;
		*number = turn[at]++ * ways + at;
		*in_a_row &= *number == i && !t.shift;
		if (r->variant < ALIGNED)
			*number += t.shift;
	}
	return true;
}

static bool any_parallel(const struct weft__pgft_form *form)
{
	unsigned l = 1;

	while (l <= form->h && form->p[l] == 1)
		l++;
	return l <= form->h;
}

/* Numbers the hosts by their ranks.  Returns -EALREADY if the variant has the
 * tables of the one before. */
static int residue_prepare(const struct weft_fabric *f,
			   const struct weft__pgft_form *form, void *context,
			   struct weft_diag *diag)
{
	struct residue *r = context;
	uint32_t nleaves = form->leaves[form->h], most = 0, n;
	uint32_t *leaf, *lowest, *count;
	struct key *key;
	unsigned shared;
	bool in_a_row;

	(void)diag;
	for (uint32_t e = 0; e < f->nep; e++)
		if (form->number[e] != WEFT_NONE && form->number[e] > most)
			most = form->number[e];
	leaf = weft__arena_alloc(r->arena, nleaves, sizeof(*leaf));
	lowest = weft__arena_alloc(r->arena, nleaves, sizeof(*lowest));
	count = weft__arena_alloc(r->arena, nleaves,
				  (f->ngroups + 1ull) * sizeof(*count));
	key = weft__arena_zalloc(r->arena, f->nep + 1ull, sizeof(*key));
	r->number = weft__arena_alloc(r->arena, most + 1ull,
				      sizeof(*r->number));
	if (weft__arena_failed(r->arena))
		return -ENOMEM;
	shared = shared_level(f, form, count);
	r->ngroups = f->ngroups ? f->ngroups : 1;
	r->ways = ways_up(form, shared);
	n = make_keys(f, form, r->facts, shared, leaf, lowest, key);
	qsort(key, n, sizeof(*key), by_path);
	for (uint32_t i = 0; i <= most; i++)
		r->number[i] = i;
	if (!number_hosts(r, form, key, n, &in_a_row))
		return -ENOMEM;
	return (r->variant == ALIGNED && in_a_row) ||
	       (r->variant == SHARED_CABLES && !any_parallel(form)) ?
		       -EALREADY : 0;
}

static uint32_t residue_way(const void *context, uint32_t number,
			    unsigned offset)
{
	const struct residue *r = context;

	return r->number[number] + offset;
}

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root)
		return "roots are given";
	return w->facts.whole_tree ? NULL : "no whole fat tree";
}

static double work(const struct weft__weave *w)
{
	return (double)w->facts.lids * w->f->nsw * 4 +
	       2.0 * w->f->nsw * w->facts.edges;
}

/* Returns the least taken of the parallel cables of switch s that include the
 * one at a position, and counts it. */
static uint8_t share_cables(const struct weft__weave *w, uint32_t s, uint8_t at,
			    uint32_t *count)
{
	const uint32_t *peer = w->f->peer, *adj = w->f->adj;
	uint32_t first = w->f->adj_first[s], end = w->f->adj_first[s + 1];
	uint32_t e = first + at, t = peer[adj[e]], best;

	while (e > first && peer[adj[e - 1]] == t)
		e--;
	for (best = e; e < end && peer[adj[e]] == t; e++)
		best = count[e] < count[best] ? e : best;
	count[best]++;
	return best - first;
}

/* Takes over a tree from the tables, wherever its cables are among its ways.
 * Returns true if they are everywhere. */
static bool follow_tables(const struct weft__weave *w,
			  const struct weft_lft *lft, const uint8_t *position,
			  const struct weft__plan *plan,
			  const struct weft__tree *t, uint32_t *count)
{
	const uint32_t *place = w->close.place;
	const struct weft__run *run = plan->run;
	bool all = true;

	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];
		uint8_t port = weft_lft_get(lft, s, t->lid), at;

		at = position[weft_channel(w->f, s, port)];
		if (!weft__runs_have(run, plan->nruns[i], at))
			all = false;
		else
			t->choice[s] = count && place[w->f->peer[w->f->adj[
				w->f->adj_first[s] + at]]] < place[s] ?
				share_cables(w, s, at, count) : at;
		run += plan->nruns[i];
	}
	return all;
}

/* Has the switches that have no cable yet take the least loaded ways. */
static void balance_rest(struct weft__balance *b, const struct weft__plan *plan,
			 uint8_t *choice, uint8_t *scratch)
{
	weft__balance_tree(b, plan, scratch);
	for (uint32_t i = 1; i <= plan->n; i++) {
		uint32_t s = plan->order[i];

		if (choice[s] == WEFT__UNFIXED)
			choice[s] = scratch[s];
	}
}

/* Finds the position of each channel in the adjacency of its switch. */
static uint8_t *find_positions(const struct weft__weave *w)
{
	const struct weft_fabric *f = w->f;
	uint8_t *position = weft__arena_alloc(w->arena, f->nch, 1);

	if (!position)
		return NULL;
	memset(position, 0xff, f->nch);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			position[f->adj[e]] = e - f->adj_first[s];
	return position;
}

/* Routes trees like those of the tables, along ways that close no cycle. */
static int route_ordered(struct weft__weave *w, const struct weft_lft *lft,
			 struct weft_routes *out)
{
	struct weft__tree_routes routes = { .trees = { 0 } };
	uint8_t *position = find_positions(w);
	uint32_t *count = weft__arena_zalloc(w->arena, w->facts.edges,
					     sizeof(*count));
	uint8_t *scratch = weft__arena_alloc(w->arena, w->f->nsw, 1);
	bool complete;
	int err = -ENOMEM;

	if (position && count && scratch)
		err = weft__route_ordered(w, w->close.place, &routes,
					  &complete);
	if (err)
		return err;
	if (!complete)
		return -ENOTSUP;
	err = weft__route_begin(w, &routes);
	if (err)
		return err;
	routes.balance.looked += FOLLOW_WORK * (uint64_t)w->facts.lids *
				 w->f->nsw;
	for (uint32_t d = 0; d < routes.trees.nendports; d++) {
		const struct weft__tree *t = &routes.trees.tree[d];
		const struct weft__plan *plan =
			weft__ways_to(&routes.ways, t->root);

		if (!follow_tables(w, lft, position, plan, t,
				   w->variant < SHARED_CABLES ? NULL : count))
			balance_rest(&routes.balance, plan, t->choice, scratch);
		weft__balance_load(&routes.balance, plan, t->choice,
				   t->weight);
	}
	weft__balance_switches(&routes.balance, &routes.ways, &routes.trees);
	weft__balance_relieve(&routes.balance, &routes.ways, &routes.trees,
			      RELIEF_ROUNDS);
	return weft__route_tables(w, &routes, out);
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct residue r = {
		.facts = &w->facts, .arena = w->arena, .variant = w->variant,
	};
	const struct weft__pgft_rule rule = {
		.prepare = residue_prepare,
		.way = residue_way,
		.context = &r,
	};
	struct weft_routes exact = { 0 };
	int err = weft__pgft_route(w->f, &rule, &exact, NULL);

	if (!err)
		err = route_ordered(w, &exact.lft, out);
	weft_routes_free(&exact);
	return err;
}

static double promise(const struct weft__weave *w)
{
	(void)w;
	return 20;
}

const struct weft__strategy weft__strategy_residue = {
	.name = "residue",
	.about = "whole fat trees: shifts and all-to-all without contention",
	.promise = promise,
	.refuses = refuses,
	.work = work,
	.build = build,
	.variants = VARIANTS,
};
