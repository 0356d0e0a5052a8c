// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Levels, degrees and subtrees of a fat tree; see pgft.h.
 *
 * Levels are distances from the leaves.  The form of a level is the number of
 * switches and cables that most of its switches have above and below; all
 * others break the form.  Subtrees grow level by level: all switches of level l
 * above a subtree have to be above the same m_l ones.
 */
#include "shapes/pgft_parts.h"

#include "core/arena.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int weft__pgft_breaks(const struct weft_fabric *f, uint32_t s,
		      struct weft_diag *diag, const char *how, ...)
{
	char text[200];
	va_list args;

	va_start(args, how);
	vsnprintf(text, sizeof(text), how, args);
	va_end(args);
	return weft_fail(diag, ENOTSUP, "no regular fat tree: switch 0x%016" PRIx64 " (%s) breaks the form, it %s", f->sw[s].guid,
			 f->sw[s].name, text);
}

static bool has_hosts(const struct weft_fabric *f, uint32_t s)
{
	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++)
		if (f->ep[f->sw_endport[i]].kind == WEFT_HOST)
			return true;
	return false;
}

static bool allocate(struct weft__pgft_search *x)
{
	struct weft_arena *arena = x->arena;
	const struct weft_fabric *f = x->f;
	struct weft__pgft_form *form = &x->form;

	x->degree = weft__arena_zalloc(arena, f->nsw, sizeof(*x->degree));
	x->low = weft__arena_alloc(arena, f->nsw, sizeof(*x->low));
	x->mark = weft__arena_alloc(arena, f->nsw, sizeof(*x->mark));
	x->nchildren = weft__arena_alloc(arena, f->nsw,
					 sizeof(*x->nchildren));
	form->level = weft__arena_zalloc(arena, f->nsw, 1);
	form->subtree = weft__arena_zalloc(arena, f->nsw,
					   sizeof(*form->subtree));
	form->place = weft__arena_zalloc(arena, f->nsw, sizeof(*form->place));
	form->up = weft__arena_zalloc(arena, f->first_injection, 1);
	form->down = weft__arena_zalloc(arena, f->first_injection, 1);
	form->number = weft__arena_alloc(arena, f->nep,
					 sizeof(*form->number));
	return x->degree && x->low && x->mark && x->nchildren &&
	       form->level && form->subtree && form->place && form->up &&
	       form->down && form->number;
}

/* --- levels ------------------------------------------------------------ */

/* Puts the unplaced neighbours of level l on level l + 1; returns whether there
 * were any. */
static bool set_next_level(const struct weft_fabric *f, uint8_t *level,
			   unsigned l)
{
	bool any = false;

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (level[s] != l)
			continue;
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t t = f->peer[f->adj[i]];

			if (level[t])
				continue;
			level[t] = l + 1;
			any = true;
		}
	}
	return any;
}

static int find_levels(struct weft__pgft_search *x)
{
	const struct weft_fabric *f = x->f;
	uint8_t *level = x->form.level;
	unsigned h = 1;

	for (uint32_t s = 0; s < f->nsw; s++)
		level[s] = has_hosts(f, s);
	if (!f->nsw || !memchr(level, 1, f->nsw))
		return weft_fail(x->diag, ENOTSUP,
				 "no regular fat tree: no switch has a host");
	while (h <= WEFT__PGFT_LEVELS && set_next_level(f, level, h))
		h++;
	if (h > WEFT__PGFT_LEVELS)
		return weft_fail(x->diag, ENOTSUP,
				 "no regular fat tree: switches more than %d cables away from all hosts",
				 WEFT__PGFT_LEVELS - 1);
	x->form.h = h;
	for (unsigned l = 1; l < h; l++) {
		x->above[l] = weft__arena_alloc(x->arena, f->nsw,
						sizeof(*x->above[l]));
		if (!x->above[l])
			return weft_no_memory(x->diag);
	}
	return 0;
}

/* --- degrees ----------------------------------------------------------- */

/* Returns the number of neighbours of s that are on its level. */
static uint32_t count_level(const struct weft__pgft_search *x, uint32_t s)
{
	const struct weft_fabric *f = x->f;
	uint32_t n = 0, last = WEFT_NONE;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t t = f->peer[f->adj[i]];

		n += t != last && x->form.level[t] == x->form.level[s];
		last = t;
	}
	return n;
}

/* Refuses two switches of one level that are cabled.  The one that has more
 * such cables is named, as a top switch with a host has them to all leaves. */
static int refuse_level(const struct weft__pgft_search *x, uint32_t s,
			uint32_t t)
{
	if (count_level(x, t) > count_level(x, s)) {
		uint32_t swap = s;

		s = t;
		t = swap;
	}
	return weft__pgft_breaks(x->f, s, x->diag, "is cabled to switch 0x%016" PRIx64 ", which is as far from the hosts",
				 x->f->sw[t].guid);
}

/* Counts one bundle of n cables from s to t. */
static int count_bundle(struct weft__pgft_search *x, uint32_t s, uint32_t t,
			uint32_t n)
{
	const struct weft_fabric *f = x->f;
	const uint8_t *level = x->form.level;
	struct weft__pgft_degree *d = &x->degree[s];

	if (level[s] == level[t])
		return refuse_level(x, s, t);
	if (level[t] < level[s]) {
		d->down++;
		return 0;
	}
	if (d->up && d->cables != n && !x->torn)
		return weft__pgft_breaks(f, s, x->diag,
			"is joined to switch 0x%016" PRIx64
			" by %u and to another one above by %u cables",
			f->sw[t].guid, n,
			d->cables);
	d->up++;
	d->cables = n > d->cables ? n : d->cables;
	return 0;
}

static int count_degrees(struct weft__pgft_search *x)
{
	const struct weft_fabric *f = x->f;
	int err = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t i = f->adj_first[s], end = f->adj_first[s + 1];

		while (i < end && !err) {
			uint32_t t = f->peer[f->adj[i]], n = 0;

			while (i < end && f->peer[f->adj[i]] == t) {
				i++;
				n++;
			}
			err = count_bundle(x, s, t, n);
		}
	}
	return err;
}

static bool same_degree(const struct weft__pgft_degree *a,
			const struct weft__pgft_degree *b)
{
	return a->down == b->down && a->up == b->up && a->cables == b->cables;
}

/* Returns the degree that most switches of a level have (Boyer-Moore majority
 * vote). */
static struct weft__pgft_degree
usual_degree(const struct weft__pgft_search *x, unsigned l)
{
	struct weft__pgft_degree usual = { 0 };
	uint32_t votes = 0;

	for (uint32_t s = 0; s < x->f->nsw; s++) {
		if (x->form.level[s] != l)
			continue;
		if (!votes)
			usual = x->degree[s];
		if (same_degree(&x->degree[s], &usual))
			votes++;
		else
			votes--;
	}
	return usual;
}

/* Makes the usual degrees the form; refuses a switch that has another one. */
static int check_degrees(struct weft__pgft_search *x)
{
	for (unsigned l = 1; l <= x->form.h; l++) {
		struct weft__pgft_degree usual = usual_degree(x, l);

		for (uint32_t s = 0; s < x->f->nsw; s++) {
			const struct weft__pgft_degree *d = &x->degree[s];

			if (x->form.level[s] != l || same_degree(d, &usual))
				continue;
			return weft__pgft_breaks(x->f, s, x->diag,
				"has %u switches below and %u x %u cables upwards, others of level %u have %u and %u x %u",
				d->down, d->up, d->cables, l,
				usual.down, usual.up, usual.cables);
		}
		x->form.m[l] = usual.down;
		if (l < x->form.h) {
			x->form.w[l + 1] = usual.up;
			x->form.p[l + 1] = usual.cables;
		}
	}
	return 0;
}

/* --- subtrees ---------------------------------------------------------- */

/* Puts switch s, of level l, above the subtrees of its children.  A subtree is
 * known by the lowest leaf in it. */
static int join_children(struct weft__pgft_search *x, uint32_t s, unsigned l)
{
	const struct weft_fabric *f = x->f;
	uint32_t *above = x->above[l - 1], low = WEFT_NONE;
	const uint32_t end = f->adj_first[s + 1];

	for (uint32_t i = f->adj_first[s]; i < end; i++) {
		uint32_t t = f->peer[f->adj[i]];

		if (x->form.level[t] < l && x->low[t] < low)
			low = x->low[t];
	}
	x->low[s] = low;
	for (uint32_t i = f->adj_first[s], last = WEFT_NONE; i < end; i++) {
		uint32_t t = f->peer[f->adj[i]], r = x->low[t];

		if (x->form.level[t] > l || t == last)
			continue;
		last = t;
		if (x->mark[r] == s)
			return weft__pgft_breaks(f, s, x->diag,
						 "has two ways down into one subtree");
		x->mark[r] = s;
		if (above[r] == WEFT_NONE)
			x->nchildren[low]++;
		else if (above[r] != low)
			return weft__pgft_breaks(f, s, x->diag,
				"is not above the same subtrees as the others above switch 0x%016" PRIx64, f->sw[t].guid);
		above[r] = low;
	}
	return 0;
}

/* Joins subtrees below the switches of level l, m_l below each. */
static int join_level(struct weft__pgft_search *x, unsigned l)
{
	const struct weft_fabric *f = x->f;
	const uint8_t *level = x->form.level;
	int err = 0;

	memset(x->above[l - 1], 0xff, f->nsw * sizeof(*x->above[0]));
	memset(x->mark, 0xff, f->nsw * sizeof(*x->mark));
	memset(x->nchildren, 0, f->nsw * sizeof(*x->nchildren));
	for (uint32_t s = 0; s < f->nsw && !err; s++)
		if (level[s] == l)
			err = join_children(x, s, l);
	for (uint32_t s = 0; s < f->nsw && !err; s++)
		if (level[s] == l &&
		    x->nchildren[x->low[s]] != x->form.m[l])
			err = weft__pgft_breaks(f, s, x->diag,
				"is above %u subtrees, others next to it are above other ones",
				x->form.m[l]);
	return err;
}

static int join_levels(struct weft__pgft_search *x)
{
	int err = 0;

	for (uint32_t s = 0; s < x->f->nsw; s++)
		if (x->form.level[s] == 1)
			x->low[s] = s;
	for (unsigned l = 2; l <= x->form.h && !err; l++)
		err = join_level(x, l);
	return err;
}

/* Numbers subtrees from the top down, those of one parent in a row, by their
 * lowest leaves. */
static void number_subtrees(struct weft__pgft_search *x)
{
	struct weft__pgft_form *form = &x->form;
	const struct weft_fabric *f = x->f;
	uint32_t *next = x->nchildren, *number = x->mark;

	memset(number, 0, f->nsw * sizeof(*number));
	for (unsigned l = form->h; l >= 1; l--) {
		const uint32_t *above = x->above[l];

		for (uint32_t r = 0; r < f->nsw && l < form->h; r++)
			next[r] = number[r] * form->m[l + 1];
		for (uint32_t r = 0; r < f->nsw && l < form->h; r++)
			if (above[r] != WEFT_NONE)
				number[r] = next[above[r]]++;
		for (uint32_t s = 0; s < f->nsw; s++)
			if (form->level[s] == l)
				form->subtree[s] = number[x->low[s]];
	}
}

/* --- hosts ------------------------------------------------------------- */

/* Numbers the endports of a leaf in the order of its ports, hosts first. */
static void number_leaf(struct weft__pgft_search *x, uint32_t s)
{
	const struct weft_fabric *f = x->f;
	uint32_t next = x->form.subtree[s] * x->form.n;

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned port = 1; port <= f->sw[s].nports; port++) {
			uint32_t e = f->peer[weft_channel(f, s, port)];

			if (!weft_is_endport(e))
				continue;
			e &= ~WEFT_ENDPORT;
			if ((f->ep[e].kind != WEFT_HOST) == pass)
				x->form.number[e] = next++;
		}
}

/* Numbers the endports on all leaves; warns if a leaf has fewer hosts. */
static void number_hosts(struct weft__pgft_search *x)
{
	const struct weft_fabric *f = x->f;
	struct weft__pgft_form *form = &x->form;
	uint32_t *hosts = x->mark, fewer = WEFT_NONE;

	memset(hosts, 0, f->nsw * sizeof(*hosts));
	for (uint32_t e = 0; e < f->nep; e++)
		hosts[f->ep[e].sw] += f->ep[e].kind == WEFT_HOST;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (hosts[s] > form->n)
			form->n = hosts[s];
	memset(form->number, 0xff, f->nep * sizeof(*form->number));
	for (uint32_t s = f->nsw; s-- > 0; ) {
		if (form->level[s] != 1)
			continue;
		number_leaf(x, s);
		if (hosts[s] < form->n)
			fewer = s;
	}
	if (fewer != WEFT_NONE)
		weft_diag_say(x->diag, WEFT_WARNING, "switch 0x%016" PRIx64
			      " (%s) has %u hosts where others have %u",
			      f->sw[fewer].guid, f->sw[fewer].name,
			      hosts[fewer], form->n);
	form->m[1] = form->n;
	form->w[1] = form->p[1] = 1;
	for (unsigned l = 1; l <= form->h; l++)
		form->leaves[l] = l == 1 ? 1 : form->leaves[l - 1] *
					       form->m[l];
}

int weft__pgft_begin(struct weft__pgft_search *x)
{
	int err = allocate(x) ? find_levels(x) : weft_no_memory(x->diag);

	return err ? err : count_degrees(x);
}

void weft__pgft_number(struct weft__pgft_search *x)
{
	number_subtrees(x);
	number_hosts(x);
}

int weft__pgft_detect(const struct weft_fabric *fabric,
		      struct weft_arena *arena, struct weft__pgft_form *out,
		      struct weft_diag *diag)
{
	struct weft__pgft_search x = { .f = fabric, .arena = arena,
				       .diag = diag };
	int err = weft__pgft_begin(&x);

	if (!err)
		err = check_degrees(&x);
	if (!err)
		err = join_levels(&x);
	if (err)
		return err;
	weft__pgft_number(&x);
	err = weft__pgft_places(fabric, arena, &x.form, diag);
	if (!err)
		*out = x.form;
	return err;
}
