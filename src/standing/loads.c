// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sums up traffic over trees; see loads.h. */
#include "standing/loads.h"

#include "core/arena.h"

#include <errno.h>
#include <string.h>

static void find_sources(struct weft__loads *t)
{
	const struct weft_fabric *f = t->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t first = f->sw_ep_first[s], end = f->sw_ep_first[s + 1];

		t->hosts[s] = 0;
		for (uint32_t i = first; i < end; i++) {
			const struct weft_endport *e = &f->ep[f->sw_endport[i]];

			if (e->kind != WEFT_AGGREGATION)
				t->hosts[s] += e->weight;
		}
		t->ends[s] = end > first;
	}
}

static void find_scales(struct weft__loads *t)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t fastest = 1;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		if (f->capacity[f->adj[i]] > fastest)
			fastest = f->capacity[f->adj[i]];
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t capacity = f->capacity[f->adj[i]];

		t->scale[f->adj[i]] = capacity ?
			(16ull * fastest + capacity / 2) / capacity : 16;
	}
}

int weft__loads_init(struct weft__loads *t, const struct weft_fabric *f,
		     struct weft_layers *layers, unsigned lanes,
		     struct weft_arena *arena)
{
	size_t n = f->nsw + 1ull;
	int err;

	*t = (struct weft__loads){
		.fabric = f, .layers = layers,
		.load = weft__arena_zalloc(arena, f->nch + 1ull, 8),
		.scale = weft__arena_zalloc(arena, f->nch + 1ull, 4),
		.hosts = weft__arena_alloc(arena, n, 8),
		.ends = weft__arena_alloc(arena, n, 2),
		.through = weft__arena_alloc(arena, n, 8),
		.lanes = weft__arena_alloc(arena, n, 2),
		.wide_lanes = weft__arena_alloc(arena, n, 2),
	};
	t->plain = layers->form == WEFT_SL_ONE && layers->nvl <= 1 &&
		   !layers->sl2vl;
	if (!t->load || !t->scale || !t->hosts || !t->ends || !t->through ||
	    !t->lanes || !t->wide_lanes)
		return -ENOMEM;
	find_sources(t);
	find_scales(t);
	weft__lane_map_make(&t->map, layers, f, lanes);
	t->nlanes = t->map.n;
	err = weft__order_init(&t->order, f, t->nlanes);
	return err ? err : weft__cdg_init(&t->wide, f, t->nlanes, false);
}

void weft__loads_free(struct weft__loads *t)
{
	weft__order_free(&t->order);
	weft__cdg_free(&t->wide);
}

uint32_t weft__loads_weight(const struct weft__loads *t,
			    const struct weft__column *c)
{
	const struct weft_endport *e;

	if (weft_is_switch(c->owner))
		return 0;
	e = &t->fabric->ep[c->owner & ~WEFT_ENDPORT];
	return e->kind == WEFT_AGGREGATION ? 0 : e->weight;
}

/* The lane of traffic from a vertex to a LID; none where it is discarded. */
static uint16_t lane_bit(const struct weft__loads *t, uint32_t from,
			 unsigned lid)
{
	unsigned lane = t->map.lane[weft_layers_sl(t->layers, t->fabric, from,
						   lid)];

	return lane < t->nlanes ? 1u << lane : 0;
}

/* Lanes of traffic from the endports of a switch to a LID. */
static uint16_t endport_lanes(const struct weft__loads *t, uint32_t s,
			      unsigned lid)
{
	const struct weft_fabric *f = t->fabric;
	uint16_t lanes = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		uint32_t from = f->sw_endport[i] | WEFT_ENDPORT;

		lanes |= lane_bit(t, from, lid);
		if (t->layers->form != WEFT_SL_ENDPORT_LID)
			break;
	}
	return lanes;
}

static uint16_t switch_lanes(const struct weft__loads *t, uint32_t s,
			     unsigned lid)
{
	return lane_bit(t, s, lid);
}

/* Finds the lanes of what begins at a switch. */
static void begin_lanes(struct weft__loads *t, const struct weft__column *c,
			uint32_t s)
{
	uint16_t own = t->ends[s] ? endport_lanes(t, s, c->lid) : 0;

	if (weft_is_switch(c->owner)) {
		t->lanes[s] = 0;
		t->wide_lanes[s] = own;
		return;
	}
	t->lanes[s] = own;
	t->wide_lanes[s] = switch_lanes(t, s, c->lid);
}

/* Where all is in one lane, nothing has to be looked up. */
static void begin_plain(struct weft__loads *t, const struct weft__column *c)
{
	size_t n = t->fabric->nsw * sizeof(*t->ends);

	if (weft_is_switch(c->owner)) {
		memset(t->lanes, 0, n);
		memcpy(t->wide_lanes, t->ends, n);
		return;
	}
	memcpy(t->lanes, t->ends, n);
	for (uint32_t s = 0; s < t->fabric->nsw; s++)
		t->wide_lanes[s] = 1;
}

void weft__loads_spread(struct weft__loads *t, const struct weft__column *c)
{
	memcpy(t->through, t->hosts, t->fabric->nsw * sizeof(*t->through));
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i];

		t->through[c->next[s]] += t->through[s];
	}
}

void weft__loads_spread_lanes(struct weft__loads *t,
			      const struct weft__column *c)
{
	weft__loads_spread(t, c);
	if (t->plain)
		begin_plain(t, c);
	else
		for (uint32_t s = 0; s < t->fabric->nsw; s++)
			begin_lanes(t, c, s);
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i], to = c->next[s];

		t->lanes[to] |= t->lanes[s];
		t->wide_lanes[to] |= t->wide_lanes[s];
	}
}

static void add_loads(struct weft__loads *t, const struct weft__column *c,
		      int64_t weight)
{
	for (uint32_t i = 0; weight && i < c->norder; i++) {
		uint32_t s = c->order[i];

		t->load[weft_channel(t->fabric, s, c->port[s])] +=
			weight * (int64_t)t->through[s];
	}
}

void weft__loads_add(struct weft__loads *t, const struct weft__column *c,
		     int sign)
{
	int64_t weight = weft__loads_weight(t, c);

	if (!weight)
		return;
	weft__loads_spread(t, c);
	add_loads(t, c, sign * weight);
}

static void depend_on(struct weft__cdg *g, uint32_t channel, unsigned port,
		      uint16_t lanes)
{
	for (; lanes; lanes &= lanes - 1)
		weft__cdg_add(g, __builtin_ctz(lanes) * g->nch + channel, 0,
			      port);
}

/* The same as weft__loads_begin() below, where all is in one lane. */
static void begin_plain_column(struct weft__loads *t,
			       const struct weft__column *c)
{
	const struct weft_fabric *f = t->fabric;
	uint64_t weight = weft__loads_weight(t, c), *through = t->through;
	uint32_t words = t->wide.words;

	memcpy(through, t->hosts, f->nsw * sizeof(*through));
	begin_plain(t, c);
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i], to = c->next[s];
		uint32_t channel = weft_channel(f, s, c->port[s]);
		uint64_t *bits = t->lanes[s] ? t->order.cdg.bits : t->wide.bits;
		unsigned out = c->port[to] - 1;

		t->load[channel] += weight * through[s];
		if (to == c->root || !t->wide_lanes[s])
			continue;
		through[to] += through[s];
		t->lanes[to] |= t->lanes[s];
		t->wide_lanes[to] = 1;
		bits[(size_t)channel * words + out / 64] |= 1ull << out % 64;
	}
}

void weft__loads_begin(struct weft__loads *t, const struct weft__column *c)
{
	if (t->plain) {
		begin_plain_column(t, c);
		return;
	}
	weft__loads_spread_lanes(t, c);
	add_loads(t, c, weft__loads_weight(t, c));
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i], to = c->next[s];
		uint32_t channel = weft_channel(t->fabric, s, c->port[s]);

		if (to == c->root)
			continue;
		depend_on(&t->order.cdg, channel, c->port[to], t->lanes[s]);
		depend_on(&t->wide, channel, c->port[to], t->wide_lanes[s]);
	}
}

static void swap_graphs(struct weft__loads *t)
{
	struct weft__cdg other = t->wide;

	t->wide = t->order.cdg;
	t->order.cdg = other;
}

void weft__loads_order(struct weft__loads *t)
{
	weft__cdg_join(&t->wide, &t->order.cdg);
	swap_graphs(t);
	t->ordered = t->with_switches = weft__order_renew(&t->order);
	if (t->ordered)
		return;
	swap_graphs(t);
	t->ordered = weft__order_renew(&t->order);
}

/* Adds a dependency in each of the lanes. */
static bool try_lanes(struct weft__loads *t, uint32_t channel, uint16_t lanes,
		      unsigned port)
{
	for (; lanes; lanes &= lanes - 1)
		if (!weft__loads_try(t, channel, __builtin_ctz(lanes), port))
			return false;
	return true;
}

/* Adds the dependencies of the way from s on. */
static bool try_way(struct weft__loads *t, const struct weft__column *c,
		    uint32_t s, uint16_t lanes)
{
	if (s == c->root || !lanes)
		return true;
	for (uint32_t to = weft__column_next(c, s); to != c->root; ) {
		uint32_t channel = weft_channel(t->fabric, s, c->port[s]);

		if (!try_lanes(t, channel, lanes, c->port[to]))
			return false;
		s = to;
		to = weft__column_next(c, s);
	}
	return true;
}

bool weft__loads_allow(struct weft__loads *t, const struct weft__column *c,
		       uint32_t s, uint16_t lanes)
{
	if (!t->ordered)
		return true;
	weft__order_mark(&t->order);
	if (try_way(t, c, s, lanes))
		return true;
	weft__order_undo(&t->order);
	return false;
}

/* Lanes that have to be in order of what passes a switch. */
static uint16_t passing(const struct weft__loads *t, uint32_t s)
{
	return t->lanes[s] | (t->with_switches ? t->wide_lanes[s] : 0);
}

bool weft__loads_allow_subtree(struct weft__loads *t,
			       const struct weft__column *c, uint32_t s)
{
	const struct weft_fabric *f = t->fabric;
	bool legal = true;

	if (!t->ordered)
		return true;
	weft__order_mark(&t->order);
	for (uint32_t i = f->adj_first[s]; legal && i < f->adj_first[s + 1];
	     i++) {
		uint32_t in = f->reverse[f->adj[i]], from = f->peer[f->adj[i]];

		if (c->hops[from] != WEFT__FAR && from != c->root &&
		    f->first_channel[from] + c->port[from] == in)
			legal = try_lanes(t, in, passing(t, from), c->port[s]);
	}
	if (legal && try_way(t, c, s, passing(t, s)))
		return true;
	weft__order_undo(&t->order);
	return false;
}

bool weft__loads_allow_column(struct weft__loads *t,
			      const struct weft__column *c)
{
	if (!t->ordered)
		return true;
	weft__order_mark(&t->order);
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i], to = c->next[s];

		if (to != c->root &&
		    !try_lanes(t, weft_channel(t->fabric, s, c->port[s]),
			       passing(t, s), c->port[to])) {
			weft__order_undo(&t->order);
			return false;
		}
	}
	return true;
}

uint16_t weft__loads_own_lanes(const struct weft__loads *t,
			       const struct weft__column *c, uint32_t s)
{
	uint16_t lanes = 0;

	if (t->ends[s] && (weft_is_endport(c->owner) || t->with_switches))
		lanes = endport_lanes(t, s, c->lid);
	if (weft_is_endport(c->owner) && t->with_switches)
		lanes |= switch_lanes(t, s, c->lid);
	return lanes;
}
