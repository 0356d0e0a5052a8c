// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: trees by the numbers of hosts, where cables may be missing
 *
 * On an exact generalized fat tree (shapes/pgft.h) D-mod-K has no contention
 * under any shift: routes to host d climb by d / (w_2 ... w_l) mod w_l+1.  That
 * holds if hosts are numbered as programs count them (numbers.c).
 *
 * If some cables are missing most streams never see that, as long as all others
 * keep their numbers.  So these are those of the whole tree, and its tables are
 * taken over wherever the cable that they name is one of the ways there are.  A
 * switch whose cable is missing, or leads to one that does not get there, takes
 * the least loaded way, once the loads of all the others are known.
 */
#include "engines/pgft/follow.h"

#include "core/arena.h"
#include "engines/pgft/tables.h"

#include <errno.h>
#include <string.h>

#define WORK_PER_ENTRY 8 /* edges that an entry of the tables counts for */

struct follow {
	const struct weft__follow_spec *spec;
	const struct weft_fabric *f;
	uint32_t *number;  /* way by number of the form */
	uint8_t *position; /* [nch] of a channel, in the adjacency of its switch */
	uint32_t *count;   /* [edges] trees that share a cable; NULL: none do */
	bool *rest;	   /* [nendports] trees that miss a cable */
	struct weft__balance *balance;
};

/* --- the tables of the whole tree ----------------------------------------- */

static bool any_parallel(const struct weft__pgft_form *form)
{
	unsigned l = 1;

	while (l <= form->h && form->p[l] == 1)
		l++;
	return l <= form->h;
}

/* Numbers the hosts by their ranks. */
static int number_hosts(const struct weft_fabric *f,
			const struct weft__pgft_form *form, void *context,
			struct weft_diag *diag)
{
	struct follow *w = context;
	const struct weft__follow_spec *spec = w->spec;
	uint32_t most = 0;
	bool in_a_row;

	(void)diag;
	for (uint32_t e = 0; e < f->nep; e++)
		if (form->number[e] != WEFT_NONE && form->number[e] > most)
			most = form->number[e];
	w->number = weft__arena_alloc(spec->arena, most + 1ull,
				      sizeof(*w->number));
	if (!w->number)
		return -ENOMEM;
	for (uint32_t i = 0; i <= most; i++)
		w->number[i] = i;
	if (!weft__number_hosts(f, form, &spec->how, spec->arena, w->number,
				&in_a_row))
		return -ENOMEM;
	if (spec->other && (spec->share ? !any_parallel(form) : in_a_row))
		return -EALREADY;
	return 0;
}

static uint32_t way_to(const void *context, uint32_t number, unsigned offset)
{
	const struct follow *w = context;

	return w->number[number] + offset;
}

/* --- trees like those of the tables --------------------------------------- */

/* Returns the least taken of the parallel cables of switch s that include the
 * one at a position, and counts it. */
static uint8_t share_cables(const struct follow *w, uint32_t s, uint8_t at)
{
	const uint32_t *peer = w->f->peer, *adj = w->f->adj;
	uint32_t first = w->f->adj_first[s], end = w->f->adj_first[s + 1];
	uint32_t e = first + at, t = peer[adj[e]], best;

	while (e > first && peer[adj[e - 1]] == t)
		e--;
	for (best = e; e < end && peer[adj[e]] == t; e++)
		best = w->count[e] < w->count[best] ? e : best;
	w->count[best]++;
	return best - first;
}

static bool leads_up(const struct follow *w, uint32_t s, uint8_t at)
{
	uint32_t t = w->f->peer[w->f->adj[w->f->adj_first[s] + at]];

	return w->spec->form->level[t] > w->spec->form->level[s];
}

/* Takes over a tree from the tables, wherever its cables are among its ways.
 * Returns true if they are everywhere. */
static bool follow_tables(const struct follow *w, const struct weft_lft *lft,
			  const struct weft__plan *plan,
			  const struct weft__tree *t)
{
	const struct weft__run *run = plan->run;
	bool all = true;

	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];
		uint8_t port = weft_lft_get(lft, s, t->lid);
		uint8_t at = port == WEFT_NO_PORT ?
				     WEFT__UNFIXED :
				     w->position[weft_channel(w->f, s, port)];

		if (!weft__runs_have(run, plan->nruns[i], at))
			all = false;
		else
			t->choice[s] = w->count && leads_up(w, s, at) ?
					       share_cables(w, s, at) :
					       at;
		run += plan->nruns[i];
	}
	return all;
}

/* Takes over all trees; what is missing comes last. */
static void route(const struct follow *w, const struct weft_lft *lft,
		  struct weft__ways *ways, const struct weft__trees *trees)
{
	for (unsigned last = 0; last < 2; last++)
		for (uint32_t d = 0; d < trees->nendports; d++) {
			const struct weft__tree *t = &trees->tree[d];
			const struct weft__plan *plan =
				last && !w->rest[d] ?
					NULL :
					weft__ways_to(ways, t->root);

			if (!plan)
				continue;
			if (last)
				weft__balance_complete(w->balance, plan,
						       t->choice, t->weight);
			else
				w->rest[d] = !follow_tables(w, lft, plan, t);
			if (last || !w->rest[d])
				weft__balance_load(w->balance, plan, t->choice,
						   t->weight);
		}
}

static bool alloc(struct follow *w, uint32_t nendports)
{
	struct weft_arena *arena = w->spec->arena;
	const struct weft_fabric *f = w->f;

	w->position = weft__arena_alloc(arena, f->nch, 1);
	w->rest = weft__arena_alloc(arena, nendports, 1);
	w->count = w->spec->share ? weft__arena_zalloc(arena,
						       f->adj_first[f->nsw],
						       sizeof(*w->count)) :
				    NULL;
	if (weft__arena_failed(arena))
		return false;
	memset(w->position, WEFT__UNFIXED, f->nch);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			w->position[f->adj[e]] = e - f->adj_first[s];
	return true;
}

int weft__pgft_follow(const struct weft__follow_spec *spec,
		      struct weft__ways *ways, struct weft__trees *trees,
		      struct weft__balance *balance)
{
	struct follow w = { .spec = spec, .f = spec->fabric,
			    .balance = balance };
	const struct weft__pgft_rule rule = {
		.prepare = number_hosts,
		.way = way_to,
		.context = &w,
	};
	struct weft_lft lft = { 0 };
	int err = alloc(&w, trees->nendports) ? 0 : -ENOMEM;

	if (!err)
		err = weft__pgft_fill(w.f, spec->form, &rule, spec->arena,
				      &lft, NULL);
	if (!err) {
		balance->looked += WORK_PER_ENTRY *
				   (uint64_t)trees->nendports * w.f->nsw;
		route(&w, &lft, ways, trees);
	}
	weft_lft_free(&lft);
	return err;
}
