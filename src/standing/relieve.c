// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: relief
 *
 * What all-to-all traffic gets is decided by the most loaded channel, and one
 * that takes over what a failed cable carried is easily that.  Entries move
 * away from the channels that carry more than a level a little below that of
 * the first, column after column, until none does; then the next level's turn
 * comes.  Moves after which the peak never fell again are taken back.
 */
#include "standing/relieve.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <errno.h>
#include <string.h>

#define MAX_HOPS 64
/* Parts of the peak: what a level lowers it by, first and at least. */
#define LEVELS 64
#define MAX_LEVELS 256
/* Times to look at a column: once for each entry that may change, and a part of
 * all columns, so that time follows what a failure breaks; and some more, by the
 * switches looked at, which small fabrics need and large ones do not notice. */
#define MORE_LOOKS (1u << 16)

#define ROUNDS 2		/* through all columns, to lower a level */

/* So many blocks, and so many more for each that has to be sent anyway, would be
 * worth it if they lowered the peak to nothing. */
#define WORTH 96
#define WORTH_EACH 4

static uint32_t find_steepest(const struct weft__loads *t)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t most = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		if (t->scale[f->adj[i]] > most)
			most = t->scale[f->adj[i]];
	return most;
}

bool weft__relief_is_due(const struct weft__relief *r)
{
	for (uint32_t i = 0; i < r->nhot; i++)
		if (weft__relief_weight(r, r->hot[i]) > r->level)
			return true;
	return false;
}

/* Lists the channels that carry more than the level.  Returns false if there
 * are more of them than entries may change. */
static bool find_hot(struct weft__relief *r)
{
	const struct weft_fabric *f = r->loads->fabric;

	r->nhot = 0;
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		if (weft__relief_weight(r, f->adj[i]) <= r->level)
			continue;
		if (r->nhot == r->changes - r->ndone)
			return false;
		r->hot[r->nhot++] = f->adj[i];
	}
	return true;
}

/* Whether endports send to a LID by way of s. */
static bool carries(const struct weft__relief *r, uint32_t s, unsigned lid,
		    unsigned hops)
{
	const struct weft_fabric *f = r->loads->fabric;

	if (r->loads->hosts[s])
		return true;
	for (uint32_t i = f->adj_first[s]; hops && i < f->adj_first[s + 1];
	     i++) {
		if (weft__sends_by(f, r->lft, i, lid) &&
		    carries(r, f->peer[f->adj[i]], lid, hops - 1))
			return true;
	}
	return false;
}

/* Whether a channel that is hot carries what is sent to a LID. */
static bool is_concerned(const struct weft__relief *r, unsigned lid)
{
	const struct weft_fabric *f = r->loads->fabric;

	for (uint32_t i = 0; i < r->nhot; i++) {
		uint32_t tail = f->peer[f->reverse[r->hot[i]]];

		if (weft_lft_get(r->lft, tail, lid) ==
			    r->hot[i] - f->first_channel[tail] &&
		    weft__relief_weight(r, r->hot[i]) > r->level &&
		    carries(r, tail, lid, MAX_HOPS))
			return true;
	}
	return false;
}

static bool can_go_on(const struct weft__relief *r)
{
	return r->ndone < r->changes && r->looks_left &&
	       !(r->stop && atomic_load(r->stop));
}

/* Looks at one column after the other until no channel carries more than the
 * level. */
static void lower_to_level(struct weft__relief *r)
{
	const struct weft_fabric *f = r->loads->fabric;
	unsigned lid = r->last;

	for (uint32_t i = 0; i < f->max_lid && can_go_on(r); i++) {
		lid = lid < f->max_lid ? lid + 1 : 1;
		if (!weft_is_endport(weft_lid_owner(f, lid)) ||
		    !is_concerned(r, lid))
			continue;
		if (weft__relieve_column(r, lid) &&
		    !weft__relief_is_due(r))
			break;
	}
	r->last = lid;
}

static int make_room(struct weft__relief *r, struct weft_arena *arena)
{
	const struct weft_fabric *f = r->loads->fabric;
	size_t n = f->nsw + 1ull;

	r->done = weft__arena_alloc(arena, r->changes + 1, sizeof(*r->done));
	r->hot = weft__arena_alloc(arena, r->changes + 1, sizeof(*r->hot));
	r->worst = weft__arena_alloc(arena, n, sizeof(*r->worst));
	r->mark = weft__arena_zalloc(arena, n, sizeof(*r->mark));
	r->barred = weft__arena_alloc(arena, n, sizeof(*r->barred));
	r->looked = weft__arena_zalloc(arena, n, sizeof(*r->looked));
	r->nbeyond = weft__arena_alloc(arena, n, sizeof(*r->nbeyond));
	r->beyond = weft__arena_alloc(arena, f->adj_first[f->nsw] + 1ull,
				      sizeof(*r->beyond));
	return r->done && r->hot && r->worst && r->mark && r->barred &&
	       r->looked && r->nbeyond && r->beyond &&
	       weft__column_init(&r->column, f, arena) ?
	       0 : -ENOMEM;
}

uint64_t weft__relief_looks(const struct weft_fabric *f, uint64_t changes)
{
	return changes + f->max_lid / 32 + MORE_LOOKS / (f->nsw + 1);
}

/* Lowers the peak to the level, by moves that need no block of their own as far
 * as they do.  Blocks that are not worth it are not sent after all, nor any
 * more. */
static void lower(struct weft__relief *r, uint64_t peak)
{
	uint64_t fresh = r->fresh;
	uint32_t before;

	r->sends = false;
	lower_to_level(r);
	if (!fresh || !weft__relief_is_due(r))
		return;
	before = r->ndone;
	r->sends = true;
	/* moves for one column may have made room for another one's */
	for (unsigned n = 0; n < ROUNDS && weft__relief_is_due(r); n++)
		lower_to_level(r);
	if (peak - weft__loads_peak(r->loads) >= (fresh - r->fresh) * r->worth)
		return;
	weft__relieve_less(r, before);
	r->fresh = 0;
}

int weft__relieve(struct weft__relief *r, struct weft_arena *arena)
{
	uint64_t least = UINT64_MAX, step = UINT64_MAX;
	uint32_t best = 0;

	if (make_room(r, arena))
		return -ENOMEM;
	r->steepest = find_steepest(r->loads);
	r->looks_left = weft__relief_looks(r->loads->fabric, r->changes);
	r->worth = weft__loads_peak(r->loads) / (WORTH + WORTH_EACH * r->anyway);
	for (;;) {
		uint64_t peak = weft__loads_peak(r->loads);

		if (peak < least) {
			least = peak;
			best = r->ndone;
		} else {
			step /= 4;
		}
		step = step < peak / LEVELS ? step : peak / LEVELS;
		if (!can_go_on(r) || !step || step < peak / MAX_LEVELS)
			break;
		r->level = peak - step;
		if (find_hot(r))
			lower(r, peak);
	}
	weft__relieve_less(r, best);
	r->moved = r->ndone;
	return 0;
}
