// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: relief
 *
 * What all-to-all traffic gets is decided by the most loaded channel, and one
 * that takes over what a failed cable carried is easily that.  Of the
 * destinations that go by it one after the other gets another way, where that
 * lowers the peak most: at the switch in front, or anywhere before it.  Moves
 * after which the peak never fell again are taken back.
 */
#include "standing/relieve.h"

#include "core/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MOVES 4		/* to choose from for one channel */
/* Columns to look at: so many for each entry that may change, and a sixteenth
 * of all, so that time follows what a failure breaks. */
#define COLUMNS_A_CHANGE 4

/* An entry and where it could send. */
struct weft__relief_move {
	uint64_t gain;		/* by which the peak falls here */
	uint32_t sw;
	uint16_t lid;
	uint8_t from, to;
};

static uint64_t weight_of(const struct weft__loads *t, uint32_t channel)
{
	return t->load[channel] * t->scale[channel];
}

static uint32_t find_peak(const struct weft__loads *t)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t peak = WEFT_NONE;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		if (peak == WEFT_NONE ||
		    weight_of(t, f->adj[i]) > weight_of(t, peak))
			peak = f->adj[i];
	return peak;
}

/* Returns the highest load of the way from s by that channel if more came to
 * it; UINT64_MAX: it passes channel avoid or switch sw. */
static uint64_t most_on(const struct weft__loads *t,
			const struct weft__column *c, uint32_t sw,
			uint32_t channel, uint64_t more, uint32_t avoid)
{
	uint64_t most = 0;

	for (;;) {
		uint64_t here = (t->load[channel] + more) * t->scale[channel];
		uint32_t s = t->fabric->peer[channel];

		if (channel == avoid || s == sw)
			return UINT64_MAX;
		most = here > most ? here : most;
		if (s == c->root)
			return most;
		channel = weft_channel(t->fabric, s, c->port[s]);
	}
}

/* Has *best be the best move of the entry at s, if it is better. */
static void look_at(struct weft__relief *r, uint32_t s, uint32_t peak,
		    struct weft__relief_move *best)
{
	const struct weft__loads *t = r->loads;
	const struct weft__column *c = &r->column;
	const struct weft_fabric *f = t->fabric;
	uint64_t top = weight_of(t, peak), through = t->through[s];
	uint64_t weight = through * weft__loads_weight(t, c);
	uint64_t saves = weight * t->scale[peak];

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t channel = f->adj[i];
		uint8_t port = channel - f->first_channel[s];
		uint64_t most, gain;

		if (port == c->port[s] ||
		    c->hops[f->peer[channel]] >= c->hops[s])
			continue;
		most = most_on(t, c, s, channel, weight, peak);
		if (most >= top)
			continue;
		gain = top - most < saves ? top - most : saves;
		if (gain > best->gain || (gain == best->gain && s < best->sw))
			*best = (struct weft__relief_move){ gain, s, c->lid,
				c->port[s], port };
	}
}

/* Finds the best move for the destination of the column that takes traffic from
 * a channel. */
static struct weft__relief_move best_move(struct weft__relief *r,
					  uint32_t peak)
{
	struct weft__loads *t = r->loads;
	struct weft__relief_move best = { .sw = 0 };
	const struct weft__column *c = &r->column;
	uint32_t tail = t->fabric->peer[t->fabric->reverse[peak]];

	weft__loads_spread(t, c);
	memset(r->passes, 0, t->fabric->nsw * sizeof(*r->passes));
	r->passes[tail] = true;
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i];

		r->passes[s] |= r->passes[c->next[s]];
		if (r->passes[s] && t->through[s])
			look_at(r, s, peak, &best);
	}
	return best;
}

static int more_gain_first(const void *x, const void *y)
{
	const struct weft__relief_move *a = x, *b = y;

	if (a->gain != b->gain)
		return a->gain > b->gain ? -1 : 1;
	return a->lid < b->lid ? -1 : a->lid > b->lid;
}

static void read_column(struct weft__relief *r, unsigned lid)
{
	r->columns_left -= r->columns_left > 0;
	weft__column_read(&r->column, r->lft, lid);
	weft__column_survey(&r->column);
}

/* Lists moves of destinations that go by a channel, the best of each: those
 * after the one that was looked at last, for any channel. */
static void list_moves(struct weft__relief *r, uint32_t peak)
{
	const struct weft_fabric *f = r->loads->fabric;
	uint32_t tail = f->peer[f->reverse[peak]];
	const uint8_t *row = weft_lft_row(r->lft, tail);
	uint8_t port = peak - f->first_channel[tail];
	unsigned lid = r->last;

	r->nmoves = 0;
	for (uint32_t i = 0; i <= f->max_lid && r->nmoves < MAX_MOVES &&
			     r->columns_left; i++) {
		lid = lid < f->max_lid ? lid + 1 : 0;
		if (row[lid] != port ||
		    !weft_is_endport(weft_lid_owner(f, lid)))
			continue;
		read_column(r, lid);
		r->move[r->nmoves] = best_move(r, peak);
		r->nmoves += r->move[r->nmoves].gain > 0;
	}
	r->last = lid;
	qsort(r->move, r->nmoves, sizeof(*r->move), more_gain_first);
}

/* Makes a move, if it is legal. */
static bool make_move(struct weft__relief *r, uint32_t s, uint8_t to,
		      bool check)
{
	struct weft__loads *t = r->loads;
	struct weft__column *c = &r->column;
	uint64_t weight;
	uint8_t from = c->port[s];

	weft__loads_spread_lanes(t, c);
	weight = t->through[s] * weft__loads_weight(t, c);
	weft__loads_add_way(t, c, s, -weight);
	c->port[s] = to;
	if (check && !weft__loads_allow_subtree(t, c, s)) {
		c->port[s] = from;
		weft__loads_add_way(t, c, s, weight);
		return false;
	}
	weft__loads_add_way(t, c, s, weight);
	weft_lft_row(r->lft, s)[c->lid] = to;
	return true;
}

/* Makes moves from the list until another channel has the peak.  Returns
 * whether any was made. */
static bool make_moves(struct weft__relief *r, uint32_t peak)
{
	uint32_t before = r->ndone;

	for (uint32_t i = 0; i < r->nmoves && r->ndone < r->changes; i++) {
		struct weft__relief_move *m = &r->move[i], now;

		if (find_peak(r->loads) != peak)
			break;
		read_column(r, m->lid);
		now = best_move(r, peak);
		if (!now.gain || !make_move(r, now.sw, now.to, true))
			continue;
		r->done[r->ndone++] = now;
	}
	return r->ndone > before;
}

static void take_back(struct weft__relief *r, uint32_t n)
{
	while (r->ndone > n) {
		struct weft__relief_move *m = &r->done[--r->ndone];

		read_column(r, m->lid);
		make_move(r, m->sw, m->from, false);
	}
}

int weft__relieve(struct weft__relief *r, struct weft_arena *arena)
{
	struct weft__loads *t = r->loads;
	uint32_t peak = find_peak(t), best = 0;
	uint64_t least;

	r->move = weft__arena_alloc(arena, MAX_MOVES, sizeof(*r->move));
	r->done = weft__arena_alloc(arena, r->changes + 1, sizeof(*r->done));
	r->passes = weft__arena_alloc(arena, t->fabric->nsw + 1ull,
				      sizeof(*r->passes));
	if (!r->move || !r->done || !r->passes ||
	    !weft__column_init(&r->column, t->fabric, arena))
		return -ENOMEM;
	if (peak == WEFT_NONE)
		return 0;
	r->columns_left = t->fabric->max_lid / 16 +
			  COLUMNS_A_CHANGE * r->changes;
	least = weight_of(t, peak);
	while (r->ndone < r->changes && r->columns_left) {
		list_moves(r, peak);
		if (!make_moves(r, peak))
			break;
		peak = find_peak(t);
		if (weight_of(t, peak) < least) {
			least = weight_of(t, peak);
			best = r->ndone;
		}
	}
	take_back(r, best);
	r->moved = r->ndone;
	return 0;
}
