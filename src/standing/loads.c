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
		.kind = weft__arena_alloc(arena, n, 1),
	};
	t->plain = layers->form == WEFT_SL_ONE && layers->nvl <= 1 &&
		   !layers->sl2vl;
	if (!t->load || !t->scale || !t->hosts || !t->ends || !t->through ||
	    !t->kind)
		return -ENOMEM;
	for (unsigned k = 0; k < WEFT__KINDS; k++) {
		t->lanes[k] = weft__arena_alloc(arena, n, 2);
		if (!t->lanes[k])
			return -ENOMEM;
	}
	find_sources(t);
	find_scales(t);
	weft__lane_map_make(&t->map, layers, f, lanes);
	t->nlanes = t->map.n;
	err = weft__order_init(&t->order, f, t->nlanes);
	for (unsigned k = 0; k < WEFT__KINDS - 1 && !err; k++)
		err = weft__cdg_init(&t->more[k], f, t->nlanes, false);
	return err ? err : weft__hubs_init(&t->hubs, &t->order.cdg, arena);
}

void weft__loads_free(struct weft__loads *t)
{
	weft__order_free(&t->order);
	for (unsigned k = 0; k < WEFT__KINDS - 1; k++)
		weft__cdg_free(&t->more[k]);
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

/* Lanes of what begins at a switch, of the kinds up to that one. */
static uint16_t own_lanes(const struct weft__loads *t,
			  const struct weft__column *c, uint32_t s,
			  unsigned kind)
{
	unsigned endports = weft_is_switch(c->owner), own = endports + 1;
	uint16_t lanes = 0;

	if (t->ends[s] && kind >= endports)
		lanes |= endport_lanes(t, s, c->lid);
	if (kind >= own)
		lanes |= lane_bit(t, s, c->lid);
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

void weft__loads_spread_lanes(struct weft__loads *t,
			      const struct weft__column *c)
{
	weft__loads_spread(t, c);
	for (unsigned k = 0; k < WEFT__KINDS; k++) {
		uint16_t *lanes = t->lanes[k];

		for (uint32_t s = 0; s < t->fabric->nsw; s++)
			lanes[s] = own_lanes(t, c, s, k);
		for (uint32_t i = c->norder; i--; )
			lanes[c->next[c->order[i]]] |= lanes[c->order[i]];
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

void weft__loads_add_way(struct weft__loads *t, const struct weft__column *c,
			 uint32_t s, uint64_t more)
{
	while (more && s != c->root) {
		uint32_t channel = weft_channel(t->fabric, s, c->port[s]);

		t->load[channel] += more;
		s = t->fabric->peer[channel];
	}
}

static void depend_on(struct weft__cdg *g, uint32_t channel, unsigned port,
		      uint16_t lanes)
{
	for (; lanes; lanes &= lanes - 1)
		weft__cdg_add(g, __builtin_ctz(lanes) * g->nch + channel, 0,
			      port);
}

/* The dependencies that a kind adds. */
static struct weft__cdg *graph_of(struct weft__loads *t, unsigned kind)
{
	return kind ? &t->more[kind - 1] : &t->order.cdg;
}

/* The same as weft__loads_begin() below, where all is in one lane. */
static void begin_plain_column(struct weft__loads *t,
			       const struct weft__column *c)
{
	uint64_t *bits[WEFT__KINDS], *through = t->through;
	uint64_t weight = weft__loads_weight(t, c);
	const struct weft_fabric *f = t->fabric;
	unsigned endports = weft_is_switch(c->owner);
	uint32_t words = t->order.cdg.words;
	uint8_t *kind = t->kind;

	for (unsigned k = 0; k < WEFT__KINDS; k++)
		bits[k] = graph_of(t, k)->bits;
	memcpy(through, t->hosts, f->nsw * sizeof(*through));
	for (uint32_t s = 0; s < f->nsw; s++)
		kind[s] = t->ends[s] ? endports : endports + 1;
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i], to = c->next[s];
		uint32_t channel = weft_channel(f, s, c->port[s]);
		unsigned out = c->port[to] - 1;

		t->load[channel] += weight * through[s];
		if (to == c->root)
			continue;
		through[to] += through[s];
		kind[to] = kind[s] < kind[to] ? kind[s] : kind[to];
		bits[kind[s]][(size_t)channel * words + out / 64] |=
			1ull << out % 64;
	}
}

static void depend_in(struct weft__loads *t, const struct weft__column *c,
		      unsigned kind)
{
	struct weft__cdg *g = graph_of(t, kind);

	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i], to = c->next[s];

		if (to != c->root)
			depend_on(g, weft_channel(t->fabric, s, c->port[s]),
				  c->port[to], t->lanes[kind][s]);
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
	for (unsigned k = 0; k < WEFT__KINDS; k++)
		depend_in(t, c, k);
}

static bool renew_with(struct weft__loads *t, struct weft__cdg *g)
{
	struct weft__cdg other = t->order.cdg;

	t->order.cdg = *g;
	*g = other;
	return weft__order_renew(&t->order);
}

/* As many kinds as together have an order. */
void weft__loads_order(struct weft__loads *t)
{
	weft__cdg_join(&t->more[0], &t->order.cdg);
	weft__cdg_join(&t->more[1], &t->more[0]);
	for (t->kinds = WEFT__KINDS; t->kinds > 1; t->kinds--) {
		if (renew_with(t, &t->more[t->kinds - 2]))
			return;
		renew_with(t, &t->more[t->kinds - 2]);
	}
	t->kinds = weft__order_renew(&t->order);
}

bool weft__loads_try(struct weft__loads *t, uint32_t channel, unsigned lane,
		     unsigned port)
{
	struct weft__order *o = &t->order;
	uint32_t v = lane * o->cdg.nch + channel, w;

	if (weft__cdg_has(&o->cdg, v, port))
		return true;
	w = weft__cdg_head(&o->cdg, v, port);
	if (weft__hubs_refuse(&t->hubs, v, w))
		return false;
	if (weft__order_insert(o, v, port))
		return true;
	/* not if one that may be undone has a part in the cycle */
	if (!o->nadded)
		weft__hubs_learn(&t->hubs, o, v, w);
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

/* Lanes that have to be in order of what passes a switch. */
static uint16_t passing(const struct weft__loads *t, uint32_t s)
{
	return t->lanes[t->kinds - 1][s];
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
	if (!t->kinds)
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
	return t->kinds ? own_lanes(t, c, s, t->kinds - 1) : 0;
}
