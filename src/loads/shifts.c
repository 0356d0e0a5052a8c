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
 * Of many shifts, as many as the judge takes are looked at, evenly: neighbouring
 * ones are much alike.
 *
 * Complexity: O(hosts x rounds x hops x ports) for a pass.
 */
#include "loads/shifts.h"

#include "core/arena.h"
#include "loads/ease.h"
#include "loads/easing.h"
#include "loads/gather.h"
#include "loads/shift_rounds.h"

#include <errno.h>
#include <stdlib.h>

#define HOT 1.0		/* nothing is */
#define LEAST 0.125	/* of all that was saved, what going through all groups has to
			 * save for another time */
#define PASS_WORK 64	/* that a pass looks at for a host and a round, about */

struct shifts {
	struct weft__easing z;
	struct weft__shift_rounds rounds;
	const struct weft__shifts_spec *spec;
	uint64_t peak;
	uint32_t *by_rank;	/* [nep] endports */
	int64_t *saves;		/* [nsw] what leaving the way saves up to there */
	uint64_t moved;
	double saved;		/* by that */
};

/* --- one entry ------------------------------------------------------------ */

/* Finds what it saves to leave the way from s.  Returns that of all of it. */
static int64_t leave(struct shifts *r, uint32_t s)
{
	struct weft__easing *z = &r->z;
	const struct weft__column *c = &z->column;
	int64_t sum = 0;

	z->look++;
	for (uint32_t at = s; at != c->root; at = c->next[at]) {
		z->mark[at] = z->look;
		r->saves[at] = sum;
		sum += weft__shift_rounds_meet(&r->rounds, s,
			weft_channel(z->f, at, c->port[at]),
			r->rounds.behind[at].hosts, true);
	}
	z->mark[c->root] = z->look;
	r->saves[c->root] = sum;
	return sum;
}

/* Whether a channel has room for what passes s. */
static bool has_room(const struct shifts *r, uint32_t s, uint32_t channel)
{
	const struct weft__loads *t = r->z.loads;

	return (t->load[channel] + weft__ease_passes(&r->z, s)) *
		t->scale[channel] <= r->peak;
}

/* Returns what is saved if what passes s leaves by a channel instead, at most all;
 * or least, if that is not more. */
static int64_t gain(struct shifts *r, uint32_t s, uint32_t channel, int64_t all,
		    int64_t least)
{
	struct weft__easing *z = &r->z;
	const struct weft__column *c = &z->column;
	uint32_t at = z->f->peer[channel], through = 0;

	for (;;) {
		if (!has_room(r, s, channel))
			return least;
		all -= weft__shift_rounds_meet(&r->rounds, s, channel, through,
					       false);
		if (z->mark[at] == z->look)
			break;
		if (all <= least)
			return least;
		channel = weft_channel(z->f, at, c->port[at]);
		through = r->rounds.behind[at].hosts;
		at = c->next[at];
	}
	all -= r->saves[c->root] - r->saves[at];
	return all > least ? all : least;
}

/* Returns the channel by which what passes s meets least, or WEFT_NONE. */
static uint32_t find_best(struct shifts *r, uint32_t s, int64_t all,
			  int64_t *saves)
{
	struct weft__easing *z = &r->z;
	const struct weft_fabric *f = z->f;
	const struct weft__column *c = &z->column;
	uint32_t best = WEFT_NONE, taken = weft_channel(f, s, c->port[s]);
	int64_t most = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t ch = f->adj[i];
		int64_t saved;

		if (ch == taken || c->hops[f->peer[ch]] >= c->hops[s] ||
		    weft__ease_is_refused(z, ch))
			continue;
		saved = gain(r, s, ch, all, most);
		if (saved > most)
			best = ch;
		most = saved;
		z->looked++;
	}
	*saves = most;
	return best;
}

/* Adds the streams that pass s to all of its way, or takes them away. */
static void add_way(struct shifts *r, uint32_t s, int sign)
{
	const struct weft__column *c = &r->z.column;

	for (uint32_t at = s; at != c->root; at = c->next[at])
		weft__shift_rounds_add(&r->rounds, s,
				       weft_channel(r->z.f, at, c->port[at]),
				       sign);
}

/* Has the entry at s take the way where its streams meet least.  Returns true if
 * it moved. */
static bool move_best(struct shifts *r, uint32_t s)
{
	struct weft__easing *z = &r->z;
	int64_t all = leave(r, s);

	for (z->nrefused = 0; all > 0 && z->nrefused < WEFT__EASE_TRIES;
	     z->nrefused++) {
		int64_t saves;
		uint32_t ch = find_best(r, s, all, &saves);
		bool moves;

		if (ch == WEFT_NONE)
			return false;
		add_way(r, s, -1);
		moves = weft__ease_try(z, s, ch - z->f->first_channel[s]);
		add_way(r, s, 1);
		if (moves) {
			r->saved += saves;
			return true;
		}
		z->refused[z->nrefused] = ch;
	}
	return false;
}

/* --- columns, groups ------------------------------------------------------ */

static void survey(struct shifts *r, uint32_t rank)
{
	struct weft__easing *z = &r->z;

	weft__column_survey(&z->column);
	weft__loads_spread(z->loads, &z->column);
	z->passed = false;
	weft__shift_rounds_read(&r->rounds, &z->column, rank);
	z->looked += 2 * z->column.norder;
}

static bool goes_on(const struct shifts *r)
{
	return !r->z.err &&
		r->z.looked + r->rounds.looked < r->spec->work;
}

/* Takes out the column of a host. */
static void read_column(struct shifts *r, uint32_t rank)
{
	weft__ease_read(&r->z, r->z.f->ep[r->rounds.host[rank]].lid);
	survey(r, rank);
}

/* Counts the streams of a group. */
static void count_streams(struct shifts *r)
{
	const struct weft__column *c = &r->z.column;

	for (uint32_t rank = 0; rank < r->rounds.n; rank++) {
		read_column(r, rank);
		for (uint32_t i = 0; i < c->norder; i++)
			weft__shift_rounds_add(&r->rounds, c->order[i],
				weft_channel(r->z.f, c->order[i],
					     c->port[c->order[i]]), 1);
	}
}

/* Whether entries for a host stay as they are. */
static bool stays(const struct shifts *r, uint32_t rank)
{
	const struct weft_fabric *f = r->z.f;
	uint32_t m = f->ep[r->rounds.host[rank]].machine;

	return r->spec->single && m != WEFT_NONE &&
		f->machine_first[m + 1] - f->machine_first[m] > 1;
}

/* Moves entries of all hosts of a group, those farthest from them first. */
static void run_pass(struct shifts *r)
{
	const struct weft__column *c = &r->z.column;

	for (uint32_t rank = 0; rank < r->rounds.n && goes_on(r); rank++) {
		if (stays(r, rank))
			continue;
		read_column(r, rank);
		for (uint32_t i = c->norder; i--; ) {
			uint32_t s = c->order[i];

			if (!r->rounds.behind[s].hosts || !move_best(r, s))
				continue;
			r->moved++;
			survey(r, rank);
		}
	}
}

/* Whether an endport is in a set: a group, or a kind on all rails, which are
 * counted behind groups. */
static bool is_in(const struct weft_fabric *f, const struct weft_endport *ep,
		  uint32_t set)
{
	return set < f->ngroups ? ep->group == set :
				  ep->use == set - f->ngroups;
}

/* Lists the hosts of a set by rank.  Returns how many they are. */
static uint32_t list_set(struct shifts *r, uint32_t set)
{
	const struct weft_fabric *f = r->z.f;
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nep; i++) {
		const struct weft_endport *ep = &f->ep[r->by_rank[i]];

		if (is_in(f, ep, set) && ep->lid &&
		    (ep->kind == WEFT_HOST || !f->nhosts))
			r->rounds.host[n++] = r->by_rank[i];
	}
	return n;
}

/* Goes through all sets once: what moves in one makes room in others.  Kinds come
 * first where they have several rails, as streams of all rails meet on spines;
 * each rail by itself has the last word. */
static void run_sets(struct shifts *r)
{
	const struct weft_fabric *f = r->z.f;
	uint32_t set = f->ngroups;

	if (!r->spec->single && f->ngroups > f->nuses)
		set += f->nuses;
	while (set-- && goes_on(r)) {
		uint32_t n = list_set(r, set);

		if (n < 3)
			continue;
		weft__shift_rounds_begin(&r->rounds, n);
		count_streams(r);
		run_pass(r);
	}
}

/* Goes through them until little is saved any more. */
static void run_all(struct shifts *r)
{
	double before;

	do {
		before = r->saved;
		run_sets(r);
	} while (r->saved - before > r->saved * LEAST && goes_on(r));
}

/* --- all of it ------------------------------------------------------------ */

static int prepare(struct shifts *r, const struct weft_layers *layers,
		   bool *lost, struct weft_arena *arena)
{
	struct weft__easing *z = &r->z;
	const struct weft_fabric *f = z->f;
	int err = weft__ease_init(z, arena);

	if (!err)
		err = weft__loads_init(z->loads, f, layers, 1, arena);
	if (!err)
		err = weft__gather(z->loads, z->lft, lost);
	r->saves = weft__arena_alloc(arena, f->nsw + 1ull, sizeof(*r->saves));
	r->by_rank = weft__arena_alloc(arena, f->nep + 1ull,
				       sizeof(*r->by_rank));
	if (err || !weft__shift_rounds_init(&r->rounds, f, f->nep, arena))
		return err ? err : -ENOMEM;
	for (uint32_t e = 0; e < f->nep; e++)
		r->by_rank[r->spec->rank[e]] = e;
	r->rounds.scale = z->loads->scale;
	r->peak = weft__loads_peak(z->loads);
	z->looked = weft__ease_least(f);
	return 0;
}

static int run(struct shifts *r, const struct weft_layers *layers,
	       struct weft_arena *arena)
{
	struct weft__easing *z = &r->z;
	bool *lost = weft__arena_zalloc(arena, z->f->max_lid + 1ull,
					sizeof(*lost));
	int err = lost ? prepare(r, layers, lost, arena) : -ENOMEM;

	if (!err && r->peak && z->loads->map.uniform) {
		weft__ease_begin(z, r->peak, HOT);
		run_all(r);
	}
	weft__loads_free(z->loads);
	free(z->was);
	return err ? err : z->err;
}

uint64_t weft__shifts_least(const struct weft_fabric *f)
{
	uint64_t rounds = f->nep < WEFT__SHIFT_ROUNDS ? f->nep :
			  WEFT__SHIFT_ROUNDS;

	return weft__ease_least(f) + PASS_WORK * f->nep * (rounds + f->nsw);
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
		.moved = r.moved, .looked = r.z.looked + r.rounds.looked,
	};
	return err;
}
