// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: shifts in standing tables
 *
 * What mending and relief leave has the peak of tables that are made anew, but not
 * their order: hosts of a switch that send to consecutive ranks meet.  Where parts
 * fail one after another that adds up.  Entries in blocks that are sent anyway move
 * to where their streams meet less often (loads/shifts.c), those first that save
 * most, among them those that change anyway before all others, until as many have
 * changed as may.
 *
 * No block is sent for this alone.  No channel gets more load than there was on the
 * way that is left: if all were filled up to the peak, the next cable that fails
 * would leave nothing that relief could lower it by.  And no packet waits for a buffer
 * that nobody waited for before, so that lanes keep the room that pairs need then.
 */
#include "standing/shifted.h"

#include "core/arena.h"
#include "core/grow.h"
#include "loads/shift_moves.h"
#include "worth/model/ranks.h"

#include <errno.h>
#include <stdlib.h>

#define CHANGES_ANYWAY 20	/* times as much as it saves is what a move counts
				 * for whose entry costs nothing */
#define MOST_WORK (1ull << 26)

struct shifting {
	struct weft__shifted *told;
	struct weft__shift_moves m;
	struct move {
		int64_t worth;
		uint32_t rank, sw;
	} *move;		/* [nmoves] that would save something */
	size_t nmoves, room;
	int err;
};

static bool can_go_on(const struct shifting *r)
{
	return !r->err && !r->m.z->err && !weft__shift_moves_stopped(&r->m);
}

static unsigned lid_of(const struct shifting *r, uint32_t rank)
{
	return r->m.z->f->ep[r->m.rounds.host[rank]].lid;
}

/* Whether a block with a LID is sent to any switch. */
static bool is_sent(const struct shifting *r, unsigned lid)
{
	for (uint32_t s = 0; s < r->m.z->f->nsw; s++)
		if (weft__blocks_has(r->told->blocks, s, lid))
			return true;
	return false;
}

/* Notes what the entry at s of the column would save. */
static void look(struct shifting *r, uint32_t rank, uint32_t s)
{
	unsigned lid = r->m.z->column.lid;
	int64_t saves;

	if (!weft__blocks_has(r->told->blocks, s, lid) ||
	    !r->m.rounds.behind[s].hosts)
		return;
	saves = weft__shift_moves_look(&r->m, s);
	if (!saves)
		return;
	r->err = weft__grow(&r->move, &r->room, r->nmoves + 1);
	if (weft__blocks_changes(r->told->blocks, s, lid))
		saves *= CHANGES_ANYWAY;
	if (!r->err)
		r->move[r->nmoves++] = (struct move){ saves, rank, s };
}

static void find_moves(struct shifting *r)
{
	const struct weft__column *c = &r->m.z->column;

	r->nmoves = 0;
	for (uint32_t rank = 0; rank < r->m.rounds.n && can_go_on(r); rank++) {
		if (!is_sent(r, lid_of(r, rank)))
			continue;
		weft__shift_moves_read(&r->m, rank);
		for (uint32_t i = 0; i < c->norder && !r->err; i++)
			look(r, rank, c->order[i]);
	}
}

/* By worth; equals by rank and switch, so that the order is the same everywhere. */
static int compare(const void *a, const void *b)
{
	const struct move *x = a, *y = b;

	if (x->worth != y->worth)
		return x->worth > y->worth ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->sw > y->sw) - (x->sw < y->sw);
}

static void make_moves(struct shifting *r)
{
	struct weft__shifted *told = r->told;

	if (r->nmoves)
		qsort(r->move, r->nmoves, sizeof(*r->move), compare);
	for (size_t i = 0; i < r->nmoves && can_go_on(r); i++) {
		const struct move *m = &r->move[i];
		unsigned lid = lid_of(r, m->rank);
		bool more = !weft__blocks_changes(told->blocks, m->sw, lid);

		if (more && !told->changes)
			continue;
		weft__shift_moves_read(&r->m, m->rank);
		if (!weft__shift_moves_make(&r->m, m->sw))
			continue;
		weft__blocks_put(told->blocks, m->sw, lid);
		told->changes -= more;
	}
}

uint64_t weft__shifted_work(const struct weft__loads *loads)
{
	uint64_t work = 2 * weft__shift_moves_work(loads->fabric);

	return loads->map.uniform && work <= MOST_WORK ? work : UINT64_MAX;
}

int weft__shift_sent(struct weft__shifted *x, struct weft_arena *arena)
{
	const struct weft_fabric *f = x->z->f;
	struct shifting r = {
		.told = x, .m = { .z = x->z, .even = true, .stop = x->stop },
	};
	uint32_t set = weft__shift_sets(f, false);
	uint32_t *rank = weft__arena_alloc(arena, f->nep + 1ull, sizeof(*rank));

	r.err = rank ? weft__ranks_by_group(f, rank) : -ENOMEM;
	if (!r.err)
		r.err = weft__shift_moves_init(&r.m, rank, arena);
	x->z->costs = NULL;
	x->z->lanes = 0;
	x->z->loads->closed = true;
	while (set-- && can_go_on(&r))
		if (weft__shift_moves_begin(&r.m, set)) {
			find_moves(&r);
			make_moves(&r);
		}
	x->z->loads->closed = false;
	free(r.move);
	return r.err ? r.err : x->z->err;
}
