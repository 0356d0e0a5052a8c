// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: relief, lower peaks of load
 *
 * Passes of balance even out the loads on the whole.  All-to-all, however,
 * waits for the most loaded channel, and a shift meets it again and again; that
 * channel stays as loaded as it is where no single tree can relieve it.  Passes
 * that route everything anew also destroy the regularity of regular trees.  So
 * relief moves only traffic that passes a peak.  In each round a target is set
 * somewhat below the highest load.  A switch whose way passes a channel above
 * the target takes another one of its ways, if all channels of that one stay
 * below the target with the traffic that is moved there.  Switches far from the
 * destination come first, as they move least.  Rounds go on as long as the
 * highest load falls.
 *
 * Complexity: O(LIDs x switches) for each round, and the hops of the ways that
 * are moved.
 */
#include "trees/balance.h"

#include <string.h>

#define STEP 32		/* target: 1 - 1/step of the highest load */
#define FALL 200	/* step grows if a round lowers that by less than
			 * 1/FALL */

struct relief {
	struct weft__balance *b;
	const struct weft_fabric *f;
	uint64_t target;
	const struct weft__tree *tree;
	bool moved;
};

/* Returns the load of the fastest host's link when all sources send to it.
 * Lower loads between switches make nothing faster. */
static uint64_t lowest_target(const struct weft__balance *b)
{
	const struct weft_fabric *f = b->fabric;
	uint64_t fastest = 0, host = 1, sources = 0;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		if (f->capacity[f->adj[e]] > fastest)
			fastest = f->capacity[f->adj[e]];
	for (uint32_t e = 0; e < f->nep; e++)
		if (f->capacity[f->first_injection + e] > host)
			host = f->capacity[f->first_injection + e];
	for (uint32_t s = 0; s < f->nsw; s++)
		sources += b->sources[s];
	return (sources * fastest / host * 16 << 8) + UINT8_MAX;
}

static uint32_t taken(const struct relief *r, uint32_t s)
{
	return r->f->adj_first[s] + r->tree->choice[s];
}

/* Returns true if the way from s passes a channel above the target. */
static bool is_hot(const struct relief *r, uint32_t s)
{
	for (; s != r->tree->root; s = r->b->head[taken(r, s)])
		if (r->b->weight[taken(r, s)] > r->target)
			return true;
	return false;
}

/* Returns the highest load on the way by edge e with n sources more, or any
 * load above the target if one is. */
static uint64_t load_with(const struct relief *r, uint32_t e, uint32_t n)
{
	uint64_t most = 0;

	for (;; e = taken(r, r->b->head[e])) {
		uint64_t with = r->b->weight[e] +
			(uint64_t)n * r->b->scale[e];

		most = with > most ? with : most;
		if (most > r->target || r->b->head[e] == r->tree->root)
			return most;
	}
}

/* Adds n sources to the way from s, or removes them with sign -1. */
static void shift_load(struct relief *r, uint32_t s, uint32_t n, uint64_t sign)
{
	struct weft__balance *b = r->b;

	for (; s != r->tree->root; s = b->head[taken(r, s)]) {
		b->weight[taken(r, s)] += sign * n * b->scale[taken(r, s)];
		b->through[s] += sign * n;
	}
}

/* Sends the traffic that passes s by its least loaded way, if that stays below
 * the target. */
static void move_load(struct relief *r, uint32_t s, const struct weft__run *run,
		      unsigned nruns)
{
	uint32_t n = r->b->through[s], best = WEFT_NONE;
	uint64_t least = r->target + 1;

	shift_load(r, s, n, -UINT64_C(1));
	for (; nruns; nruns--, run++) {
		uint32_t e = r->f->adj_first[s] + run->start;
		uint32_t end = e + run->length;

		for (; e < end; e++) {
			uint64_t most = load_with(r, e, n);

			if (most < least) {
				least = most;
				best = e;
			}
		}
	}
	if (best != WEFT_NONE && best != taken(r, s)) {
		r->tree->choice[s] = best - r->f->adj_first[s];
		r->moved = true;
	}
	shift_load(r, s, n, 1);
}

static bool passes_peak(const struct relief *r, const struct weft__plan *plan)
{
	for (uint32_t i = 1; i <= plan->n; i++)
		if (r->b->weight[taken(r, plan->order[i])] > r->target)
			return true;
	return false;
}

static void count_through(struct relief *r, const struct weft__plan *plan)
{
	uint32_t *through = r->b->through;

	for (uint32_t s = 0; s < r->f->nsw; s++)
		through[s] = r->b->sources[s] * r->tree->weight;
	for (uint32_t i = plan->n; i > 0; i--)
		through[r->b->head[taken(r, plan->order[i])]] +=
			through[plan->order[i]];
}

static void relieve_tree(struct relief *r, const struct weft__plan *plan)
{
	const struct weft__run *run = plan->run + plan->total;

	if (!passes_peak(r, plan))
		return;
	count_through(r, plan);
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i];
		unsigned n = plan->nruns[i - 1];

		run -= n;
		if ((n > 1 || run->length > 1) && r->b->through[s] &&
		    is_hot(r, s))
			move_load(r, s, run, n);
	}
}

void weft__balance_relieve(struct weft__balance *b, struct weft__ways *ways,
			   const struct weft__trees *trees, unsigned rounds)
{
	struct relief r = { .b = b, .f = b->fabric };
	uint64_t least = lowest_target(b), most = weft__balance_peak(b);
	uint64_t step = STEP;

	while (rounds-- && most > least && step <= STEP * 64) {
		uint64_t before = most;

		r.moved = false;
		r.target = most - most / step;
		if (r.target < least)
			r.target = least;
		for (uint32_t d = 0; d < trees->nendports; d++) {
			r.tree = &trees->tree[d];
			relieve_tree(&r, weft__ways_to(ways, r.tree->root));
		}
		most = weft__balance_peak(b);
		if (!r.moved || before - most < before / FALL)
			step *= 4;
	}
}
