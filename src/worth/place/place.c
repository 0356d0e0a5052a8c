// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: placement; see weft/place.h
 *
 * The rounds of the pattern are listed once, by rank; of patterns with many a
 * random one of each of as many stretches.  The search goes by these and knows
 * no sizes but coarse ones; what it finds is judged by all rounds and sizes,
 * by the model, and is left aside if the given order is better by that.  Where
 * others send meanwhile, each round has one of theirs beside it, the same to
 * both; patterns with less rounds than theirs begin again.
 */
#include "worth/place/search.h"

#include "core/grow.h"
#include "worth/model/sample.h"

#include <weft/diag.h>
#include <weft/mapping.h>
#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 64
#define MAX_LOADS (UINT64_C(1) << 24)	/* rounds x channels */
#define MAX_BUCKETS 4096
#define MAX_WEIGHT 16		/* of the largest stream, where sizes differ */

struct run {
	const struct weft_fabric *f;
	const struct weft_routes *routes;
	const struct weft_place_spec *spec;
	struct weft__place p;
	uint32_t *order;	/* [nplaces] */
	uint64_t *number;	/* [nrounds] which rounds the search goes by */
	struct weft_diag *diag;
};

static void run_free(struct run *r)
{
	struct weft__place *p = &r->p;

	weft__paths_free(&p->paths);
	free(p->host);
	free(p->pair);
	free(p->first);
	free(p->incident);
	free(p->alone);
	free(p->least);
	free(p->class);
	free(p->base);
	free(r->order);
	free(r->number);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* --- rounds --------------------------------------------------------------- */

static uint32_t count_rounds(const struct run *r)
{
	const struct weft_traffic *t = r->spec->traffic;
	uint64_t all = weft_traffic_rounds(t);
	uint64_t most = weft_model_rounds(t, r->spec->beside);
	uint64_t n = r->spec->rounds ? r->spec->rounds :
		     all < ROUNDS && !weft_traffic_is_random(t) ? most : ROUNDS;
	uint64_t room = MAX_LOADS / (r->f->nch + 1ull);

	if (n > most && !weft_traffic_is_random(t))
		n = most;
	n = n < room ? n : room;
	return n ? n : 1;
}

/* The largest size of a pair; 0: all are alike. */
static double largest_size(const struct weft_traffic *t,
			   struct weft_draw *draw, struct weft_pair *pair)
{
	double most = 0;

	for (uint64_t r = 0; r < weft_traffic_rounds(t); r++) {
		uint64_t n = draw->size ?
			weft_traffic_round(t, r, draw, pair) : 0;

		for (uint64_t i = 0; i < n; i++)
			most = draw->size[i] > most ? draw->size[i] : most;
	}
	return most;
}

/* Lists the pairs of one round as the search has them. */
static int list_round(struct run *r, uint32_t round, uint64_t number,
		      double most, struct weft_draw *draw,
		      struct weft_pair *pair, size_t *room)
{
	const struct weft_traffic *t = r->spec->traffic;
	uint64_t n = weft_traffic_round(t, number, draw, pair);
	struct weft__place *p = &r->p;

	if (weft__grow(&p->pair, room, p->npairs + n + 1))
		return -ENOMEM;
	for (uint64_t i = 0; i < n; i++) {
		uint32_t weight = most > 0 ?
			1 + (uint32_t)(draw->size[i] / most *
				      (MAX_WEIGHT - 1)) : 1;

		p->pair[p->npairs++] = (struct weft__place_pair){
			pair[i].from, pair[i].to, round, weight };
	}
	return 0;
}

static int list_pairs(struct run *r)
{
	const struct weft_traffic *t = r->spec->traffic;
	uint64_t all = weft_traffic_rounds(t);
	uint32_t n = r->p.nrounds = count_rounds(r);
	struct weft_draw draw = {
		.rng = weft_rng_new(1),
		.scratch = malloc((weft_traffic_scratch(t) + 1) *
				  sizeof(*draw.scratch)),
	};
	struct weft_pair *pair = malloc((weft_traffic_max_pairs(t) + 1) *
					sizeof(*pair));
	bool sized = weft_traffic_is_sized(t);
	size_t room = 0;
	double most;
	int err;

	if (sized)
		draw.size = malloc((weft_traffic_max_pairs(t) + 1) *
				   sizeof(*draw.size));
	err = draw.rng && draw.scratch && pair && (draw.size || !sized) ?
		0 : -ENOMEM;
	r->number = malloc((n + 1ull) * sizeof(*r->number));
	err = r->number ? err : -ENOMEM;
	most = err ? 0 : largest_size(t, &draw, pair);
	for (uint32_t i = 0; i < n && !err; i++) {
		uint64_t begin = all * i / n, end = all * (i + 1) / n;

		weft_rng_seed_sample(draw.rng, r->spec->seed, i);
		if (all <= n)
			begin = i % all;
		else if (end - begin > 1)
			begin += weft_rng_below(draw.rng, end - begin);
		r->number[i] = all <= n ? i : begin;
		err = list_round(r, i, begin, most, &draw, pair, &room);
	}
	weft_rng_free(draw.rng);
	free(draw.scratch);
	free(draw.size);
	free(pair);
	return err;
}

/* How much slower the fastest link of a host is than the fastest of all. */
static uint64_t host_factor(const struct run *r)
{
	const struct weft_fabric *f = r->f;
	uint64_t fastest = 1, host = 0;

	for (uint32_t ch = 0; ch < f->nch; ch++)
		if (f->capacity[ch] > fastest)
			fastest = f->capacity[ch];
	for (uint32_t i = 0; i < r->p.nplaces * r->p.width; i++) {
		uint32_t e = r->spec->endport[i];

		if (f->capacity[f->first_injection + e] > host)
			host = f->capacity[f->first_injection + e];
	}
	return host ? fastest * WEFT__PLACE_SCALE / host : WEFT__PLACE_SCALE;
}

/* Finds the loads that each round has wherever ranks stand, and how much a
 * round may put on a channel. */
static int look_at_rounds(struct run *r)
{
	struct weft__place *p = &r->p;
	uint64_t nranks = (uint64_t)p->nunits * p->width, load = 0;
	uint64_t factor = host_factor(r);
	/* what each rank sends and hears, and in which round that was */
	uint64_t *sum = calloc(2 * nranks + 1, sizeof(*sum));
	uint32_t *seen = calloc(2 * nranks + 1, sizeof(*seen)), round = 0;

	p->alone = calloc(p->nrounds + 1ull, sizeof(*p->alone));
	p->least = calloc(p->nrounds + 1ull, sizeof(*p->least));
	for (uint64_t i = 0; sum && seen && p->alone && p->least &&
	     i < p->npairs; i++) {
		const struct weft__place_pair *x = &p->pair[i];
		const uint64_t end[] = { 2ull * x->from, 2ull * x->to + 1 };

		load = (x->round == round ? load : 0) + x->weight;
		round = x->round;
		for (int k = 0; k < 2; k++) {
			uint64_t *s = &sum[end[k]];

			*s = (seen[end[k]] == round + 1 ? *s : 0) +
			     x->weight * factor;
			seen[end[k]] = round + 1;
			p->least[round] = larger(p->least[round], *s);
		}
		p->alone[round] = larger(p->alone[round],
			(uint64_t)x->weight * WEFT__PLACE_SCALE);
		p->buckets = larger(p->buckets,
				    load < MAX_BUCKETS ? load : MAX_BUCKETS);
	}
	free(sum);
	free(seen);
	return sum && seen && p->alone && p->least ? 0 : -ENOMEM;
}

/* Lists the pairs of each unit; one within a unit once. */
static int list_incident(struct weft__place *p)
{
	uint64_t *at = calloc(p->nunits + 2ull, sizeof(*at));

	p->first = at;
	p->incident = malloc((2 * p->npairs + 1) * sizeof(*p->incident));
	if (!at || !p->incident)
		return -ENOMEM;
	for (int fill = 0; fill < 2; fill++) {
		for (uint64_t i = 0; i < p->npairs; i++) {
			uint32_t a = p->pair[i].from / p->width;
			uint32_t b = p->pair[i].to / p->width;

			if (fill)
				p->incident[at[a]] = i;
			at[a]++;
			if (a == b)
				continue;
			if (fill)
				p->incident[at[b]] = i;
			at[b]++;
		}
		for (uint32_t u = p->nunits; u; u--)
			at[u] = at[u - 1];
		at[0] = 0;
		for (uint32_t u = 0; !fill && u < p->nunits; u++)
			at[u + 1] += at[u];
	}
	return 0;
}

/* --- the problem ---------------------------------------------------------- */

static int list_hosts(struct run *r)
{
	const struct weft_place_spec *spec = r->spec;
	struct weft__place *p = &r->p;
	uint32_t n = p->nplaces * p->width;
	uint32_t *endport = weft__sample_endports(spec->endport, n, spec->beside);
	uint32_t nbeside = spec->beside ? spec->beside->pairs.nranks : 0;
	int err = -ENOMEM;

	p->host = malloc((n + 1ull) * sizeof(*p->host));
	r->order = malloc((p->nplaces + 1ull) * sizeof(*r->order));
	p->class = malloc(r->f->nch + 1ull);
	if (endport && p->host && r->order && p->class)
		err = weft__paths_init(&p->paths, r->f, &r->routes->lft,
				       p->lid_offset ? WEFT__ROWS_ALL :
						       WEFT__ROWS_BASE,
				       endport, n + nbeside);
	free(endport);
	if (err)
		return err;
	for (uint32_t i = 0; i < n; i++)
		p->host[i] = weft__paths_host(&p->paths, spec->endport[i]);
	for (uint32_t i = 0; i < p->nplaces; i++)
		r->order[i] = i;
	return 0;
}

static int make_problem(struct run *r)
{
	struct weft__place *p = &r->p;
	int err;

	p->fabric = r->f;
	p->lid_offset = r->routes->lid_offset;
	p->nplaces = r->spec->nplaces;
	p->width = r->spec->width;
	p->nunits = weft_traffic_ranks(r->spec->traffic) / p->width;
	p->buckets = 1;
	err = list_hosts(r);
	if (!err)
		err = list_pairs(r);
	if (!err)
		err = look_at_rounds(r);
	if (!err)
		err = list_incident(p);
	if (!err && r->spec->beside &&
	    !weft__place_others(p, r->spec->beside, r->number,
				weft_traffic_is_sized(r->spec->traffic) ?
				MAX_WEIGHT : 1))
		err = -ENOMEM;
	if (!err)
		weft__place_classes(p);
	return err;
}

static int check(const struct weft_place_spec *spec, struct weft_diag *diag)
{
	const struct weft_traffic *t = spec->traffic;
	uint32_t nranks = weft_traffic_ranks(t), n = nranks / spec->width;

	if (nranks % spec->width || !n)
		return weft_fail(diag, EINVAL,
				 "%u ranks cannot be placed on hosts of %u each",
				 nranks, spec->width);
	if (n > spec->nplaces)
		return weft_fail(diag, EINVAL,
				 "%s are wanted, and there are %u to choose from",
				 WEFT_COUNT(n, "host"), spec->nplaces);
	if (weft_traffic_is_fair(t) && n == spec->nplaces)
		return weft_fail(diag, EINVAL,
				 "the pattern is random and the same to all ranks: no order of these hosts is better than another");
	return 0;
}

/* --- searching ------------------------------------------------------------ */

/* Whether the hosts' links are equally fast. */
static bool even_hosts(const struct run *r)
{
	const uint32_t *capacity = r->f->capacity + r->f->first_injection;
	const uint32_t *endport = r->spec->endport;

	for (uint32_t i = 1; i < r->p.nplaces * r->p.width; i++)
		if (capacity[endport[i]] != capacity[endport[0]])
			return false;
	return true;
}

static int search(struct run *r, struct weft_placement *out)
{
	const struct weft_traffic *t = r->spec->traffic;
	uint64_t orders = weft__place_orders(&r->p);

	if (orders > WEFT__PLACE_ORDERS)
		return weft__place_anneal(&r->p, r->spec, r->order,
					  &out->moves);
	out->exact = even_hosts(r) &&
		r->p.nrounds == weft_model_rounds(t, r->spec->beside) &&
		!weft_traffic_is_random(t) && !weft_traffic_is_sized(t);
	out->moves = orders;
	return weft__place_try_all(&r->p, r->order);
}

/* Judges the present order. */
static int judge(const struct run *r, struct weft_place_worth *out,
		 struct weft_diag *diag)
{
	return weft__place_judge(r->f, r->routes, r->spec, r->order, out,
				 diag);
}

static int run(struct run *r, struct weft_placement *out)
{
	uint32_t n = r->p.nunits;
	int err = judge(r, &out->given, r->diag);

	if (err)
		return err;
	out->exact = !out->given.lost && out->given.lower >= 1 &&
		r->p.nunits == r->p.nplaces;
	if (!out->exact && search(r, out))
		return weft_no_memory(r->diag);
	err = judge(r, &out->found, NULL);
	if (err)
		return weft_no_memory(r->diag);
	if (!weft__place_better(&out->found, &out->given)) {
		out->found = out->given;
		for (uint32_t i = 0; i < n; i++)
			r->order[i] = i;
	}
	out->n = n;
	out->place = r->order;
	r->order = NULL;
	return 0;
}

int weft_place_run(const struct weft_fabric *fabric,
		   const struct weft_routes *routes,
		   const struct weft_place_spec *spec,
		   struct weft_placement *out, struct weft_diag *diag)
{
	struct run r = {
		.f = fabric, .routes = routes, .spec = spec, .diag = diag,
	};
	struct weft_placement found = { .n = 0 };
	int err = check(spec, diag);

	if (err)
		return err;
	err = make_problem(&r) ? weft_no_memory(diag) : run(&r, &found);
	run_free(&r);
	if (!err)
		*out = found;
	return err;
}

void weft_placement_free(struct weft_placement *placement)
{
	free(placement->place);
	*placement = (struct weft_placement){ .n = 0 };
}
