// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fat trees of which cables or switches are missing; see pgft.h.
 *
 * Degrees are the most that a switch of a level has.  Where a switch of level l
 * is above two subtrees of the level below, both are parts of one subtree of
 * level l, whoever else is above only one of them.  In the same way two places
 * of level l + 1 have the same place below them if any switch of level l has
 * both as its parents.  A switch that has lost all its parents takes a place
 * that its subtree has nobody at.
 */
#include "shapes/pgft_parts.h"

#include "core/arena.h"
#include "core/sets.h"

#include <errno.h>
#include <string.h>

#define MOST 0.25 /* of the cables may be missing */
#define ROOM 4	  /* times as many switches as there are fit into a form that is
		   * worth a look */

/* --- subtrees ------------------------------------------------------------- */

/* Joins the subtrees below switch s, of level l; low: by subtree of the level
 * below. */
static int join_children(struct weft__pgft_search *x, uint32_t s, unsigned l,
			 uint32_t *set)
{
	const struct weft_fabric *f = x->f;
	uint32_t first = WEFT_NONE, last = WEFT_NONE;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t t = f->peer[f->adj[i]], r = x->low[t];

		if (x->form.level[t] > l || t == last)
			continue;
		last = t;
		if (x->mark[r] == s)
			return weft__pgft_breaks(
				f, s, x->diag,
				"has two ways down into one subtree");
		x->mark[r] = s;
		if (first == WEFT_NONE)
			first = r;
		weft__sets_join(set, first, r);
	}
	x->low[s] = first;
	return 0;
}

/* Joins the subtrees below level l, and finds how many are in one. */
static int join_level(struct weft__pgft_search *x, unsigned l, uint32_t *set)
{
	const struct weft_fabric *f = x->f;
	const uint8_t *level = x->form.level;
	uint32_t *above = x->above[l - 1];

	memset(above, 0xff, f->nsw * sizeof(*above));
	memset(x->mark, 0xff, f->nsw * sizeof(*x->mark));
	memset(x->nchildren, 0, f->nsw * sizeof(*x->nchildren));
	weft__sets_begin(set, f->nsw);
	for (uint32_t s = 0; s < f->nsw; s++) {
		int err = level[s] == l ? join_children(x, s, l, set) : 0;

		if (err)
			return err;
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		if (level[s] == l)
			x->low[s] = weft__sets_find(set, x->low[s]);
	for (uint32_t s = 0; s < f->nsw; s++)
		if (level[s] == l - 1 && above[x->low[s]] == WEFT_NONE) {
			above[x->low[s]] = weft__sets_find(set, x->low[s]);
			x->nchildren[above[x->low[s]]]++;
		}
	for (uint32_t r = 0; r < f->nsw; r++)
		if (x->nchildren[r] > x->form.m[l])
			x->form.m[l] = x->nchildren[r];
	return 0;
}

/* Joins all levels; all of the top one are above the same subtree. */
static int join_levels(struct weft__pgft_search *x, uint32_t *set)
{
	uint32_t top = WEFT_NONE;
	int err = 0;

	for (uint32_t s = 0; s < x->f->nsw; s++)
		if (x->form.level[s] == 1)
			x->low[s] = s;
	for (unsigned l = 2; l <= x->form.h && !err; l++)
		err = join_level(x, l, set);
	for (uint32_t s = 0; s < x->f->nsw && !err; s++) {
		if (x->form.level[s] != x->form.h)
			continue;
		if (top != WEFT_NONE && x->low[s] != top)
			return weft__pgft_breaks(x->f, s, x->diag,
						 "is not above all leaves");
		top = x->low[s];
	}
	return err;
}

/* --- places --------------------------------------------------------------- */

/* Who has which place of a level. */
struct takers {
	uint32_t *number; /* [nsw] of what places are known by */
	uint32_t n;	  /* places */
	bool *taken;	  /* [subtrees * n] */
	uint32_t *by;	  /* [n] what a place is known by */
};

static int refuse_size(const struct weft__pgft_search *x)
{
	return weft_fail(x->diag, ENOTSUP,
			 "no regular fat tree: most of it would be missing");
}

static int init_takers(struct takers *k, const struct weft__pgft_search *x,
		       const struct weft__pgft_places *p, unsigned l)
{
	const struct weft_fabric *f = x->f;
	uint64_t subtrees = x->form.leaves[x->form.h] / x->form.leaves[l];

	k->number = weft__arena_alloc(x->arena, f->nsw, sizeof(*k->number));
	k->by = weft__arena_alloc(x->arena, f->nsw, sizeof(*k->by));
	if (!k->number || !k->by)
		return weft_no_memory(x->diag);
	memset(k->number, 0xff, f->nsw * sizeof(*k->number));
	k->n = 0;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (x->form.level[s] == l && p->known[s] != WEFT_NONE &&
		    k->number[p->known[s]] == WEFT_NONE) {
			k->by[k->n] = p->known[s];
			k->number[p->known[s]] = k->n++;
		}
	if (subtrees * k->n > ROOM * (uint64_t)f->nsw)
		return refuse_size(x);
	k->taken = weft__arena_zalloc(x->arena, subtrees * k->n + 1, 1);
	return k->taken ? 0 : weft_no_memory(x->diag);
}

/* Refuses two switches of one subtree with the same place, and gives those
 * without parents one that is left. */
static int take_places(struct weft__pgft_search *x, struct weft__pgft_places *p,
		       unsigned l)
{
	const struct weft_fabric *f = x->f;
	struct takers k;
	int err = init_takers(&k, x, p, l);

	if (err)
		return err;
	for (unsigned orphans = 0; orphans < 2; orphans++)
		for (uint32_t s = 0; s < f->nsw; s++) {
			bool *taken = k.taken + (size_t)x->form.subtree[s] * k.n;
			uint32_t at;

			if (x->form.level[s] != l ||
			    (p->known[s] == WEFT_NONE) != orphans)
				continue;
			for (at = 0; orphans && at < k.n && taken[at]; at++)
				;
			if (!orphans)
				at = k.number[p->known[s]];
			if (at == k.n || taken[at])
				return weft__pgft_breaks(
					f, s, x->diag,
					"has the place of another one");
			taken[at] = true;
			p->known[s] = k.by[at];
		}
	return 0;
}

/* Finds the places of level l from those of its parents. */
static int find_places(struct weft__pgft_search *x, struct weft__pgft_places *p,
		       unsigned l, uint32_t *set)
{
	const struct weft_fabric *f = x->f;
	const uint8_t *level = x->form.level;
	uint32_t *count = p->next, *below = p->below[l];

	memset(below, 0xff, f->nsw * sizeof(*below));
	memset(count, 0, f->nsw * sizeof(*count));
	weft__sets_begin(set, f->nsw);
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t i = f->adj_first[s], u;

		if (level[s] != l)
			continue;
		p->known[s] = WEFT_NONE;
		while ((u = weft__pgft_next_peer(p, s, true, &i)) !=
		       WEFT_NONE) {
			if (p->known[s] == WEFT_NONE)
				p->known[s] = p->known[u];
			weft__sets_join(set, p->known[s], p->known[u]);
		}
	}
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t *known = &p->known[s];

		if (level[s] == l + 1 && below[*known] == WEFT_NONE) {
			below[*known] = weft__sets_find(set, *known);
			count[below[*known]]++;
		}
		if (level[s] == l && *known != WEFT_NONE)
			*known = weft__sets_find(set, *known);
	}
	for (uint32_t r = 0; r < f->nsw; r++)
		if (count[r] > x->form.w[l + 1])
			x->form.w[l + 1] = count[r];
	return take_places(x, p, l);
}

/* --- all ------------------------------------------------------------------ */

/* Makes the most that any switch has the form. */
static void set_form(struct weft__pgft_search *x)
{
	struct weft__pgft_form *form = &x->form;

	for (uint32_t s = 0; s < x->f->nsw; s++) {
		const struct weft__pgft_degree *d = &x->degree[s];
		unsigned l = form->level[s];

		if (d->down > form->m[l])
			form->m[l] = d->down;
		if (l == form->h)
			continue;
		if (d->up > form->w[l + 1])
			form->w[l + 1] = d->up;
		if (d->cables > form->p[l + 1])
			form->p[l + 1] = d->cables;
	}
}

/* Whether the form has not far more leaves than there are switches. */
static bool has_size(const struct weft__pgft_search *x)
{
	uint64_t leaves = 1;

	for (unsigned l = 2; l <= x->form.h; l++) {
		leaves *= x->form.m[l];
		if (leaves > ROOM * (uint64_t)x->f->nsw)
			return false;
	}
	return true;
}

/* Returns the share of the cables that the form has and the fabric lacks. */
static double missing(const struct weft__pgft_search *x)
{
	const struct weft_fabric *f = x->f;
	double all = 0;

	for (unsigned l = 1; l < x->form.h; l++) {
		double each = x->form.leaves[x->form.h] / x->form.leaves[l];

		for (unsigned k = 2; k <= l + 1; k++)
			each *= x->form.w[k];
		all += each * x->form.p[l + 1];
	}
	return all > 0 ? 1 - f->adj_first[f->nsw] / 2 / all : 0;
}

int weft__pgft_detect_torn(const struct weft_fabric *f,
			   struct weft_arena *arena,
			   struct weft__pgft_form *out, double *share,
			   struct weft_diag *diag)
{
	struct weft__pgft_search x = { .f = f, .arena = arena, .diag = diag,
				       .torn = true };
	struct weft__pgft_places p = { .diag = diag };
	uint32_t *set = weft__arena_alloc(arena, f->nsw, sizeof(*set));
	int err = set ? weft__pgft_begin(&x) : weft_no_memory(diag);

	if (err)
		return err;
	set_form(&x);
	err = join_levels(&x, set);
	if (!err && !has_size(&x))
		err = refuse_size(&x);
	if (err)
		return err;
	weft__pgft_number(&x);
	if (!weft__pgft_places_init(&p, f, &x.form, arena))
		return weft_no_memory(diag);
	for (unsigned l = x.form.h - 1; l >= 1 && !err; l--)
		err = find_places(&x, &p, l, set);
	if (err)
		return err;
	weft__pgft_places_number(&p);
	*share = missing(&x);
	if (*share > MOST)
		return weft_fail(
			diag, ENOTSUP,
			"no regular fat tree: %.0f %% of its cables are missing",
			*share * 100);
	*out = x.form;
	return 0;
}
