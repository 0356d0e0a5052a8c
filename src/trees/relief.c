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
 * No move raises a load above the target, so that a round knows the channels
 * above it from the beginning: only trees that choose one of these are looked
 * at, and of their switches only those behind such a channel.
 *
 * Where cables are fewer farther up, the highest load cannot fall at all.  The
 * bound tells: of the channels above the target, each way has to pass some, and
 * all together they carry at least what the ways that pass fewest of them put
 * on them.  It is found before the first round, and after those that have not
 * reached their target.
 *
 * Where hosts are of several groups, no channel comes to carry more of a group's
 * own traffic than the channel that carried most of it before.
 *
 * The first rounds lower the highest peaks, and take the least work.  A limit
 * for all of them together, in proportion to the tables, ends the rest.
 *
 * Complexity: O(LIDs x switches) in all.
 */
#include "trees/balance.h"

#include <string.h>

#define STEP 32		/* target: 1 - 1/step of the highest load */
#define FALL 200	/* step grows if a round lowers that by less than
			 * 1/FALL */
#define HOT (1u << 31)	/* beside the head of an edge: it was above the target
			 * when the round began */
#define WORK_PER_ENTRY 64	/* of the tables, in edges and switches */

struct relief {
	struct weft__balance *b;
	const struct weft_fabric *f;
	uint64_t target;
	uint64_t limit;		/* of what may be looked at */
	uint32_t nhot;		/* switches with an edge above the target, in
				 * b->list */
	const struct weft__tree *tree;
	bool moved;
	/* Loads of the tree's group by itself, NULL: there is only one; and what
	 * none of them may exceed. */
	uint64_t *own, own_limit;
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

static bool is_above(const struct relief *r, uint32_t e)
{
	return r->b->weight[e] > r->target;
}

/* True if an edge is above the target.  No load rises above that in a round. */
static bool is_still_above(const struct relief *r, uint32_t e)
{
	return r->b->hot[e] & HOT && is_above(r, e);
}

/* Returns true if the way from s passes a channel above the target. */
static bool is_hot(const struct relief *r, uint32_t s)
{
	for (; s != r->tree->root; s = r->b->hot[taken(r, s)] & ~HOT)
		if (is_still_above(r, taken(r, s)))
			return true;
	return false;
}

/* True if n sources more by edge e are too many for their group. */
static bool crowds(const struct relief *r, uint32_t e, uint32_t n)
{
	return r->own && r->own[e] + (uint64_t)n * r->b->scale[e] > r->own_limit;
}

/* Returns the highest load on the way by edge e with n sources more, or any
 * load above the target if one is. */
static uint64_t load_with(const struct relief *r, uint32_t e, uint32_t n)
{
	uint64_t most = 0;

	for (;; e = taken(r, r->b->head[e])) {
		uint64_t with = r->b->weight[e] +
			(uint64_t)n * r->b->scale[e];

		r->b->looked++;
		if (crowds(r, e, n))
			return r->target + 1;
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
		if (r->own)
			r->own[taken(r, s)] += sign * n *
					       b->scale[taken(r, s)];
		b->through[s] += sign * n;
		b->looked++;
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

/* Lists the switches with a channel above the target, and marks these. */
static void list_hot(struct relief *r)
{
	const uint32_t *first = r->f->adj_first;

	r->nhot = 0;
	for (uint32_t s = 0; s < r->f->nsw; s++) {
		bool any = false;

		for (uint32_t e = first[s]; e < first[s + 1]; e++) {
			bool above = is_above(r, e);

			r->b->hot[e] = r->b->head[e] | (above ? HOT : 0);
			any |= above;
		}
		r->b->list[r->nhot] = s;
		r->nhot += any;
	}
}

static bool passes_peak(const struct relief *r)
{
	for (uint32_t i = 0; i < r->nhot; i++) {
		uint32_t s = r->b->list[i];

		if (r->tree->choice[s] != WEFT__UNFIXED &&
		    is_still_above(r, taken(r, s)))
			return true;
	}
	return false;
}

/* Lists the places in a plan of switches behind a channel that was above the
 * target when the round began, and where their runs begin.  Returns how many
 * there are. */
static uint32_t list_behind(struct relief *r, const struct weft__plan *plan)
{
	const uint32_t *first = r->f->adj_first, *hot = r->b->hot;
	const uint32_t *order = plan->order + 1;
	const uint8_t *restrict choice = r->tree->choice;
	const uint8_t *restrict nruns = plan->nruns;
	uint8_t *restrict behind = r->b->behind;
	uint32_t *restrict far = r->b->far, *restrict far_run = r->b->far_run;
	uint32_t n = 0, run = 0, total = plan->n;

	behind[plan->order[0]] = false;
	for (uint32_t i = 0; i < total; run += nruns[i++]) {
		uint32_t s = order[i], next = hot[first[s] + choice[s]];
		uint8_t is_behind = behind[next & ~HOT] | next >> 31;

		behind[s] = is_behind;
		far[n] = i;
		far_run[n] = run;
		n += is_behind;
	}
	r->b->looked += 2 * total;
	return n;
}

/* Finds the traffic through those switches.  All that passes them comes from
 * others among them. */
static void find_through(struct relief *r, const struct weft__plan *plan,
			 uint32_t n)
{
	uint32_t *through = r->b->through;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t s = plan->order[r->b->far[k] + 1];

		through[s] = r->b->sources[s] * r->tree->weight;
	}
	while (n--) {
		uint32_t s = plan->order[r->b->far[n] + 1];

		through[r->b->head[taken(r, s)]] += through[s];
	}
}

static void relieve_tree(struct relief *r, const struct weft__plan *plan)
{
	uint32_t n = list_behind(r, plan);

	find_through(r, plan, n);
	while (n--) {
		uint32_t i = r->b->far[n], s = plan->order[i + 1];
		const struct weft__run *run = plan->run + r->b->far_run[n];
		unsigned nruns = plan->nruns[i];

		if ((nruns > 1 || run->length > 1) && r->b->through[s] &&
		    is_hot(r, s))
			move_load(r, s, run, nruns);
	}
}

/* Goes on to a tree. */
static void look_at(struct relief *r, const struct weft__trees *trees,
		    uint32_t d)
{
	uint32_t group = trees->tree[d].group;

	r->tree = &trees->tree[d];
	r->b->looked += r->nhot / 4 + 1;
	if (trees->ngroups < 2)
		return;
	r->own = r->b->own + (size_t)group * r->f->adj_first[r->f->nsw];
	r->own_limit = r->b->own_limit[group];
}

/* Relieves the trees one by one. */
static void run_round(struct relief *r, struct weft__ways *ways,
		      const struct weft__trees *trees)
{
	r->moved = false;
	list_hot(r);
	for (uint32_t d = 0; d < trees->nendports; d++) {
		look_at(r, trees, d);
		if (r->b->looked > r->limit)
			return;
		if (!r->tree->fixed && passes_peak(r))
			relieve_tree(r, weft__ways_to(ways, r->tree->root));
	}
}

/* Returns how much of the traffic of all switches to the root of a plan passes
 * channels above a threshold, once for each of them, at least. */
static double least_passes(struct weft__balance *b,
			   const struct weft__plan *plan, uint64_t threshold)
{
	const struct weft__run *run = plan->run;
	uint64_t *passed = b->distance;
	double sum = 0;

	passed[plan->order[0]] = 0;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];
		uint64_t least = UINT64_MAX;

		for (unsigned n = plan->nruns[i]; n; n--, run++) {
			uint32_t e = b->fabric->adj_first[s] + run->start;
			uint32_t end = e + run->length;

			for (; e < end; e++) {
				uint64_t here = passed[b->head[e]] +
					(b->weight[e] > threshold);

				least = here < least ? here : least;
			}
		}
		passed[s] = least;
		sum += (double)least * b->sources[s];
	}
	b->looked += plan->edges;
	return sum;
}

uint64_t weft__balance_bound(struct weft__balance *b, struct weft__ways *ways,
			     const struct weft__trees *trees,
			     uint64_t threshold)
{
	uint32_t *weight = b->through, nsw = b->fabric->nsw;
	double passes = 0, room = 0;

	memset(weight, 0, nsw * sizeof(*weight));
	for (uint32_t d = 0; d < trees->nendports; d++)
		weight[trees->tree[d].root] += trees->tree[d].weight;
	for (uint32_t s = 0; s < nsw; s++)
		if (weight[s])
			passes += weight[s] * least_passes(b,
				weft__ways_to(ways, s), threshold);
	for (uint32_t e = 0; e < b->fabric->adj_first[nsw]; e++)
		if (b->weight[e] > threshold)
			room += 1.0 / b->scale[e];
	return room > 0 ? passes / room : 0;
}

/* True if no choice of ways makes the highest load lower. */
static bool is_least(struct relief *r, struct weft__ways *ways,
		     const struct weft__trees *trees, uint64_t most)
{
	uint64_t bound = weft__balance_bound(r->b, ways, trees, r->target);

	/* loads are multiples of 256, and the bound is a quotient */
	return bound + 1 >= (most & ~(uint64_t)UINT8_MAX);
}

/* Finds what the trees of each group load by themselves, and the most of
 * that. */
static void find_own(struct weft__balance *b, struct weft__ways *ways,
		     const struct weft__trees *trees)
{
	uint32_t nedges = b->fabric->adj_first[b->fabric->nsw];
	uint64_t *all = b->weight;

	memset(b->own, 0, (size_t)trees->ngroups * nedges * sizeof(*b->own));
	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];

		b->weight = b->own + (size_t)tree->group * nedges;
		weft__balance_load(b, weft__ways_to(ways, tree->root),
				   tree->choice, tree->weight);
	}
	for (uint32_t g = 0; g < trees->ngroups; g++) {
		b->weight = b->own + (size_t)g * nedges;
		b->own_limit[g] = weft__balance_peak(b);
	}
	b->weight = all;
}

void weft__balance_relieve(struct weft__balance *b, struct weft__ways *ways,
			   const struct weft__trees *trees, unsigned rounds)
{
	struct relief r = { .b = b, .f = b->fabric };
	uint64_t least = lowest_target(b), most = weft__balance_peak(b);
	uint64_t step = STEP, before = 0;

	r.limit = b->looked + (uint64_t)trees->nendports * b->fabric->nsw *
			      WORK_PER_ENTRY;
	if (r.limit > b->limit)
		r.limit = b->limit;
	while (rounds-- && most > least && step <= STEP * 64 &&
	       b->looked < r.limit) {
		/* before the first round, and where the target was missed */
		bool doubtful = !before || most > r.target;

		r.target = most - most / step;
		if (r.target < least)
			r.target = least;
		if (doubtful && is_least(&r, ways, trees, most))
			return;
		if (!before && trees->ngroups > 1)
			find_own(b, ways, trees);
		before = most;
		run_round(&r, ways, trees);
		most = weft__balance_peak(b);
		if (!r.moved || before - most < before / FALL)
			step *= 4;
	}
}
