// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Proves entries that changed; see spots.h. */
#include "standing/spots.h"

#include "core/arena.h"
#include "graph/entries.h"

#define MAX_HOPS 64	/* of those behind a switch, to look at */

struct spots {
	const struct weft_fabric *f;
	const struct weft_lft *lft;
	struct weft__cdg edges;		/* that may be new */
	uint32_t *rank;			/* [nch] of channels that were there,
					 * even; WEFT_NONE: new ones, */
	uint32_t *low, *high;		/* [nch] which are between these */
	struct weft__same same;
};

/* --- ways ----------------------------------------------------------------- */

static bool leads_on(const struct weft_fabric *f, uint32_t s, unsigned port)
{
	return port && port <= f->sw[s].nports &&
	       weft_is_switch(f->peer[weft_channel(f, s, port)]);
}

/* Follows the way from s, and adds its dependencies.  Returns whether it
 * arrives. */
static bool follow(struct spots *x, uint32_t s, unsigned lid, bool busy)
{
	const struct weft_fabric *f = x->f;
	uint32_t owner = weft_lid_owner(f, lid), before = WEFT_NONE;

	for (uint32_t n = 0; n < f->nsw; n++) {
		uint8_t port = weft_lft_get(x->lft, s, lid);
		uint32_t channel;

		if (!port)
			return owner == s;
		if (port > f->sw[s].nports)
			return false;
		channel = weft_channel(f, s, port);
		if (!leads_on(f, s, port))
			return f->peer[channel] == owner;
		if (before != WEFT_NONE && busy)
			weft__cdg_add(&x->edges, before, 0, port);
		before = channel;
		s = f->peer[channel];
	}
	return false;
}

/* Whether traffic to a LID passes a switch that counts: none between switches
 * does. */
static bool is_busy(const struct spots *x, uint32_t s, unsigned lid,
		    unsigned hops)
{
	const struct weft_fabric *f = x->f;

	if (weft_is_endport(weft_lid_owner(f, lid)) || !hops ||
	    f->sw_ep_first[s] < f->sw_ep_first[s + 1])
		return true;
	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
		if (weft__sends_by(f, x->lft, i, lid) &&
		    is_busy(x, f->peer[f->adj[i]], lid, hops - 1))
			return true;
	return false;
}

/* Adds the dependencies at a switch and behind it. */
static bool prove(struct spots *x, const struct weft__spot *spot)
{
	const struct weft_fabric *f = x->f;
	uint32_t s = spot->sw;
	uint8_t port = weft_lft_get(x->lft, s, spot->lid);

	for (uint32_t i = f->adj_first[s]; leads_on(f, s, port) &&
					   i < f->adj_first[s + 1]; i++)
		if (weft__sends_by(f, x->lft, i, spot->lid) &&
		    is_busy(x, f->peer[f->adj[i]], spot->lid, MAX_HOPS))
			weft__cdg_add(&x->edges, f->reverse[f->adj[i]], 0,
				      port);
	return follow(x, s, spot->lid, is_busy(x, s, spot->lid, MAX_HOPS));
}

/* --- order ---------------------------------------------------------------- */

static bool make_room(struct spots *x, const struct weft__match *m,
		      struct weft_arena *arena)
{
	size_t n = x->edges.nch + 1ull;

	x->rank = weft__arena_alloc(arena, n, sizeof(*x->rank));
	x->low = weft__arena_alloc(arena, n, sizeof(*x->low));
	x->high = weft__arena_alloc(arena, n, sizeof(*x->high));
	return x->rank && x->low && x->high &&
	       !weft__same_find(&x->same, m, arena);
}

/* Takes over ranks of channels that are here. */
static void take_ranks(struct spots *x, const uint32_t *rank, uint32_t nch)
{
	for (uint32_t ch = 0; ch < x->edges.nch; ch++) {
		x->rank[ch] = x->high[ch] = WEFT_NONE;
		x->low[ch] = 0;
	}
	for (uint32_t ch = 0; ch < nch; ch++)
		if (x->same.channel[ch] != WEFT_NONE)
			x->rank[x->same.channel[ch]] = 2 * rank[ch] + 2;
}

/* Whether an edge is in order; a new channel takes its place by it. */
static bool fits(struct spots *x, uint32_t v, uint32_t w)
{
	uint32_t before = x->rank[v], after = x->rank[w];

	if (before != WEFT_NONE && after != WEFT_NONE)
		return before < after;
	if (before != WEFT_NONE)
		x->low[w] = before > x->low[w] ? before : x->low[w];
	else if (after != WEFT_NONE)
		x->high[v] = after < x->high[v] ? after : x->high[v];
	else
		return false;
	return true;
}

static bool in_order(struct spots *x, const uint32_t *rank, uint32_t nch)
{
	uint32_t w;

	take_ranks(x, rank, nch);
	for (uint32_t v = 0; v < x->edges.nv; v++)
		for (uint32_t at = 0; (w = weft__cdg_next(&x->edges, v, &at)) !=
		     WEFT_NONE; )
			if (!fits(x, v, w))
				return false;
	for (uint32_t ch = 0; ch < x->edges.nch; ch++)
		if (x->rank[ch] == WEFT_NONE && x->low[ch] >= x->high[ch])
			return false;
	return true;
}

bool weft__spots_hold(const struct weft__proven *p,
		      const struct weft__match *m, const struct weft_lft *lft,
		      const struct weft__spot *spot, size_t n,
		      struct weft_arena *arena)
{
	struct spots x = { .f = m->b, .lft = lft };
	bool holds = p->rank && !weft__cdg_init(&x.edges, m->b, 1, false);

	for (size_t i = 0; i < n && holds; i++)
		holds = prove(&x, &spot[i]);
	holds = holds && make_room(&x, m, arena) &&
		(in_order(&x, p->rank, p->graph.nch) ||
		 in_order(&x, p->late, p->graph.nch));
	weft__cdg_free(&x.edges);
	return holds;
}
