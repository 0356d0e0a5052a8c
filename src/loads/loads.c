// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sums up traffic over trees; see loads.h. */
#include "loads/loads.h"

#include "core/arena.h"

#include <errno.h>
#include <string.h>

/* What an endport sends and gets in comparison: by its weight and its rate, in
 * Gbit/s.  A pair sends by the rates of both, which is close to the lower of
 * them. */
static uint64_t ep_weight(const struct weft_fabric *f, uint32_t ep)
{
	uint32_t rate = f->capacity[f->first_injection + ep] / 1000;

	return f->ep[ep].kind == WEFT_AGGREGATION ? 0 :
		(uint64_t)f->ep[ep].weight * (rate ? rate : 1);
}

static void find_sources(struct weft__loads *t)
{
	const struct weft_fabric *f = t->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t first = f->sw_ep_first[s], end = f->sw_ep_first[s + 1];

		t->hosts[s] = 0;
		for (uint32_t i = first; i < end; i++)
			t->hosts[s] += ep_weight(f, f->sw_endport[i]);
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
		     const struct weft_layers *layers, unsigned lanes,
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
		.lanes = weft__arena_zalloc(arena, n, 2),
	};
	if (!t->load || !t->scale || !t->hosts || !t->ends || !t->through ||
	    !t->lanes)
		return -ENOMEM;
	find_sources(t);
	find_scales(t);
	weft__lane_map_make(&t->map, layers, f, lanes);
	t->nlanes = t->map.n;
	err = weft__order_init(&t->order, f, t->nlanes);
	if (err)
		return err;
	t->refused = weft__arena_zalloc(arena, (t->order.cdg.nv + 1ull) *
					t->order.cdg.words,
					sizeof(*t->refused));
	return t->refused ? weft__hubs_init(&t->hubs, &t->order.cdg, arena) :
			    -ENOMEM;
}

void weft__loads_free(struct weft__loads *t)
{
	weft__order_free(&t->order);
}

uint32_t weft__lid_weight(const struct weft_fabric *f, unsigned lid)
{
	uint32_t owner = weft_lid_owner(f, lid);

	return weft_is_endport(owner) ? ep_weight(f, owner & ~WEFT_ENDPORT) : 0;
}

uint32_t weft__loads_weight(const struct weft__loads *t,
			    const struct weft__column *c)
{
	return weft__lid_weight(t->fabric, c->lid);
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

uint64_t weft__loads_lanes_by_kind(const struct weft__loads *t,
				   const struct weft__column *c, uint32_t s)
{
	unsigned endports = weft_is_switch(c->owner), own = endports + 1;
	uint64_t lanes = lane_bit(t, s, c->lid);

	lanes <<= own * WEFT__KIND_BITS;
	if (t->ends[s])
		lanes |= (uint64_t)endport_lanes(t, s, c->lid) <<
			 endports * WEFT__KIND_BITS;
	return lanes;
}

uint16_t weft__loads_own_lanes(const struct weft__loads *t,
			       const struct weft__column *c, uint32_t s)
{
	uint64_t by_kind = weft__loads_lanes_by_kind(t, c, s);
	uint16_t lanes = 0;

	for (unsigned k = 0; k < t->kinds; k++)
		lanes |= by_kind >> k * WEFT__KIND_BITS;
	return lanes;
}

void weft__loads_spread(struct weft__loads *t, const struct weft__column *c)
{
	memcpy(t->through, t->hosts, t->fabric->nsw * sizeof(*t->through));
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i];

		t->through[c->next[s]] += t->through[s];
	}
}

/* Has each switch have the lanes of what it sends, and of what passes it. */
static void pass_lanes(const struct weft__column *c, uint16_t *lanes)
{
	for (uint32_t i = c->norder; i--; )
		lanes[c->next[c->order[i]]] |= lanes[c->order[i]];
}

void weft__loads_spread_lanes(struct weft__loads *t,
			      const struct weft__column *c)
{
	weft__loads_spread(t, c);
	for (uint32_t s = 0; s < t->fabric->nsw; s++)
		t->lanes[s] = weft__loads_own_lanes(t, c, s);
	pass_lanes(c, t->lanes);
}

void weft__loads_pass_lanes(struct weft__loads *t, const struct weft__column *c,
			    const uint16_t *own)
{
	memcpy(t->lanes, own, t->fabric->nsw * sizeof(*own));
	pass_lanes(c, t->lanes);
}

void weft__loads_add_spread(struct weft__loads *t,
			    const struct weft__column *c, int sign)
{
	int64_t weight = sign * (int64_t)weft__loads_weight(t, c);

	for (uint32_t i = 0; weight && i < c->norder; i++) {
		uint32_t s = c->order[i];

		t->load[weft_channel(t->fabric, s, c->port[s])] +=
			weight * (int64_t)t->through[s];
	}
}

void weft__loads_add(struct weft__loads *t, const struct weft__column *c,
		     int sign)
{
	if (!weft__loads_weight(t, c))
		return;
	weft__loads_spread(t, c);
	weft__loads_add_spread(t, c, sign);
}

uint64_t weft__loads_peak(const struct weft__loads *t)
{
	const struct weft_fabric *f = t->fabric;
	uint64_t peak = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint64_t load = t->load[f->adj[i]] * t->scale[f->adj[i]];

		peak = load > peak ? load : peak;
	}
	return peak;
}

uint64_t weft__loads_host_peak(const struct weft__loads *t)
{
	const struct weft_fabric *f = t->fabric;
	uint64_t all = 0, most = 0, fastest = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		all += t->hosts[s];
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		if (f->capacity[f->adj[i]] > fastest)
			fastest = f->capacity[f->adj[i]];
	for (uint32_t e = 0; e < f->nep; e++) {
		uint64_t rate = f->capacity[f->first_injection + e];
		uint64_t own = ep_weight(f, e);
		uint64_t load = own * all * 16 * fastest /
				(rate ? rate : 1);

		most = load > most ? load : most;
	}
	return most;
}

void weft__loads_add_way(struct weft__loads *t, const struct weft__column *c,
			 uint32_t s, uint64_t more)
{
	while (more && s != c->root) {
		uint32_t channel = weft_channel(t->fabric, s, c->port[s]);

		t->load[channel] += more;
		s = t->fabric->peer[channel];
	}
}

bool weft__loads_try(struct weft__loads *t, uint32_t channel, unsigned lane,
		     unsigned port)
{
	struct weft__order *o = &t->order;
	uint32_t v = lane * o->cdg.nch + channel, w;
	uint64_t *row = t->refused + (size_t)v * o->cdg.words + (port - 1) / 64;
	uint64_t bit = 1ull << (port - 1) % 64;
	/* what may be undone has no part in what is known for good */
	bool keep = !o->nadded;

	if (weft__cdg_has(&o->cdg, v, port))
		return true;
	if (t->closed)
		return false;
	o->work++;
	if (*row & bit)
		return false;
	w = weft__cdg_head(&o->cdg, v, port);
	if (t->forward && o->position[w] < o->position[v])
		return false;
	if (!weft__hubs_refuse(&t->hubs, v, w) &&
	    !(weft__hubs_has_room(&t->hubs) &&
	      weft__hubs_search(&t->hubs, o, v, w, keep)) &&
	    weft__order_insert(o, v, port))
		return true;
	if (keep)
		*row |= bit;
	return false;
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
	if (!t->kinds)
		return true;
	weft__order_mark(&t->order);
	if (try_way(t, c, s, lanes))
		return true;
	weft__order_undo(&t->order);
	return false;
}

bool weft__loads_allow_subtree(struct weft__loads *t,
			       const struct weft__column *c, uint32_t s)
{
	const struct weft_fabric *f = t->fabric;
	bool legal = true;

	if (!t->kinds)
		return true;
	weft__order_mark(&t->order);
	for (uint32_t i = f->adj_first[s]; legal && i < f->adj_first[s + 1];
	     i++) {
		uint32_t in = f->reverse[f->adj[i]], from = f->peer[f->adj[i]];

		if (c->hops[from] != WEFT__FAR && from != c->root &&
		    f->first_channel[from] + c->port[from] == in)
			legal = try_lanes(t, in, t->lanes[from], c->port[s]);
	}
	if (legal && try_way(t, c, s, t->lanes[s]))
		return true;
	weft__order_undo(&t->order);
	return false;
}

bool weft__loads_allow_column(struct weft__loads *t,
			      const struct weft__column *c)
{
	if (!t->kinds)
		return true;
	weft__order_mark(&t->order);
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i], to = c->next[s];

		if (to != c->root &&
		    !try_lanes(t, weft_channel(t->fabric, s, c->port[s]),
			       t->lanes[s], c->port[to])) {
			weft__order_undo(&t->order);
			return false;
		}
	}
	return true;
}
