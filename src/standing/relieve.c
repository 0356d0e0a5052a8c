// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: relief
 *
 * What all-to-all traffic gets is decided by the most loaded channel, and one
 * that takes over what a failed cable carried is easily that.  Entries move
 * where the sum of prices falls, as when engines ease their tables
 * (loads/ease.c), but each of them has its own cost here: so of all entries
 * the one moves first that saves most for what it costs.  Those that had to
 * change anyway find their place almost for nothing, others in blocks that are
 * sent in any case come next, and a block is sent for relief alone where these
 * do not help.
 *
 * A look at a column tells the best move in it.  As moves make others pay
 * less, hardly ever more, what was seen once is a bound: the column that
 * promises most is looked at again, and its move is made if that still is about
 * the best one.
 *
 * A pair of switches whose route could not leave the peak without a credit loop
 * changes lanes, among those that the tables use: the others are left for what
 * fails next.
 *
 * Then moves are taken back from where they were not worth the blocks
 * that they took: one more has to lower the peak by a part of its share of all
 * that are sent anyway.  Where enough of them are, shifts have what is left
 * (shifted.c).
 */
#include "standing/relieve.h"

#include "core/arena.h"
#include "graph/entries.h"
#include "loads/easing.h"
#include "standing/shifted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_HOPS 64
#define REFUSED 3	/* moves of a column, before it is left alone */
_Static_assert(REFUSED <= WEFT__EASE_TRIES, "easing knows as many");

/* Times to look at a column: three for each four entries that may change, and
 * a part of all columns, so that time follows what a failure breaks; and some
 * more, by the switches looked at, which small fabrics need and large ones,
 * which have less of it, would not notice. */
#define MORE_LOOKS (1ull << 18)
#define SMALL 128		/* switches */

/* So many blocks for each that has to be sent anyway would be worth it if they
 * lowered the peak to nothing. */
#define WORTH_EACH 5

/* What blocks cost in entries, by how many there are anyway: one more beside a
 * few counts for a lot, beside hundreds it does not. */
#define BLOCK_COST 1280.0

/* A move is made if no other one promises half as much again: the best of all
 * takes several times as many looks. */
#define GOOD 0.7

/* What shifts may look at for each block that is sent anyway. */
#define SHIFTS_EACH 2048

/* How far below the peak channels are that a round relieves: the first of these
 * shares of it that does not take more entries than may change. */
static const double steps[] = { 1. / 8, 1. / 20, 1. / 64, 1. / 256 };

#define SURVEY_WORK 4		/* what a look at a switch counts for at least */

struct relief {
	struct weft__relief *told;
	struct weft__easing z;
	struct weft__ease_costs left;
	uint64_t work;		/* that it may take, as of z.looked */
	struct column {
		double worth;	/* of its best move, when it was looked at */
		uint16_t lid;
		uint8_t nrefused;	/* moves of it that would close a cycle */
		uint32_t refused[REFUSED];
	} *column;		/* [ncolumns] in which something moves */
	uint32_t ncolumns;
	uint64_t least;		/* peak */
	uint64_t mended;	/* blocks of told->blocks, as they were */
	double cost, block;	/* of the best tables so far: peak and blocks, in
				 * the load that one must lower the peak by */
	size_t best;		/* moves up to these, */
	uint64_t changed;	/* and entries that changed for them alone */
};

/* Whether endports send to a LID by way of s. */
static bool carries(const struct relief *r, uint32_t s, unsigned lid,
		    unsigned hops)
{
	const struct weft_fabric *f = r->z.f;

	if (r->z.loads->hosts[s])
		return true;
	for (uint32_t i = f->adj_first[s]; hops && i < f->adj_first[s + 1];
	     i++) {
		if (weft__sends_by(f, r->z.lft, i, lid) &&
		    carries(r, f->peer[f->adj[i]], lid, hops - 1))
			return true;
	}
	return false;
}

/* Whether a channel that is hot carries what is sent to a LID. */
static bool is_concerned(const struct relief *r, unsigned lid)
{
	uint32_t tail;

	for (uint32_t i = 0; i < r->z.nhot; i++)
		if (weft__ease_sends_hot(&r->z, i, lid, &tail) &&
		    carries(r, tail, lid, MAX_HOPS))
			return true;
	return false;
}

static bool can_go_on(const struct relief *r)
{
	return !r->z.err && r->z.looked < r->work &&
	       !(r->told->stop && atomic_load(r->told->stop));
}

/* Finds those in which something moves, with half of the work that is left at
 * most. */
static void find_columns(struct relief *r)
{
	const struct weft_fabric *f = r->z.f;
	struct weft__ease_move m;
	uint64_t half = (r->z.looked + r->work) / 2;

	r->ncolumns = 0;
	r->z.nrefused = 0;
	for (unsigned lid = 1; lid <= f->max_lid && can_go_on(r) &&
			       r->z.looked < half; lid++)
		if (weft_is_endport(weft_lid_owner(f, lid)) &&
		    is_concerned(r, lid) && weft__ease_best(&r->z, lid, &m))
			r->column[r->ncolumns++] = (struct column){
				.worth = m.worth, .lid = lid,
			};
}

/* The column that promises most, the first of equals. */
static struct column *find_best(const struct relief *r)
{
	struct column *best = r->column;

	for (uint32_t i = 1; i < r->ncolumns; i++)
		if (r->column[i].worth > best->worth)
			best = &r->column[i];
	return best;
}

/* The most that another one promises. */
static double find_next(const struct relief *r, const struct column *but)
{
	double worth = 0;

	for (uint32_t i = 0; i < r->ncolumns; i++)
		if (&r->column[i] != but && r->column[i].worth > worth)
			worth = r->column[i].worth;
	return worth;
}

/* Counts what moved after the first n, and takes note of tables that are
 * better. */
static void count(struct relief *r, size_t n)
{
	struct weft__blocks *b = r->left.changed;
	uint64_t peak;
	double cost;

	for (; n < r->z.nwas; n++) {
		struct weft__was *was = &r->z.was[n];

		was->fresh = !weft__blocks_changes(b, was->sw, was->lid);
		r->left.entries -= was->fresh;
		weft__blocks_put(b, was->sw, was->lid);
	}
	peak = weft__ease_peak(&r->z);
	if (peak >= r->least)
		return;
	r->least = peak;
	cost = peak + (b->n - r->mended) * r->block;
	if (cost < r->cost) {
		r->cost = cost;
		r->best = r->z.nwas;
		r->changed = r->told->changes - r->left.entries;
	}
}

/* Looks at a column once more. */
static bool look_again(struct relief *r, const struct column *c,
		       struct weft__ease_move *m)
{
	r->z.nrefused = c->nrefused;
	memcpy(r->z.refused, c->refused, sizeof(c->refused));
	return c->nrefused < REFUSED &&
	       weft__ease_best(&r->z, c->lid, m);
}

/* Moves the best entry of a column, if that still is about the best of all. */
static void move(struct relief *r, struct column *c)
{
	double next = find_next(r, c);
	size_t before = r->z.nwas;
	struct weft__ease_move m;

	if (!look_again(r, c, &m)) {
		*c = r->column[--r->ncolumns];
		return;
	}
	c->worth = m.worth;
	if (m.worth < GOOD * next)
		return;
	if (weft__ease_make(&r->z, &m))
		count(r, before);
	else
		c->refused[c->nrefused++] = m.channel;
}

/* Begins a round.  Returns false if channels of about the same load are too
 * many. */
static bool begin_round(struct relief *r, uint64_t peak)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		weft__ease_begin(&r->z, peak, 1 - steps[i]);
		if (r->z.nhot <= r->left.entries)
			return true;
	}
	return false;
}

/* Moves entries until half of that is reached.  Returns whether the peak
 * fell. */
static bool run_round(struct relief *r)
{
	uint64_t before = weft__loads_peak(r->z.loads), least = r->least;

	if (!begin_round(r, before))
		return false;
	find_columns(r);
	while (can_go_on(r) && r->ncolumns &&
	       r->least > before * (1 + r->z.level) / 2)
		move(r, find_best(r));
	return r->least < least;
}

/* Takes back what came after the best tables, with its loads and blocks. */
static void take_back(struct relief *r)
{
	for (size_t i = r->best; i < r->z.nwas; i++)
		if (r->z.was[i].fresh)
			weft__blocks_drop(r->told->blocks, r->z.was[i].sw,
					  r->z.was[i].lid);
	weft__ease_undo(&r->z, r->best);
}

/* Spends what may still change on shifts. */
static void shift(struct relief *r, struct weft_arena *arena)
{
	struct weft__shifted x = {
		.z = &r->z, .blocks = r->told->blocks, .stop = r->told->stop,
		.changes = r->told->changes - r->changed,
	};

	take_back(r);
	r->z.err = weft__shift_sent(&x, arena);
	r->best = r->z.nwas;
	r->changed = r->told->changes - x.changes;
}

/* Counts pairs that changed lanes in the moves that stay. */
static void count_pairs(const struct relief *r)
{
	for (size_t i = 0; i < r->best; i++)
		r->told->pairs += r->z.was[i].level != WEFT__NO_LEVEL;
}

static int make_room(struct relief *r, struct weft_arena *arena)
{
	r->column = weft__arena_alloc(arena, r->z.f->max_lid + 1ull,
				      sizeof(*r->column));
	return r->column ? weft__ease_init(&r->z, arena) : -ENOMEM;
}

uint64_t weft__relief_looks(const struct weft_fabric *f, uint64_t changes)
{
	uint64_t more = MORE_LOOKS / (f->nsw + 1);

	if (f->nsw > SMALL)
		more = more * SMALL / f->nsw;
	return changes * 3 / 4 + f->max_lid / 128 + more;
}

uint64_t weft__relief_shifts(const struct weft__loads *loads, uint64_t anyway)
{
	uint64_t work = weft__shifted_work(loads);

	return work <= anyway * SHIFTS_EACH ? work : 0;
}

int weft__relieve(struct weft__relief *told, struct weft_arena *arena)
{
	const struct weft_fabric *f = told->loads->fabric;
	struct relief r = {
		.told = told,
		.z = { .f = f, .routes = told->routes,
		       .lft = &told->routes->lft, .loads = told->loads,
		       .costs = &r.left,
		       .lanes = told->routes->layers.nvl },
		.left = { told->blocks, told->changes,
			  BLOCK_COST / (1 + told->anyway) },
		.mended = told->blocks->n,
		.work = weft__relief_looks(f, told->changes) *
			f->nsw * SURVEY_WORK,
	};

	if (make_room(&r, arena))
		return -ENOMEM;
	r.least = r.cost = weft__loads_peak(told->loads);
	r.block = r.cost / (1 + WORTH_EACH * told->anyway);
	while (run_round(&r) && can_go_on(&r))
		continue;
	count_pairs(&r);
	/* what has returned home stays there */
	if (!r.z.err && told->changes &&
	    weft__relief_shifts(told->loads, told->anyway))
		shift(&r, arena);
	else
		weft__ease_back(&r.z, r.best);
	told->moved = r.best;
	told->changed = r.changed;
	free(r.z.was);
	return r.z.err;
}
