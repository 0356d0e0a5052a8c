// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Paths: the SL of each path, read by many threads while a sweep replaces it.
 *
 * OpenSM's SA asks from its dispatcher threads under the shared subnet lock,
 * and a sweep publishes under the exclusive one, so that today the two never
 * meet.  Nothing here relies on it: a reader holds no lock and needs none.
 *
 * Readers count themselves in one of two counters, by the parity of the epoch,
 * and only then take the pointer.  So whoever has the old pointer was counted
 * before it was swapped, in the one or the other: a writer swaps, waits until
 * it has seen each counter at zero, and frees.  It moves the epoch before each
 * wait, so that readers who come now count elsewhere and the wait ends.  A
 * reader is at it for some nanoseconds, and that is how long a writer waits at
 * most; there is never more than the table in force and one about to go.
 *
 * Everything goes by LID: while OpenSM routes out of its own cache
 * (use_ucast_cache) and does not call the engine, the tables stay true.
 */
#include "plugins/lanes/osm_layers.h"

#include "core/tables/layers.h"

#include <sched.h>
#include <stdlib.h>

void weft__sm_paths_free(struct weft__sm_paths *paths)
{
	if (!paths)
		return;
	weft__let_go(paths->held);
	weft_layers_free(&paths->layers);
	free(paths);
}

struct weft__held *weft__held_new(void)
{
	struct weft__held *held = calloc(1, sizeof(*held));

	if (held)
		atomic_init(&held->users, 1);
	return held;
}

void weft__held_fill(struct weft__held *held, struct weft_fabric **fabric,
		     struct weft_routes *routes)
{
	held->fabric = *fabric;
	held->routes = *routes;
	*fabric = NULL;
	*routes = (struct weft_routes){ .lid_offset = NULL };
}

struct weft__held *weft__hold(struct weft__held *held)
{
	atomic_fetch_add(&held->users, 1);
	return held;
}

void weft__let_go(struct weft__held *held)
{
	if (!held || atomic_fetch_sub(&held->users, 1) != 1)
		return;
	weft_fabric_free(held->fabric);
	weft_routes_free(&held->routes);
	free(held);
}

void weft__sm_paths_fill(struct weft__sm_paths *p,
			 const struct weft__lanes *lanes,
			 struct weft__held *held)
{
	const uint8_t *sl = lanes->own_sls.sl[0];
	size_t size = weft__layers_size(&p->layers);

	p->held = weft__hold(held);
	p->fabric = held->fabric;
	p->lanes = *lanes;
	p->used = p->layers.nvl > 1 ? p->layers.nvl : 1;
	if (!lanes->own || p->used < 2)
		return;
	for (size_t i = 0; i < size; i++)
		p->layers.table[i] = sl[p->layers.table[i] % p->used];
	p->layers.sl = sl[p->layers.sl % p->used];
	for (unsigned layer = 0; layer < p->used; layer++)
		if (sl[layer] >= p->layers.nvl)
			p->layers.nvl = sl[layer] + 1u;
}

/* Moves the epoch on and waits for those who were counted in the old one. */
static void drain(struct weft__current *c)
{
	unsigned old = atomic_fetch_add(&c->epoch, 1) & 1;

	while (atomic_load(&c->readers[old]))
		sched_yield();
}

void weft__publish(struct weft__current *c, struct weft__sm_paths *paths)
{
	struct weft__sm_paths *old = atomic_exchange(&c->paths, paths);

	drain(c);
	drain(c);
	weft__sm_paths_free(old);
}

/* sl: that of the first level. */
static uint8_t own_sl(const struct weft__own_sls *own, uint8_t hint,
		      unsigned sl)
{
	unsigned layer = own->layer[sl], wanted = hint % WEFT_NSL;

	return layer || own->layer[wanted] ?
		own->sl[own->level[wanted]][layer] : wanted;
}

static uint8_t look_up(const struct weft__sm_paths *p, uint8_t hint,
		       unsigned slid, unsigned dlid)
{
	unsigned stride, level, sl;
	uint32_t source;

	if (!p || p->used < 2)
		return hint;
	source = weft_lid_owner(p->fabric, slid);
	if (source == WEFT_NONE ||
	    weft_lid_owner(p->fabric, dlid) == WEFT_NONE)
		return hint;
	sl = weft_layers_sl(&p->layers, p->fabric, source, dlid);
	if (p->lanes.own)
		return own_sl(&p->lanes.own_sls, hint, sl);
	stride = weft__stride(&p->lanes);
	level = hint / stride;
	if (level >= p->lanes.levels)
		level = p->lanes.levels - 1;
	return level * stride + sl % p->used;
}

uint8_t weft__path_sl(struct weft__current *c, uint8_t hint, ib_net16_t slid,
		      ib_net16_t dlid)
{
	unsigned mine = atomic_load(&c->epoch) & 1;
	uint8_t sl;

	atomic_fetch_add(&c->readers[mine], 1);
	sl = look_up(atomic_load(&c->paths), hint, cl_ntoh16(slid),
		     cl_ntoh16(dlid));
	atomic_fetch_sub(&c->readers[mine], 1);
	return sl;
}
