// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: standing tables
 */
#include <weft/standing.h>

#include "core/arena.h"
#include "standing/home.h"
#include "standing/mend.h"
#include "standing/newcomers.h"
#include "standing/relieve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct run {
	const struct weft_fabric *f;
	const struct weft_standing_spec *spec;
	struct weft_arena *arena;
	struct weft__carried now;	/* the standing tables */
	struct weft__home home;
	struct weft__loads loads;
	struct weft__column column, other;
	uint8_t *before;	/* [nsw] */
	uint64_t *behind, *added;	/* [nsw] struct weft__mending */
	uint8_t *block;		/* [WEFT_LFT_BLOCK][nsw] columns */
	bool *lost;		/* [max_lid + 1] columns in which some switch
				 * does not arrive */
	struct weft_standing out;
};

static bool is_owned(const struct run *r, unsigned lid)
{
	return weft_lid_owner(r->f, lid) != WEFT_NONE;
}

static void write_column(struct run *r)
{
	const struct weft__column *c = &r->column;
	struct weft_lft *lft = &r->now.routes.lft;

	for (uint32_t s = 0; s < r->f->nsw; s++)
		weft_lft_row(lft, s)[c->lid] = c->port[s];
}

/* Drops what is sent towards a LID that no cable leads to any more: it would
 * get on, and wait for others, as far as entries lead. */
static void drop_apart(struct run *r)
{
	struct weft__column *c = &r->column;

	if (c->njoined == r->f->nsw)
		return;
	for (uint32_t s = 0; s < r->f->nsw; s++)
		if (c->part[s] != c->part[c->root])
			c->port[s] = WEFT_NO_PORT;
	write_column(r);
}

static void survey_column(struct run *r, unsigned lid, const uint8_t *port)
{
	struct weft__column *c = &r->column;

	weft__column_take(c, lid, port);
	if (!weft__column_keeps_order(c))
		weft__column_survey(c);
	drop_apart(r);
	r->lost[lid] = c->nlost;
	weft__loads_begin(&r->loads, c);
}

static void survey(struct run *r)
{
	uint32_t max_lid = r->f->max_lid;

	for (unsigned first = 0; first <= max_lid; first += WEFT_LFT_BLOCK) {
		weft_lft_columns(&r->now.routes.lft, first / WEFT_LFT_BLOCK,
				 r->block);
		for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++)
			if (first + i <= max_lid && is_owned(r, first + i))
				survey_column(r, first + i,
					      r->block + (size_t)i * r->f->nsw);
	}
	weft__loads_order(&r->loads);
}

/* Has entries of a column, which was surveyed and is so afterwards, return
 * home, unless that might close a credit loop. */
static void go_home(struct run *r)
{
	struct weft__column *c = &r->column;
	uint32_t n;

	memcpy(r->before, c->port, r->f->nsw);
	weft__loads_add(&r->loads, c, -1);
	n = weft__home_return(&r->home, c);
	if (n) {
		weft__column_survey(c);
		weft__loads_spread_lanes(&r->loads, c);
	}
	if (n && !weft__loads_allow_column(&r->loads, c)) {
		memcpy(c->port, r->before, r->f->nsw);
		weft__column_survey(c);
		n = 0;
	}
	weft__loads_add(&r->loads, c, 1);
	r->out.returned += n;
}

static void count_changes(struct run *r)
{
	for (uint32_t s = 0; s < r->f->nsw; s++) {
		uint8_t was = r->before[s], now = r->column.port[s];

		r->out.kept += was == now;
		r->out.fresh += was != now && was == WEFT_NO_PORT;
		r->out.given_way += was != now && was != WEFT_NO_PORT;
	}
	r->out.lids++;
}

/* Has a column take the tree of another endport on its switch. */
static bool take_tree(struct run *r)
{
	struct weft__column *c = &r->column;

	weft__loads_add(&r->loads, c, -1);
	if (weft__take_tree(&r->loads, &r->now.routes.lft,
			    &r->now.routes.layers, c, &r->other))
		weft__column_survey(c);
	weft__loads_add(&r->loads, c, 1);
	return !c->nlost;
}

static void mend_column(struct run *r, unsigned lid)
{
	struct weft__column *c = &r->column;
	struct weft__mending mending = {
		.loads = &r->loads, .lft = &r->now.routes.lft, .column = c,
		.behind = r->behind, .added = r->added,
	};

	bool differs = weft__home_differs(&r->home, lid);

	if (!r->lost[lid] && !differs) {
		r->out.kept += r->f->nsw;
		return;
	}
	weft__column_read(c, &r->now.routes.lft, lid);
	weft__column_survey(c);
	if (differs)
		go_home(r);
	memcpy(r->before, c->port, r->f->nsw);
	mending.home = weft__home_ports(&r->home, c);
	/* nobody can tell who waits for whom */
	if (!r->loads.map.uniform)
		r->out.unmended += c->nlost;
	if (c->nlost + 1 < c->njoined || !c->nlost || !take_tree(r)) {
		if (weft__mend(&mending)) {
			weft__column_survey(c);
			r->out.unmended += take_tree(r) ? 0 : c->nlost;
		}
		r->out.pairs += mending.pairs;
	}
	count_changes(r);
	write_column(r);
}

/* Changes beyond those that must be: unless told otherwise as many as keep the
 * whole at two and a half for each entry that is dead. */
static uint64_t changes_left(const struct run *r)
{
	uint64_t most = r->out.dead * 5 / 2;
	uint64_t had = r->out.dead + r->out.given_way;

	if (r->spec->changes != WEFT_STANDING_CHANGES)
		return r->spec->changes;
	return most > had ? most - had : 0;
}

static int relieve(struct run *r)
{
	struct weft__relief relief = {
		.loads = &r->loads, .lft = &r->now.routes.lft,
		.changes = changes_left(r),
	};
	int err = weft__relieve(&relief, r->arena);

	r->out.moved = relief.moved;
	return err;
}

static int make_room(struct run *r)
{
	const struct weft_fabric *f = r->f;

	r->before = weft__arena_alloc(r->arena, f->nsw + 1ull, 1);
	r->block = weft__arena_alloc(r->arena, f->nsw + 1ull, WEFT_LFT_BLOCK);
	r->behind = weft__arena_alloc(r->arena, f->nsw + 1ull, 8);
	r->added = weft__arena_alloc(r->arena, f->nsw + 1ull, 8);
	r->lost = weft__arena_zalloc(r->arena, f->max_lid + 1ull,
				     sizeof(*r->lost));
	return r->before && r->block && r->behind && r->added && r->lost &&
	       weft__column_init(&r->column, f, r->arena) &&
	       weft__column_init(&r->other, f, r->arena) ? 0 : -ENOMEM;
}

static int stand(struct run *r)
{
	const struct weft_fabric *f = r->f;
	int err;

	r->arena = weft__arena_new();
	err = r->arena ? make_room(r) : -ENOMEM;
	if (!err)
		err = weft__carry(&r->now, &r->spec->standing, f);
	if (!err)
		err = weft__home_init(&r->home, r->spec, &r->now, f, r->arena);
	if (!err)
		err = weft__loads_init(&r->loads, f, &r->now.routes.layers,
				       r->spec->lanes, r->arena);
	if (err)
		return err;
	if (r->home.carried.whole)
		r->out.returned = weft__home_take(&r->home, &r->now.routes);
	survey(r);
	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		if (is_owned(r, lid))
			mend_column(r, lid);
	r->out.dead = r->now.dead;
	r->out.fresh -= r->out.dead < r->out.fresh ? r->out.dead : r->out.fresh;
	return relieve(r);
}

int weft_standing_run(const struct weft_fabric *fabric,
		      const struct weft_standing_spec *spec,
		      struct weft_routes *routes, struct weft_standing *out,
		      struct weft_diag *diag)
{
	struct run r = { .f = fabric, .spec = spec };
	int err = stand(&r);

	if (err) {
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	} else {
		*routes = r.now.routes;
		r.now.routes = (struct weft_routes){ .lid_offset = NULL };
		*out = r.out;
	}
	weft__loads_free(&r.loads);
	weft__home_free(&r.home);
	weft__carried_free(&r.now);
	weft__arena_free(r.arena);
	return err;
}
