// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keeps lanes that count their routes; see packing.h. */
#include "layers/packing.h"

#include <errno.h>
#include <stdlib.h>

int weft__packing_init(struct weft__packing *p,
		       const struct weft__traffic *traffic, unsigned nlanes)
{
	const struct weft_fabric *f = traffic->fabric;
	struct weft__packing new = { .traffic = traffic, .radix = 1 };
	int err = weft__order_init(&new.order, f, nlanes);

	if (err)
		return err;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw[s].nports > new.radix)
			new.radix = f->sw[s].nports;
	new.uses = calloc((size_t)new.order.cdg.nv * new.radix + 1,
			  sizeof(*new.uses));
	if (!new.uses) {
		weft__order_free(&new.order);
		return -ENOMEM;
	}
	*p = new;
	return 0;
}

void weft__packing_free(struct weft__packing *p)
{
	weft__order_free(&p->order);
	free(p->uses);
	*p = (struct weft__packing){ 0 };
}

static bool use_edge(struct weft__packing *p, uint32_t v, unsigned port)
{
	uint32_t *uses = &p->uses[(size_t)v * p->radix + port - 1];

	p->order.work++;
	if (!*uses) {
		/* the order need not undo: its list of edges stays short */
		weft__order_mark(&p->order);
		if (!weft__order_add(&p->order, v, port))
			return false;
	}
	++*uses;
	return true;
}

static void drop_edge(struct weft__packing *p, uint32_t v, unsigned port)
{
	uint32_t *uses = &p->uses[(size_t)v * p->radix + port - 1];

	p->order.work++;
	if (!--*uses)
		weft__order_remove(&p->order, v, port);
}

/* Removes the dependencies of a route before that of channel last. */
static void remove_until(struct weft__packing *p, const uint8_t *tree,
			 uint32_t s, unsigned lane, uint32_t last)
{
	const struct weft_fabric *f = p->traffic->fabric;

	while (tree[s]) {
		uint32_t ch = weft_channel(f, s, tree[s]);

		s = f->peer[ch];
		if (!tree[s] || ch == last)
			return;
		drop_edge(p, lane * p->order.cdg.nch + ch, tree[s]);
	}
}

bool weft__packing_add(struct weft__packing *p, const uint8_t *tree,
		       uint32_t s, unsigned lane)
{
	const struct weft_fabric *f = p->traffic->fabric;

	for (uint32_t at = s; tree[at];) {
		uint32_t ch = weft_channel(f, at, tree[at]);

		at = f->peer[ch];
		if (weft__has_room(p->traffic, ch, lane) &&
		    (!tree[at] ||
		     use_edge(p, lane * p->order.cdg.nch + ch, tree[at])))
			continue;
		remove_until(p, tree, s, lane, ch);
		return false;
	}
	return true;
}

void weft__packing_remove(struct weft__packing *p, const uint8_t *tree,
			  uint32_t s, unsigned lane)
{
	remove_until(p, tree, s, lane, WEFT_NONE);
}

static const uint8_t *tree_to(const struct weft__traffic *t, uint32_t b,
			      uint32_t i)
{
	return weft__tree_ports(t, t->live[t->first[b] + i]);
}

/* Removes the first n of the routes from a to b. */
static void remove_routes(struct weft__packing *p, uint32_t a, uint32_t b,
			  unsigned lane, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		weft__packing_remove(p, tree_to(p->traffic, b, i), a, lane);
}

static uint32_t ntrees(const struct weft__traffic *t, uint32_t b)
{
	return t->first[b + 1] - t->first[b];
}

static bool add_routes(struct weft__packing *p, uint32_t a, uint32_t b,
		       unsigned lane)
{
	const struct weft__traffic *t = p->traffic;

	for (uint32_t i = 0; i < ntrees(t, b); i++)
		if (!weft__packing_add(p, tree_to(t, b, i), a, lane)) {
			remove_routes(p, a, b, lane, i);
			return false;
		}
	return true;
}

bool weft__packing_add_pair(struct weft__packing *p, uint32_t a, uint32_t b,
			    unsigned lane)
{
	if (!add_routes(p, a, b, lane))
		return false;
	if (add_routes(p, b, a, lane))
		return true;
	remove_routes(p, a, b, lane, ntrees(p->traffic, b));
	return false;
}

void weft__packing_remove_pair(struct weft__packing *p, uint32_t a, uint32_t b,
			       unsigned lane)
{
	remove_routes(p, a, b, lane, ntrees(p->traffic, b));
	remove_routes(p, b, a, lane, ntrees(p->traffic, a));
}
