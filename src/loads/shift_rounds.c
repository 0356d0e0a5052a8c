// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts streams by rounds; see shift_rounds.h. */
#include "loads/shift_rounds.h"

#include "core/arena.h"

#include <string.h>

/* Pairs of the same sender or receiver do not meet, but count a little: where
 * loads are more even than they need be, more moves have room. */
#define EIGHTHS 8
#define APART 7

static uint32_t rounds_of(uint32_t n, uint32_t *step)
{
	*step = (n + WEFT__SHIFT_ROUNDS - 2) / WEFT__SHIFT_ROUNDS;
	*step = *step ? *step : 1;
	return (n + *step - 2) / *step;
}

bool weft__shift_rounds_init(struct weft__shift_rounds *r,
			     const struct weft_fabric *f, uint32_t most,
			     struct weft_arena *arena)
{
	size_t nch = f->first_injection + 1ull, nsw = f->nsw + 1ull;
	uint32_t homes = most < f->nsw ? most : f->nsw;
	size_t rounds = most < WEFT__SHIFT_ROUNDS ? most : WEFT__SHIFT_ROUNDS;

	*r = (struct weft__shift_rounds){
		.f = f,
		.host = weft__arena_alloc(arena, most + 1ull, sizeof(*r->host)),
		.streams = weft__arena_alloc(arena, nch, rounds *
					     sizeof(*r->streams)),
		.pairs = weft__arena_alloc(arena, nch, sizeof(*r->pairs)),
		.from = weft__arena_alloc(arena, nch, (homes + 1ull) *
					  sizeof(*r->from)),
		.hosts = weft__arena_alloc(arena, nsw, sizeof(*r->hosts)),
		.number = weft__arena_alloc(arena, nsw, sizeof(*r->number)),
		.behind = weft__arena_alloc(arena, nsw, sizeof(*r->behind)),
		.source = weft__arena_alloc(arena, rounds + 1,
					    sizeof(*r->source)),
		.home = weft__arena_alloc(arena, homes + 1ull,
					  sizeof(*r->home)),
	};
	return !weft__arena_failed(arena);
}

void weft__shift_rounds_begin(struct weft__shift_rounds *r, uint32_t n)
{
	const struct weft_fabric *f = r->f;

	r->n = n;
	r->nrounds = rounds_of(n, &r->step);
	memset(r->hosts, 0, f->nsw * sizeof(*r->hosts));
	for (uint32_t i = 0; i < n; i++)
		r->hosts[f->ep[r->host[i]].sw]++;
	r->nhomes = 0;
	for (uint32_t s = 0; s < f->nsw; s++) {
		r->number[s] = r->nhomes;
		r->nhomes += r->hosts[s] > 0;
	}
	memset(r->streams, 0, (size_t)f->first_injection * r->nrounds *
	       sizeof(*r->streams));
	memset(r->pairs, 0, f->first_injection * sizeof(*r->pairs));
	memset(r->from, 0, (size_t)f->first_injection * r->nhomes *
	       sizeof(*r->from));
}

/* Returns the switch of the host that sends to a rank in a round. */
static uint32_t sender(const struct weft__shift_rounds *r, uint32_t rank,
		       uint32_t round)
{
	uint32_t shift = 1 + round * r->step;

	return r->f->ep[r->host[rank >= shift ? rank - shift :
				rank + r->n - shift]].sw;
}

/* Counts what passes each switch. */
static void count(struct weft__shift_rounds *r, const struct weft__column *c,
		  uint32_t rank)
{
	for (uint32_t s = 0; s < r->f->nsw; s++)
		r->behind[s] = (struct weft__shift_behind){
			.hosts = r->hosts[s], .nhomes = r->hosts[s] > 0,
		};
	for (uint32_t k = 0; k < r->nrounds; k++)
		r->behind[sender(r, rank, k)].nsources++;
	for (uint32_t i = c->norder; i--; ) {
		const struct weft__shift_behind *b = &r->behind[c->order[i]];
		struct weft__shift_behind *on = &r->behind[c->next[c->order[i]]];

		on->hosts += b->hosts;
		on->nsources += b->nsources;
		on->nhomes += b->nhomes;
	}
}

/* Lists what passes each switch, what begins there last.  Up to the end, `source`
 * and `home` are where the next one is to be put. */
static void list(struct weft__shift_rounds *r, const struct weft__column *c,
		 uint32_t rank)
{
	for (uint32_t i = 0; i < c->norder; i++) {
		struct weft__shift_behind *b = &r->behind[c->order[i]];
		struct weft__shift_behind *on = &r->behind[c->next[c->order[i]]];

		b->source = on->source;
		b->home = on->home;
		on->source += b->nsources;
		on->home += b->nhomes;
	}
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i];

		if (r->hosts[s])
			r->home[r->behind[s].home++] = s;
	}
	for (uint32_t k = 0; k < r->nrounds; k++) {
		uint32_t s = sender(r, rank, k);

		if (c->hops[s] != WEFT__FAR && s != c->root)
			r->source[r->behind[s].source++] = k;
	}
	for (uint32_t i = 0; i < c->norder; i++) {
		struct weft__shift_behind *b = &r->behind[c->order[i]];

		b->source -= b->nsources;
		b->home -= b->nhomes;
	}
}

void weft__shift_rounds_read(struct weft__shift_rounds *r,
			     const struct weft__column *c, uint32_t rank)
{
	count(r, c, rank);
	list(r, c, rank);
	r->looked += 2 * c->norder + r->nrounds;
}

void weft__shift_rounds_add(struct weft__shift_rounds *r, uint32_t s,
			    uint32_t ch, int sign)
{
	const struct weft__shift_behind *b = &r->behind[s];
	uint16_t *streams = r->streams + (size_t)ch * r->nrounds;
	uint32_t *from = r->from + (size_t)ch * r->nhomes;

	for (uint32_t i = 0; i < b->nsources; i++)
		streams[r->source[b->source + i]] += sign;
	for (uint32_t i = 0; i < b->nhomes; i++)
		from[r->number[r->home[b->home + i]]] += sign;
	r->pairs[ch] += sign * b->hosts;
	r->looked += b->nsources + b->nhomes;
}

int64_t weft__shift_rounds_meet(struct weft__shift_rounds *r, uint32_t s,
				uint32_t ch, uint32_t through, bool carries)
{
	const struct weft__shift_behind *b = &r->behind[s];
	const uint16_t *streams = r->streams + (size_t)ch * r->nrounds;
	const uint32_t *from = r->from + (size_t)ch * r->nhomes;
	int64_t met = 0, all = (int64_t)b->hosts * r->pairs[ch];
	int64_t same = (int64_t)b->hosts * through;

	for (uint32_t i = 0; i < b->nsources; i++)
		met += streams[r->source[b->source + i]];
	for (uint32_t i = 0; i < b->nhomes; i++) {
		uint32_t home = r->home[b->home + i];

		same += (int64_t)r->hosts[home] * from[r->number[home]];
	}
	if (carries) {
		met -= b->nsources;
		all -= (int64_t)b->hosts * b->hosts;
		same -= (int64_t)b->hosts * (b->hosts + 1);
	}
	r->looked += b->nsources + b->nhomes;
	return (EIGHTHS * met * r->step * (r->n - 1) +
		(EIGHTHS * all - APART * same) * r->random) *
		((int64_t)r->scale[ch] * r->scale[ch]);
}
