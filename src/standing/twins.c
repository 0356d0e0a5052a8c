// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Has twins among the switches exchange their roles; see alike.h. */
#include "standing/alike.h"

#include "core/arena.h"
#include "core/siphash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A switch by what it is joined with. */
struct likely {
	uint64_t hash;
	uint32_t sw;
};

/* Twins: member i's cable k leads where member j's cable k does. */
struct twins {
	uint32_t *sw, n;
	uint32_t ncables;
};

struct run {
	const struct weft__alike *a;
	struct weft_arena *arena;
	bool *taken;		/* [nsw] had their turn */
	uint32_t *member;	/* [nsw] number among the twins in hand, or
				 * WEFT_NONE */
	uint32_t *cable;	/* [nch] of channels to or from them: which of
				 * the twin's cables; else WEFT_NONE */
};

static uint32_t ncables(const struct weft_fabric *f, uint32_t s)
{
	return f->adj_first[s + 1] - f->adj_first[s];
}

static uint32_t cable_of(const struct weft_fabric *f, uint32_t s, uint32_t k)
{
	return f->adj[f->adj_first[s] + k];
}

/* Whether no cable before that one leads to the same neighbour. */
static bool is_first_to(const struct weft_fabric *f, uint32_t s, uint32_t k)
{
	return !k ||
	       f->peer[cable_of(f, s, k)] != f->peer[cable_of(f, s, k - 1)];
}

static bool can_be_twin(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] == f->sw_ep_first[s + 1] && ncables(f, s) &&
	       f->sw[s].lid && !f->sw[s].lmc;
}

static uint64_t hash_of(const struct weft_fabric *f, uint32_t s)
{
	uint64_t key[2] = { ncables(f, s), 0 };

	for (uint32_t k = 0; k < ncables(f, s); k++) {
		uint32_t ch = cable_of(f, s, k);
		const uint32_t said[2] = { f->peer[ch], f->capacity[ch] };

		key[1] = weft__siphash(key, said, sizeof(said));
	}
	return key[1];
}

static bool are_twins(const struct weft_fabric *f, uint32_t a, uint32_t b)
{
	if (ncables(f, a) != ncables(f, b))
		return false;
	for (uint32_t k = 0; k < ncables(f, a); k++) {
		uint32_t x = cable_of(f, a, k), y = cable_of(f, b, k);

		if (f->peer[x] != f->peer[y] ||
		    f->capacity[x] != f->capacity[y] ||
		    (f->vls && f->vls[x] != f->vls[y]))
			return false;
	}
	return true;
}

static int by_hash(const void *a, const void *b)
{
	const struct likely *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->sw < y->sw ? -1 : 1;
}

/* --- what they gain ------------------------------------------------------- */

static void mark(struct run *r, const struct twins *t, bool set)
{
	const struct weft_fabric *f = r->a->fabric;

	for (uint32_t i = 0; i < t->n; i++) {
		r->member[t->sw[i]] = set ? i : WEFT_NONE;
		for (uint32_t k = 0; k < t->ncables; k++) {
			uint32_t ch = cable_of(f, t->sw[i], k);

			r->cable[ch] = set ? k : WEFT_NONE;
			r->cable[f->reverse[ch]] = set ? k : WEFT_NONE;
		}
	}
}

/* The channel of an entry, if that is to or from one of the twins. */
static uint32_t channel_of(const struct run *r, uint32_t s, uint8_t port)
{
	const struct weft_fabric *f = r->a->fabric;
	uint32_t ch = weft_channel(f, s, port);

	return ch < f->first_channel[s + 1] && r->cable[ch] != WEFT_NONE ?
		       ch : WEFT_NONE;
}

static bool is_of_twin(const struct run *r, unsigned lid)
{
	uint32_t owner = weft_lid_owner(r->a->fabric, lid);

	return owner == WEFT_NONE ||
	       (weft_is_switch(owner) && r->member[owner] != WEFT_NONE);
}

/* Adds entries of a neighbour that stay if a twin takes another one's role. */
static void add_neighbour(const struct run *r, const struct twins *t,
			  uint32_t s, uint64_t *gain)
{
	const struct weft_fabric *f = r->a->fabric;

	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t to = channel_of(r, s, weft_lft_get(
			&r->a->routes->lft, s, lid));
		uint32_t was = channel_of(r, s, weft_lft_get(
			r->a->standing, s, lid));

		if (to != WEFT_NONE && was != WEFT_NONE &&
		    r->cable[to] == r->cable[was] && !is_of_twin(r, lid))
			gain[(size_t)r->member[f->peer[to]] * t->n +
			     r->member[f->peer[was]]]++;
	}
}

/* Lists by which of a twin's cables each LID is sent. */
static void list_cables(const struct run *r, uint32_t s,
			const struct weft_lft *lft, uint8_t none, uint8_t *out)
{
	const struct weft_fabric *f = r->a->fabric;

	out[0] = none;
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t ch = channel_of(r, s, weft_lft_get(lft, s, lid));

		out[lid] = ch == WEFT_NONE || is_of_twin(r, lid) ?
				   none : r->cable[ch];
	}
}

/* Adds entries of the twins themselves. */
static bool add_members(const struct run *r, const struct twins *t,
			uint64_t *gain)
{
	size_t lids = r->a->fabric->max_lid + 1ull;
	uint8_t *was = weft__arena_alloc(r->arena, t->n * lids, 1);
	uint8_t *now = weft__arena_alloc(r->arena, lids, 1);

	if (!was || !now)
		return false;
	for (uint32_t j = 0; j < t->n; j++)
		list_cables(r, t->sw[j], r->a->standing, 254, was + j * lids);
	for (uint32_t i = 0; i < t->n; i++) {
		list_cables(r, t->sw[i], &r->a->routes->lft, 255, now);
		for (uint32_t j = 0; j < t->n; j++)
			gain[(size_t)i * t->n + j] +=
				weft__count_equal(now, was + j * lids, lids);
	}
	return true;
}

static bool find_gains(const struct run *r, const struct twins *t,
		       uint64_t *gain)
{
	const struct weft_fabric *f = r->a->fabric;

	for (uint32_t k = 0; k < t->ncables; k++) {
		if (is_first_to(f, t->sw[0], k))
			add_neighbour(r, t, f->peer[cable_of(f, t->sw[0], k)],
				      gain);
	}
	return add_members(r, t, gain);
}

/* --- roles ---------------------------------------------------------------- */

/* The port of an entry once twins have exchanged their roles. */
static uint8_t new_port(const struct run *r, const struct twins *t,
			const uint32_t *who, uint32_t s, uint8_t port)
{
	const struct weft_fabric *f = r->a->fabric;
	uint32_t ch = channel_of(r, s, port), i = r->member[s], to;

	if (ch == WEFT_NONE)
		return port;
	if (i != WEFT_NONE) {
		to = t->sw[who[i]];
		return cable_of(f, to, r->cable[ch]) - f->first_channel[to];
	}
	to = t->sw[who[r->member[f->peer[ch]]]];
	return f->peer_port[cable_of(f, to, r->cable[ch])];
}

static void rename_row(const struct run *r, const struct twins *t,
		       const uint32_t *who, uint32_t s)
{
	uint8_t *row = weft_lft_row(&r->a->routes->lft, s);

	for (unsigned lid = 0; lid <= r->a->fabric->max_lid; lid++)
		row[lid] = new_port(r, t, who, s, row[lid]);
}

/* Exchanges the rows of twins, and what their neighbours send to them; then the
 * columns to the twins themselves. */
static bool exchange(const struct run *r, const struct twins *t,
		     const uint32_t *who)
{
	const struct weft_fabric *f = r->a->fabric;
	struct weft_lft *lft = &r->a->routes->lft;
	uint8_t *row = weft__arena_alloc(r->arena, t->n * (size_t)lft->stride,
					 1);
	uint8_t *to = weft__arena_alloc(r->arena, t->n, 1);

	if (!row || !to)
		return false;
	for (uint32_t k = 0; k < t->ncables; k++)
		if (is_first_to(f, t->sw[0], k))
			rename_row(r, t, who,
				   f->peer[cable_of(f, t->sw[0], k)]);
	for (uint32_t i = 0; i < t->n; i++)
		rename_row(r, t, who, t->sw[i]);
	for (uint32_t i = 0; i < t->n; i++)
		memcpy(row + i * (size_t)lft->stride,
		       weft_lft_row(lft, t->sw[i]), lft->stride);
	for (uint32_t i = 0; i < t->n; i++)
		memcpy(weft_lft_row(lft, t->sw[who[i]]),
		       row + i * (size_t)lft->stride, lft->stride);
	for (uint32_t s = 0; s < f->nsw; s++) {
		for (uint32_t i = 0; i < t->n; i++)
			to[i] = weft_lft_get(lft, s, f->sw[t->sw[i]].lid);
		for (uint32_t i = 0; i < t->n; i++)
			weft_lft_row(lft, s)[f->sw[t->sw[who[i]]].lid] = to[i];
	}
	return true;
}

static int settle(struct run *r, const struct twins *t)
{
	uint64_t *gain = weft__arena_zalloc(r->arena, (size_t)t->n * t->n, 8);
	uint32_t *who = weft__arena_alloc(r->arena, t->n, 4);
	bool ok = gain && who, same = true;

	mark(r, t, true);
	ok = ok && find_gains(r, t, gain) &&
	     weft__assign(gain, t->n, who, r->arena);
	for (uint32_t i = 0; ok && i < t->n; i++)
		same &= who[i] == i;
	if (ok && !same)
		ok = exchange(r, t, who);
	mark(r, t, false);
	return ok ? 0 : -ENOMEM;
}

/* Lists the twins of the first switch that come after it. */
static void gather(struct run *r, const struct likely *first,
		   const struct likely *end, struct twins *t)
{
	const struct weft_fabric *f = r->a->fabric;

	t->n = 0;
	t->ncables = ncables(f, first->sw);
	for (const struct likely *l = first;
	     l < end && l->hash == first->hash; l++)
		if (!r->taken[l->sw] && are_twins(f, first->sw, l->sw)) {
			r->taken[l->sw] = true;
			t->sw[t->n++] = l->sw;
		}
}

/* Twins of one kind after the other: what the tables are after each is what the
 * next ones start from. */
static int settle_all(struct run *r, struct likely *list, uint32_t n)
{
	const struct weft_fabric *f = r->a->fabric;
	struct twins t = {
		.sw = weft__arena_alloc(r->arena, f->nsw + 1ull, 4),
	};
	int err = t.sw ? 0 : -ENOMEM;

	memset(r->taken, 0, f->nsw * sizeof(*r->taken));
	for (uint32_t i = 0; !err && i < n; i++) {
		if (r->taken[list[i].sw])
			continue;
		gather(r, &list[i], list + n, &t);
		if (t.n > 1)
			err = settle(r, &t);
	}
	return err;
}

int weft__alike_twins(const struct weft__alike *a)
{
	const struct weft_fabric *f = a->fabric;
	struct run r = { .a = a, .arena = weft__arena_new() };
	struct likely *list = weft__arena_alloc(r.arena, f->nsw + 1ull,
						sizeof(*list));
	uint32_t n = 0;
	int err = -ENOMEM;

	r.taken = weft__arena_alloc(r.arena, f->nsw + 1ull, sizeof(*r.taken));
	r.member = weft__arena_alloc(r.arena, f->nsw + 1ull, 4);
	r.cable = weft__arena_alloc(r.arena, f->nch + 1ull, 4);
	if (list && r.taken && r.member && r.cable) {
		memset(r.member, 0xff, f->nsw * sizeof(*r.member));
		memset(r.cable, 0xff, f->nch * sizeof(*r.cable));
		for (uint32_t s = 0; s < f->nsw; s++)
			if (can_be_twin(f, s))
				list[n++] = (struct likely){ hash_of(f, s), s };
		qsort(list, n, sizeof(*list), by_hash);
		err = settle_all(&r, list, n);
		if (!err)
			err = settle_all(&r, list, n);
	}
	weft__arena_free(r.arena);
	return err;
}
