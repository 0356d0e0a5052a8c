// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Carries tables from one state of a fabric to another; see carried.h. */
#include "standing/carried.h"

/* Finds the ports of a switch that are no way on: without a cable, or with one
 * that led elsewhere.  Returns whether any port that had a cable is. */
static bool find_dead(const struct weft__carried *c, uint32_t s,
		      bool dead[WEFT_NO_PORT + 1])
{
	const struct weft_fabric *f = c->match.b;
	bool any = false;

	dead[0] = false;
	for (unsigned p = 1; p < WEFT_NO_PORT; p++) {
		dead[p] = p > f->sw[s].nports ||
			  !weft__match_cable(&c->match, s, p) ||
			  f->peer[weft_channel(f, s, p)] == WEFT_NONE;
		any |= dead[p];
	}
	dead[WEFT_NO_PORT] = false;
	return any;
}

static void drop_dead(struct weft__carried *c)
{
	const struct weft_fabric *f = c->match.b;
	bool dead[WEFT_NO_PORT + 1];

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint8_t *row = weft_lft_row(&c->routes.lft, s);

		if (c->match.sw[s] == WEFT_NONE || !find_dead(c, s, dead))
			continue;
		for (unsigned lid = 0; lid <= f->max_lid; lid++)
			if (dead[row[lid]]) {
				row[lid] = WEFT_NO_PORT;
				c->dead += f->lid_owner[lid] != WEFT_NONE;
			}
	}
}

/* Takes away what is for LIDs that nobody has. */
static void drop_unowned(struct weft__carried *c)
{
	const struct weft_fabric *f = c->match.b;
	struct weft_lft *lft = &c->routes.lft;

	for (unsigned lid = 0; lid <= lft->max_lid; lid++)
		if (weft_lid_owner(f, lid) == WEFT_NONE)
			for (uint32_t s = 0; s < f->nsw; s++)
				weft_lft_row(lft, s)[lid] = WEFT_NO_PORT;
}

/* Whether all that the other state has is here: its cables, those to endports
 * included, and its LIDs. */
static bool find_whole(const struct weft__carried *c)
{
	const struct weft_fabric *was = c->match.a;
	uint32_t n = 0, here = 0;

	for (uint32_t ch = 0; ch < was->first_injection; ch++)
		n += was->peer[ch] != WEFT_NONE;
	for (uint32_t s = 0; s < c->match.b->nsw; s++) {
		uint32_t old = c->match.sw[s];

		if (old == WEFT_NONE)
			continue;
		for (unsigned p = 1; p <= c->match.b->sw[s].nports; p++)
			here += weft__match_cable(&c->match, s, p) &&
				was->peer[weft_channel(was, old, p)] !=
					WEFT_NONE;
	}
	if (here != n)
		return false;
	for (unsigned lid = 1; lid <= was->max_lid; lid++)
		if (weft_lid_owner(was, lid) != WEFT_NONE &&
		    !weft__match_lid(&c->match, lid))
			return false;
	return true;
}

int weft__carry(struct weft__carried *c, const struct weft_diff_side *from,
		const struct weft_fabric *f)
{
	int err;

	*c = (struct weft__carried){ .there = from->fabric };
	if (!c->there)
		return 0;
	err = weft__match_make(&c->match, from->fabric, f);
	if (!err)
		err = weft_routes_carry(from, f, &c->routes);
	if (err)
		return err;
	c->whole = find_whole(c);
	drop_dead(c);
	drop_unowned(c);
	return 0;
}

void weft__carried_free(struct weft__carried *c)
{
	weft_routes_free(&c->routes);
	weft__match_free(&c->match);
}
