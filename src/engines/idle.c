// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds switches that a list of roots leaves idle; see idle.h.
 *
 * A list that lacks some of the switches at the top is no error: each missing
 * one counts as a switch at the bottom, and all hosts are reached by way of the
 * others.  But the cables to it might as well not be there.
 *
 * Idle: nothing passes the switch, but it would if the list did not forbid it,
 * for it is on a shortest way between two switches with hosts: one of those from
 * the switch with hosts that is nearest.  A leaf whose hosts are gone, or a
 * spare, is on none.
 *
 * What that costs is told by the cables between idle switches and those next to
 * them: their share of all cables by which these go up, to idle switches or
 * nearer to a root.
 */
#include "engines/idle.h"

#include "core/arena.h"
#include "core/listed.h"
#include "core/text/words.h"
#include "graph/bfs.h"

#include <weft/proof.h>

#include <inttypes.h>

#define NAMED 3		/* switches in a message, at most */

struct search {
	const struct weft_fabric *f;
	uint8_t *is_root, *idle;	/* [nsw] */
	uint16_t *up;			/* [nsw] cables to the nearest root */
	uint16_t *from, *near;		/* [nsw] hops from two switches */
	uint32_t *order;		/* [nsw] */
};

static bool alloc(struct search *x, struct weft_arena *arena)
{
	size_t n = x->f->nsw + 1ull;

	x->is_root = weft__arena_zalloc(arena, n, sizeof(*x->is_root));
	x->idle = weft__arena_zalloc(arena, n, sizeof(*x->idle));
	x->up = weft__arena_alloc(arena, n, sizeof(*x->up));
	x->from = weft__arena_alloc(arena, n, sizeof(*x->from));
	x->near = weft__arena_alloc(arena, n, sizeof(*x->near));
	x->order = weft__arena_alloc(arena, n, sizeof(*x->order));
	return x->is_root && x->idle && x->up && x->from && x->near &&
	       x->order;
}

static uint32_t hosts_on(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s + 1] - f->sw_ep_first[s];
}

/* Whether a switch may be one that others are below: it has no hosts, or a few,
 * fewer than each switch next to it. */
static bool is_above(const struct weft_fabric *f, uint32_t s)
{
	for (uint32_t i = f->adj_first[s];
	     i < f->adj_first[s + 1] && hosts_on(f, s); i++)
		if (hosts_on(f, f->peer[f->adj[i]]) <= hosts_on(f, s))
			return false;
	return true;
}

/* Routes that enter a switch from others and leave it to others. */
static uint64_t passing(const struct weft_fabric *f, const uint64_t *load,
			uint32_t s)
{
	uint32_t first = f->sw_ep_first[s], end = f->sw_ep_first[s + 1];
	uint64_t in = 0, out = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
		in += load[f->reverse[f->adj[i]]];
	for (uint32_t i = first; i < end; i++) {
		const struct weft_endport *ep = &f->ep[f->sw_endport[i]];
		/* those of its neighbours on the switch do not enter it */
		uint64_t own = (uint64_t)(end - first - 1) << ep->lmc,
			 all = load[weft_channel(f, s, ep->sw_port)];

		out += all > own ? all - own : 0;
	}
	return in > out ? in - out : 0;
}

/* Whether a switch is on a shortest way from the switch with hosts that is
 * nearest to it to another one. */
static bool is_between(struct search *x, uint32_t s)
{
	const struct weft_fabric *f = x->f;
	uint32_t n = weft__bfs(f, s, x->from, x->order), i = 1, a;

	while (i < n && !hosts_on(f, x->order[i]))
		i++;
	if (i >= n)
		return false;
	a = x->order[i];
	weft__bfs(f, a, x->near, x->order);
	for (uint32_t b = 0; b < f->nsw; b++)
		if (b != s && b != a && hosts_on(f, b) &&
		    x->from[b] != WEFT__FAR &&
		    x->near[s] + x->from[b] == x->near[b])
			return true;
	return false;
}

/* Sets idle[]; returns how many there are. */
static uint32_t find_idle(struct search *x, const uint64_t *load)
{
	const struct weft_fabric *f = x->f;
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		x->idle[s] = !x->is_root[s] && x->up[s] != WEFT__FAR &&
			     is_above(f, s) && !passing(f, load, s) &&
			     is_between(x, s);
		n += x->idle[s];
	}
	return n;
}

/* What becomes of the cables by which those next to idle switches go up. */
struct cost {
	uint32_t switches;
	double unused, used;	/* capacity */
};

static void add_cost(const struct search *x, uint32_t s, struct cost *cost)
{
	const struct weft_fabric *f = x->f;
	double unused = 0, used = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t ch = f->adj[i], t = f->peer[ch];

		if (x->idle[t])
			unused += f->capacity[ch];
		else if (x->up[t] < x->up[s])
			used += f->capacity[ch];
	}
	if (!unused)
		return;
	cost->switches++;
	cost->unused += unused;
	cost->used += used;
}

static void tell(const struct search *x, uint32_t n, const char *file,
		 struct weft_diag *diag)
{
	const struct weft_fabric *f = x->f;
	struct cost cost = { 0 };
	char text[600];
	struct weft__words w = { .buf = text, .size = sizeof(text) };
	uint32_t named = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!x->idle[s])
			add_cost(x, s, &cost);
		if (!x->idle[s] || named >= NAMED)
			continue;
		weft__words_add(&w, named++ ? ", " : "");
		weft__words_name(&w, f->sw[s].name, f->sw[s].guid);
	}
	if (n > named)
		weft__words_add(&w, " and %" PRIu32 " more", n - named);
	weft__words_end(&w);
	weft_diag_at(diag, WEFT_WARNING, file, 0,
		     "roots: nothing passes %s that the list lacks, though shortest ways between hosts lead there: %s; so %.0f %% of the bandwidth upwards from %s lies idle: "
		     "list all switches at the top, or none",
		     WEFT_COUNT(n, "switch"),
		     text, 100 * cost.unused / (cost.unused + cost.used),
		     WEFT_COUNT(cost.switches, "switch"));
}

static void judge(struct search *x, const struct weft_routes *routes,
		  const char *file, struct weft_diag *diag)
{
	static const struct weft_proof_spec spec = {
		.all_hosts = true, .loads = true,
	};
	struct weft_proof proof;
	uint32_t n;

	weft__bfs_many(x->f, x->is_root, x->up, x->order);
	if (weft_proof_run(x->f, routes, &spec, &proof, NULL))
		return;
	n = find_idle(x, proof.channel_load);
	if (n)
		tell(x, n, file, diag);
	weft_proof_free(&proof);
}

void weft__tell_idle(const struct weft_fabric *f,
		     const struct weft_options *options,
		     const struct weft_routes *routes, struct weft_diag *diag)
{
	struct search x = { .f = f };
	const struct weft_list *list;
	struct weft_arena *arena;
	bool any;

	if (!diag || !diag->emit || !options ||
	    !weft_options_has(options, "roots") ||
	    weft_options_list(options, "roots", &list, NULL) || !list)
		return;
	arena = weft__arena_new();
	if (arena && alloc(&x, arena) &&
	    !weft__listed_switches(f, options, "roots", x.is_root, &any,
				   NULL) && any)
		judge(&x, routes, list->file, diag);
	weft__arena_free(arena);
}
