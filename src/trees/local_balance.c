// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Balances tables by each switch for itself; see local_balance.h. */
#include "trees/local_balance.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <weft/lft.h>

#include <errno.h>
#include <string.h>

struct local {
	const struct weft_fabric *f;
	struct weft_lft *lft;
	uint8_t *allowed;	/* [edges] */
	uint32_t *count;	/* [edges] destinations sent by it */
	uint8_t *taken;		/* [edges] used by this endport's other LIDs */
};

/* Returns switch s's edge for the next destination. */
static uint32_t least_used(const struct local *l, uint32_t s)
{
	const struct weft_fabric *f = l->f;
	uint32_t best = WEFT_NONE;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		if (!l->allowed[e])
			continue;
		if (best == WEFT_NONE || l->taken[e] < l->taken[best] ||
		    (l->taken[e] == l->taken[best] &&
		     (l->count[e] < l->count[best] ||
		      (l->count[e] == l->count[best] &&
		       f->adj[e] < f->adj[best]))))
			best = e;
	}
	return best;
}

static void route_lid(struct local *l, uint32_t vertex, unsigned lid)
{
	const struct weft_fabric *f = l->f;
	uint32_t root = weft_vertex_switch(f, vertex);

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t e;

		if (s == root)
			continue;
		e = least_used(l, s);
		weft_lft_row(l->lft, s)[lid] = weft__port(f, s, f->adj[e]);
		if (weft_is_endport(vertex)) {
			l->count[e]++;
			l->taken[e] = 1;
		}
	}
	weft_lft_row(l->lft, root)[lid] = weft__delivery_port(f, vertex);
}

static void route_endport(struct local *l, uint32_t e)
{
	const struct weft_endport *ep = &l->f->ep[e];

	if (!ep->lid)
		return;
	memset(l->taken, 0, l->f->adj_first[l->f->nsw]);
	for (unsigned offset = 0; offset < 1u << ep->lmc; offset++)
		route_lid(l, e | WEFT_ENDPORT, ep->lid + offset);
}

/* Lists the switches with most endports first, then by id. */
static bool serving_order(const struct weft_fabric *f, struct weft_arena *arena,
			  uint32_t **out)
{
	uint32_t *order = weft__arena_alloc(arena, f->nsw, sizeof(*order));
	uint32_t n = 0, most = 0;

	if (!order)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t here = f->sw_ep_first[s + 1] - f->sw_ep_first[s];

		most = here > most ? here : most;
	}
	for (uint32_t k = most + 1; k-- > 0; )
		for (uint32_t s = 0; s < f->nsw; s++)
			if (f->sw_ep_first[s + 1] - f->sw_ep_first[s] == k)
				order[n++] = s;
	*out = order;
	return true;
}

int weft__local_balance(const struct weft_fabric *f, weft__allow_fn *allow,
			void *rule, struct weft_lft *lft)
{
	struct weft_arena *arena = weft__arena_new();
	uint32_t nedges = f->adj_first[f->nsw], *order = NULL;
	struct local l = { .f = f };
	int err = -ENOMEM;

	if (!arena)
		return err;
	l.allowed = weft__arena_zalloc(arena, nedges, 1);
	l.taken = weft__arena_zalloc(arena, nedges, 1);
	l.count = weft__arena_zalloc(arena, nedges, sizeof(*l.count));
	if (!l.allowed || !l.taken || !l.count ||
	    !serving_order(f, arena, &order))
		goto free_arena;
	err = weft_lft_init(lft, f->nsw, f->max_lid);
	if (err)
		goto free_arena;
	l.lft = lft;
	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t s = order[i];

		allow(rule, s, l.allowed);
		for (uint32_t k = f->sw_ep_first[s]; k < f->sw_ep_first[s + 1];
		     k++)
			route_endport(&l, f->sw_endport[k]);
	}
	memset(l.taken, 0, nedges);
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!f->sw[s].lid)
			continue;
		allow(rule, s, l.allowed);
		for (unsigned o = 0; o < 1u << f->sw[s].lmc; o++)
			route_lid(&l, s, f->sw[s].lid + o);
	}
free_arena:
	weft__arena_free(arena);
	return err;
}
