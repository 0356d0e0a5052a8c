// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the tree and checks that it serves the hosts; see fattree.h. */
#include "shapes/fattree.h"

#include "core/arena.h"
#include "graph/bfs.h"
#include "graph/closeness.h"
#include "graph/entries.h"

#include <weft/diag.h>
#include <weft/fabric.h>
#include <weft/options.h>

#include <inttypes.h>
#include <string.h>

static bool alloc(struct weft__fattree *t, struct weft_arena *arena)
{
	uint32_t n = t->fabric->nsw;

	t->level = weft__arena_zalloc(arena, n, sizeof(*t->level));
	t->role = weft__arena_zalloc(arena, n, 1);
	t->source = weft__arena_zalloc(arena, n, 1);
	t->stub = weft__arena_zalloc(arena, n, 1);
	t->place = weft__arena_alloc(arena, n, sizeof(*t->place));
	t->by_place = weft__arena_alloc(arena, n, sizeof(*t->by_place));
	return t->level && t->role && t->source && t->stub && t->place &&
	       t->by_place;
}

enum { MAX_CHECKED = 64 };		/* most destinations that are checked */

/* Scratch, [nsw] each. */
struct check {
	uint16_t *shortest, *hops;
	uint32_t *queue;
};

/*
 * Counts the pairs of hosts on different switches, with one of them on switch
 * "to", and those among them whose Up*Down* way is longer than the shortest or
 * missing.
 */
static void count_misfits_to(struct weft__fattree *t, uint32_t to,
			     struct check *j)
{
	uint32_t there = weft__hosts_on(t->fabric, to, false);

	weft__bfs(t->fabric, to, j->shortest, j->queue);
	memset(j->hops, 0xff, t->fabric->nsw * sizeof(*j->hops));
	weft__ways_hops(&t->ways, weft__ways_to(&t->ways, to), j->hops);
	for (uint32_t s = 0; s < t->fabric->nsw; s++) {
		uint64_t pairs =
			s == to ? 0 :
				  weft__hosts_on(t->fabric, s, false) * there;

		t->judged += pairs;
		if (!pairs || j->hops[s] == j->shortest[s])
			continue;
		if (!t->misfits) {
			t->misfit_from = s;
			t->misfit_to = to;
		}
		t->misfits += pairs;
	}
}

/* Counts misfits over a sample of destination switches. */
static bool count_misfits(struct weft__fattree *t, struct weft_arena *arena)
{
	const struct weft_fabric *f = t->fabric;
	struct check j = {
		.shortest =
			weft__arena_alloc(arena, f->nsw, sizeof(*j.shortest)),
		.hops = weft__arena_alloc(arena, f->nsw, sizeof(*j.hops)),
		.queue = weft__arena_alloc(arena, f->nsw, sizeof(*j.queue)),
	};
	uint32_t n = 0, step;

	if (!j.shortest || !j.hops || !j.queue)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		n += weft__hosts_on(f, s, false) > 0;
	step = n / MAX_CHECKED + 1;
	n = 0;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (weft__hosts_on(f, s, false) && n++ % step == 0)
			count_misfits_to(t, s, &j);
	return true;
}

static bool order_switches(struct weft__fattree *t, struct weft_arena *arena)
{
	return weft__fattree_order(t, arena) &&
	       weft__ways_init(&t->ways, t->fabric, arena, t->place);
}

bool weft__fattree_one_root(struct weft__fattree *t, struct weft_arena *arena)
{
	uint32_t first = t->by_place[0];
	struct weft__closeness close;
	uint8_t *is_root = weft__arena_zalloc(arena, t->fabric->nsw, 1);

	if (!is_root)
		return false;
	is_root[first] = 1;
	if (!weft__closeness_init(&close, t->fabric, arena, is_root))
		return false;
	t->is_tree = false;
	t->place = close.place;
	t->by_place = close.by_place;
	return weft__ways_init(&t->ways, t->fabric, arena, t->place);
}

static void say_no_tree(const struct weft__fattree *t, struct weft_diag *diag)
{
	const struct weft_switch *from = &t->fabric->sw[t->misfit_from];
	const struct weft_switch *to = &t->fabric->sw[t->misfit_to];

	weft_diag_say(diag, WEFT_NOTE, "no tree: %" PRIu64 " of %" PRIu64
		" pairs of hosts on different switches have no shortest way up and down, as from 0x%016" PRIx64 " (%s) to 0x%016" PRIx64
		" (%s); switches are ordered by closeness instead",
		t->misfits, t->judged, from->guid, from->name, to->guid, to->name);
}

/*
 * Orders the switches.  In a tree, nearly all pairs of hosts have a shortest
 * way that goes up and then down.  Where more than one pair in a hundred has
 * none, as in a damaged tree and in what is no tree at all, the order is that
 * of closeness if this leaves fewer such pairs.  Returns false without memory.
 */
static bool settle_order(struct weft__fattree *t, struct weft_arena *arena,
			 struct weft_diag *diag)
{
	struct weft__fattree close;

	if (!order_switches(t, arena))
		return false;
	if (!t->is_tree)
		return true;
	if (!count_misfits(t, arena))
		return false;
	if (weft__fattree_fits(t))
		return true;
	close = *t;
	close.is_tree = false;
	close.judged = close.misfits = 0;
	if (!order_switches(&close, arena) || !count_misfits(&close, arena))
		return false;
	if (t->misfits < close.misfits)
		return true;
	say_no_tree(t, diag);
	t->is_tree = false;
	t->place = close.place;
	t->by_place = close.by_place;
	t->ways = close.ways;
	return true;
}

int weft__fattree_find(const struct weft_fabric *f,
		       const struct weft_options *options,
		       struct weft_arena *arena, struct weft__fattree *t,
		       struct weft_diag *diag)
{
	int err;

	*t = (struct weft__fattree){ .fabric = f };
	if (!alloc(t, arena))
		return weft_no_memory(diag);
	err = weft__fattree_roles(t, options, diag);
	if (err)
		return err;
	if (!weft__fattree_levels(t, arena))
		return weft_no_memory(diag);
	if (!settle_order(t, arena, diag))
		return weft_no_memory(diag);
	return 0;
}
