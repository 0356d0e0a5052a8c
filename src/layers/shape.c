// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Trees of a known shape; see shape.h.
 *
 * Where each switch sends to one that has a hop fewer, down to the one that
 * delivers, nothing goes around in circles and everything arrives.  That is
 * told entry by entry, in any order; the order by hops serves loads and lanes.
 */
#include "layers/shape.h"

#include "layers/run.h"

#include <errno.h>
#include <string.h>

#define WORTH 4u		/* LIDs on a switch that a shape pays for */

/* What every switch sends, of the sources on it. */
static void list_sources(struct weft__run *r)
{
	struct weft__shapes *x = &r->shapes;
	uint32_t ending = 0, sending = 0;

	for (uint32_t i = 0; i < r->sources.n; i++) {
		const struct weft__source *source = &r->sources.source[i];
		uint32_t s = source->sw;

		x->hosts[s] = source->hosts;
		x->sent[s] = source->hosts - source->self;
		x->ends[s] = source->n > 0;
		x->sends[s] = source->n || source->self;
		ending += x->ends[s];
		sending += x->sends[s];
	}
	x->all_end = ending == r->fabric->nsw;
	x->all_send = sending == r->fabric->nsw;
}

static void count_lids(struct weft__run *r)
{
	for (unsigned lid = 1; lid <= r->fabric->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(r->fabric, lid);
		uint8_t *several;

		if (owner == WEFT_NONE)
			continue;
		several = &r->shapes.several[weft_vertex_switch(r->fabric,
								owner)];
		*several += *several < WORTH;
	}
}

int weft__shapes_init(struct weft__run *r)
{
	struct weft__shapes *x = &r->shapes;
	struct weft_arena *a = r->scratch;
	uint32_t n = r->fabric->nsw;

	x->of = weft__arena_zalloc(a, n, sizeof(*x->of));
	x->several = weft__arena_zalloc(a, n, 1);
	x->hosts = weft__arena_zalloc(a, n, sizeof(*x->hosts));
	x->sent = weft__arena_zalloc(a, n, sizeof(*x->sent));
	x->ends = weft__arena_zalloc(a, n, 1);
	x->sends = weft__arena_zalloc(a, n, 1);
	x->out = weft__arena_alloc(a, n, sizeof(*x->out));
	x->next = weft__arena_alloc(a, n, sizeof(*x->next));
	x->flow = weft__arena_alloc(a, n, sizeof(*x->flow));
	x->busy = weft__arena_alloc(a, n, 1);
	if (!x->of || !x->several || !x->hosts || !x->sent || !x->ends ||
	    !x->sends || !x->out || !x->next || !x->flow || !x->busy)
		return -ENOMEM;
	list_sources(r);
	count_lids(r);
	return 0;
}

/* Whether all entries fit the shape; reads them into out[] and next[]. */
static bool fits(struct weft__run *r, const struct weft__shape *shape)
{
	const struct weft_fabric *f = r->fabric;
	const uint32_t *first = f->first_channel, *order = shape->order;
	const uint8_t *column = r->tree.column, *hops = shape->hops;
	uint32_t *out = r->shapes.out, *next = r->shapes.next;
	uint32_t home = order[0], peer, port = column[home];

	if (port > f->sw[home].nports)
		return false;
	out[0] = first[home] + port;
	peer = port ? f->peer[out[0]] : home;
	if (peer != r->tree.owner)
		return false;
	for (uint32_t k = 1; k < shape->n; k++) {
		uint32_t s = order[k], ch = first[s] + column[s];

		if (ch >= first[s + 1])
			return false;
		peer = f->peer[ch];
		if (!weft_is_switch(peer) || hops[peer] + 1 != hops[s])
			return false;
		out[k] = ch;
		next[k] = peer;
	}
	return true;
}

static bool is_minimal(const struct weft__tree *t,
		       const struct weft__shape *shape)
{
	for (uint32_t k = 1; k < shape->n; k++)
		if (shape->hops[shape->order[k]] >
		    t->cables[shape->order[k]] + 1)
			return false;
	return true;
}

/* Hands flows down the tree. */
static void add_loads(struct weft__run *r, const struct weft__shape *shape)
{
	const struct weft__shapes *x = &r->shapes;
	uint64_t *load = r->out->channel_load;
	uint32_t *flow = x->flow;

	memcpy(flow, x->sent, r->fabric->nsw * sizeof(*flow));
	for (uint32_t k = shape->n - 1; k; k--) {
		uint32_t through = flow[shape->order[k]];

		load[x->out[k]] += through;
		flow[x->next[k]] += through;
	}
	load[x->out[0]] += flow[shape->order[0]] - 1;
}

/* Adds what waits for each other, of all switches with hops to go that are in
 * busy[], NULL = all. */
static void add_edges(struct weft__run *r, const struct weft__shape *shape,
		      const uint8_t *busy)
{
	const struct weft__shapes *x = &r->shapes;
	uint32_t lane = r->lanes.of_sl[r->tree.sls.one] * r->cdg.nch;

	for (uint32_t k = shape->second; k < shape->n; k++)
		if (!busy || busy[shape->order[k]])
			weft__cdg_add(&r->cdg, lane + x->out[k], 0,
				      r->tree.column[x->next[k]]);
}

/* The same where not all send. */
static void add_busy_edges(struct weft__run *r, const struct weft__shape *shape,
			   const uint8_t *senders)
{
	const struct weft__shapes *x = &r->shapes;

	memcpy(x->busy, senders, r->fabric->nsw);
	for (uint32_t k = shape->n - 1; k; k--)
		x->busy[x->next[k]] |= x->busy[shape->order[k]];
	add_edges(r, shape, x->busy);
}

bool weft__shape_prove(struct weft__run *r)
{
	const struct weft__tree *t = &r->tree;
	const struct weft__shapes *x = &r->shapes;
	const struct weft__shape *shape = &x->of[t->home];
	bool selves = !weft_is_switch(t->owner) || r->spec->between_switches;

	if (!shape->n || t->sls.by_switch || t->sls.by_endport ||
	    (t->cables && !is_minimal(t, shape)) || !fits(r, shape))
		return false;
	for (unsigned h = shape->hops[shape->order[shape->n - 1]];
	     h && t->counted; h--)
		r->hops[h] += shape->hosts[h] - (h == 1);
	if (r->out->channel_load && t->counted && !weft_is_switch(t->owner))
		add_loads(r, shape);
	if (!r->spec->credit_loops)
		return true;
	if (selves ? x->all_send : x->all_end)
		add_edges(r, shape, NULL);
	else
		add_busy_edges(r, shape, selves ? x->sends : x->ends);
	return true;
}

/* Whether all that was walked has arrived, within hops that fit. */
static bool is_whole(const struct weft__run *r)
{
	for (uint32_t k = 0; k < r->norder; k++) {
		const struct weft__stop *at = &r->stop[r->order[k]];

		if (at->end != WEFT_ARRIVED || at->hops >= UINT8_MAX)
			return false;
	}
	return r->norder;
}

static bool alloc(struct weft__run *r, struct weft__shape *shape)
{
	uint32_t n = r->fabric->nsw;

	if (shape->order)
		return true;
	shape->hops = weft__arena_alloc(r->scratch, n, 1);
	shape->hosts = weft__arena_alloc(r->scratch, UINT8_MAX,
					 sizeof(*shape->hosts));
	shape->order = weft__arena_alloc(r->scratch, n, sizeof(*shape->order));
	return shape->hops && shape->hosts && shape->order;
}

/* What was walked, in the order of hops. */
static void sort_by_hops(struct weft__run *r, struct weft__shape *shape)
{
	uint32_t at[UINT8_MAX + 1] = { 0 };

	for (uint32_t k = 0; k < r->norder; k++)
		at[r->stop[r->order[k]].hops + 1]++;
	for (unsigned h = 1; h <= UINT8_MAX; h++)
		at[h] += at[h - 1];
	shape->second = at[3];
	for (uint32_t s = 0; s < r->fabric->nsw; s++)
		if (r->stop[s].walk == r->walk)
			shape->order[at[r->stop[s].hops]++] = s;
}

void weft__shape_keep(struct weft__run *r)
{
	struct weft__shape *shape = &r->shapes.of[r->tree.home];

	shape->n = 0;
	if (r->shapes.several[r->tree.home] < WORTH || !is_whole(r) ||
	    !alloc(r, shape))
		return;
	memset(shape->hops, 0, r->fabric->nsw);
	memset(shape->hosts, 0, UINT8_MAX * sizeof(*shape->hosts));
	for (uint32_t k = 0; k < r->norder; k++) {
		uint32_t s = r->order[k];

		shape->hops[s] = r->stop[s].hops;
		shape->hosts[r->stop[s].hops] += r->shapes.hosts[s];
	}
	sort_by_hops(r, shape);
	shape->n = r->norder;
}
