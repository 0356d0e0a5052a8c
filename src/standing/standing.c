// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: standing tables
 */
#include <weft/standing.h>

#include "core/arena.h"
#include "standing/budget.h"
#include "standing/mixture.h"
#include "standing/newcomers.h"
#include "standing/relieve.h"
#include "standing/rest.h"
#include "standing/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Columns looked at, by switches, that are too many to improve tables in a
 * sweep: some ten milliseconds. */
#define LONG (3ull << 17)

/* To mend all, before the fabric has to be routed anew. */
#define ATTEMPTS 8
#define BRIEF 3

/* No attempt follows one that leaves FEW more than FAR_OFF times the least so far:
 * each takes longer than the one before, and OpenSM's lock is held. */
#define FEW 64
#define FAR_OFF 4

/* Cables of home that were gone before already. */
static uint32_t gone_earlier(const struct weft__run *r)
{
	uint32_t now = weft__stake_missing(&r->now.match), all;

	all = r->home.known ? weft__stake_missing(&r->home.match) : now;
	return all > now ? all - now : 0;
}

static struct weft__budget budget_of(const struct weft__run *r)
{
	return weft__budget(&(struct weft__stake){
		.dead = r->out.dead, .given_way = r->out.given_way,
		.grown = weft__stake_grown(&r->now.match, r->home.known ?
					   &r->home.match : NULL),
		.earlier = gone_earlier(r),
		.blocks = r->blocks.n, .more = r->terms->more,
		.changes = r->spec.changes,
	});
}

/* Hands over what relief needs. */
static int leave(struct weft__run *r, const struct weft__relief *relief)
{
	struct weft__rest *rest = malloc(sizeof(*rest));

	if (!rest)
		return -ENOMEM;
	*rest = (struct weft__rest){
		.fabric = r->f, .arena = r->arena, .loads = r->loads,
		.changes = relief->changes, .blocks = r->blocks,
		.anyway = relief->anyway,
	};
	r->arena = NULL;
	r->loads = (struct weft__loads){ .fabric = NULL };
	r->terms->rest = rest;
	return 0;
}

/* Whether relief is for later. */
static bool is_for_later(const struct weft__run *r,
			 const struct weft__relief *relief)
{
	uint64_t looks = weft__relief_looks(r->f, relief->changes);
	uint64_t shifts = weft__relief_shifts(&r->loads, relief->anyway);

	return r->spec.order != WEFT_STANDING_IN_ORDER &&
	       (r->terms->when == WEFT__BALANCE_LATER ||
		(r->terms->when == WEFT__BALANCE_AUTO &&
		 looks * r->f->nsw + shifts > LONG));
}

/* Counts entries that differ from those in force, of which it keeps the LIDs. */
static int compare(struct weft__run *r, const struct weft_diff_side *standing,
		   uint64_t *entries)
{
	int err = weft__source_init(&r->source, standing, r->f, r->arena);

	if (!err)
		*entries = weft__source_differ(&r->source, &r->now.routes.lft,
					       &r->changed);
	return err;
}

/* Has entries wait, by the tables in force. */
static int put_in_order(struct weft__run *r,
			const struct weft_diff_side *standing)
{
	uint64_t entries;
	int err = r->source.lft ? 0 : compare(r, standing, &entries);

	if (!err)
		r->out.waiting = weft__hold_back(&r->source, &r->changed,
						 &r->now.routes.lft, r->arena);
	return err;
}

static int relieve(struct weft__run *r)
{
	struct weft__budget budget = budget_of(r);
	struct weft__relief relief = {
		.loads = &r->loads, .routes = &r->now.routes,
		.changes = budget.changes, .blocks = &r->blocks,
		.anyway = budget.anyway,
	};
	int err = r->spec.order == WEFT_STANDING_HOME_IN_ORDER &&
		  r->any_returned ? put_in_order(r, &r->spec.standing) : 0;

	/* what waits carries loads that are not known yet */
	if (r->out.waiting)
		r->terms->owed = relief.changes;
	if (err || r->out.waiting)
		return err;
	if (relief.changes && is_for_later(r, &relief))
		return leave(r, &relief);
	err = weft__relieve(&relief, r->arena);
	r->out.moved = relief.changed;
	r->out.kept -= relief.changed;
	r->out.pairs += relief.pairs;
	return err;
}

static int make_room(struct weft__run *r)
{
	const struct weft_fabric *f = r->f;

	r->before = weft__arena_alloc(r->arena, f->nsw + 1ull, 1);
	r->returned = weft__arena_alloc(r->arena, f->nsw + 1ull, 1);
	r->behind = weft__arena_zalloc(r->arena, f->nsw + 1ull, 8);
	r->added = weft__arena_zalloc(r->arena, f->nsw + 1ull, 8);
	r->all = weft__arena_alloc(r->arena, f->nsw + 1ull, 4);
	r->was = weft__arena_alloc(r->arena, f->nsw + 1ull, 1);
	return r->before && r->returned && r->behind && r->added && r->all &&
	       r->was &&
	       weft__blocks_init(&r->blocks, f->nsw, f->max_lid, r->arena) &&
	       weft__column_init(&r->column, f, r->arena) &&
	       weft__column_init(&r->other, f, r->arena) ? 0 : -ENOMEM;
}

/* Has channels follow each other as told, where no dependency is against it. */
static int take_order(struct weft__run *r)
{
	const uint32_t *by_rank = r->terms->order;
	uint32_t nch = r->loads.order.cdg.nch;
	uint32_t *rank = weft__arena_alloc(r->arena, nch + 1ull, sizeof(*rank));

	if (!rank)
		return -ENOMEM;
	for (uint32_t i = 0; i < nch; i++)
		rank[by_rank[i]] = i;
	weft__order_by_rank(&r->loads.order, rank, by_rank);
	return 0;
}

static int mend_columns(struct weft__run *r)
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
	if (!err && r->ordered && r->loads.kinds)
		err = take_order(r);
	if (err)
		return err;
	r->out.dead = r->now.dead;
	r->in_order = r->loads.kinds == WEFT__KINDS;
	weft__mend_all(r, false);
	weft__mend_all(r, true);
	if (r->out.unmended && !weft__is_hopeless(r))
		err = weft__mend_left(r);
	if (!err && !r->out.unmended)
		err = relieve(r);
	r->terms->in_order = r->in_order && r->loads.kinds == WEFT__KINDS;
	r->out.fresh -= r->out.dead < r->out.fresh ? r->out.dead : r->out.fresh;
	return err;
}

/* Takes the home tables for the standing ones. */
static int go_home_at_once(struct weft__run *r)
{
	struct weft_diff_side away = r->spec.standing;
	int err;

	r->spec.standing = r->spec.home;
	r->spec.base = NULL;
	err = weft__carry(&r->now, &r->spec.standing, r->f, r->arena);
	if (!err)
		err = compare(r, &away, &r->out.returned);
	for (unsigned lid = 1; !err && lid <= r->f->max_lid; lid++)
		r->out.lids += weft__lid_set_has(&r->changed, lid);
	return err;
}

static void keep_all(struct weft__run *r)
{
	for (unsigned lid = 1; lid <= r->f->max_lid; lid++)
		if (weft_lid_owner(r->f, lid) != WEFT_NONE)
			r->out.kept += r->f->nsw;
}

/* Finds whether all is here that was at home; *more: that and something
 * else. */
static int look_home(const struct weft__run *r, bool *whole, bool *more)
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

static int stand(struct weft__run *r)
{
	const struct weft_diff_side standing = r->spec.standing;
	bool whole, more, ordered;
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
	/* these stand now, and were taken for those that did */
	if (!err && whole)
		r->out.kept -= r->out.returned;
	ordered = r->spec.order == WEFT_STANDING_IN_ORDER ||
		  (r->spec.order == WEFT_STANDING_HOME_IN_ORDER && !err &&
		   whole && !more);
	return err || !ordered ? err : put_in_order(r, &standing);
}

static void clear(struct weft__run *r)
{
	weft__survey_free(&r->survey);
	weft__loads_free(&r->loads);
	weft__home_free(&r->home);
	weft__carried_free(&r->now);
	weft__source_free(&r->source);
	weft__arena_free(r->arena);
}

/* Has the LIDs that could not be mended come before all others the next time.
 * Returns whether that is another order than the last one. */
static bool note_hard(struct weft__run *r)
{
	bool other = false;

	for (unsigned lid = 0; lid <= r->f->max_lid; lid++) {
		other |= r->failed[lid] != (r->hard[lid] == r->again &&
					    r->again);
		if (r->failed[lid])
			r->hard[lid] = r->again + 1;
		r->failed[lid] = false;
	}
	return other;
}

/* What is known of the tables in force serves for the next attempt, too. */
static void keep_base(struct weft__run *r)
{
	struct weft_standing_base *own = r->survey.own;

	if (!own || own->of.routes != r->told.standing.routes)
		return;
	r->told.base = r->base = own;
	r->survey.own = NULL;
}

/* Begins again, in the order of what could not be mended, or in that of channels,
 * if one is told. */
static int stand_again(struct weft__run *r)
{
	bool order = r->terms->order && !r->ordered;
	struct weft__run begun;

	keep_base(r);
	begun = (struct weft__run){
		.f = r->f, .spec = r->told, .told = r->told, .base = r->base,
		.terms = r->terms, .hard = r->hard, .failed = r->failed,
		.again = r->again + !order, .ordered = r->ordered || order,
	};
	clear(r);
	*r = begun;
	return stand(r);
}

int weft__standing_run(const struct weft_fabric *fabric,
		       const struct weft_standing_spec *spec,
		       struct weft__terms *terms,
		       struct weft_routes *routes, struct weft_standing *out,
		       struct weft_diag *diag)
{
	struct weft__run r = {
		.f = fabric, .spec = *spec, .told = *spec, .terms = terms,
		.hard = calloc(fabric->max_lid + 1ull, 1),
		.failed = calloc(fabric->max_lid + 1ull, sizeof(bool)),
	};
	int err = r.hard && r.failed ? 0 : -ENOMEM;
	unsigned attempts = terms->brief ? BRIEF : ATTEMPTS;
	uint64_t left, least = UINT64_MAX;

	terms->rest = NULL;
	terms->owed = 0;
	terms->in_order = false;
	err = err ? err : stand(&r);
	if (!err && r.out.unmended && terms->order) {
		memset(r.failed, 0, fabric->max_lid + 1ull);
		err = stand_again(&r);
	}
	for (unsigned n = 1; !err && r.out.unmended && r.loads.map.uniform &&
			     n < attempts; n++) {
		/* the same ones in the same order would fail again */
		if (!note_hard(&r))
			break;
		left = r.out.unmended;
		least = left < least ? left : least;
		if (left > FEW + least * FAR_OFF || weft__is_hopeless(&r))
			break;
		err = stand_again(&r);
	}
	if (err) {
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	} else {
		*routes = r.now.routes;
		r.now.routes = (struct weft_routes){ .lid_offset = NULL };
		*out = r.out;
	}
	clear(&r);
	weft_standing_base_free(r.base);
	free(r.hard);
	free(r.failed);
	return err;
}

int weft_standing_run(const struct weft_fabric *fabric,
		      const struct weft_standing_spec *spec,
		      struct weft_routes *routes, struct weft_standing *out,
		      struct weft_diag *diag)
{
	struct weft__terms now = { .when = WEFT__BALANCE_NOW };

	return weft__standing_run(fabric, spec, &now, routes, out, diag);
}
