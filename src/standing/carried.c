// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Carries tables from one state of a fabric to another; see carried.h. */
#include "standing/carried.h"

#include "core/arena.h"
#include "loads/column.h"

#include <errno.h>
#include <string.h>

/* Whether a cable of a switch that was there has gone, or come. */
static bool has_changed(const struct weft__match *m, uint32_t s)
{
	uint32_t was = m->sw[s];

	for (unsigned p = 1; was != WEFT_NONE && p <= m->a->sw[was].nports; p++)
		if (!weft__match_cable(m, s, p))
			return true;
	return false;
}

static void drop_dead(struct weft__carried *c, const struct weft__alive *alive)
{
	const struct weft_fabric *f = c->match.b;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint8_t *row = weft_lft_row(&c->routes.lft, s);

		if (!has_changed(&c->match, s))
			continue;
		for (unsigned lid = 0; lid <= f->max_lid; lid++) {
			if (row[lid] == WEFT_NO_PORT ||
			    weft__alive_port(alive, s, row[lid]) == row[lid])
				continue;
			row[lid] = WEFT_NO_PORT;
			c->broken[lid] = true;
			c->dead += f->lid_owner[lid] != WEFT_NONE;
		}
	}
}

/* Takes away what is for LIDs that nobody has.  Tables end with the LIDs of the
 * fabric: a subnet manager that has started in a part of it has no room for what
 * the rest had. */
static int drop_unowned(struct weft__carried *c)
{
	const struct weft_fabric *f = c->match.b;
	struct weft_lft *lft = &c->routes.lft, fit;

	for (unsigned lid = 0; lid <= f->max_lid; lid++)
		if (weft_lid_owner(f, lid) == WEFT_NONE)
			for (uint32_t s = 0; s < f->nsw; s++)
				weft_lft_row(lft, s)[lid] = WEFT_NO_PORT;
	if (lft->max_lid == f->max_lid)
		return 0;
	if (weft_lft_init(&fit, f->nsw, f->max_lid))
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++)
		memcpy(weft_lft_row(&fit, s), weft_lft_row(lft, s),
		       f->max_lid + 1ull);
	weft_lft_free(lft);
	*lft = fit;
	return 0;
}

int weft__carry(struct weft__carried *c, const struct weft_diff_side *from,
		const struct weft_fabric *f, struct weft_arena *arena)
{
	struct weft__alive alive;
	int err;

	*c = (struct weft__carried){ .dead = 0 };
	err = weft__match_make(&c->match, from->fabric, f);
	if (!err)
		err = weft__carry_routes(&c->match, from->routes, &c->routes);
	if (!err)
		err = weft__alive_find(&alive, &c->match, arena);
	if (err)
		return err;
	c->broken = weft__arena_zalloc(arena, f->max_lid + 1ull,
				       sizeof(*c->broken));
	if (!c->broken)
		return -ENOMEM;
	drop_dead(c, &alive);
	return drop_unowned(c);
}

void weft__carried_free(struct weft__carried *c)
{
	weft_routes_free(&c->routes);
	weft__match_free(&c->match);
}

/* --- without a copy ------------------------------------------------------ */

int weft__source_init(struct weft__source *x, const struct weft_diff_side *from,
		      const struct weft_fabric *f, struct weft_arena *arena)
{
	int err;

	*x = (struct weft__source){ .lft = &from->routes->lft };
	err = weft__match_make(&x->match, from->fabric, f);
	return err ? err : weft__alive_find(&x->alive, &x->match, arena);
}

/* The entry of a switch that carrying would leave. */
static uint8_t entry_of(const struct weft__source *x, uint32_t s, unsigned lid,
			bool changed)
{
	uint32_t was = x->match.sw[s];
	uint8_t port = was == WEFT_NONE ? WEFT_NO_PORT :
					  weft_lft_get(x->lft, was, lid);

	return changed ? weft__alive_port(&x->alive, s, port) : port;
}

/* Whether a block of a row is the same in both. */
static bool same_block(const struct weft__source *x, uint32_t s,
		       const uint8_t *row, unsigned first)
{
	uint32_t was = x->match.sw[s];

	return was != WEFT_NONE && first + WEFT_LFT_BLOCK <= x->lft->max_lid &&
	       !memcmp(weft_lft_row(x->lft, was) + first, row + first,
		       WEFT_LFT_BLOCK);
}

static uint64_t compare_row(const struct weft__source *x, uint32_t s,
			    const uint8_t *row, struct weft__lid_set *lids)
{
	const struct weft_fabric *f = x->match.b;
	bool changed = has_changed(&x->match, s);
	uint64_t n = 0;

	for (unsigned lid = 0; lid <= f->max_lid; lid++) {
		if (!changed && lid % WEFT_LFT_BLOCK == 0 &&
		    same_block(x, s, row, lid)) {
			lid += WEFT_LFT_BLOCK - 1;
		} else if (weft_lid_owner(f, lid) != WEFT_NONE &&
			   entry_of(x, s, lid, changed) != row[lid]) {
			weft__lid_set_add(lids, lid);
			n++;
		}
	}
	return n;
}

uint64_t weft__source_differ(const struct weft__source *x,
			     const struct weft_lft *now,
			     struct weft__lid_set *lids)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < x->match.b->nsw; s++)
		n += compare_row(x, s, weft_lft_row(now, s), lids);
	return n;
}

void weft__source_read(const struct weft__source *x, struct weft__column *c,
		       unsigned lid)
{
	for (uint32_t s = 0; s < x->match.b->nsw; s++)
		c->port[s] = entry_of(x, s, lid, true);
	weft__column_begin(c, lid);
}

void weft__source_free(struct weft__source *x)
{
	weft__match_free(&x->match);
}
