// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The subtree of fattree_complete.c: where it turns. */
#include "engines/fattree_joiner.h"

#include "core/arena.h"
#include "engines/common.h"

#include <string.h>

enum { TRIED = 24 };		/* switches tried as a turn */

/* Cables of the subtree below s, if s has others above that are not in it. */
static uint32_t loose_below(const struct weft__joints *j, uint32_t s)
{
	const struct weft_fabric *f = j->tree->fabric;
	bool free_above = false;
	uint32_t below = 0;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		bool above = weft__fattree_above(j->tree, f->peer[f->adj[e]],
						 s);

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

			if (!j->joint[e] || weft__fattree_above(j->tree, t, s))
				continue;
			weft__ways_bar(ways, s, e);
			weft__ways_bar(ways, t, weft__back_entry(f, e));
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
static void list_candidates(struct weft__joiner *w, struct candidate *best)
{
	for (uint32_t i = 0; i < w->f->nsw; i++) {
		uint32_t s = w->t->by_place[i];
		uint32_t hosts = w->f->sw_ep_first[s + 1] -
				 w->f->sw_ep_first[s];
		uint64_t parts = weft__joiner_parts(w, s);

		if (parts > 1)
			keep_best(best, (struct candidate){ .sw = s,
				.key = (w->high_first ?
					(uint64_t)w->t->level[s] << 48 : 0) |
				       parts << 16 |
				       (s != w->keep_off) << 8 |
				       (UINT8_MAX - hosts) });
	}
}

/* What weft__joiner_turn() changes. */
static void copy_state(const struct weft__joiner *w, struct weft__joiner *to)
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
static uint32_t add_best_turn(struct weft__joiner *w,
			      struct weft__joiner *trial)
{
	struct candidate best[TRIED] = { { 0, 0 } };
	uint32_t least = UINT32_MAX, chosen = WEFT_NONE;

	list_candidates(w, best);
	for (unsigned i = 0; i < TRIED && best[i].key && least; i++) {
		copy_state(w, trial);
		weft__joiner_turn(trial, best[i].sw);
		find_loose(trial->j);
		if (trial->j->loose_joints < least) {
			least = trial->j->loose_joints;
			chosen = best[i].sw;
		}
	}
	if (chosen != WEFT_NONE)
		weft__joiner_turn(w, chosen);
	return chosen;
}

/* The parts that are joined by cables right below tops. */
static void join_parts(struct weft__joiner *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t x = 0; x < f->nsw; x++) {
		for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1];
		     e++) {
			uint32_t z = f->peer[f->adj[e]];

			if (weft__fattree_above(w->t, z, x) &&
			    weft__joiner_top(w, z))
				weft__joiner_unite(w->part, x, z);
		}
	}
}

/* Whether x has cables to tops that the subtree does not join yet. */
static bool joins_tops(struct weft__joiner *w, uint32_t x)
{
	const struct weft_fabric *f = w->f;
	uint32_t one = w->j->member[x] ? weft__joiner_find(w->set, x) :
					 WEFT_NONE;

	for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1]; e++) {
		uint32_t z = f->peer[f->adj[e]];

		if (!weft__fattree_above(w->t, z, x) || !weft__joiner_top(w, z))
			continue;
		if (one != WEFT_NONE && weft__joiner_find(w->set, z) != one)
			return true;
		one = weft__joiner_find(w->set, z);
	}
	return false;
}

/* The subtree within the parts. */
static void join_tops(struct weft__joiner *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t x = w->t->by_place[i];

		if (!joins_tops(w, x))
			continue;
		for (uint32_t e = f->adj_first[x]; e < f->adj_first[x + 1];
		     e++) {
			uint32_t z = f->peer[f->adj[e]];

			if (weft__fattree_above(w->t, z, x) &&
			    weft__joiner_top(w, z) &&
			    weft__joiner_unite(w->set, x, z))
				weft__joiner_cable(w, x, z);
		}
	}
}

static void join(struct weft__joiner *w, struct weft__joiner *trial)
{
	uint32_t tops = 0;

	w->j->turn = WEFT_NONE;
	memset(w->j->member, 0, w->f->nsw);
	memset(w->j->joint, 0, w->f->adj_first[w->f->nsw]);
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		w->part[s] = w->set[s] = s;
		tops += weft__joiner_top(w, s);
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

static bool alloc(struct weft__joiner *w, struct weft_arena *arena)
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
	struct weft__joiner w = { .j = j, .t = t, .f = t->fabric,
			    .keep_off = keep_off };
	struct weft__joiner trial = w;
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
