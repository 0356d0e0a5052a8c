// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on whole trees, by residue
 *
 * On an exact generalized fat tree (shapes/pgft.h) D-mod-K has no contention
 * under any shift: routes to host d climb by d / (w_2 ... w_l) mod w_l+1.  That
 * holds if hosts are numbered as programs count them (numbers.c): in a row or, in
 * a variant, with each leaf anew, which suits ranks that are dealt out to leaves
 * in turns.
 *
 * D-mod-K has shortest ways for traffic of upper switches, which could close
 * cycles.  Here these are Up*Down* ways by closeness: in a whole tree closeness
 * follows the levels, so that all routes that climb and then descend stay the
 * same.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"
#include "engines/pgft/tables.h"
#include "engines/weave/numbers.h"

#include <weft/diag.h>

#include <errno.h>
#include <string.h>

#define RELIEF_ROUNDS 64	/* of peaks, where leaves have fewer hosts */
#define FOLLOW_WORK 8	/* edges that an entry of the tables to be followed
			 * counts for */

/* Variants.  In the second, every leaf begins with its first way up; the third
 * one also shares parallel cables up. */
enum { IN_A_ROW, ALIGNED, SHARED_CABLES, VARIANTS };

struct residue {
	const struct weft__facts *facts;
	struct weft_arena *arena;
	unsigned variant;
	uint32_t *number;	/* way by number of the form */
};

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
	const struct weft__numbering how = {
		.rank = r->facts->rank,
		.aligned = r->variant >= ALIGNED,
	};
	uint32_t most = 0;
	bool in_a_row;

	(void)diag;
	for (uint32_t e = 0; e < f->nep; e++)
		if (form->number[e] != WEFT_NONE && form->number[e] > most)
			most = form->number[e];
	r->number = weft__arena_alloc(r->arena, most + 1ull,
				      sizeof(*r->number));
	if (!r->number)
		return -ENOMEM;
	for (uint32_t i = 0; i <= most; i++)
		r->number[i] = i;
	if (!weft__number_hosts(f, form, &how, r->arena, r->number, &in_a_row))
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
