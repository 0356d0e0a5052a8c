// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks at what a change of the fabric touches; see survey.h. */
#include "standing/survey.h"

#include "core/arena.h"
#include "standing/newcomers.h"

#include <errno.h>
#include <string.h>

/* Why a column is looked at. */
enum { UNTOUCHED, BROKEN, OTHER };

static bool is_owned(const struct weft_fabric *f, unsigned lid)
{
	return weft_lid_owner(f, lid) != WEFT_NONE;
}

/* Makes a base of the tables as they are here. */
static int make_base(struct weft__survey *v)
{
	const struct weft_diff_side here = { v->fabric, &v->now->routes };
	int err = weft__match_make(&v->same, v->fabric, v->fabric);

	weft_standing_base_free(v->own);
	v->own = NULL;
	return err ? err :
		weft_standing_prepare(&here, v->spec->lanes, &v->own, NULL);
}

/* Takes over the base of the tables in force. */
static int inherit(struct weft__survey *v, struct weft_arena *arena)
{
	const struct weft_standing_base *base = v->spec->base;
	const struct weft__match *match = &v->now->match;
	int err = 0;

	if (!base) {
		err = weft_standing_prepare(&v->spec->standing, v->spec->lanes,
					    &v->own, NULL);
		base = v->own;
	}
	if (!err && !weft__can_inherit(base, v->loads)) {
		err = make_base(v);
		base = v->own;
		match = &v->same;
	}
	return err ? err : weft__inherit(&v->known, base, match, v->loads,
					 arena);
}

/* Whether a fabric is in parts that no cable joins. */
static bool is_in_parts(const struct weft__column *c)
{
	for (uint32_t s = 0; s < c->fabric->nsw; s++)
		if (c->part[s] != c->part[0])
			return true;
	return false;
}

/* Whether a switch is new, or the fabric is or was in parts: any column may be
 * concerned. */
static bool touches_all(const struct weft__survey *v)
{
	for (uint32_t s = 0; s < v->fabric->nsw; s++)
		if (v->known.match->sw[s] == WEFT_NONE)
			return true;
	return is_in_parts(v->column) || is_in_parts(&v->known.column);
}

/* Whether a switch has endports now whose traffic nobody looked at as yet. */
static bool has_new_sources(const struct weft__survey *v, uint32_t s)
{
	const struct weft__match *m = v->known.match;
	uint32_t was = m->sw[s];

	if (!v->loads->ends[s] || was == WEFT_NONE)
		return false;
	if (!v->known.base->loads.ends[was])
		return true;
	return weft__has_new_levels(v->loads->layers, m, s);
}

/* Takes the entry of a switch with new sources out of a column if what they
 * send might close a credit loop. */
static void check_source(struct weft__survey *v, unsigned lid, uint32_t s)
{
	struct weft__column *c = v->column;

	weft__column_read(c, &v->now->routes.lft, lid);
	weft__column_survey(c);
	if (s == c->root || c->hops[s] == WEFT__FAR ||
	    weft__loads_allow(v->loads, c, s,
			      weft__loads_own_lanes(v->loads, c, s)))
		return;
	weft_lft_row(&v->now->routes.lft, s)[lid] = WEFT_NO_PORT;
	v->touched[lid] = OTHER;
}

static void check_sources(struct weft__survey *v)
{
	for (uint32_t s = 0; s < v->fabric->nsw; s++)
		for (unsigned lid = 1; has_new_sources(v, s) &&
				       lid <= v->fabric->max_lid; lid++)
			if (is_owned(v->fabric, lid))
				check_source(v, lid, s);
}

/* Finds the columns that have to be looked at. */
static void find_touched(struct weft__survey *v)
{
	const struct weft__match *m = v->known.match;
	bool all = touches_all(v);

	for (unsigned lid = 1; lid <= v->fabric->max_lid; lid++)
		v->touched[lid] = all || !weft__match_lid(m, lid) ||
			v->known.base->lost[lid] ||
			weft__lid_weight(m->a, lid) !=
				weft__lid_weight(v->fabric, lid) ? OTHER :
			v->now->broken[lid] ? BROKEN : UNTOUCHED;
	check_sources(v);
}

/* Drops what is sent towards a LID that no cable leads to any more: it would
 * get on, and wait for others, as far as entries lead. */
static void drop_apart(struct weft__survey *v)
{
	struct weft__column *c = v->column;

	if (c->njoined == v->fabric->nsw)
		return;
	for (uint32_t s = 0; s < v->fabric->nsw; s++)
		if (c->part[s] != c->part[c->root])
			c->port[s] = WEFT_NO_PORT;
	weft__column_write(c, &v->now->routes.lft);
}

/* Drops all entries of a LID that somebody else had, if they might close a
 * credit loop. */
static void check_owner(struct weft__survey *v)
{
	struct weft__column *c = v->column;

	if (weft__match_lid(v->known.match, c->lid))
		return;
	weft__loads_spread_lanes(v->loads, c);
	if (weft__loads_allow_column(v->loads, c))
		return;
	for (uint32_t s = 0; s < v->fabric->nsw; s++)
		if (s != c->root)
			c->port[s] = WEFT_NO_PORT;
	weft__column_write(c, &v->now->routes.lft);
	weft__column_survey(c);
}

/* Those that are lost send nothing. */
static void drop_branches(struct weft__survey *v, unsigned lid)
{
	const uint32_t *sw = v->branches.sw + v->branches.first[lid];

	for (uint32_t i = 0; i < v->branches.n[lid]; i++)
		weft__disinherit_way(&v->known, sw[i], lid);
	v->lost[lid] = weft__lost_bits(v->branches.n[lid]);
}

/* Whether the base is that of the tables as they are here, so that it knows of
 * each column what there is to know. */
static bool is_known(const struct weft__survey *v)
{
	return v->known.base->of.fabric == v->fabric &&
	       !is_in_parts(v->column);
}

/* The load of a column as it was makes way for what of it is left. */
static void look_again(struct weft__survey *v, unsigned lid)
{
	struct weft__column *c = v->column;

	if (lid <= v->fabric->max_lid && v->touched[lid] == BROKEN &&
	    is_owned(v->fabric, lid) &&
	    weft__branches_find(&v->branches, lid)) {
		drop_branches(v, lid);
		return;
	}
	weft__disinherit(&v->known, lid);
	if (!is_owned(v->fabric, lid))
		return;
	weft__column_read(c, &v->now->routes.lft, lid);
	weft__column_survey(c);
	drop_apart(v);
	check_owner(v);
	v->lost[lid] = weft__lost_bits(c->nlost);
	weft__loads_add(v->loads, c, 1);
}

int weft__survey_run(struct weft__survey *v, struct weft_arena *arena)
{
	uint32_t was, max_lid = v->fabric->max_lid;
	int err;

	v->touched = weft__arena_zalloc(arena, max_lid + 1ull, 1);
	v->lost = weft__arena_zalloc(arena, max_lid + 1ull, 1);
	err = v->touched && v->lost ? inherit(v, arena) : -ENOMEM;
	if (!err)
		err = weft__branches_init(&v->branches, v->now, arena);
	if (err)
		return err;
	if (is_known(v)) {
		memcpy(v->lost, v->known.base->lost, max_lid + 1ull);
		return 0;
	}
	was = v->known.match->a->max_lid;
	find_touched(v);
	for (unsigned lid = 1; lid <= was || lid <= max_lid; lid++)
		if (lid > max_lid || v->touched[lid])
			look_again(v, lid);
	return 0;
}

void weft__survey_free(struct weft__survey *v)
{
	weft_standing_base_free(v->own);
	weft__match_free(&v->same);
	weft__branches_free(&v->branches);
}
