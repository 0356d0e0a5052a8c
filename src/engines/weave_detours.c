// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where the order leads elsewhere than minimal ways do; see weave_lanes.c. */
#include "engines/weave.h"

#include "core/arena.h"
#include "trees/bfs.h"

#include <errno.h>
#include <string.h>

#define SAMPLE 16	/* switches */

struct share {
	uint64_t pairs, farther;
};

/* Adds up the pairs with one switch, and those of them that are farther apart
 * by the order. */
static void count_farther(const struct weft__weave *w, uint32_t t,
			  const uint16_t *minimal, const uint16_t *ordered,
			  struct share *share)
{
	const uint32_t *hosts = w->close.hosts;

	for (uint32_t s = 0; s < w->f->nsw; s++) {
		uint64_t n = (uint64_t)hosts[s] * hosts[t];

		share->pairs += n;
		share->farther += minimal[s] < ordered[s] ? n : 0;
	}
}

static double value(const struct share *share)
{
	return share->pairs ? (double)share->farther / share->pairs : 0;
}

/* The share of pairs of hosts that the order keeps farther apart than minimal
 * routes do.  O(switches with hosts x switches). */
static int find_farther(const struct weft__weave *w,
			const struct weft__ways *minimal, double *farther)
{
	const struct weft__ways *ordered = &w->ordered.ways;
	uint32_t nsw = w->f->nsw;
	uint16_t *hops = weft__arena_alloc(w->arena, 2ull * nsw, sizeof(*hops));
	struct share share = { 0 };

	if (!hops)
		return -ENOMEM;
	for (uint32_t t = 0; t < nsw; t++) {
		if (!w->close.hosts[t])
			continue;
		weft__ways_hops(minimal, &minimal->plan[t], hops);
		weft__ways_hops(ordered, &ordered->plan[t], hops + nsw);
		count_farther(w, t, hops, hops + nsw, &share);
	}
	*farther = value(&share);
	return 0;
}

int weft__weave_guess_farther(struct weft__weave *w, double *farther)
{
	uint32_t nsw = w->f->nsw, step = nsw / SAMPLE + 1;
	uint16_t *hops = weft__arena_alloc(w->arena, 2ull * nsw, sizeof(*hops));
	uint32_t *queue = weft__arena_alloc(w->arena, nsw, sizeof(*queue));
	struct share share = { 0 };

	if (!hops || !queue)
		return -ENOMEM;
	for (uint32_t t = 0; t < nsw; t++) {
		if (!w->close.hosts[t] || t % step)
			continue;
		weft__bfs(w->f, t, hops, queue);
		weft__ways_hops(&w->ordered.ways, &w->ordered.ways.plan[t],
				hops + nsw);
		count_farther(w, t, hops, hops + nsw, &share);
	}
	*farther = value(&share);
	weft_explain(w->diag, "pairs of hosts that the order keeps farther "
		     "apart: %.1f %% of a sample", *farther * 100);
	return 0;
}

/* A plan, switch by switch. */
struct ways_of {
	uint8_t nruns;
	const struct weft__run *run;
};

static void index_plan(const struct weft__plan *plan, struct ways_of *of)
{
	const struct weft__run *run = plan->run;

	for (uint32_t i = 0; i < plan->n; i++) {
		of[plan->order[i + 1]] = (struct ways_of){
			.nruns = plan->nruns[i], .run = run,
		};
		run += plan->nruns[i];
	}
}

/* Whether switch s has the same ways of both, which are marked as passed. */
static bool pass(const struct weft_fabric *f, uint32_t s,
		 const struct ways_of *a, const struct ways_of *b,
		 uint8_t *passed)
{
	const uint32_t *adj = f->adj + f->adj_first[s];

	if (a->nruns != b->nruns ||
	    memcmp(a->run, b->run, a->nruns * sizeof(*a->run)))
		return false;
	for (unsigned i = 0; i < a->nruns; i++)
		for (unsigned k = 0; k < a->run[i].length; k++)
			passed[f->peer[adj[a->run[i].start + k]]] = 1;
	return true;
}

/* Whether two plans have the same ways wherever endports' traffic may pass. */
static bool are_alike(const struct weft_fabric *f, const struct weft__plan *a,
		      const struct weft__plan *b, struct ways_of *of,
		      uint8_t *passed)
{
	const uint32_t *first = f->sw_ep_first;

	index_plan(a, of);
	index_plan(b, of + f->nsw);
	for (uint32_t s = 0; s < f->nsw; s++)
		passed[s] = first[s] != first[s + 1];
	for (uint32_t i = a->n; i > 0; i--) {
		uint32_t s = a->order[i];

		if (passed[s] && !pass(f, s, &of[s], &of[f->nsw + s], passed))
			return false;
	}
	return true;
}

int weft__weave_same_ways(struct weft__weave *w, const struct weft__ways *a,
			  const struct weft__ways *b, bool *same)
{
	const struct weft_fabric *f = w->f;
	struct ways_of *of = weft__arena_alloc(w->arena, 2ull * f->nsw,
					       sizeof(*of));
	uint8_t *passed = weft__arena_alloc(w->arena, f->nsw, 1);

	if (!of || !passed)
		return -ENOMEM;
	*same = true;
	for (uint32_t s = 0; s < f->nsw && *same; s++)
		if (f->sw_ep_first[s] != f->sw_ep_first[s + 1])
			*same = are_alike(f, &a->plan[s], &b->plan[s], of,
					  passed);
	return 0;
}

int weft__weave_detours(struct weft__weave *w, const struct weft__ways *minimal,
			struct weft__detours *out)
{
	bool same;
	int err = weft__weave_same_ways(w, minimal, &w->ordered.ways, &same);

	*out = (struct weft__detours){ .any = !same };
	if (!err && !out->any)
		weft_explain(w->diag, "the order leaves all minimal ways to "
			     "endports");
	if (err || !out->any)
		return err;
	err = find_farther(w, minimal, &out->farther);
	if (!err)
		weft_explain(w->diag, "pairs of hosts that the order keeps "
			     "farther apart: %.1f %%", out->farther * 100);
	return err;
}
