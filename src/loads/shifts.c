// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: shifts, where streams meet
 *
 * Loads tell what all-to-all traffic gets, not what a shift does: of two
 * channels that carry the same load, one may carry all of it in a few shifts,
 * and the other one as much in each of them.  Engines give out roots by rank, so
 * that the hosts of a switch, which send to consecutive ones, seldom meet;
 * easing loads and passes of balance undo some of that, where cables are missing
 * above all.
 *
 * A pair of hosts sends in one shift alone.  So an entry that moves takes a
 * stream from each shift of those that send by it, and it is known how many
 * others these meet by either way.  Random permutations count as much as shifts
 * do: what two pairs add to them if they share a channel is known, too, unless
 * they have the same sender or receiver, which are never there at the same time.
 * An entry moves where the sum is less, so that moves end.  No channel gets more
 * load than the highest there is, which all-to-all traffic waits for.
 *
 * Where a single shortest way leads from a switch to another, shifts get little, as
 * all hosts of a switch send by it at a time.  If longer ways are welcome, and no
 * channel carries more than host links do, a switch by which nobody sends may take a
 * neighbour that is as far away: its way does not come back.  Random permutations
 * lose by that, as more cables carry each stream.  Where these matter as well, they
 * count more, and the load stays below that of host links, as queues grow long where
 * both are the same.
 *
 * Of many shifts, as many as the judge takes are looked at, evenly: neighbouring
 * ones are much alike.
 *
 * Complexity: O(hosts x rounds x hops x ports) for a pass.
 */
#include "loads/shifts.h"

#include "core/arena.h"
#include "loads/ease.h"
#include "loads/gather.h"
#include "loads/shift_moves.h"

#include <errno.h>
#include <stdlib.h>

#define HOT 1.0		/* nothing is */
#define LEAST 0.05	/* of all that was saved, what going through all groups has to
			 * save for another time */
#define PASS_WORK 64	/* that a pass looks at for a host and a round, about */

/* What so many hosts of a set save tells what all save: if that is less than a part of
 * what meets, it is not worth longer ways. */
#define SAMPLE(hosts) (32 + (hosts) / 32)
#define HOPELESS 1024

struct shifts {
	struct weft__easing z;
	struct weft__shift_moves m;
	const struct weft__shifts_spec *spec;
	uint64_t moved;
	bool again;	/* all sets have been gone through before */
	bool hopeless;
};

static bool goes_on(const struct shifts *r)
{
	return !r->z.err && !r->hopeless &&
		r->z.looked + r->m.rounds.looked < r->spec->work;
}

/* Whether entries for a host stay as they are. */
static bool stays(const struct shifts *r, uint32_t rank)
{
	const struct weft_fabric *f = r->z.f;
	uint32_t m = f->ep[r->m.rounds.host[rank]].machine;

	return r->spec->single && m != WEFT_NONE &&
		f->machine_first[m + 1] - f->machine_first[m] > 1;
}

/* Whether longer ways are worth little, as the hosts before this one tell. */
static bool is_hopeless(const struct shifts *r, uint32_t rank)
{
	return r->spec->longer == WEFT__LONGER_SPARINGLY && !r->again &&
		rank == SAMPLE(r->m.rounds.n) &&
		r->m.saved * HOPELESS < r->m.cost;
}

/* Moves entries of all hosts of a set, those farthest from them first. */
static void run_pass(struct shifts *r)
{
	const struct weft__column *c = &r->z.column;

	for (uint32_t rank = 0; rank < r->m.rounds.n && goes_on(r); rank++) {
		r->hopeless = is_hopeless(r, rank);
		if (stays(r, rank))
			continue;
		weft__shift_moves_read(&r->m, rank);
		for (uint32_t i = c->norder; i--; )
			r->moved += weft__shift_moves_make(&r->m, c->order[i]);
	}
}

/* Goes through all sets once: what moves in one makes room in others.  Kinds come
 * first where they have several rails, as streams of all rails meet on spines;
 * each rail by itself has the last word. */
static void run_sets(struct shifts *r)
{
	uint32_t set = weft__shift_sets(r->z.f, r->spec->single);

	while (set-- && goes_on(r))
		if (weft__shift_moves_begin(&r->m, set))
			run_pass(r);
}

/* Goes through them until little is saved any more. */
static void run_all(struct shifts *r)
{
	double before;

	do {
		before = r->m.saved;
		run_sets(r);
		r->again = true;
	} while (r->m.saved - before > r->m.saved * LEAST && goes_on(r));
}

/* --- all of it ------------------------------------------------------------ */

static int prepare(struct shifts *r, const struct weft_layers *layers,
		   uint8_t *lost, struct weft_arena *arena)
{
	struct weft__easing *z = &r->z;
	int err = weft__ease_init(z, arena);

	if (!err)
		err = weft__loads_init(z->loads, z->f, layers,
				       r->spec->lanes ? r->spec->lanes : 1,
				       arena);
	if (!err)
		err = weft__gather(z->loads, z->lft, lost);
	z->loads->closed = r->spec->closed;
	z->lanes = r->spec->lanes ? z->loads->nlanes : 0;
	r->m.z = z;
	r->m.longer = r->spec->longer;
	if (!err)
		err = weft__shift_moves_init(&r->m, r->spec->rank, arena);
	z->looked = weft__ease_least(z->f);
	return err;
}

static int run(struct shifts *r, const struct weft_layers *layers,
	       struct weft_arena *arena)
{
	struct weft__easing *z = &r->z;
	uint8_t *lost = weft__arena_zalloc(arena, z->f->max_lid + 1ull,
					   sizeof(*lost));
	int err = lost ? prepare(r, layers, lost, arena) : -ENOMEM;

	if (!err && r->m.peak && z->loads->map.uniform) {
		weft__ease_begin(z, r->m.peak, HOT);
		run_all(r);
	}
	weft__loads_free(z->loads);
	free(z->was);
	return err ? err : z->err;
}

uint64_t weft__shifts_least(const struct weft_fabric *f)
{
	return weft__ease_least(f) + PASS_WORK * weft__shift_moves_work(f);
}

int weft__shifts(const struct weft_fabric *f, struct weft_routes *routes,
		 const struct weft__shifts_spec *spec,
		 struct weft__shifts_done *out)
{
	struct weft__loads loads = { .fabric = NULL };
	struct shifts r = {
		.z = { .f = f, .routes = routes, .lft = &routes->lft,
		       .loads = &loads },
		.spec = spec,
	};
	struct weft_arena *arena;
	int err = -ENOMEM;

	*out = (struct weft__shifts_done){ 0 };
	if (spec->work < weft__shifts_least(f))
		return 0;
	arena = weft__arena_new();
	if (arena)
		err = run(&r, &routes->layers, arena);
	weft__arena_free(arena);
	*out = (struct weft__shifts_done){
		.moved = r.hopeless ? 0 : r.moved,
		.looked = r.z.looked + r.m.rounds.looked,
	};
	out->cut = out->looked >= spec->work;
	return err;
}
