// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: simulated annealing of orders; see search.h
 *
 * A move swaps the places of two units, of which one may be idle.  Moves that
 * make it worse are taken with a probability that falls (Kirkpatrick, Gelatt,
 * Vecchi, Science 1983).  Several chains begin at the given order, at hosts of
 * one switch side by side, and at hosts near each other; the hotter a chain
 * begins, the less is left of that.  Each has random numbers of its own, and
 * the best of all is taken, the first among equals: threads share chains, and
 * make no difference.
 */
#include "worth/place/search.h"

#include "core/threads.h"

#include <weft/rng.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>


#define CHAINS 4
#define PROBES 200	/* moves by which the temperature is chosen */
#define COLDEST 1e-3	/* temperature in the end, of the first one */
#define LOOK 256	/* moves between two looks at the clock */
#define MOVES_PER_UNIT 4000
#define LEAST_MOVES 20000
#define CHANGES 2e8	/* changes of loads in a chain, about */
#define LOST 1e12	/* energy of a stream without a route */

/* Temperature that each chain begins with, by the mean change of a move. */
static const double heat[CHAINS] = { .5, .05, .05, .2 };

struct chain {
	struct weft__place_state s;
	struct weft_rng *rng;
	uint32_t *best;		/* [nplaces] */
	struct weft__place_cost cost;	/* of that */
	uint64_t moves;
};

/* What all chains go by. */
struct anneal {
	const struct weft__place *p;
	const struct weft_place_spec *spec;
	uint64_t moves;		/* of a chain */
	double begin;		/* clock */
	double peak;		/* energy of a unit of the peaks */
	uint64_t enough;	/* peaks between switches that end the search,
				 * 0: none */
	uint64_t done;		/* of all chains, about */
};

static double clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

static double energy(const struct anneal *a, const struct weft__place_cost *c)
{
	return c->lost * LOST + a->peak * (c->peaks + c->between / 2.0) +
	       c->squares;
}

/* Draws two units, the first one in use. */
static void draw(const struct weft__place *p, struct weft_rng *rng,
		 uint32_t *a, uint32_t *b)
{
	*a = weft_rng_below(rng, p->nunits);
	*b = weft_rng_below(rng, p->nplaces - 1);
	*b += *b >= *a;
}

/* The mean change of a move from where the chain begins. */
static double mean_change(const struct anneal *a, struct chain *c)
{
	double sum = 0;

	for (int i = 0; i < PROBES; i++) {
		double before = energy(a, &c->s.cost);
		uint32_t x, y;

		draw(a->p, c->rng, &x, &y);
		weft__place_swap(&c->s, x, y);
		sum += fabs(energy(a, &c->s.cost) - before);
		weft__place_swap(&c->s, x, y);
	}
	return sum / PROBES;
}

/* How much of its work a chain has done, 1: all of it. */
static double progress(struct anneal *a, uint64_t move, bool tells)
{
	const struct weft_place_spec *spec = a->spec;
	double share = spec->seconds > 0 ?
		(clock_now() - a->begin) / spec->seconds :
		(double)move / a->moves;
	uint64_t done;

#pragma omp atomic capture
	done = a->done += move ? LOOK : 0;
	if (tells && spec->progress && spec->seconds > 0)
		spec->progress(spec->progress_context, fmin(share, 1) * 1000,
			       1000);
	else if (tells && spec->progress)
		spec->progress(spec->progress_context, done,
			       a->moves * CHAINS);
	return share;
}

static void keep_best(struct chain *c)
{
	if (!weft__place_cheaper(&c->s.cost, &c->cost))
		return;
	c->cost = c->s.cost;
	memcpy(c->best, c->s.place, c->s.p->nplaces * sizeof(*c->best));
}

static void run_chain(struct anneal *a, struct chain *c, double warm,
		      bool tells)
{
	double first = warm * mean_change(a, c), heat_now = first;
	double now = energy(a, &c->s.cost);

	for (; a->spec->seconds > 0 || c->moves < a->moves; c->moves++) {
		uint32_t x, y;
		double next, worse;

		if (c->moves % LOOK == 0) {
			double share = progress(a, c->moves, tells);

			if (share >= 1)
				break;
			heat_now = first * pow(COLDEST, share);
		}
		draw(a->p, c->rng, &x, &y);
		weft__place_swap(&c->s, x, y);
		next = energy(a, &c->s.cost);
		worse = next - now;
		if (worse > 0 && weft_rng_u32(c->rng) * 0x1p-32 >=
				 exp(-worse / heat_now)) {
			weft__place_swap(&c->s, x, y);
			continue;
		}
		now = next;
		keep_best(c);
		if (!c->cost.lost && c->cost.between <= a->enough)
			break;
	}
}

/* Where chain number i begins. */
static int begin_chain(const struct anneal *a, struct chain *c, int i,
		       const uint32_t *given)
{
	const struct weft__place *p = a->p;
	int err = 0;

	c->rng = weft_rng_new(1);
	c->best = malloc((p->nplaces + 1ull) * sizeof(*c->best));
	if (!weft__place_state_init(&c->s, p) || !c->rng || !c->best)
		return -ENOMEM;
	weft_rng_seed_sample(c->rng, a->spec->seed, i);
	if (i == 1)
		err = weft__place_packed(p, c->best);
	else if (i > 1)
		err = weft__place_near(p, c->best);
	else
		memcpy(c->best, given, p->nplaces * sizeof(*given));
	if (err)
		return err;
	weft__place_set(&c->s, c->best);
	c->cost = c->s.cost;
	return 0;
}

static void chain_free(struct chain *c)
{
	weft__place_state_free(&c->s);
	weft_rng_free(c->rng);
	free(c->best);
}

/* How many moves a chain tries unless told. */
static uint64_t moves_of(const struct weft__place *p)
{
	double streams = 2.0 * p->npairs / p->nunits;
	/* two units, there and often back, streams off and on */
	double changes = streams * 6 * (p->paths.max_hops + 2.0);
	double moves = CHANGES / (changes + 20);
	double most = (double)MOVES_PER_UNIT * p->nplaces;

	most = most > LEAST_MOVES ? most : LEAST_MOVES;
	moves = moves < most ? moves : most;
	return moves > LOOK ? (uint64_t)moves : LOOK;
}

int weft__place_anneal(const struct weft__place *p,
		       const struct weft_place_spec *spec, uint32_t *best,
		       uint64_t *moves)
{
	struct chain chain[CHAINS] = { 0 };
	struct anneal a = {
		.p = p, .spec = spec, .begin = clock_now(),
		.moves = spec->moves ? (spec->moves + CHAINS - 1) / CHAINS :
				       moves_of(p),
		/* as if a quarter of a round's streams had one less */
		.peak = (double)WEFT__PLACE_SCALE * p->npairs /
			(4.0 * p->nrounds),
	};
	int threads = weft__count_threads(spec->threads), err = 0;
	uint32_t first = 0;

	/* hosts to choose from may still do with fewer cables */
	for (uint32_t i = 0; i < p->nrounds && p->nunits == p->nplaces; i++)
		a.enough += p->alone[i];
	for (int i = 0; i < CHAINS && !err; i++)
		err = begin_chain(&a, &chain[i], i, best);
	*moves = 0;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (!err)
	for (int i = 0; i < (err ? 0 : CHAINS); i++)
		run_chain(&a, &chain[i], heat[i], !i);
	for (int i = 0; i < CHAINS && !err; i++) {
		*moves += chain[i].moves;
		if (weft__place_cheaper(&chain[i].cost, &chain[first].cost))
			first = i;
	}
	if (!err)
		memcpy(best, chain[first].best, p->nplaces * sizeof(*best));
	for (int i = 0; i < CHAINS; i++)
		chain_free(&chain[i]);
	return err;
}
