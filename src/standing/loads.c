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
		if (end > first)
			t->source[t->nsources++] = s;
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
		     struct weft_layers *layers, struct weft_arena *arena)
{
	size_t n = f->nsw + 1ull;
	int err;

	*t = (struct weft__loads){
		.fabric = f, .layers = layers,
		.nlanes = layers->nvl > 1 ? layers->nvl : 1,
		.load = weft__arena_zalloc(arena, f->nch + 1ull, 8),
		.scale = weft__arena_zalloc(arena, f->nch + 1ull, 4),
		.hosts = weft__arena_alloc(arena, n, 4),
		.source = weft__arena_alloc(arena, n, 4),
		.list = weft__arena_alloc(arena, n, 4),
		.start = weft__arena_alloc(arena, n + 1, 4),
		.met = weft__arena_zalloc(arena, n, sizeof(bool)),
		.through = weft__arena_zalloc(arena, n, 8),
		.lanes = weft__arena_zalloc(arena, n, 2),
		.wide_lanes = weft__arena_zalloc(arena, n, 2),
	};
	if (!t->load || !t->scale || !t->hosts || !t->source || !t->list ||
	    !t->start || !t->met || !t->through || !t->lanes || !t->wide_lanes)
		return -ENOMEM;
	find_sources(t);
	find_scales(t);
	weft__lane_map_make(&t->map, layers, f);
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

/*
 * Lists the switches that the sources' ways pass, way by way: each way goes on
 * until it joins one that was listed before.  So the ways from the last to the
 * first, each along its switches, visit every switch behind all that send by
 * it.
 */
static void list_way(struct weft__loads *t, const struct weft__column *c,
		     uint32_t s)
{
	if (t->met[s] || c->hops[s] == WEFT__FAR || s == c->root)
		return;
	t->start[t->nways++] = t->nlisted;
	for (; s != c->root && !t->met[s]; s = weft__column_next(c, s)) {
		t->met[s] = true;
		t->list[t->nlisted++] = s;
	}
}

/* Puts the list in the order in which each switch is behind all that send by
 * it: its ways from the last to the first. */
static void turn_ways(struct weft__loads *t)
{
	uint32_t n = 0, *turned = t->order.place;

	t->start[t->nways] = t->nlisted;
	for (uint32_t w = t->nways; w--; )
		for (uint32_t i = t->start[w]; i < t->start[w + 1]; i++)
			turned[n++] = t->list[i];
	memcpy(t->list, turned, n * sizeof(*turned));
}

static void list_ways(struct weft__loads *t, const struct weft__column *c,
		      bool all)
{
	t->nways = t->nlisted = 0;
	if (all)
		for (uint32_t s = 0; s < t->fabric->nsw; s++)
			list_way(t, c, s);
	else
		for (uint32_t i = 0; i < t->nsources; i++)
			list_way(t, c, t->source[i]);
	turn_ways(t);
}

/* Finds the lanes of what begins at a switch. */
static void begin_lanes(struct weft__loads *t, const struct weft__column *c,
			uint32_t s)
{
	bool ends = t->fabric->sw_ep_first[s] != t->fabric->sw_ep_first[s + 1];
	uint16_t own = ends ? endport_lanes(t, s, c->lid) : 0;

	if (weft_is_switch(c->owner)) {
		t->wide_lanes[s] |= own;
		return;
	}
	t->lanes[s] |= own;
	t->wide_lanes[s] |= switch_lanes(t, s, c->lid);
}

void weft__loads_spread(struct weft__loads *t, const struct weft__column *c,
			bool lanes)
{
	list_ways(t, c, lanes);
	for (uint32_t i = 0; i < t->nlisted; i++) {
		uint32_t s = t->list[i], to = weft__column_next(c, s);

		t->through[s] += t->hosts[s];
		if (lanes)
			begin_lanes(t, c, s);
		if (to == c->root)
			continue;
		t->through[to] += t->through[s];
		t->lanes[to] |= t->lanes[s];
		t->wide_lanes[to] |= t->wide_lanes[s];
	}
}

void weft__loads_forget(struct weft__loads *t)
{
	for (uint32_t i = 0; i < t->nlisted; i++) {
		uint32_t s = t->list[i];

		t->met[s] = false;
		t->through[s] = 0;
		t->lanes[s] = t->wide_lanes[s] = 0;
	}
}

static void add_loads(struct weft__loads *t, const struct weft__column *c,
		      int64_t weight)
{
	for (uint32_t i = 0; weight && i < t->nlisted; i++) {
		uint32_t s = t->list[i];

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
	weft__loads_spread(t, c, false);
	add_loads(t, c, sign * weight);
	weft__loads_forget(t);
}

static void depend_on(struct weft__cdg *g, uint32_t channel, unsigned port,
		      uint16_t lanes)
{
	for (; lanes; lanes &= lanes - 1)
		weft__cdg_add(g, __builtin_ctz(lanes) * g->nch + channel, 0,
			      port);
}

void weft__loads_begin(struct weft__loads *t, const struct weft__column *c)
{
	weft__loads_spread(t, c, true);
	add_loads(t, c, weft__loads_weight(t, c));
	for (uint32_t i = 0; i < t->nlisted; i++) {
		uint32_t s = t->list[i], to = weft__column_next(c, s);
		uint32_t channel = weft_channel(t->fabric, s, c->port[s]);

		if (to == c->root)
			continue;
		depend_on(&t->order.cdg, channel, c->port[to], t->lanes[s]);
		depend_on(&t->wide, channel, c->port[to], t->wide_lanes[s]);
	}
	weft__loads_forget(t);
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

		if (t->met[from] && f->first_channel[from] + c->port[from] == in)
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
	for (uint32_t i = 0; i < t->nlisted; i++) {
		uint32_t s = t->list[i], to = weft__column_next(c, s);

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
	const struct weft_fabric *f = t->fabric;
	bool ends = f->sw_ep_first[s] != f->sw_ep_first[s + 1];
	uint16_t lanes = 0;

	if (ends && (weft_is_endport(c->owner) || t->with_switches))
		lanes = endport_lanes(t, s, c->lid);
	if (weft_is_endport(c->owner) && t->with_switches)
		lanes |= switch_lanes(t, s, c->lid);
	return lanes;
}
