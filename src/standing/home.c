// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds what can return home; see home.h. */
#include <weft/standing.h>

#include "standing/home.h"

#include "core/arena.h"

#include <errno.h>
#include <string.h>

static void find_differences(struct weft__home *h)
{
	const struct weft_fabric *f = h->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		const uint8_t *a = weft_lft_row(&h->carried.routes.lft, s);
		const uint8_t *b = weft_lft_row(&h->now->routes.lft, s);

		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			h->differs[lid] |= a[lid] != b[lid] &&
					   a[lid] != WEFT_NO_PORT;
	}
}

int weft__home_init(struct weft__home *h, const struct weft_standing_spec *spec,
		    const struct weft__carried *now,
		    const struct weft_fabric *f, struct weft_arena *arena)
{
	int err;

	*h = (struct weft__home){ .fabric = f, .now = now };
	err = weft__carry(&h->carried, &spec->home, f);
	if (err || !h->carried.there)
		return err;
	err = weft__match_make(&h->then, spec->home.fabric,
			       spec->standing.fabric);
	if (err)
		return err;
	h->differs = weft__arena_zalloc(arena, f->max_lid + 1ull,
					sizeof(*h->differs));
	if (!h->differs || !weft__column_init(&h->here, f, arena) ||
	    !weft__column_init(&h->there, f, arena))
		return -ENOMEM;
	find_differences(h);
	return 0;
}

void weft__home_free(struct weft__home *h)
{
	weft__carried_free(&h->carried);
	weft__match_free(&h->then);
}

/* Takes away from a column of home what the standing fabric had no cable
 * for. */
static void drop_missing(struct weft__home *h, struct weft__column *c)
{
	for (uint32_t s = 0; s < h->fabric->nsw; s++) {
		uint32_t was = h->now->match.sw[s];

		if (c->port[s] && c->port[s] != WEFT_NO_PORT &&
		    (was == WEFT_NONE ||
		     !weft__match_cable(&h->then, was, c->port[s])))
			c->port[s] = WEFT_NO_PORT;
	}
}

bool weft__home_differs(const struct weft__home *h, unsigned lid)
{
	return h->carried.there && h->differs[lid] &&
	       weft__match_lid(&h->carried.match, lid);
}

uint64_t weft__home_take(struct weft__home *h, struct weft_routes *routes)
{
	const struct weft_fabric *f = h->fabric;
	uint64_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		const uint8_t *from = weft_lft_row(&h->carried.routes.lft, s);
		uint8_t *to = weft_lft_row(&routes->lft, s);

		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			if (from[lid] == WEFT_NO_PORT || from[lid] == to[lid])
				continue;
			to[lid] = from[lid];
			n++;
		}
	}
	weft_layers_free(&routes->layers);
	routes->layers = h->carried.routes.layers;
	weft_layers_init(&h->carried.routes.layers);
	memset(h->differs, 0, (f->max_lid + 1ull) * sizeof(*h->differs));
	return n;
}

uint32_t weft__home_return(struct weft__home *h, struct weft__column *c)
{
	uint32_t n = 0;

	weft__column_read(&h->here, &h->carried.routes.lft, c->lid);
	weft__column_survey(&h->here);
	weft__column_read(&h->there, &h->carried.routes.lft, c->lid);
	drop_missing(h, &h->there);
	weft__column_survey(&h->there);
	for (uint32_t s = 0; s < h->fabric->nsw; s++) {
		if (h->here.hops[s] == WEFT__FAR ||
		    c->port[s] == h->here.port[s] ||
		    (h->there.hops[s] != WEFT__FAR &&
		     c->port[s] != WEFT_NO_PORT))
			continue;
		c->port[s] = h->here.port[s];
		n++;
	}
	return n;
}

const uint8_t *weft__home_ports(const struct weft__home *h,
				const struct weft__column *c)
{
	return weft__home_differs(h, c->lid) && h->here.lid == c->lid ?
		       h->here.port : NULL;
}
