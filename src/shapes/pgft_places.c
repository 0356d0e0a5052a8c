// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Places of switches in the subtrees of a fat tree; see pgft.h.
 *
 * Switches of level l that are cabled to the same switches of level l + 1 have
 * the same place, each in its own subtree.  So the places of a level follow
 * from those of the level above, by grouping these w_l+1 at a time.  The top
 * switches all have different places.  On the way down, a place is known by the
 * lowest of the top switches above it; on the way up again, places get their
 * numbers, those of one group in a row.  If two subtrees group the places above
 * them differently, the fabric is no fat tree of this form.
 */
#include "shapes/pgft_parts.h"

#include "core/arena.h"

#include <string.h>

uint32_t weft__pgft_next_peer(const struct weft__pgft_places *x, uint32_t s,
			      bool up, uint32_t *i)
{
	const struct weft_fabric *f = x->f;
	const uint8_t *level = x->form->level;

	while (*i < f->adj_first[s + 1]) {
		uint32_t t = f->peer[f->adj[*i]];

		while (*i < f->adj_first[s + 1] &&
		       f->peer[f->adj[*i]] == t)
			++*i;
		if ((level[t] > level[s]) == up)
			return t;
	}
	return WEFT_NONE;
}

/* True if all parents of switch s have the same children. */
static bool parents_agree(struct weft__pgft_places *x, uint32_t s)
{
	uint32_t i = x->f->adj_first[s], u;
	uint32_t first = weft__pgft_next_peer(x, s, true, &i), k;

	if (first == WEFT_NONE)
		return true;
	k = x->f->adj_first[first];
	for (u = weft__pgft_next_peer(x, first, false, &k); u != WEFT_NONE;
	     u = weft__pgft_next_peer(x, first, false, &k))
		x->mark[u] = s;
	for (u = weft__pgft_next_peer(x, s, true, &i); u != WEFT_NONE;
	     u = weft__pgft_next_peer(x, s, true, &i)) {
		uint32_t j = x->f->adj_first[u], c;

		while ((c = weft__pgft_next_peer(x, u, false, &j)) != WEFT_NONE)
			if (x->mark[c] != s)
				return false;
	}
	return true;
}

/* Finds the place of switch s, of level l, from those of its parents. */
static int find_place(struct weft__pgft_places *x, uint32_t s, unsigned l)
{
	uint32_t *below = x->below[l], best = WEFT_NONE, u;
	uint32_t i = x->f->adj_first[s];

	if (!parents_agree(x, s))
		return weft__pgft_breaks(x->f, s, x->diag,
			"is below switches that are not all above the same ones");
	while ((u = weft__pgft_next_peer(x, s, true, &i)) != WEFT_NONE)
		if (x->known[u] < best)
			best = x->known[u];
	i = x->f->adj_first[s];
	while ((u = weft__pgft_next_peer(x, s, true, &i)) != WEFT_NONE) {
		uint32_t *p = &below[x->known[u]];

		if (*p != WEFT_NONE && *p != best)
			return weft__pgft_breaks(x->f, s, x->diag,
				"is not cabled upwards as its likes in other subtrees are");
		*p = best;
	}
	x->known[s] = best;
	return 0;
}

static int find_places(struct weft__pgft_places *x, unsigned l)
{
	const struct weft_fabric *f = x->f;
	int err = 0;

	memset(x->below[l], 0xff, f->nsw * sizeof(*x->below[l]));
	memset(x->mark, 0xff, f->nsw * sizeof(*x->mark));
	for (uint32_t s = 0; s < f->nsw && !err; s++)
		if (x->form->level[s] == l)
			err = find_place(x, s, l);
	return err;
}

/* Numbers the places of level l + 1; those of level l have their numbers. */
static void number_level(struct weft__pgft_places *x, unsigned l)
{
	const struct weft_fabric *f = x->f;
	uint32_t w = x->form->w[l + 1];

	for (uint32_t p = 0; p < f->nsw; p++)
		x->next[p] = x->number[p] * w;
	for (uint32_t p = 0; p < f->nsw; p++)
		if (x->below[l][p] != WEFT_NONE)
			x->number[p] = x->next[x->below[l][p]]++;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (x->form->level[s] == l + 1)
			x->form->place[s] = x->number[x->known[s]];
}

/* Writes the ports of the cables between switch s and its parents. */
static void list_ports(struct weft__pgft_places *x, uint32_t s)
{
	const struct weft_fabric *f = x->f;
	struct weft__pgft_form *form = x->form;
	unsigned l = form->level[s];
	uint32_t last = WEFT_NONE, k = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t ch = f->adj[i], t = f->peer[ch];
		uint32_t a, b;

		if (form->level[t] < l)
			continue;
		k = t == last ? k + 1 : 0;
		last = t;
		a = form->subtree[s] % form->m[l + 1];
		b = form->place[t] % form->w[l + 1];
		form->up[f->first_channel[s] + b + form->w[l + 1] * k] =
			ch - f->first_channel[s];
		form->down[f->first_channel[t] + a * form->p[l + 1] + k] =
			f->peer_port[ch];
	}
}

bool weft__pgft_places_init(struct weft__pgft_places *x,
			    const struct weft_fabric *f,
			    struct weft__pgft_form *form,
			    struct weft_arena *arena)
{
	x->f = f;
	x->form = form;
	x->known = weft__arena_alloc(arena, f->nsw, sizeof(*x->known));
	x->number = weft__arena_zalloc(arena, f->nsw, sizeof(*x->number));
	x->next = weft__arena_alloc(arena, f->nsw, sizeof(*x->next));
	x->mark = weft__arena_alloc(arena, f->nsw, sizeof(*x->mark));
	for (unsigned l = 1; l < form->h; l++)
		x->below[l] = weft__arena_alloc(arena, f->nsw,
						sizeof(*x->below[l]));
	if (weft__arena_failed(arena))
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		x->known[s] = s;
	return true;
}

void weft__pgft_places_number(struct weft__pgft_places *x)
{
	for (unsigned l = 1; l < x->form->h; l++)
		number_level(x, l);
	for (uint32_t s = 0; s < x->f->nsw; s++)
		if (x->form->level[s] < x->form->h)
			list_ports(x, s);
}

int weft__pgft_places(const struct weft_fabric *fabric,
		      struct weft_arena *arena, struct weft__pgft_form *form,
		      struct weft_diag *diag)
{
	struct weft__pgft_places x = { .diag = diag };
	int err = 0;

	if (!weft__pgft_places_init(&x, fabric, form, arena))
		return weft_no_memory(diag);
	for (unsigned l = form->h - 1; l >= 1 && !err; l--)
		err = find_places(&x, l);
	if (!err)
		weft__pgft_places_number(&x);
	return err;
}
