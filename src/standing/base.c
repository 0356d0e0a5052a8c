// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Takes over what was known of standing tables; see base.h. */
#include "standing/base.h"

#include "core/arena.h"
#include "loads/gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int make(struct weft_standing_base *b)
{
	const struct weft_fabric *f = b->of.fabric;
	int err;

	b->arena = weft__arena_new();
	if (!b->arena)
		return -ENOMEM;
	b->lost = weft__arena_zalloc(b->arena, f->max_lid + 1ull,
				     sizeof(*b->lost));
	if (!b->lost)
		return -ENOMEM;
	err = weft__loads_init(&b->loads, f, &b->of.routes->layers, b->lanes,
			       b->arena);
	return err ? err : weft__gather(&b->loads, &b->of.routes->lft,
					b->lost);
}

int weft_standing_prepare(const struct weft_diff_side *standing, unsigned lanes,
			  struct weft_standing_base **out,
			  struct weft_diag *diag)
{
	struct weft_standing_base *b = calloc(1, sizeof(*b));
	int err = -ENOMEM;

	if (b) {
		b->of = *standing;
		b->lanes = lanes;
		err = make(b);
	}
	if (err) {
		weft_standing_base_free(b);
		return weft_fail(diag, -err, "out of memory");
	}
	*out = b;
	return 0;
}

void weft_standing_base_free(struct weft_standing_base *b)
{
	if (!b)
		return;
	weft__loads_free(&b->loads);
	weft__arena_free(b->arena);
	free(b);
}

const uint32_t *weft__base_order(const struct weft_standing_base *base,
				 const struct weft__cdg *g)
{
	const struct weft__loads *t = &base->loads;

	return t->kinds && t->order.cdg.nv == g->nv ? t->order.position : NULL;
}

bool weft__can_inherit(const struct weft_standing_base *base,
		       const struct weft__loads *loads)
{
	const struct weft__lane_map *a = &base->loads.map, *b = &loads->map;

	return a->uniform && b->uniform && a->n == b->n &&
	       !memcmp(a->lane, b->lane, sizeof(a->lane));
}

static void inherit_channels(struct weft__inherited *h)
{
	const struct weft__loads *from = &h->base->loads;
	struct weft__loads *to = h->loads;

	for (uint32_t ch = 0; ch < from->order.cdg.nch; ch++)
		if (h->same.channel[ch] != WEFT_NONE)
			to->load[h->same.channel[ch]] = from->load[ch];
	weft__same_join(&h->same, &from->order.cdg, &to->order.cdg);
}

/* The vertices that are here keep their order; others have no edges yet. */
static void inherit_order(struct weft__inherited *h)
{
	const struct weft__order *a = &h->base->loads.order;
	struct weft__order *b = &h->loads->order;
	uint32_t n = 0;

	memset(b->position, 0xff, b->cdg.nv * sizeof(*b->position));
	for (uint32_t i = 0; i < a->cdg.nv; i++) {
		uint32_t v = a->vertex[i], ch = h->same.channel[v % a->cdg.nch];

		if (ch == WEFT_NONE)
			continue;
		v = v / a->cdg.nch * b->cdg.nch + ch;
		b->position[v] = n;
		b->vertex[n++] = v;
	}
	for (uint32_t v = 0; v < b->cdg.nv; v++)
		if (b->position[v] == WEFT_NONE) {
			b->position[v] = n;
			b->vertex[n++] = v;
		}
}

static void read_column(struct weft__inherited *h, unsigned lid)
{
	struct weft__column *c = &h->column;

	for (uint32_t s = 0; s < c->fabric->nsw; s++)
		c->port[s] = weft_lft_get(&h->base->of.routes->lft, s, lid);
	weft__column_begin(c, lid);
	weft__column_survey(c);
}

/* Adds what a switch sends more, or less, than it did to the ways of a LID. */
static void add_way(struct weft__inherited *h, uint32_t s, unsigned lid,
		    uint64_t more)
{
	const struct weft_lft *lft = &h->base->of.routes->lft;
	const struct weft_fabric *was = h->match->a;
	uint32_t root = weft_vertex_switch(was, weft_lid_owner(was, lid));

	if (h->column.part[s] != h->column.part[root])
		return;
	for (uint32_t n = 0; s != root && n < was->nsw; n++) {
		uint8_t port = weft_lft_get(lft, s, lid);
		uint32_t ch;

		if (!port || port > was->sw[s].nports)
			return;
		ch = weft_channel(was, s, port);
		if (h->same.channel[ch] != WEFT_NONE)
			h->loads->load[h->same.channel[ch]] += more;
		s = was->peer[ch];
		if (!weft_is_switch(s))
			return;
	}
}

/* Sources that are gone send nothing, and others what they weigh now. */
static void inherit_sources(struct weft__inherited *h)
{
	const struct weft_fabric *was = h->match->a, *f = h->match->b;
	const uint64_t *then = h->base->loads.hosts;

	memset(h->hosts, 0, was->nsw * sizeof(*h->hosts));
	for (uint32_t s = 0; s < f->nsw; s++)
		if (h->match->sw[s] != WEFT_NONE)
			h->hosts[h->match->sw[s]] = h->loads->hosts[s];
	for (uint32_t s = 0; s < was->nsw; s++)
		for (unsigned lid = 1; h->hosts[s] != then[s] &&
				       lid <= was->max_lid; lid++) {
			uint64_t weight = weft__lid_weight(was, lid);

			if (weight && !h->base->lost[lid])
				add_way(h, s, lid,
					weight * (h->hosts[s] - then[s]));
		}
}

int weft__inherit(struct weft__inherited *h,
		  const struct weft_standing_base *base,
		  const struct weft__match *match, struct weft__loads *loads,
		  struct weft_arena *arena)
{
	const struct weft_fabric *was = match->a;

	*h = (struct weft__inherited){
		.base = base, .match = match, .loads = loads,
		.hosts = weft__arena_alloc(arena, was->nsw + 1ull, 8),
		.through = weft__arena_alloc(arena, was->nsw + 1ull, 8),
	};
	if (!h->hosts || !h->through ||
	    !weft__column_init(&h->column, was, arena) ||
	    weft__same_find(&h->same, match, arena))
		return -ENOMEM;
	inherit_channels(h);
	loads->kinds = base->loads.kinds;
	if (loads->kinds)
		inherit_order(h);
	inherit_sources(h);
	return 0;
}

void weft__disinherit_way(struct weft__inherited *h, uint32_t sw, unsigned lid)
{
	uint32_t was = h->match->sw[sw];
	uint64_t weight = weft__lid_weight(h->match->a, lid);

	if (was != WEFT_NONE && weight && h->hosts[was])
		add_way(h, was, lid, -weight * h->hosts[was]);
}

void weft__disinherit(struct weft__inherited *h, unsigned lid)
{
	const struct weft_fabric *was = h->match->a;
	const struct weft__column *c = &h->column;
	uint64_t weight = weft__lid_weight(was, lid);

	if (!weight)
		return;
	read_column(h, lid);
	memcpy(h->through, h->base->lost[lid] ? h->base->loads.hosts : h->hosts,
	       was->nsw * sizeof(*h->through));
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i];
		uint32_t ch = h->same.channel[weft_channel(was, s, c->port[s])];

		if (ch != WEFT_NONE)
			h->loads->load[ch] -= weight * h->through[s];
		h->through[c->next[s]] += h->through[s];
	}
}
