// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds what can return home; see home.h. */
#include <weft/standing.h>

#include "standing/home.h"

#include "core/arena.h"

#include <errno.h>
#include <string.h>

/* Compares a block of a row with the same of home. */
static void compare_block(struct weft__home *h, uint32_t s, const uint8_t *home,
			  const uint8_t *now, unsigned first, unsigned n)
{
	if (!memcmp(home + first, now + first, n))
		return;
	for (unsigned lid = first; lid < first + n; lid++) {
		uint8_t port = weft__alive_port(&h->alive, s, home[lid]);

		h->differs[lid] |= port != now[lid] && port != WEFT_NO_PORT;
	}
}

static void find_differences(struct weft__home *h, const struct weft_lft *now)
{
	const struct weft_lft *home = &h->side.routes->lft;
	unsigned n = h->fabric->max_lid + 1;

	if (n > home->max_lid + 1)
		n = home->max_lid + 1;
	for (uint32_t s = 0; s < h->fabric->nsw; s++) {
		uint32_t was = h->match.sw[s];

		for (unsigned i = 0; was != WEFT_NONE && i < n;
		     i += WEFT_LFT_BLOCK)
			compare_block(h, s, weft_lft_row(home, was),
				      weft_lft_row(now, s), i,
				      n - i < WEFT_LFT_BLOCK ? n - i :
							       WEFT_LFT_BLOCK);
	}
}

/* Finds which of the ports of home that are here another fabric had, of which now
 * are the nodes that are here. */
static int find_were(struct weft__home *h, const struct weft_fabric *were,
		     const struct weft__match *now, struct weft_arena *arena)
{
	const struct weft_fabric *f = h->fabric;
	struct weft__match then;
	int err;

	h->were.port = weft__arena_zalloc(arena, f->nsw + 1ull,
					  sizeof(*h->were.port));
	if (!h->were.port)
		return -ENOMEM;
	err = weft__match_make(&then, h->match.a, were);
	for (uint32_t s = 0; !err && s < f->nsw; s++) {
		uint32_t was = now->sw[s];

		h->were.port[s][0] = 1;
		for (unsigned p = 1; was != WEFT_NONE && p <= f->sw[s].nports;
		     p++)
			if (weft__match_cable(&then, was, p))
				h->were.port[s][p / 64] |= 1ull << p % 64;
		for (unsigned k = 0; k < 4; k++) {
			h->were.port[s][k] &= h->alive.port[s][k];
			h->back |= h->were.port[s][k] != h->alive.port[s][k];
		}
	}
	weft__match_free(&then);
	return err;
}

/* The fabric that the standing tables were made for, or another one, if entries have
 * waited since. */
static int find_what_is_back(struct weft__home *h,
			     const struct weft_standing_spec *spec,
			     const struct weft__carried *now,
			     struct weft_arena *arena)
{
	struct weft__match before;
	int err;

	if (!spec->were)
		return find_were(h, now->match.a, &now->match, arena);
	err = weft__match_make(&before, spec->were, h->fabric);
	if (!err)
		err = find_were(h, spec->were, &before, arena);
	weft__match_free(&before);
	return err;
}

int weft__home_init(struct weft__home *h, const struct weft_standing_spec *spec,
		    const struct weft__carried *now,
		    const struct weft_fabric *f, struct weft_arena *arena)
{
	int err;

	*h = (struct weft__home){ .fabric = f, .side = spec->home };
	if (!h->side.fabric || h->side.routes == spec->standing.routes)
		return 0;
	err = weft__match_make(&h->match, h->side.fabric, f);
	if (!err)
		err = weft__alive_find(&h->alive, &h->match, arena);
	if (!err)
		err = find_what_is_back(h, spec, now, arena);
	if (err)
		return err;
	h->differs = weft__arena_zalloc(arena, f->max_lid + 1ull,
					sizeof(*h->differs));
	if (!h->differs || !weft__column_init(&h->here, f, arena) ||
	    !weft__column_init(&h->there, f, arena))
		return -ENOMEM;
	find_differences(h, &now->routes.lft);
	h->known = true;
	return 0;
}

void weft__home_free(struct weft__home *h)
{
	weft__match_free(&h->match);
}

bool weft__home_differs(const struct weft__home *h, unsigned lid)
{
	return h->known && h->differs[lid] && weft__match_lid(&h->match, lid);
}

/* Reads a column of home, with the ports that are alive. */
static void read_column(const struct weft__home *h, struct weft__column *c,
			unsigned lid, const struct weft__alive *alive)
{
	const struct weft_lft *lft = &h->side.routes->lft;

	for (uint32_t s = 0; s < h->fabric->nsw; s++) {
		uint32_t was = h->match.sw[s];

		c->port[s] = was == WEFT_NONE ? WEFT_NO_PORT :
			weft__alive_port(alive, s, weft_lft_get(lft, was, lid));
	}
	weft__column_begin(c, lid);
	weft__column_survey(c);
}

uint32_t weft__home_return(struct weft__home *h, struct weft__column *c)
{
	uint32_t n = 0;

	read_column(h, &h->here, c->lid, &h->alive);
	read_column(h, &h->there, c->lid, &h->were);
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
