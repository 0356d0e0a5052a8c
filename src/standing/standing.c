// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: standing tables
 */
#include <weft/standing.h>

#include "core/arena.h"
#include "standing/budget.h"
#include "standing/home.h"
#include "standing/mend.h"
#include "standing/mixture.h"
#include "standing/newcomers.h"
#include "standing/relieve.h"
#include "standing/rest.h"
#include "standing/survey.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Columns looked at, by switches, that are too many to improve tables in a
 * sweep: a few milliseconds. */
#define LONG (1ull << 18)

struct run {
	const struct weft_fabric *f;
	struct weft_standing_spec spec;
	struct weft__balance *balance;
	struct weft_arena *arena;
	struct weft__carried now;	/* the standing tables */
	struct weft__home home;
	struct weft__loads loads;
	struct weft__column column, other;
	struct weft__survey survey;
	uint8_t *before;	/* [nsw] */
	uint64_t *behind, *added;	/* [nsw] struct weft__mending */
	uint32_t *all;			/* [nsw] likewise */
	uint8_t *was;			/* [nsw] likewise */
	struct weft__blocks blocks;	/* with an entry that changes */
	struct weft_standing out;
};

static bool is_owned(const struct run *r, unsigned lid)
{
	return weft_lid_owner(r->f, lid) != WEFT_NONE;
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

static void count_change(struct run *r, uint8_t was, uint8_t now)
{
	r->out.kept += was == now;
	r->out.fresh += was != now && was == WEFT_NO_PORT;
	r->out.given_way += was != now && was != WEFT_NO_PORT;
}

static void count_changes(struct run *r)
{
	for (uint32_t s = 0; s < r->f->nsw; s++)
		count_change(r, r->before[s], r->column.port[s]);
	r->out.lids++;
}

/* Notes that a block has to be sent if an entry of the column is not what it
 * was in the tables in force. */
static void mark_block(struct run *r, uint32_t s)
{
	const struct weft__column *c = &r->column;
	uint32_t was = r->now.match.sw[s];

	if (was == WEFT_NONE || c->port[s] !=
	    weft_lft_get(&r->spec.standing.routes->lft, was, c->lid))
		weft__blocks_put(&r->blocks, s, c->lid);
}

static void mark_blocks(struct run *r)
{
	for (uint32_t s = 0; s < r->f->nsw; s++)
		mark_block(r, s);
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

static struct weft__mending mending_of(struct run *r)
{
	return (struct weft__mending){
		.loads = &r->loads, .routes = &r->now.routes,
		.column = &r->column, .behind = r->behind, .added = r->added,
		.all = r->all, .was = r->was,
	};
}

/* Where branches are not mended, the whole column is read after all, with what
 * was. */
static void finish_whole(struct run *r, const uint32_t *sw, uint32_t n)
{
	struct weft__column *c = &r->column;

	for (uint32_t i = 0; i < n; i++)
		r->all[i] = c->port[sw[i]];
	weft__column_read(c, &r->now.routes.lft, c->lid);
	memcpy(r->before, c->port, r->f->nsw);
	for (uint32_t i = 0; i < n; i++)
		c->port[sw[i]] = r->all[i];
	weft__column_survey(c);
	r->out.unmended += take_tree(r) ? 0 : c->nlost;
	count_changes(r);
	mark_blocks(r);
	weft__column_write(c, &r->now.routes.lft);
}

/* Mends a column of which branches are lost; the rest of it is not read. */
static void mend_branches(struct run *r, unsigned lid)
{
	struct weft__branches *b = &r->survey.branches;
	struct weft__column *c = &r->column;
	struct weft__mending mending = mending_of(r);
	const uint32_t *sw = b->sw + b->first[lid];
	uint32_t n = b->n[lid], left;

	weft__branches_read(b, c, lid);
	/* nobody can tell who waits for whom */
	if (!r->loads.map.uniform)
		r->out.unmended += n;
	left = weft__mend(&mending);
	r->out.pairs += mending.pairs;
	if (left) {
		finish_whole(r, sw, n);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint8_t *entry = &weft_lft_row(&r->now.routes.lft, sw[i])[lid];

		count_change(r, *entry, c->port[sw[i]]);
		mark_block(r, sw[i]);
		*entry = c->port[sw[i]];
	}
	r->out.kept += r->f->nsw - n;
	r->out.lids++;
}

static void mend_column(struct run *r, unsigned lid)
{
	struct weft__column *c = &r->column;
	struct weft__mending mending = mending_of(r);
	bool differs = weft__home_differs(&r->home, lid);

	/* to home only what lost its way can return, if nothing is back */
	if (!r->survey.lost[lid] && (!differs || !r->home.back)) {
		r->out.kept += r->f->nsw;
		return;
	}
	if (!differs && r->survey.branches.n[lid]) {
		mend_branches(r, lid);
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
	mark_blocks(r);
	weft__column_write(c, &r->now.routes.lft);
}

static struct weft__budget budget_of(const struct run *r)
{
	return weft__budget(&(struct weft__stake){
		.dead = r->out.dead, .given_way = r->out.given_way,
		.grown = weft__stake_grown(&r->now.match, r->home.known ?
					   &r->home.match : NULL),
		.blocks = r->blocks.n, .more = r->balance->more,
		.changes = r->spec.changes,
	});
}

/* Hands over what relief needs. */
static int leave(struct run *r, const struct weft__relief *relief)
{
	struct weft__rest *rest = malloc(sizeof(*rest));

	if (!rest)
		return -ENOMEM;
	*rest = (struct weft__rest){
		.fabric = r->f, .arena = r->arena, .loads = r->loads,
		.changes = relief->changes, .blocks = r->blocks,
		.fresh = relief->fresh, .anyway = relief->anyway,
	};
	r->arena = NULL;
	r->loads = (struct weft__loads){ .fabric = NULL };
	r->balance->rest = rest;
	return 0;
}

/* Whether relief with so many looks at columns is for later. */
static bool is_for_later(const struct run *r, uint64_t looks)
{
	return !r->spec.in_order &&
	       (r->balance->when == WEFT__BALANCE_LATER ||
		(r->balance->when == WEFT__BALANCE_AUTO &&
		 looks * r->f->nsw > LONG));
}

static int relieve(struct run *r)
{
	struct weft__budget budget = budget_of(r);
	struct weft__relief relief = {
		.loads = &r->loads, .lft = &r->now.routes.lft,
		.changes = budget.changes, .blocks = &r->blocks,
		.fresh = budget.blocks, .anyway = budget.anyway,
	};
	uint64_t looks = weft__relief_looks(r->f, relief.changes);
	int err;

	if (relief.changes && is_for_later(r, looks))
		return leave(r, &relief);
	err = weft__relieve(&relief, r->arena);
	r->out.moved = relief.moved;
	return err;
}

static int make_room(struct run *r)
{
	const struct weft_fabric *f = r->f;

	r->before = weft__arena_alloc(r->arena, f->nsw + 1ull, 1);
	r->behind = weft__arena_zalloc(r->arena, f->nsw + 1ull, 8);
	r->added = weft__arena_zalloc(r->arena, f->nsw + 1ull, 8);
	r->all = weft__arena_alloc(r->arena, f->nsw + 1ull, 4);
	r->was = weft__arena_alloc(r->arena, f->nsw + 1ull, 1);
	return r->before && r->behind && r->added && r->all && r->was &&
	       weft__blocks_init(&r->blocks, f->nsw, f->max_lid, r->arena) &&
	       weft__column_init(&r->column, f, r->arena) &&
	       weft__column_init(&r->other, f, r->arena) ? 0 : -ENOMEM;
}

/* Has entries wait, by the tables in force. */
static int put_in_order(struct run *r, const struct weft_diff_side *standing)
{
	struct weft__carried was;
	int err = weft__carry(&was, standing, r->f, r->arena);

	if (!err)
		r->out.waiting = weft__hold_back(r->f, &was.routes.lft,
						 &r->now.routes.lft, r->arena);
	weft__carried_free(&was);
	return err;
}

/* LIDs of endports come first: ways to them are worth most. */
static void mend_all(struct run *r, bool switches)
{
	for (unsigned lid = 1; lid <= r->f->max_lid; lid++)
		if (is_owned(r, lid) &&
		    weft_is_switch(weft_lid_owner(r->f, lid)) == switches)
			mend_column(r, lid);
}

static int mend_columns(struct run *r)
{
	int err = weft__home_init(&r->home, &r->spec, &r->now, r->f, r->arena);

	weft__take_levels(&r->now.routes.layers, &r->now.match);
	if (!err)
		err = weft__loads_init(&r->loads, r->f, &r->now.routes.layers,
				       r->spec.lanes, r->arena);
	r->survey = (struct weft__survey){
		.fabric = r->f, .spec = &r->spec, .now = &r->now,
		.loads = &r->loads, .column = &r->column,
	};
	if (!err)
		err = weft__survey_run(&r->survey, r->arena);
	if (err)
		return err;
	r->out.dead = r->now.dead;
	mend_all(r, false);
	mend_all(r, true);
	err = relieve(r);
	r->out.fresh -= r->out.dead < r->out.fresh ? r->out.dead : r->out.fresh;
	return err;
}

/* Takes the home tables for the standing ones. */
static int go_home_at_once(struct run *r)
{
	struct weft_diff_side away = r->spec.standing;
	int err;

	r->spec.standing = r->spec.home;
	r->spec.base = NULL;
	err = weft__carry(&r->now, &r->spec.standing, r->f, r->arena);
	return err ? err : weft__carried_differ(&r->now, &away,
						&r->out.returned, r->arena);
}

static void keep_all(struct run *r)
{
	for (unsigned lid = 1; lid <= r->f->max_lid; lid++)
		r->out.kept += is_owned(r, lid) ? r->f->nsw : 0;
	r->out.kept -= r->out.returned;
}

/* Finds whether all is here that was at home; *more: that and something
 * else. */
static int look_home(const struct run *r, bool *whole, bool *more)
{
	struct weft__match m;
	int err;

	*whole = *more = false;
	if (!r->spec.home.fabric ||
	    r->spec.home.routes == r->spec.standing.routes)
		return 0;
	err = weft__match_make(&m, r->spec.home.fabric, r->f);
	if (!err) {
		*whole = weft__parts_whole(&m);
		*more = !weft__parts_no_more(&m);
	}
	weft__match_free(&m);
	return err;
}

static int stand(struct run *r)
{
	const struct weft_diff_side standing = r->spec.standing;
	bool whole, more;
	int err;

	r->arena = weft__arena_new();
	err = r->arena ? make_room(r) : -ENOMEM;
	if (!err)
		err = look_home(r, &whole, &more);
	if (!err)
		err = whole ? go_home_at_once(r) :
			weft__carry(&r->now, &r->spec.standing, r->f, r->arena);
	if (!err && (!whole || more))
		err = mend_columns(r);
	else if (!err)
		keep_all(r);
	return err || !r->spec.in_order ? err : put_in_order(r, &standing);
}

int weft__standing_run(const struct weft_fabric *fabric,
		       const struct weft_standing_spec *spec,
		       struct weft__balance *balance,
		       struct weft_routes *routes, struct weft_standing *out,
		       struct weft_diag *diag)
{
	struct run r = { .f = fabric, .spec = *spec, .balance = balance };
	int err;

	balance->rest = NULL;
	err = stand(&r);
	if (err) {
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	} else {
		*routes = r.now.routes;
		r.now.routes = (struct weft_routes){ .lid_offset = NULL };
		*out = r.out;
	}
	weft__survey_free(&r.survey);
	weft__loads_free(&r.loads);
	weft__home_free(&r.home);
	weft__carried_free(&r.now);
	weft__arena_free(r.arena);
	return err;
}

int weft_standing_run(const struct weft_fabric *fabric,
		      const struct weft_standing_spec *spec,
		      struct weft_routes *routes, struct weft_standing *out,
		      struct weft_diag *diag)
{
	struct weft__balance now = { .when = WEFT__BALANCE_NOW };

	return weft__standing_run(fabric, spec, &now, routes, out, diag);
}
