// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finding the tree and telling what it is like; see fattree.h. */
#include "engines/fattree.h"

#include "core/arena.h"
#include "engines/common.h"

#include <errno.h>
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
	t->up = weft__arena_alloc(arena, t->fabric->adj_first[n],
				  sizeof(*t->up));
	t->up_first = weft__arena_alloc(arena, n + 1ull, sizeof(*t->up_first));
	return t->level && t->role && t->source && t->stub && t->place &&
	       t->by_place && t->up && t->up_first;
}

enum { JUDGED = 64 };		/* destinations looked at, at most */

/* Pairs of hosts that the order serves badly. */
struct verdict {
	uint64_t pairs, bad;
	uint32_t from, to;	/* the first of these */
};

/* Scratch, [nsw] each. */
struct judge {
	uint16_t *shortest, *hops;
	uint32_t *queue;
};

/* Counts the pairs whose Up*Down* way is no shortest one, or that have none. */
static void judge_destination(struct weft__fattree *t, uint32_t to,
			      struct judge *j, struct verdict *v)
{
	uint32_t there = weft__fattree_hosts(t->fabric, to);

	weft__bfs(t->fabric, to, j->shortest, j->queue);
	memset(j->hops, 0xff, t->fabric->nsw * sizeof(*j->hops));
	weft__ways_hops(&t->ways, weft__ways_to(&t->ways, to), j->hops);
	for (uint32_t s = 0; s < t->fabric->nsw; s++) {
		uint64_t pairs = s == to ? 0 :
			weft__fattree_hosts(t->fabric, s) * there;

		v->pairs += pairs;
		if (!pairs || j->hops[s] == j->shortest[s])
			continue;
		if (!v->bad) {
			v->from = s;
			v->to = to;
		}
		v->bad += pairs;
	}
}

static bool judge(struct weft__fattree *t, struct weft_arena *arena,
		  struct verdict *v)
{
	const struct weft_fabric *f = t->fabric;
	struct judge j = {
		.shortest = weft__arena_alloc(arena, f->nsw,
					      sizeof(*j.shortest)),
		.hops = weft__arena_alloc(arena, f->nsw, sizeof(*j.hops)),
		.queue = weft__arena_alloc(arena, f->nsw, sizeof(*j.queue)),
	};
	uint32_t n = 0, step;

	if (!j.shortest || !j.hops || !j.queue)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		n += weft__fattree_hosts(f, s) > 0;
	step = n / JUDGED + 1;
	n = 0;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (weft__fattree_hosts(f, s) && n++ % step == 0)
			judge_destination(t, s, &j, v);
	return true;
}

static void list_up(struct weft__fattree *t)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		t->up_first[s] = n;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			if (t->place[f->peer[f->adj[e]]] < t->place[s])
				t->up[n++] = e;
	}
	t->up_first[f->nsw] = n;
}

static bool order(struct weft__fattree *t, struct weft_arena *arena)
{
	if (!weft__fattree_order(t, arena))
		return false;
	list_up(t);
	return weft__ways_init(&t->ways, t->fabric, arena, t->place);
}

/* A tree serves nearly all pairs by a shortest way up and down; what does not
 * is none. */
static bool settle(struct weft__fattree *t, struct weft_arena *arena,
		   struct weft_diag *diag)
{
	const struct weft_switch *sw = t->fabric->sw;
	struct verdict v = { 0 };

	if (!order(t, arena))
		return false;
	if (!t->is_tree)
		return true;
	if (!judge(t, arena, &v))
		return false;
	if (v.bad * 100ull <= v.pairs)
		return true;
	weft_diag_say(diag, WEFT_NOTE, "no tree: %" PRIu64 " of %" PRIu64
		" pairs of hosts looked at have no shortest way up and down, "
		"as from 0x%016" PRIx64 " (%s) to 0x%016" PRIx64
		" (%s); switches are ordered by closeness instead",
		v.bad, v.pairs, sw[v.from].guid, sw[v.from].name,
		sw[v.to].guid, sw[v.to].name);
	t->is_tree = false;
	return order(t, arena);
}

int weft__fattree_find(const struct weft_fabric *f,
		       const struct weft_options *options,
		       struct weft_arena *arena, struct weft__fattree *t,
		       struct weft_diag *diag)
{
	int err;

	*t = (struct weft__fattree){ .fabric = f };
	if (!alloc(t, arena))
		return weft_fail(diag, ENOMEM, "out of memory");
	err = weft__fattree_roles(t, options, diag);
	if (err)
		return err;
	if (!weft__fattree_levels(t, arena))
		return weft_fail(diag, ENOMEM, "out of memory");
	return settle(t, arena, diag) ? 0 :
		weft_fail(diag, ENOMEM, "out of memory");
}

/* Cables of a switch by where they lead. */
struct cables {
	uint32_t up, down, level, skip;
};

static struct cables count_cables(const struct weft__fattree *t, uint32_t s)
{
	const struct weft_fabric *f = t->fabric;
	struct cables c = { 0 };

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		int d = (int)t->level[f->peer[f->adj[e]]] - t->level[s];

		c.up += d > 0;
		c.down += d < 0;
		c.level += d == 0;
		c.skip += d > 1 || d < -1;
	}
	return c;
}

static void explain_level(const struct weft__fattree *t, uint16_t level,
			  struct weft_diag *diag)
{
	uint32_t n = 0, with_hosts = 0, hosts = 0, tops = 0, stubs = 0;
	struct cables sum = { 0 };

	for (uint32_t s = 0; s < t->fabric->nsw; s++) {
		struct cables c;
		uint32_t h;

		if (t->level[s] != level)
			continue;
		c = count_cables(t, s);
		h = weft__fattree_hosts(t->fabric, s);
		n++;
		hosts += h;
		with_hosts += h > 0;
		stubs += t->stub[s];
		tops += weft__fattree_is_top(t, s);
		sum.up += c.up;
		sum.down += c.down;
		sum.level += c.level;
		sum.skip += c.skip;
	}
	weft_explain(diag, "level %u: %" PRIu32 " switches, %" PRIu32
		" hosts on %" PRIu32 " of them; cables up %" PRIu32 ", down %"
		PRIu32 ", within %" PRIu32 ", past a level %" PRIu32
		"; %" PRIu32 " tops, %" PRIu32 " aside", level, n, hosts,
		with_hosts, sum.up, sum.down, sum.level / 2, sum.skip, tops,
		stubs);
}

enum { EXPLAINED = 32 };	/* switches told of one by one */

/* Whether something about a switch is irregular; says what. */
static bool explain_switch(const struct weft__fattree *t, uint32_t s,
			   struct weft_diag *diag)
{
	const struct weft_switch *sw = &t->fabric->sw[s];
	uint32_t hosts = weft__fattree_hosts(t->fabric, s);
	struct cables c = count_cables(t, s);
	bool above = t->level[s] && hosts && !t->stub[s];
	bool rack = !t->level[s] && c.level;

	if (!t->stub[s] && !above && !c.skip && !rack)
		return false;
	weft_explain(diag, "0x%016" PRIx64 " (%s), level %u: %" PRIu32 " hosts,"
		" cables up %" PRIu32 ", down %" PRIu32 ", within %" PRIu32
		", past a level %" PRIu32 "%s%s%s", sw->guid, sw->name,
		t->level[s], hosts, c.up, c.down, c.level, c.skip,
		t->stub[s] ? "; between no two leaves" : "",
		above ? "; hosts above the leaves" : "",
		rack ? "; rack" : "");
	return true;
}

/* Irregular switches; of many the first ones. */
static void explain_switches(const struct weft__fattree *t,
			     struct weft_diag *diag)
{
	uint32_t said = 0, more = 0;

	for (uint32_t s = 0; s < t->fabric->nsw; s++) {
		if (said < EXPLAINED)
			said += explain_switch(t, s, diag);
		else
			more += explain_switch(t, s, NULL);
	}
	if (more)
		weft_explain(diag, "and %" PRIu32 " more", more);
}

void weft__fattree_explain(const struct weft__fattree *t,
			   struct weft_diag *diag)
{
	if (!weft_explains(diag))
		return;
	if (!t->is_tree) {
		weft_explain(diag, "no tree: ordered by closeness, switch "
			"0x%016" PRIx64 " (%s) at the top",
			t->fabric->nsw ? t->fabric->sw[t->by_place[0]].guid : 0,
			t->fabric->nsw ? t->fabric->sw[t->by_place[0]].name :
			"");
		return;
	}
	weft_explain(diag, "tree of %u levels", t->nlevels);
	for (uint16_t l = t->nlevels; l-- > 0;)
		explain_level(t, l, diag);
	explain_switches(t, diag);
}
