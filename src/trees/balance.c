// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Balances destination trees; see balance.h. */
#include "trees/balance.h"

#include "core/arena.h"

#include <string.h>

/* How much more a route counts for those of its group than for others: so much
 * that the others decide only between ways that are even. */
#define OWN_FIRST 64

void weft__balance_reset(struct weft__balance *b)
{
	const uint32_t *first = b->fabric->adj_first;

	for (uint32_t s = 0; s < b->fabric->nsw; s++)
		for (uint32_t e = first[s]; e < first[s + 1]; e++)
			b->weight[e] = e - first[s];
}

/* Leaves a byte below the weight of a route for the edge's position, which
 * weft__balance_tree() needs. */
static bool prepare_edges(struct weft__balance *b, struct weft_arena *arena)
{
	const struct weft_fabric *f = b->fabric;
	uint32_t nedges = f->adj_first[f->nsw];

	b->weight = weft__arena_alloc(arena, nedges, sizeof(*b->weight));
	if (!b->weight || !weft__edges_list(f, arena, &b->head, &b->scale))
		return false;
	for (uint32_t e = 0; e < nedges; e++)
		b->scale[e] <<= 8;
	weft__balance_reset(b);
	return true;
}

bool weft__balance_init(struct weft__balance *b, const struct weft_fabric *f,
			struct weft_arena *arena)
{
	b->fabric = f;
	b->distance = weft__arena_alloc(arena, f->nsw, sizeof(*b->distance));
	b->through = weft__arena_alloc(arena, f->nsw, sizeof(*b->through));
	b->sources = weft__arena_alloc(arena, f->nsw, sizeof(*b->sources));
	b->list = weft__arena_alloc(arena, f->nsw, sizeof(*b->list));
	b->far = weft__arena_alloc(arena, f->nsw, sizeof(*b->far));
	b->far_run = weft__arena_alloc(arena, f->nsw, sizeof(*b->far_run));
	b->hot = weft__arena_alloc(arena, f->adj_first[f->nsw] + 1ull,
				   sizeof(*b->hot));
	b->behind = weft__arena_alloc(arena, f->nsw, 1);
	b->own = weft__arena_alloc(arena, f->ngroups > 1 ? (uint64_t)f->ngroups *
				   f->adj_first[f->nsw] : 0, sizeof(*b->own));
	b->own_limit = weft__arena_alloc(arena, f->ngroups,
					 sizeof(*b->own_limit));
	b->switches = false;
	b->looked = 0;
	b->limit = UINT64_MAX;
	if (!b->distance || !b->through || !b->sources || !b->list ||
	    !b->far || !b->far_run || !b->hot || !b->behind || !b->own ||
	    !b->own_limit || !prepare_edges(b, arena))
		return false;
	memset(b->sources, 0, f->nsw * sizeof(*b->sources));
	for (uint32_t e = 0; e < f->nep; e++)
		b->sources[f->ep[e].sw] += f->ep[e].weight;
	return true;
}

/*
 * This kernel finds the least loaded shortest-path tree to a destination.
 * distance[] of a switch is the sum of weights from there; the nearest switches
 * come first, so that the heads' distances are known.  A weight's low byte is
 * the edge's position, so that one minimum finds the least weight and its edge,
 * the lowest among equals, without a branch.
 */
static inline uint64_t least_way(const struct weft__balance *b, uint32_t s,
				 const struct weft__run *run, unsigned nruns)
{
	uint64_t best = UINT64_MAX;

	for (; nruns; nruns--, run++) {
		uint32_t e = b->fabric->adj_first[s] + run->start;
		uint32_t end = e + run->length;

		for (; e < end; e++) {
			uint64_t d = b->distance[b->head[e]] + b->weight[e];

			best = d < best ? d : best;
		}
	}
	return best;
}

void weft__balance_tree(struct weft__balance *b, const struct weft__plan *plan,
			uint8_t *choice)
{
	const struct weft__run *run = plan->run;

	b->looked += plan->edges + WEFT__SWITCH_WORK * plan->n;
	b->distance[plan->order[0]] = 0;
	for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++]) {
		uint32_t s = plan->order[i + 1];
		uint64_t best = least_way(b, s, run, plan->nruns[i]);

		b->distance[s] = best & ~(uint64_t)0xff;
		choice[s] = best & 0xff;
	}
}

/*
 * Chooses a tree anew whose load was taken off.  Switches keep their edges where
 * these are among the best; and where no traffic passes, unless all are to
 * choose: there are many of these in a tree, and to look at their ways takes as
 * long as at all others'.  Returns true if any choice changed.
 */
static bool choose_anew(struct weft__balance *b, const struct weft__plan *plan,
			uint8_t *choice, bool all)
{
	const struct weft_fabric *f = b->fabric;
	const struct weft__run *run = plan->run;
	bool changed = false;
	unsigned nruns;

	b->looked += WEFT__SWITCH_WORK * plan->n;
	b->distance[plan->order[0]] = 0;
	for (uint32_t i = 0; i < plan->n; i++, run += nruns) {
		uint32_t s = plan->order[i + 1];
		uint32_t e = f->adj_first[s] + choice[s];
		uint64_t kept = b->distance[b->head[e]] + b->weight[e], best;

		nruns = plan->nruns[i];
		b->distance[s] = kept & ~(uint64_t)0xff;
		if (!all && !b->through[s] &&
		    weft__runs_have(run, nruns, choice[s]))
			continue;
		best = least_way(b, s, run, nruns);
		b->looked += f->adj_first[s + 1] - f->adj_first[s];
		if ((kept ^ best) <= UINT8_MAX)
			continue;
		b->distance[s] = best & ~(uint64_t)0xff;
		choice[s] = best & 0xff;
		changed = true;
	}
	return changed;
}

/* Goes through the farthest switches first. */
void weft__balance_load(struct weft__balance *b, const struct weft__plan *plan,
			const uint8_t *choice, uint64_t weight)
{
	const uint32_t *first = b->fabric->adj_first;
	uint32_t *through = b->through;

	b->looked += WEFT__SWITCH_WORK * plan->n;
	memcpy(through, b->sources, b->fabric->nsw * sizeof(*through));
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i];
		uint32_t e = first[s] + choice[s];

		b->weight[e] += weight * through[s] * b->scale[e];
		through[b->head[e]] += through[s];
	}
}

/* Returns true if no edge weighs over 3 % more than the mean, and nothing need
 * be balanced. */
static bool is_even(const struct weft__balance *b)
{
	uint32_t nedges = b->fabric->adj_first[b->fabric->nsw];
	uint64_t most = 0, sum = 0;

	for (uint32_t e = 0; e < nedges; e++) {
		uint64_t w = b->weight[e] >> 8;

		most = w > most ? w : most;
		sum += w;
	}
	return most * 100.0 * nedges <= sum * 103.0;
}

/* True if none of the edges that lead up from a switch, or down to it, weighs
 * over 3 % more than their mean.  There may be fewer of them farther up. */
static bool is_even_by_switch(struct weft__balance *b, const uint32_t *place,
			      bool down)
{
	const struct weft_fabric *f = b->fabric;
	uint64_t *sum = b->distance;
	uint32_t *n = b->through;
	bool even = true;

	memset(sum, 0, f->nsw * sizeof(*sum));
	memset(n, 0, f->nsw * sizeof(*n));
	for (int look = 0; look < 2; look++)
		for (uint32_t s = 0; s < f->nsw; s++)
			for (uint32_t e = f->adj_first[s];
			     e < f->adj_first[s + 1]; e++) {
				uint64_t w = b->weight[e] >> 8;
				uint32_t t = b->head[e], at = down ? t : s;

				if ((place[t] > place[s]) != down)
					continue;
				if (look)
					even &= w * 100.0 * n[at] <=
						sum[at] * 103.0;
				sum[at] += look ? 0 : w;
				n[at] += !look;
			}
	return even;
}

/* True if loads are so even that no pass need balance them. */
static bool needs_no_pass(struct weft__balance *b,
			  const struct weft__ways *ways)
{
	return is_even(b) || (ways->place &&
			      is_even_by_switch(b, ways->place, false) &&
			      is_even_by_switch(b, ways->place, true));
}

/* Adds the routes of the trees of a group that many times more; WEFT_NONE: of
 * all. */
static void load_group(struct weft__balance *b, struct weft__ways *ways,
		       const struct weft__trees *trees, uint32_t group,
		       uint64_t times)
{
	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];

		if (group == WEFT_NONE || tree->group == group)
			weft__balance_load(b, weft__ways_to(ways, tree->root),
					   tree->choice, tree->weight * times);
	}
}

void weft__balance_load_anew(struct weft__balance *b, struct weft__ways *ways,
			     const struct weft__trees *trees)
{
	weft__balance_reset(b);
	load_group(b, ways, trees, WEFT_NONE, 1);
}

/* Routes a tree anew, each route with that weight; all: switches that no traffic
 * passes, too.  Returns true if any choice changed. */
static bool improve_tree(struct weft__balance *b, struct weft__ways *ways,
			 const struct weft__tree *tree, uint64_t weight,
			 bool all)
{
	const struct weft__plan *plan = weft__ways_to(ways, tree->root);
	bool changed;

	weft__balance_load(b, plan, tree->choice, -(tree->weight * weight));
	changed = choose_anew(b, plan, tree->choice, all);
	weft__balance_load(b, plan, tree->choice, tree->weight * weight);
	return changed;
}

/* Does so with the trees of a group, WEFT_NONE: with all. */
static bool improve_group(struct weft__balance *b, struct weft__ways *ways,
			  const struct weft__trees *trees, uint32_t group,
			  uint64_t weight, bool all)
{
	bool changed = false;

	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];

		if (group != WEFT_NONE && tree->group != group)
			continue;
		if (b->looked > b->limit)
			break;
		changed |= improve_tree(b, ways, tree, weight, all);
	}
	return changed;
}

void weft__balance_improve(struct weft__balance *b, struct weft__ways *ways,
			   const struct weft__trees *trees, long passes)
{
	uint32_t ngroups = trees->ngroups;
	bool changed = true, all = true;

	for (; passes > 0 && changed && (ngroups > 1 || !needs_no_pass(b, ways));
	     passes--, all = false) {
		changed = false;
		if (ngroups < 2)
			changed = improve_group(b, ways, trees, WEFT_NONE, 1,
						all);
		for (uint32_t g = 0; ngroups > 1 && g < ngroups; g++) {
			load_group(b, ways, trees, g, OWN_FIRST - 1);
			changed |= improve_group(b, ways, trees, g, OWN_FIRST,
						 all);
			load_group(b, ways, trees, g,
				   -(uint64_t)(OWN_FIRST - 1));
		}
	}
}

/* Has the loads so far count that much less. */
static void fade(struct weft__balance *b)
{
	const uint32_t *first = b->fabric->adj_first;

	for (uint32_t s = 0; s < b->fabric->nsw; s++)
		for (uint32_t e = first[s]; e < first[s + 1]; e++)
			b->weight[e] = (b->weight[e] / OWN_FIRST &
					~(uint64_t)0xff) | (e - first[s]);
}

void weft__balance_endports(struct weft__balance *b, struct weft__ways *ways,
			    const struct weft__trees *trees, long passes)
{
	uint32_t group = trees->nendports ? trees->tree[0].group : 0;

	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];
		const struct weft__plan *plan = weft__ways_to(ways, tree->root);

		if (trees->ngroups > 1 && tree->group != group)
			fade(b);
		group = tree->group;
		weft__balance_tree(b, plan, tree->choice);
		weft__balance_load(b, plan, tree->choice, tree->weight);
	}
	if (trees->ngroups > 1)
		weft__balance_load_anew(b, ways, trees);
	weft__balance_improve(b, ways, trees, passes - 1);
}

/* Returns true if all switches send by ways of the plan. */
static bool is_within(const struct weft__plan *plan, const uint8_t *choice)
{
	const struct weft__run *run = plan->run;

	for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++])
		if (!weft__runs_have(run, plan->nruns[i], choice[plan->order[i + 1]]))
			return false;
	return true;
}

/* Has switches that leave the plan take the least loaded tree's edges. */
static void lead_back(struct weft__balance *b, const struct weft__plan *plan,
		      uint8_t *choice)
{
	const struct weft__run *run = plan->run;
	uint8_t *least = b->behind;

	weft__balance_tree(b, plan, least);
	for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++]) {
		uint32_t s = plan->order[i + 1];

		if (!weft__runs_have(run, plan->nruns[i], choice[s]))
			choice[s] = least[s];
	}
}

void weft__balance_lead_back(struct weft__balance *b, struct weft__ways *ways,
			     const struct weft__trees *trees)
{
	weft__balance_load_anew(b, ways, trees);
	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];
		const struct weft__plan *plan = weft__ways_to(ways, tree->root);

		if (is_within(plan, tree->choice))
			continue;
		weft__balance_load(b, plan, tree->choice,
				   -(uint64_t)tree->weight);
		lead_back(b, plan, tree->choice);
		weft__balance_load(b, plan, tree->choice, tree->weight);
	}
}

void weft__balance_switches(struct weft__balance *b, struct weft__ways *ways,
			    const struct weft__trees *trees)
{
	for (uint32_t d = trees->nendports; d < trees->n; d++) {
		const struct weft__tree *tree = &trees->tree[d];
		const struct weft__plan *plan = weft__ways_to(ways, tree->root);

		weft__balance_tree(b, plan, tree->choice);
		if (b->switches)
			weft__balance_load(b, plan, tree->choice, tree->weight);
	}
}

uint64_t weft__balance_peak(const struct weft__balance *b)
{
	uint64_t most = 0;

	for (uint32_t e = 0; e < b->fabric->adj_first[b->fabric->nsw]; e++)
		most = b->weight[e] > most ? b->weight[e] : most;
	return most;
}
