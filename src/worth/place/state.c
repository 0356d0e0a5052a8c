// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: incremental congestion; see state.h
 *
 * What ranks send and receive at once is the same wherever they stand, and so is
 * the load of channels at hosts, unless these differ in speed.  Loads are kept
 * of channels between switches alone.
 *
 * A round takes as long as its most loaded channel is busy.  Which one that is
 * changes with each move; therefore each round has, for each capacity, a count
 * of channels by load, from which the largest load is read in a few steps.  The
 * sum of squares tells the search where to go as long as the largest stays.
 */
#include "worth/place/state.h"

#include <stdlib.h>
#include <string.h>

bool weft__place_cheaper(const struct weft__place_cost *a,
			 const struct weft__place_cost *b)
{
	if (a->lost != b->lost)
		return a->lost < b->lost;
	if (a->peaks != b->peaks)
		return a->peaks < b->peaks;
	if (a->between != b->between)
		return a->between < b->between;
	return a->squares < b->squares;
}

static uint32_t fastest(const struct weft_fabric *f)
{
	uint32_t most = 1;

	for (uint32_t ch = 0; ch < f->nch; ch++)
		most = f->capacity[ch] > most ? f->capacity[ch] : most;
	return most;
}

/* Returns the class of a factor, a new one if there is room. */
static uint8_t class_of(struct weft__place *p, uint32_t factor)
{
	uint32_t c = 0;

	while (c < p->nclasses && p->factor[c] != factor)
		c++;
	if (c == p->nclasses && c < WEFT__PLACE_CLASSES)
		p->factor[p->nclasses++] = factor;
	return c < p->nclasses ? c : p->nclasses - 1;
}

void weft__place_classes(struct weft__place *p)
{
	const struct weft_fabric *f = p->fabric;
	uint64_t most = fastest(f);
	uint32_t slowest = WEFT__PLACE_SCALE;

	for (uint32_t ch = 0; ch < f->nch; ch++) {
		uint32_t factor = f->capacity[ch] ?
			(most * WEFT__PLACE_SCALE + f->capacity[ch] / 2) /
				f->capacity[ch] : 0;

		slowest = factor > slowest ? factor : slowest;
	}
	/* what is not known counts as the slowest, as in the model */
	for (uint32_t ch = 0; ch < f->nch; ch++)
		p->class[ch] = class_of(p, f->capacity[ch] ?
			(most * WEFT__PLACE_SCALE + f->capacity[ch] / 2) /
				f->capacity[ch] : slowest);
}

bool weft__place_state_init(struct weft__place_state *s,
			    const struct weft__place *p)
{
	size_t rounds = p->nrounds;
	size_t classes = rounds * p->nclasses;

	*s = (struct weft__place_state){ .p = p };
	s->place = malloc((p->nplaces + 1ull) * sizeof(*s->place));
	s->load = malloc((rounds * p->fabric->nch + 1) * sizeof(*s->load));
	s->count = malloc((classes * (p->buckets + 1ull) + 1) *
			  sizeof(*s->count));
	s->top = malloc((classes + 1) * sizeof(*s->top));
	s->peak = malloc((rounds + 1) * sizeof(*s->peak));
	s->touched = calloc(rounds + 1, 1);
	return s->place && s->load && s->count && s->top && s->peak &&
	       s->touched;
}

void weft__place_state_free(struct weft__place_state *s)
{
	free(s->place);
	free(s->load);
	free(s->count);
	free(s->top);
	free(s->peak);
	free(s->touched);
}

/* The load of a channel that the job uses, others' streams included. */
static inline uint32_t whole_load(const struct weft__place *p, size_t at,
				  uint32_t load)
{
	return p->base && load ? load + p->base[at] : load;
}

/* Adds to the load of a channel, or takes away. */
static inline void change(struct weft__place_state *s, uint32_t round,
			  uint32_t ch, int32_t by)
{
	const struct weft__place *p = s->p;
	size_t at = (size_t)round * p->fabric->nch + ch;
	uint32_t *load = &s->load[at];
	uint32_t old = whole_load(p, at, *load), class = p->class[ch];
	uint32_t new = whole_load(p, at, *load + by);
	uint64_t factor = p->factor[class];
	size_t row = (size_t)round * p->nclasses + class;
	uint32_t *count = s->count + row * (p->buckets + 1ull);
	uint32_t bucket = new < p->buckets ? new : p->buckets;

	*load += by;
	s->cost.squares += factor * factor *
		((uint64_t)new * new - (uint64_t)old * old);
	count[old < p->buckets ? old : p->buckets]--;
	count[bucket]++;
	if (bucket > s->top[row])
		s->top[row] = bucket;
}

/* The ports of the route from a host to another one; NULL: there is none. */
static const uint8_t *find_row(const struct weft__place *p, uint32_t from,
			       uint32_t to)
{
	uint32_t source = p->paths.endport[from];
	const uint8_t *row = weft__paths_row(&p->paths, to, p->lid_offset ?
					     p->lid_offset[source] : 0);

	return weft__paths_reach(row, p->paths.sw[from]) ? row : NULL;
}

/* Adds a stream of others. */
static void walk_other(const struct weft__place *p, uint32_t from, uint32_t to,
		       uint32_t weight, uint32_t *base)
{
	const struct weft_fabric *f = p->fabric;
	uint32_t sw = p->paths.sw[from], goal = p->paths.sw[to];
	const uint8_t *row = find_row(p, from, to);

	while (row && sw != goal) {
		uint32_t ch = f->first_channel[sw] + row[sw];

		base[ch] += weight;
		sw = f->peer[ch];
	}
}

bool weft__place_others(struct weft__place *p, const struct weft_beside *b,
			const uint64_t *number, uint32_t weight)
{
	const struct weft_pair_list *list = &b->pairs;
	uint64_t nch = p->fabric->nch, most = 0;

	p->base = calloc(p->nrounds * nch + 1, sizeof(*p->base));
	for (uint32_t r = 0; p->base && r < p->nrounds; r++) {
		uint64_t k = number[r] % list->nrounds;
		uint32_t *base = p->base + r * nch;

		for (uint64_t i = list->first[k]; i < list->first[k + 1]; i++)
			walk_other(p,
				   weft__paths_host(&p->paths, b->endport[
						list->pair[i].from]),
				   weft__paths_host(&p->paths, b->endport[
						list->pair[i].to]),
				   weight, base);
		for (uint64_t ch = 0; ch < nch; ch++)
			most = base[ch] > most ? base[ch] : most;
	}
	p->buckets += most;
	return p->base;
}

/* Adds a stream, by is 1, or takes it away, -1. */
static void walk(struct weft__place_state *s, const struct weft__place_pair *x,
		 int32_t by)
{
	const struct weft__place *p = s->p;
	const struct weft_fabric *f = p->fabric;
	uint32_t from = p->host[(uint64_t)s->place[x->from / p->width] *
				p->width + x->from % p->width];
	uint32_t to = p->host[(uint64_t)s->place[x->to / p->width] *
			      p->width + x->to % p->width];
	uint32_t sw = p->paths.sw[from], goal = p->paths.sw[to];
	const uint8_t *row = find_row(p, from, to);
	int32_t weight = by * (int32_t)x->weight;

	if (!row) {
		s->cost.lost += by;
		return;
	}
	s->touched[x->round] = 1;
	while (sw != goal) {
		uint32_t ch = f->first_channel[sw] + row[sw];

		change(s, x->round, ch, weight);
		sw = f->peer[ch];
	}
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Finds the peak of a round anew. */
static void find_peak(struct weft__place_state *s, uint32_t round)
{
	const struct weft__place *p = s->p;
	uint64_t most = 0, old = s->peak[round];

	for (uint32_t c = 0; c < p->nclasses; c++) {
		size_t row = (size_t)round * p->nclasses + c;
		const uint32_t *count = s->count + row * (p->buckets + 1ull);
		uint64_t load;

		while (s->top[row] && !count[s->top[row]])
			s->top[row]--;
		load = (uint64_t)s->top[row] * p->factor[c];
		most = load > most ? load : most;
	}
	s->cost.peaks += larger(most, p->least[round]) -
			 larger(old, p->least[round]);
	s->cost.between += larger(most, p->alone[round]) -
			   larger(old, p->alone[round]);
	s->peak[round] = most;
	s->touched[round] = 0;
}

void weft__place_set(struct weft__place_state *s, const uint32_t *place)
{
	const struct weft__place *p = s->p;
	size_t rounds = p->nrounds, rows = rounds * p->nclasses;

	memmove(s->place, place, p->nplaces * sizeof(*place));
	memset(s->load, 0, rounds * p->fabric->nch * sizeof(*s->load));
	memset(s->count, 0, rows * (p->buckets + 1ull) * sizeof(*s->count));
	memset(s->top, 0, rows * sizeof(*s->top));
	memset(s->peak, 0, rounds * sizeof(*s->peak));
	s->cost = (struct weft__place_cost){ .lost = 0 };
	/* channels without a load are counted, too, as they come and go */
	for (size_t row = 0; row < rows; row++)
		s->count[row * (p->buckets + 1ull)] = p->fabric->nch;
	for (uint64_t i = 0; i < p->npairs; i++)
		walk(s, &p->pair[i], 1);
	for (uint32_t round = 0; round < rounds; round++) {
		s->cost.peaks += p->least[round];
		s->cost.between += p->alone[round];
		find_peak(s, round);
	}
}

/* Adds the streams of unit a, or takes them away, but for those with unit
 * but. */
static void walk_unit(struct weft__place_state *s, uint32_t a, uint32_t but,
		      int32_t by)
{
	const struct weft__place *p = s->p;

	for (uint64_t i = p->first[a]; i < p->first[a + 1]; i++) {
		const struct weft__place_pair *x = &p->pair[p->incident[i]];
		uint32_t from = x->from / p->width, to = x->to / p->width;

		if ((from == a ? to : from) != but)
			walk(s, x, by);
	}
}

static void find_peaks(struct weft__place_state *s, uint32_t unit)
{
	const struct weft__place *p = s->p;

	for (uint64_t i = p->first[unit]; i < p->first[unit + 1]; i++) {
		uint32_t round = p->pair[p->incident[i]].round;

		if (s->touched[round])
			find_peak(s, round);
	}
}

void weft__place_swap(struct weft__place_state *s, uint32_t a, uint32_t b)
{
	uint32_t nunits = s->p->nunits, place = s->place[a];

	/* streams between the two are moved with those of a */
	if (a < nunits)
		walk_unit(s, a, WEFT_NONE, -1);
	if (b < nunits)
		walk_unit(s, b, a, -1);
	s->place[a] = s->place[b];
	s->place[b] = place;
	if (a < nunits)
		walk_unit(s, a, WEFT_NONE, 1);
	if (b < nunits)
		walk_unit(s, b, a, 1);
	if (a < nunits)
		find_peaks(s, a);
	if (b < nunits)
		find_peaks(s, b);
}
